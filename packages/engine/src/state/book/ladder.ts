/**
 * One side of the book: the sorted prices at which orders rest. A ladder consists of rungs of a few dozen levels each,
 * and a level consists of the orders at one price.
 */
import { assert } from "../../assert.ts";
import type { Order } from "../order/order.ts";
import { quoteOf, type QuoteScale } from "../../numbers.ts";

// The orders at one price, oldest first, linked through the orders themselves, so that push and unlink cost O(1).

export class Level {
  readonly priceTicks: number;
  visibleLots = 0;
  hiddenLots = 0;
  first: Order | null = null;
  last: Order | null = null;
  /** The rung that contains the level. */
  rung: { forgetTotals(): void } | null = null;

  constructor(priceTicks: number) {
    this.priceTicks = priceTicks;
  }

  /** Adds lots to the level's totals; negative numbers subtract. */
  add(visibleLots: number, hiddenLots: number): void {
    this.visibleLots += visibleLots;
    this.hiddenLots += hiddenLots;
    this.rung?.forgetTotals();
  }

  /** Throws if the orders are not linked correctly, or the sum of `lots` differs from the totals. */
  check(lots: (order: Order) => readonly [visible: number, hidden: number]): void {
    let [visibleLots, hiddenLots] = [0, 0];
    let previous: Order | null = null;
    for (let order = this.first; order !== null; order = order.next) {
      assert(order.level === this && order.previous === previous, "orders at a price know their neighbours");
      const [visible, hidden] = lots(order);
      visibleLots += visible;
      hiddenLots += hidden;
      previous = order;
    }
    assert(previous !== null && this.last === previous, "a price has orders, up to its last");
    // Totals above the largest safe integer depend on the order of the additions.
    if (visibleLots + hiddenLots > Number.MAX_SAFE_INTEGER) return;
    assert(this.visibleLots === visibleLots && this.hiddenLots === hiddenLots, "a price has the lots of its orders");
  }

  push(order: Order): void {
    order.level = this;
    order.previous = this.last;
    order.next = null;
    if (this.last === null) this.first = order;
    else this.last.next = order;
    this.last = order;
  }

  unlink(order: Order): void {
    if (order.previous === null) this.first = order.next;
    else order.previous.next = order.next;
    if (order.next === null) this.last = order.previous;
    else order.next.previous = order.previous;
    order.previous = null;
    order.next = null;
    order.level = null;
  }

  /** Puts an order in the place of another one. The totals do not change. */
  replace(order: Order, by: Order): void {
    by.level = this;
    by.previous = order.previous;
    by.next = order.next;
    if (order.previous === null) this.first = by;
    else order.previous.next = by;
    if (order.next === null) this.last = by;
    else order.next.previous = by;
    order.previous = null;
    order.next = null;
    order.level = null;
  }
}

// Stretches of adjacent prices of a book. Their totals are cached until one of the prices changes, so that an iteration
// over a long book reads one stretch at a time.

/** The lots resting at one price. */
export interface LevelLots {
  readonly priceTicks: number;
  readonly visibleLots: number;
  readonly hiddenLots: number;
}

/** The lots of all orders and the cost of buying them. */
interface Totals {
  readonly lots: number;
  /** Units of quote, rounded down at each price. */
  readonly quoteByPrice: bigint;
  /** Units of quote, rounded down at each fill, as trades would round them. */
  readonly quoteByFill: bigint;
}

/** The part of an order that a walk of the book reads. */
export type Offer = Pick<Order, "priceTicks" | "visibleLots" | "hiddenLots" | "icebergLots">;

/** Prices as an order finds them on the opposite side. */
export interface Stretch {
  /** The worst price of the stretch, which is the last one in an iteration. */
  readonly worstTicks: number;
  /** Always called with the scale of the book's symbol. */
  totals(scale: QuoteScale): Totals;
  /** The levels, best price first. */
  levels(): Iterable<LevelLots>;
  /** The orders, best price first, oldest first. */
  orders(): Iterable<Offer>;
}

