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
  readonly violation: string | undefined;
}

/** Seeds that are tried, and the length of their histories: the rarest bug takes two thirds of them. */
const MOST_SEEDS = 150;
const LENGTH = 400;

/** Seeds that find the rarer ones: where tests begin, for want of time. */
const KNOWN_SEEDS: Readonly<Record<string, number>> = {
  "a code of a secret that was taken away is good": 16,
  "an iceberg keeps its place when its next slice shows": 7,
  "a snapshot turns queues round": 7,
};

export function knownSeed({ name }: Mutation): number {
  return KNOWN_SEEDS[name] ?? 1;
}

/** Runs seed after seed until the auditor finds the bug. */
export async function hunt({ seams, plant }: Mutation, from = 1): Promise<Hunt> {
  const takeOut = plant();
  try {
    for (let seed = from; seed <= MOST_SEEDS; seed++) {
      const { violation } = await simulate({ seed, length: LENGTH, seams });
      if (violation !== undefined) return { seed, violation };
    }
    return { seed: undefined, violation: undefined };
  } finally {
    takeOut();
  }
}
