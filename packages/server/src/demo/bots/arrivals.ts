/**
 * Decides when takers come: each one draws others after it, within a second and within a minute (a Hawkes process in
 * steps), so that there are bursts and calm.
 */
import type { Random } from "./random.ts";

interface Echo {
  readonly memoryMs: number;
  /** The number of orders that an order draws after it by this echo, in all. */
  readonly followers: number;
}

const ECHOES: readonly Echo[] = [
  { memoryMs: 700, followers: 0.45 },
  { memoryMs: 40_000, followers: 0.3 },
];
/** The part of orders that come by themselves; the others are drawn by them. */
const UNMOVED = 1 - ECHOES.reduce((sum, { followers }) => sum + followers, 0);

export class Arrivals {
  readonly #random: Random;
  readonly #perStep: number;
  readonly #most: number;
  readonly #echoes: readonly { readonly keep: number; readonly kick: number }[];
  readonly #excitement: number[];

  /** `perStep` is the average number of orders, `most` the greatest, in one step. */
  constructor(random: Random, perStep: number, most: number, stepMs: number) {
    this.#random = random;
    this.#perStep = perStep;
    this.#most = most;
    this.#echoes = ECHOES.map(({ memoryMs, followers }) => {
      const keep = Math.exp(-stepMs / memoryMs);
      return { keep, kick: (followers * (1 - keep)) / keep };
    });
    // It starts as in the middle of an average day.
    this.#excitement = ECHOES.map(({ followers }) => perStep * followers);
  }

  /** Returns the orders of this step; `pace` is a multiple of the average. */
  next(pace: number): number {
    let mean = this.#perStep * UNMOVED * pace;
    for (const [index, { keep }] of this.#echoes.entries()) {
      const left = (this.#excitement[index] ?? 0) * keep;
      this.#excitement[index] = left;
      mean += left;
    }
    const count = Math.min(this.#most, this.#random.poisson(Math.min(mean, this.#most)));
    this.excite(count);
    return count;
  }

  /** Records that `count` orders came, for any reason: others follow. */
  excite(count: number): void {
    for (const [index, { kick }] of this.#echoes.entries()) {
      this.#excitement[index] = (this.#excitement[index] ?? 0) + count * kick;
    }
  }
}