/** A stretch of a book, with all its orders. */
export interface BookStretch extends Stretch {
  orders(): Iterable<Order>;
}

export function totalsOf(stretch: Pick<Stretch, "levels" | "orders">, scale: QuoteScale): Totals {
  let lots = 0;
  let quoteByPrice = 0n;
  for (const { priceTicks, visibleLots, hiddenLots } of stretch.levels()) {
    lots += visibleLots + hiddenLots;
    quoteByPrice += quoteOf(scale, priceTicks, visibleLots + hiddenLots);
  }
  // Without rounding, both sums are equal.
  if (scale.divisor === 1n) return { lots, quoteByPrice, quoteByFill: quoteByPrice };
  let quoteByFill = 0n;
  for (const order of stretch.orders()) quoteByFill += quoteOfAll(order, scale);
  return { lots, quoteByPrice, quoteByFill };
}

/** The quote amount if the whole order is bought. The visible part is one fill, and so is each hidden slice. */
function quoteOfAll({ priceTicks, visibleLots, hiddenLots, icebergLots }: Offer, scale: QuoteScale): bigint {
  const quote = quoteOf(scale, priceTicks, visibleLots);
  if (hiddenLots === 0) return quote;
  const last = hiddenLots % icebergLots;
  const slices = BigInt((hiddenLots - last) / icebergLots);
  return quote + slices * quoteOf(scale, priceTicks, icebergLots) + quoteOf(scale, priceTicks, last);
}

// A rung: a small number of adjacent levels, so that inserting a level moves only a few others, regardless of the size
// of the ladder.

/** The maximum number of levels of a rung. A full rung is split in two. */
const RUNG_LEVELS = 64;

/** The total of all rungs of a ladder; null if one of them has changed since it was computed. */
interface SideTotal {
  lots: number | null;
}

class Rung implements BookStretch {
  /** The keys of the levels in ascending order, in one array for fast search. */
  private readonly keys = new Float64Array(RUNG_LEVELS);
  private readonly byKey: Level[] = [];
  /** Cached totals; null if a level has changed since they were computed. */
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

  /** The first index whose key is at least `key`; the number of levels if all keys are lower. */
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

  /** Whether the key at `index`, a result of `indexOf`, equals `key`. */
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

  /** Moves the upper half into a new rung. */
  split(): Rung {
    const upper = new Rung(this.side);
    const half = this.byKey.length >>> 1;
    for (let i = half; i < this.byKey.length; i++) upper.insert(i - half, this.keys[i] as number, this.at(i));
    this.byKey.length = half;
    this.forgetTotals();
    return upper;
  }

  /**
   * Throws if the keys are not the prices times `direction` in ascending order, or cached totals do not match the
   * levels.
   */
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

  // The rung implements a stretch of the book. The best price has the largest key.

  /** Called when a level of the rung has changed its lots. */
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

// One side of the book. The best price is available directly. Access to any other price takes two short binary
// searches, and inserting a price also moves a few levels.

/** Which price is the best: the highest (bids) or the lowest (asks). */
export type BestPrice = "highest" | "lowest";

export class Ladder {
  /** Sorted from worst to best. There is at least one rung, and a rung is empty only if it is the only one. */
  private readonly rungs: Rung[];
  private readonly total: SideTotal = { lots: null };
  /** Factor between prices and keys. The best price always has the largest key. */
  private readonly direction: 1 | -1;
  private top: Level | undefined;

  constructor(best: BestPrice) {
    this.direction = best === "highest" ? 1 : -1;
    this.rungs = [new Rung(this.total)];
  }

  best(): Level | undefined {
    return this.top;
  }

  at(priceTicks: number): Level | undefined {
    const key = priceTicks * this.direction;
    const rung = this.rung(this.rungOf(key));
    const index = rung.indexOf(key);
    return rung.holds(index, key) ? rung.at(index) : undefined;
  }

