/**
 * Decides when takers come: each one draws others after it, at once and within a minute (a Hawkes process in
 * steps), so that there are bursts and calm.
 */
import { z } from "zod";
import { exp } from "../exact.ts";
import type { Keeping, KeptValue } from "../../../platform/world/kept.ts";
import { keptPart, readKept } from "../../../platform/world/read-kept.ts";
import { Random } from "./random.ts";

interface Echo {
  readonly memoryMs: number;
  /** The number of orders that an order draws after it by this echo, in all. */
  readonly followers: number;
}

const ECHOES: readonly Echo[] = [
  { memoryMs: 150, followers: 0.6 },
  { memoryMs: 40_000, followers: 0.15 },
];
/** The part of orders that come by themselves; the others are drawn by them. */
const UNMOVED = 1 - ECHOES.reduce((sum, { followers }) => sum + followers, 0);

const keptShape = z.strictObject({ random: keptPart, excitement: z.array(z.number()).length(ECHOES.length) });

export interface ArrivalsParts {
  readonly seed: number;
  /** Gives the arrivals numbers of their own. */
  readonly name: string;
  /** The average number of orders, and the greatest, in one step. */
  readonly perStep: number;
  readonly most: number;
  readonly stepMs: number;
}

export class Arrivals implements Keeping {
  readonly #random: Random;
  readonly #perStep: number;
  readonly #most: number;
  readonly #echoes: readonly { readonly keep: number; readonly kick: number }[];
  readonly #excitement: number[];

  constructor({ seed, name, perStep, most, stepMs }: ArrivalsParts, kept?: KeptValue) {
    const state = kept === undefined ? undefined : readKept(name, keptShape, kept);
    this.#random = new Random(seed, name, state?.random);
    this.#perStep = perStep;
    this.#most = most;
    this.#echoes = ECHOES.map(({ memoryMs, followers }) => {
      const keep = exp(-stepMs / memoryMs);
      return { keep, kick: (followers * (1 - keep)) / keep };
    });
    // It starts as in the middle of an average day.
    this.#excitement = state?.excitement ?? ECHOES.map(({ followers }) => perStep * followers);
  }

  kept(): KeptValue {
    return { random: this.#random.kept(), excitement: [...this.#excitement] };
  }

  /** Returns the orders of this step; `pace` is a multiple of those that come unmoved, `rate` of all. */
  next(pace: number, rate = 1): number {
    const most = this.#most * Math.max(1, Math.ceil(rate));
    let mean = this.#perStep * UNMOVED * pace;
    for (const [index, { keep }] of this.#echoes.entries()) {
      const left = (this.#excitement[index] ?? 0) * keep;
      this.#excitement[index] = left;
      mean += left;
    }
    const count = Math.min(most, this.#random.poisson(Math.min(mean * rate, most)));
    this.excite(count, rate);
    return count;
  }

  /** Records that `count` orders came, for any reason: others follow, as many as at the usual rate. */
  excite(count: number, rate = 1): void {
    if (rate === 0) return;
    for (const [index, { kick }] of this.#echoes.entries()) {
      this.#excitement[index] = (this.#excitement[index] ?? 0) + (count / rate) * kick;
    }
  }
}
