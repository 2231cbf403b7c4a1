/** Computes what a MARKET order would take from the book, before it does. Interface S.8. */
import { MAX_ICEBERG_PARTS } from "../limits.ts";
import { type LotSize, roundDownToStep } from "../state/market/filters/lot-size.ts";
import type { Market } from "../state/market/market.ts";
import { lotsFor, quoteOf } from "../number/quote-scale.ts";
import { type Side, opposite } from "../entry/order-words.ts";
import type { Order } from "../state/order/order.ts";

/**
 * The quantity of an order given by `quoteOrderQty`: at each price as many lots as the rest of the quote pays for (or
 * brings), rounded down to the step of LOT_SIZE. Stops at `enough`: then the result is at least that, and perhaps less
 * than the full quantity.
 */
export function lotsForQuote(
  market: Market,
  side: Side,
  quoteOrderQty: bigint,
  enough = Number.POSITIVE_INFINITY,
): number {
  const { book, quoteScale } = market;
  const { lotSize } = market.filters;
  let rest = quoteOrderQty;
  let lots = 0;
  for (const stretch of book.stretches(opposite(side))) {
    const all = stretch.totals(quoteScale);
    // However its prices are rounded, the rest lasts to the end of the stretch.
    if (rest > all.quoteByPrice && lots + all.lots < enough) {
      lots += all.lots;
      rest -= all.quoteByPrice;
      continue;
    }
    for (const { priceTicks, visibleLots, hiddenLots } of stretch.levels()) {
      const there = visibleLots + hiddenLots;
      const wanted = lotsFor(quoteScale, rest, priceTicks);
      if (wanted < BigInt(there)) return roundDownToStep(lotSize, atMostSafe(lots + Number(wanted)));
      lots += there;
      rest -= quoteOf(quoteScale, priceTicks, there);
      if (lots >= enough && roundDownToStep(lotSize, lots) >= enough) return roundDownToStep(lotSize, atMostSafe(lots));
    }
  }
  return roundDownToStep(lotSize, atMostSafe(lots));
}

/**
 * Whether an order by `quoteOrderQty` has traded all that it came to, and the book was too thin for it: the rest of the
 * quote pays for (or is worth) at least a step at the price of the last fill, and the book holds no further step. The
 * order then expires instead of being filled, from rules version 4 on.
 */
export function isShortOfQuote(
  { edition }: { readonly edition: number },
  { book, quoteScale, filters }: Market,
  { side, leftLots, quoteOrderQty, executedQuote }: Order,
  priceTicks: number,
): boolean {
  if (edition < 4 || leftLots > 0 || quoteOrderQty === 0n) return false;
  const stepLots = Math.max(1, filters.lotSize?.stepLots ?? 1);
  const rest = quoteOrderQty - executedQuote;
  return (
    lotsFor(quoteScale, rest, priceTicks) >= BigInt(stepLots) && book.lotsOn(opposite(side), quoteScale) < stepLots
  );
}

function atMostSafe(lots: number): number {
  return Math.min(lots, Number.MAX_SAFE_INTEGER);
}

/**
 * A quantity that passes LOT_SIZE and MARKET_LOT_SIZE exactly when `lotsForQuote` does, found without the whole walk
 * when the largest quantity is clearly not reached.
 */
export function lotsToCheck(market: Market, side: Side, quoteOrderQty: bigint): number {
  const { lotSize, marketLotSize } = market.filters;
  const most = Math.min(mostOf(lotSize), mostOf(marketLotSize));
  const isPlain =
    (marketLotSize === null || marketLotSize.stepLots <= 1) && staysBelow(market, side, quoteOrderQty, most);
  if (!isPlain) return lotsForQuote(market, side, quoteOrderQty);
  return lotsForQuote(market, side, quoteOrderQty, Math.max(1, lotSize?.minLots ?? 0, marketLotSize?.minLots ?? 0));
}

function mostOf(filter: LotSize | null): number {
  return filter === null || filter.maxLots === 0 ? Number.MAX_SAFE_INTEGER : filter.maxLots;
}

/** Whether the quote certainly buys or brings no more than `most` lots. */
function staysBelow({ book, quoteScale }: Market, side: Side, quoteOrderQty: bigint, most: number): boolean {
  if (book.lotsOn(opposite(side), quoteScale) <= most) return true;
  if (side === "SELL") return false;
  // Assumes that all were at the best price; rounding at each further price leaves less than a unit over.
  return lotsFor(quoteScale, quoteOrderQty + BigInt(book.size), book.bestTicks("SELL")) <= BigInt(most);
}

/** A bound: more lots certainly cost more than `free`, in units of quote for a BUY, of base for a SELL. */
export function mostAffordable(market: Market, side: Side, free: bigint): number {
  if (side === "SELL") return atMostSafe(Number(free / market.lotUnits));
  const bestTicks = market.book.bestTicks("SELL");
  if (bestTicks === 0) return Number.MAX_SAFE_INTEGER;
  return atMostSafe(Number(lotsFor(market.quoteScale, free + roundedAway(market), bestTicks)));
}

/** An upper bound, in units of quote, on what rounding each fill down takes off the price of the whole side. */
function roundedAway({ book, quoteScale }: Market): bigint {
  return quoteScale.divisor === 1n ? 0n : BigInt(book.size) * BigInt(MAX_ICEBERG_PARTS + 1);
}

export interface Sweep {
  /** Lots of the quantity that the opposite side holds. */
  readonly lots: number;
  /** Cost or proceeds in units of the quote asset. */
  readonly quote: bigint;
}

/** The result of trading `lots` against the whole opposite side, each fill rounded by itself. */
export function sweep(market: Market, side: Side, lots: number): Sweep {
  let left = lots;
  let quote = 0n;
  for (const stretch of market.book.stretches(opposite(side))) {
    const all = stretch.totals(market.quoteScale);
    if (all.lots > left) return { lots, quote: quote + sweepOrders(market, stretch.orders(), left) };
    left -= all.lots;
    quote += all.quoteByFill;
    if (left === 0) break;
  }
  return { lots: lots - left, quote };
}

/** Cost or proceeds of `lots` among these orders, which hold enough; icebergs count slice by slice, by turns. */
function sweepOrders(market: Market, orders: Iterable<Order>, lots: number): bigint {
  let left = lots;
  let quote = 0n;
  const fill = (priceTicks: number, offeredLots: number): number => {
    const taken = Math.min(left, offeredLots);
    quote += quoteOf(market.quoteScale, priceTicks, taken);
    left -= taken;
    return taken;
  };
  let hidden: HiddenLots[] = [];
  for (const maker of orders) {
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
  return quote;
}

/** Lots that icebergs of one price still hide when all visible ones are taken. */
interface HiddenLots {
  readonly priceTicks: number;
  readonly sliceLots: number;
  lots: number;
}

/** Fills slice after slice, by turns. */
function fillSlices(hidden: readonly HiddenLots[], fill: (priceTicks: number, lots: number) => number): void {
  for (let icebergs = hidden; icebergs.length > 0; icebergs = icebergs.filter(({ lots }) => lots > 0)) {
    for (const iceberg of icebergs) {
      const taken = fill(iceberg.priceTicks, Math.min(iceberg.sliceLots, iceberg.lots));
      if (taken === 0) return;
      iceberg.lots -= taken;
    }
  }
}
