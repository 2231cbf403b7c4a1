/** The best bid and ask that the makers of a symbol want; they follow its value, but not every small move. */
import type { Random } from "./random.ts";

/** How often a spread is wider than necessary, and by how many ticks at most. */
const WIDE_CHANCE = 0.15;
const WIDE_TAIL = 1.2;
const WIDEST = 12;

/** The best prices in multiples of the tick. */
export interface Top {
  readonly bid: number;
  readonly ask: number;
}

export class TopOfBook {
  readonly #random: Random;
  #mid: number | undefined;
  #top: Top = { bid: 0, ask: 0 };

  constructor(random: Random) {
    this.#random = random;
  }

  get top(): Top {
    return this.#top;
  }

  /** `patience`: how far the value may move before the quotes follow. `value` and `spread`, too, are in ticks. */
  follow(value: number, patience: number, spread: number): Top {
    // A wide spread need not follow each step, and nobody follows within a tick.
    const enough = Math.max(patience, spread / 3, 0.75);
    if (this.#mid !== undefined && Math.abs(value - this.#mid) <= enough) return this.#top;
    this.#mid = value;
    const wide = this.#random.chance(WIDE_CHANCE) ? Math.min(WIDEST, Math.floor(this.#random.pareto(WIDE_TAIL))) : 0;
    // Where a tick is a large part of the patience, no tick is left free.
    const ticks = Math.max(1, Math.round(spread)) + (patience > 4 ? wide : 0);
    const bid = Math.max(1, Math.floor(value - (ticks - 1) / 2));
    this.#top = { bid, ask: bid + ticks };
    return this.#top;
  }
}
