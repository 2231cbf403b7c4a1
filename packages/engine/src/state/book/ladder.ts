/**
 * One side of the book: the prices at which orders rest, sorted. A ladder consists of rungs of a few dozen levels, a level
 * of the orders at one price.
 */
import { assert } from "../../assert.ts";
import type { QuoteScale } from "../../number/quote-scale.ts";
import type { Order } from "../order/order.ts";
import { Level } from "./level.ts";
import { Rung, type SideTotal } from "./rung.ts";
import { totalsOf } from "./stretch.ts";

// One side. The best price is at hand; another price costs two short binary searches, and a new one also a short move.

/** Which price comes first: the highest (bids) or the lowest (asks). */
export type BestPrice = "highest" | "lowest";

export class Ladder {
  /** Worst first, best last; at least one rung, and none is empty unless it is the only one. */
  private readonly rungs: Rung[];
  private readonly total: SideTotal = { lots: null };
  /** Turns prices into keys: the best is always the largest. */
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

  /** The level at a price, created if there is none. */
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
   * Throws when the rungs are not sorted, or a total is not that of the orders. `priceOf` is the price by which the
   * ladder sorts an order; without a scale it keeps no lots.
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

  /** Index of the rung for a key: the last rung that begins at or below it, else the first. */
  private rungOf(key: number): number {
    let high = this.rungs.length - 1;
    // Most of the traffic is near the best price.
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
