/**
 * What a MARKET order would take from the book, computed by visiting every price and every order. The shorter
 * computations of the engine must give the same result. Interface S.8.
 */
import type { Market } from "../../src/state/market/market.ts";
import { lotsFor, quoteOf, roundDownToStep } from "../../src/numbers.ts";
import { type Side, opposite } from "../../src/entry/order-record.ts";

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
  /** The cost or the proceeds, in units of the quote asset. */
  readonly quote: bigint;
}

/**
 * The result of trading `lots` against the whole opposite side, fill by fill. Each fill is rounded separately, so an
 * iceberg counts slice by slice, in its turns.
 */
export function sweep(market: Market, side: Side, lots: number): Sweep {
  let left = lots;
  let quote = 0n;
  const fill = (priceTicks: number, offeredLots: number): number => {
    const taken = Math.min(left, offeredLots);
    quote += quoteOf(market.quoteScale, priceTicks, taken);
    left -= taken;
    return taken;
  };
  let hidden: HiddenLots[] = [];
  for (const maker of market.book.orders(opposite(side))) {
    if (hidden.length > 0 && hidden[0]?.priceTicks !== maker.priceTicks) {
      fillSlices(hidden, fill);
      hidden = [];
    }
    fill(maker.priceTicks, maker.visibleLots);
    if (left === 0) break;
    const { priceTicks, icebergLots, hiddenLots } = maker;
    if (hiddenLots > 0) hidden.push({ priceTicks, sliceLots: icebergLots, lots: hiddenLots });
  }
  fillSlices(hidden, fill);
  return { lots: lots - left, quote };
}

/** The hidden remainder of an iceberg after all visible lots of its price are taken. */
interface HiddenLots {
  readonly priceTicks: number;
  readonly sliceLots: number;
  lots: number;
}

/** Fills slice after slice, in rotation. */
function fillSlices(hidden: readonly HiddenLots[], fill: (priceTicks: number, lots: number) => number): void {
  for (let icebergs = hidden; icebergs.length > 0; icebergs = icebergs.filter(({ lots }) => lots > 0)) {
    for (const iceberg of icebergs) {
      const taken = fill(iceberg.priceTicks, Math.min(iceberg.sliceLots, iceberg.lots));
      if (taken === 0) return;
      iceberg.lots -= taken;
    }
  }
}