  /** The level this many levels from the best one. Reads no levels before it, only how many each rung has. */
  levelFromBest(levels: number): Level | undefined {
    let left = levels;
    for (let place = this.rungs.length - 1; place >= 0; place--) {
      const rung = this.rung(place);
      if (left < rung.size) return rung.at(rung.size - 1 - left);
      left -= rung.size;
    }
    return undefined;
  }

  /** Returns the level at a price, and creates it if there is none. */
  open(priceTicks: number): Level {
    const key = priceTicks * this.direction;
    const place = this.rungOf(key);
    const rung = this.rung(place);
    const index = rung.indexOf(key);
    if (rung.holds(index, key)) return rung.at(index);
    const level = new Level(priceTicks);
    rung.insert(index, key, level);
    if (rung.isFull) this.rungs.splice(place + 1, 0, rung.split());
    this.top = this.rung(this.rungs.length - 1).last;
    return level;
  }

  close(level: Level): void {
    const key = level.priceTicks * this.direction;
    const place = this.rungOf(key);
    const rung = this.rung(place);
    const index = rung.indexOf(key);
    assert(rung.holds(index, key), "only a level of the ladder is closed");
    rung.remove(index);
    if (rung.size === 0 && this.rungs.length > 1) this.rungs.splice(place, 1);
    this.top = this.rung(this.rungs.length - 1).last;
  }

  /**
   * Throws if the rungs are not sorted, or a total does not match the orders. `priceOf` is the price by which the
   * ladder sorts an order. Without a scale, the ladder has no lots.
   */
  check(best: BestPrice, priceOf: (order: Order) => number, scale: QuoteScale | null): void {
    const { direction, rungs, total } = this;
    assert(direction === (best === "highest" ? 1 : -1), "a side knows its best price");
    let worst = Number.NEGATIVE_INFINITY;
    for (const rung of rungs) {
      assert(rung.size > 0 || rungs.length === 1, "no rung is empty");
      rung.check(direction, total, scale);
      assert(rung.size === 0 || rung.firstKey > worst, "rungs are sorted");
      worst = (rung.last?.priceTicks ?? 0) * direction;
    }
    for (const level of this.levels()) {
      level.check((order) => {
        assert(priceOf(order) === level.priceTicks, "an order is at its price");
        return scale === null ? [0, 0] : [order.visibleLots, order.hiddenLots];
      });
    }
    assert(this.top === rungs.at(-1)?.last, "the best price is at hand");
    if (total.lots === null) return;
    assert(scale !== null, "only a book has totals");
    const lots = rungs.reduce((sum, rung) => sum + totalsOf(rung, scale).lots, 0);
    assert(total.lots === lots, "a side's known total is that of its levels");
  }

  /** Lots of all levels. */
  lots(scale: QuoteScale): number {
    if (this.total.lots !== null) return this.total.lots;
    let lots = 0;
    for (const rung of this.rungs) lots += rung.totals(scale).lots;
    this.total.lots = lots;
    return lots;
  }

  /** The rungs, best prices first. */
  *stretches(): Iterable<Rung> {
    for (let place = this.rungs.length - 1; place >= 0; place--) {
      const rung = this.rung(place);
      if (rung.size > 0) yield rung;
    }
  }

  /** The levels, best price first. */
  *levels(): Iterable<Level> {
    for (const rung of this.stretches()) yield* rung.levels();
  }

  /** The orders, best price first, oldest first. */
  *orders(): Iterable<Order> {
    for (const rung of this.stretches()) yield* rung.orders();
  }

  /** Index of the rung for a key: the last rung that starts at or below it, otherwise the first. */
  private rungOf(key: number): number {
    let high = this.rungs.length - 1;
    // Most accesses are near the best price.
    if (this.rung(high).firstKey <= key) return high;
    let low = 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.rung(middle).firstKey <= key) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  private rung(place: number): Rung {
    return this.rungs[place] as Rung;
  }
}
