/**
 * A stretch of a ladder: adjacent levels, few enough that inserting one is a short move, however many the ladder has.
 */
import { assert } from "../../assert.ts";
import type { QuoteScale } from "../../number/quote-scale.ts";
import type { Order } from "../order/order.ts";
import type { Level } from "./level.ts";
import { type Stretch, type Totals, totalsOf } from "./stretch.ts";

/** Most levels of a rung; a full one is split in two. */
const RUNG_LEVELS = 64;

/** The total of all rungs of a ladder; null when one of them has changed since the total was computed. */
export interface SideTotal {
  lots: number | null;
}

export class Rung implements Stretch {
  /** The keys of the levels, side by side for the search; ascending. */
  private readonly keys = new Float64Array(RUNG_LEVELS);
  private readonly byKey: Level[] = [];
  /** Null when something has changed since the totals were computed. */
  private known: Totals | null = null;
  private readonly side: SideTotal;

  constructor(side: SideTotal) {
    this.side = side;
  }

  get size(): number {
    return this.byKey.length;
  }
  get isFull(): boolean {
    return this.byKey.length === RUNG_LEVELS;
  }
  get firstKey(): number {
    return this.keys[0] as number;
  }
  get last(): Level | undefined {
    return this.byKey[this.byKey.length - 1];
  }
  at(index: number): Level {
    return this.byKey[index] as Level;
  }

  /** The first index whose key is not lower; `size` when all are lower. */
  indexOf(key: number): number {
    const keys = this.keys;
    let low = 0;
    let high = this.byKey.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as number) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether `index`, a result of `indexOf`, holds this very key. */
  holds(index: number, key: number): boolean {
    return index < this.byKey.length && this.keys[index] === key;
  }

  insert(index: number, key: number, level: Level): void {
    const keys = this.keys;
    const levels = this.byKey;
    level.rung = this;
    this.forgetTotals();
    levels.push(level);
    for (let i = levels.length - 1; i > index; i--) {
      keys[i] = keys[i - 1] as number;
      levels[i] = levels[i - 1] as Level;
    }
    keys[index] = key;
    levels[index] = level;
  }

  remove(index: number): void {
    const keys = this.keys;
    const levels = this.byKey;
    this.forgetTotals();
    for (let i = index + 1; i < levels.length; i++) {
      keys[i - 1] = keys[i] as number;
      levels[i - 1] = levels[i] as Level;
    }
    levels.pop();
  }

  /** Moves the upper half into a rung of its own. */
  split(): Rung {
    const upper = new Rung(this.side);
    const half = this.byKey.length >>> 1;
    for (let i = half; i < this.byKey.length; i++) upper.insert(i - half, this.keys[i] as number, this.at(i));
    this.byKey.length = half;
    this.forgetTotals();
    return upper;
  }

  /** Throws when the keys are not the prices times `direction`, ascending, or known totals are not those of the levels. */
  check(direction: 1 | -1, side: SideTotal, scale: QuoteScale | null): void {
    assert(this.side === side, "a rung is one of its side's");
    for (const [index, level] of this.byKey.entries()) {
      const key = this.keys[index] as number;
      assert(level.rung === this && key === level.priceTicks * direction, "a price is found by its key");
      assert(index === 0 || key > (this.keys[index - 1] as number), "prices are sorted");
    }
    const { known } = this;
    if (known === null) return;
    assert(scale !== null, "only a book has totals");
    const { lots, quoteByPrice, quoteByFill } = totalsOf(this, scale);
    const isSame = known.lots === lots && known.quoteByPrice === quoteByPrice && known.quoteByFill === quoteByFill;
    assert(isSame, "known totals are those of the levels");
  }

  // The rung as a stretch of the book: the best price has the largest key.

  /** A level of the rung has changed its lots. */
  forgetTotals(): void {
    this.known = null;
    this.side.lots = null;
  }
  totals(scale: QuoteScale): Totals {
    this.known ??= totalsOf(this, scale);
    return this.known;
  }
  get worstTicks(): number {
    return this.at(0).priceTicks;
  }
  *levels(): Iterable<Level> {
    for (let i = this.size - 1; i >= 0; i--) yield this.at(i);
  }
  *orders(): Iterable<Order> {
    for (const level of this.levels()) {
      for (let order = level.first; order !== null; order = order.next) yield order;
    }
  }
}
