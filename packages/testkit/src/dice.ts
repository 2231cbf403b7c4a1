/** A seeded random source: the same seed always gives the same numbers. Only for test cases, not for secrets. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number of at least 0 and less than 1. */
  next(): number {
    // mulberry32: 32 bits of state are enough to identify a test case.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number of at least 0 and less than `sides`. */
  below(sides: number): number {
    return Math.floor(this.next() * sides);
  }

  /** Returns a whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** Returns true with a probability of one in `times`. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  /** Picks an element of a list that is not empty. */
  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  /** Picks an element with a probability proportional to its weight. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let left = this.below(choices.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, choice] of choices) {
      if (left < weight) return choice;
      left -= weight;
    }
    throw new Error("no choices");
  }
}
