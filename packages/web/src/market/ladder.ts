/** One side of a book: its levels, the best first, as far as they are known. */
import type { Level } from "./port.ts";

/** More than that of a side are not kept: nobody looks so far. */
export const MOST_LEVELS = 5000;

export class Ladder {
  /** 1: the best price is the lowest. */
  readonly #order: 1 | -1;
  #levels: Level[] = [];
  /** Behind this price nothing is known; null: all is known. */
  #horizon: number | null = null;

  constructor(side: "bids" | "asks") {
    this.#order = side === "asks" ? 1 : -1;
  }

  get best(): number | null {
    return this.#levels[0]?.price ?? null;
  }

  get length(): number {
    return this.#levels.length;
  }

  /** Whether there may be levels that it does not know. */
  get isCut(): boolean {
    return this.#horizon !== null;
  }

  /** Forgets all that it knew. `isWhole`: there are no others. */
  replace(levels: readonly Level[], isWhole: boolean): void {
    this.#levels = [...levels];
    this.#horizon = isWhole ? null : (levels.at(-1)?.price ?? null);
  }

  /** What stands at a price now; 0: nothing. */
  set(price: number, quantity: number): void {
    if (this.#horizon !== null && (price - this.#horizon) * this.#order > 0) return;
    const at = this.#placeOf(price);
    const isThere = this.#levels[at]?.price === price;
    if (quantity === 0) {
      if (isThere) this.#levels.splice(at, 1);
      return;
    }
    // A new object each time: views that were given away keep the old one.
    this.#levels.splice(at, isThere ? 1 : 0, { price, quantity });
    if (this.#levels.length > MOST_LEVELS) {
      this.#levels.pop();
      this.#horizon = this.#levels.at(-1)?.price ?? null;
    }
  }

  /** The levels of this moment, which do not change any more. */
  view(): readonly Level[] {
    return this.#levels.slice();
  }

  /** Where that price stands, or would. */
  #placeOf(price: number): number {
    let low = 0;
    let high = this.#levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = (this.#levels[middle] as Level).price;
      if ((there - price) * this.#order < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
