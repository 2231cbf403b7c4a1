/** Markets for which an entry is due by time alone: a delisting to come, or open orders that end in steps. */
import { assert } from "../../assert.ts";
import type { Market } from "./market.ts";

export class DueMarkets {
  private readonly delistings = new Set<Market>();
  private readonly endings = new Set<Market>();
  private nextDelistingMs = Number.POSITIVE_INFINITY;

  /** Call it after the delisting of a market has changed, or whether its orders are ending. */
  update(market: Market): void {
    put(this.delistings, market, waitsForDelisting(market));
    put(this.endings, market, market.isEndingOrders);
    this.nextDelistingMs = firstOf(this.delistings);
  }

  /** Markets whose delisting has come, by number. */
  toDelist(nowMs: number): readonly Market[] {
    if (nowMs < this.nextDelistingMs) return [];
    return byNumber(this.delistings).filter(({ delisting }) => delisting !== null && nowMs >= delisting.atMs);
  }

  /** Markets whose orders are ending, by number. */
  withEndingOrders(): readonly Market[] {
    return this.endings.size === 0 ? [] : byNumber(this.endings);
  }

  /** 0: a step is due at once, and stays so whatever the time; Infinity: nothing is due. */
  nextDueMs(): number {
    return this.endings.size > 0 ? 0 : this.nextDelistingMs;
  }

  check(markets: readonly Market[]): void {
    for (const market of markets) {
      assert(this.delistings.has(market) === waitsForDelisting(market), "a delisting to come is known to be due");
      assert(this.endings.has(market) === market.isEndingOrders, "orders that are ending are known to be due");
    }
    const areListed = [...this.delistings, ...this.endings].every((market) => markets[market.symbolId] === market);
    assert(areListed, "what is due is of listed markets");
    assert(this.nextDelistingMs === firstOf(this.delistings), "the next delisting is the earliest");
  }
}

function waitsForDelisting({ delisting, isDelisted }: Market): boolean {
  return delisting !== null && !isDelisted;
}

function put(markets: Set<Market>, market: Market, isIn: boolean): void {
  if (isIn) markets.add(market);
  else markets.delete(market);
}

function byNumber(markets: Iterable<Market>): Market[] {
  return [...markets].sort((a, b) => a.symbolId - b.symbolId);
}

function firstOf(delistings: Iterable<Market>): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const { delisting } of delistings) firstMs = Math.min(firstMs, delisting?.atMs ?? firstMs);
  return firstMs;
}
