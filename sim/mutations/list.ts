/** All planted bugs. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ACCESS_BUGS } from "./access-bugs.ts";
import { ENGINE_BUGS, LIMIT_BUGS } from "./engine-bugs.ts";
import type { Mutation } from "./mutation.ts";
import { NODE_BUGS } from "./node-bugs.ts";
import { OUTSIDE_BUGS } from "./outside-bugs.ts";
import { TRADING_BUGS } from "./trading-bugs.ts";
import { simulate } from "../simulation.ts";

export const MUTATIONS: readonly Mutation[] = [
  ...NODE_BUGS,
  ...ENGINE_BUGS,
  ...ACCESS_BUGS,
  ...OUTSIDE_BUGS,
  ...LIMIT_BUGS,
  ...TRADING_BUGS,
];

export interface Hunt {
  /** The seed that found it; undefined if none did. */
  readonly seed: number | undefined;
  readonly violation: string | undefined;
}

/** Seeds tried, and the length of their histories. */
const MOST_SEEDS = 150;
const LENGTH = 400;

/** Seeds that find bugs, other than seed 1. Tests begin with them to save time. */
const PATH = join(import.meta.dirname, "known-seeds.json");
/** One node, or several. */
type Where = "oneNode" | "cluster";
type Seeds = Readonly<Record<Where, Readonly<Record<string, number>>>>;
const readSeeds = (): Seeds => JSON.parse(readFileSync(PATH, "utf8")) as Seeds;
const KNOWN_SEEDS = readSeeds();

export function knownSeed({ name }: Pick<Mutation, "name">, where: Where = "oneNode"): number {
  return KNOWN_SEEDS[where][name] ?? 1;
}

/** Stores the seed that has found a bug. Another process may have stored others meanwhile. */
export function learnSeed({ name }: Pick<Mutation, "name">, seed: number, where: Where): void {
  const known = readSeeds();
  const { [name]: _before, ...others } = known[where];
  const seeds = { ...known, [where]: seed === 1 ? others : { ...others, [name]: seed } };
  writeFileSync(PATH, `${JSON.stringify(seeds, null, 2)}\n`);
}

/** Runs the given seed, then one seed after another, until the auditor finds the bug. */
export async function hunt({ seams, plant }: Mutation, from = 1): Promise<Hunt> {
  const takeOut = plant();
  try {
    for (const seed of new Set([from, ...Array.from({ length: MOST_SEEDS }, (_, at) => at + 1)])) {
      const { violation } = await simulate({ seed, length: LENGTH, seams });
      if (violation !== undefined) return { seed, violation };
    }
    return { seed: undefined, violation: undefined };
  } finally {
    takeOut();
  }
}
