/** What a MARKET order would take from the book, before it takes it. FACTS 0.8. */
import { roundDownToStep } from "../market/filters/lot-size.ts";
import type { Market } from "../market/market.ts";
import { lotsFor, quoteOf } from "../market/quote-scale.ts";
import { type Side, opposite } from "./order.ts";

/**
 * The quantity of an order given by `quoteOrderQty`: at each price as many lots as the rest of the
 * quote pays for (or brings), rounded down to the step of LOT_SIZE.
 */
export function lotsForQuote(market: Market, side: Side, quoteOrderQty: bigint): number {
  let rest = quoteOrderQty;
  let lots = 0;
  market.book.walk(opposite(side), (priceTicks, visibleLots, hiddenLots) => {
    const there = visibleLots + hiddenLots;
    const wanted = lotsFor(market.quoteScale, rest, priceTicks);
    if (wanted < BigInt(there)) {
      lots += Number(wanted);
      return false;
    }
    lots += there;
    rest -= quoteOf(market.quoteScale, priceTicks, there);
    return true;
  });
  return roundDownToStep(market.filters.lotSize, Math.min(lots, Number.MAX_SAFE_INTEGER));
}

export interface Sweep {
  /** How much of the quantity the opposite side holds. */
  readonly lots: number;
  /** What that costs or brings: units of the quote asset. */
  readonly quote: bigint;
}

/** What `lots` would trade against the whole opposite side, order by order. */
export function sweep(market: Market, side: Side, lots: number): Sweep {
  let left = lots;
  let quote = 0n;
  for (const maker of market.book.orders(opposite(side))) {
    const taken = Math.min(left, maker.quantityLots - maker.executedLots);
    quote += quoteOf(market.quoteScale, maker.priceTicks, taken);
    left -= taken;
    if (left === 0) break;
  }
  return { lots: lots - left, quote };
}
