/** All planted bugs. */
import { ENGINE_BUGS } from "./engine-bugs.ts";
import type { Mutation } from "./mutation.ts";
import { NODE_BUGS } from "./node-bugs.ts";
import { OUTSIDE_BUGS } from "./outside-bugs.ts";
import { simulate } from "../simulation.ts";

export const MUTATIONS: readonly Mutation[] = [...NODE_BUGS, ...ENGINE_BUGS, ...OUTSIDE_BUGS];

export interface Hunt {
  /** The seed that found it; undefined: none did. */
  readonly seed: number | undefined;
  readonly seeds: number;
  readonly violation: string | undefined;
}

/** Seeds that are tried, and the length of their histories: the rarest bug takes two thirds of them. */
const MOST_SEEDS = 150;
const LENGTH = 400;

/** Runs seed after seed until the auditor finds the bug. */
export async function hunt({ seams, plant }: Mutation): Promise<Hunt> {
  const takeOut = plant();
  try {
    for (let seed = 1; seed <= MOST_SEEDS; seed++) {
      const { violation } = await simulate({ seed, length: LENGTH, seams });
      if (violation !== undefined) return { seed, seeds: seed, violation };
    }
    return { seed: undefined, seeds: MOST_SEEDS, violation: undefined };
  } finally {
    takeOut();
  }
}
