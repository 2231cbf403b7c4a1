/**
 * The funds of an order: the maximum it can spend, and what a MARKET order would take from the book. Interface 3.3,
 * S.8.
 */
import { MAX_ICEBERG_PARTS } from "../limits.ts";
import type { Market } from "../state/market/market.ts";
import { lotsFor, quoteOf, quoteToLock, type Range, roundDownToStep } from "../numbers.ts";
import { hasPrice, isClosed, opposite, type Side } from "../entry/order-record.ts";
import { extrasOf, type Order } from "../state/order/order.ts";
import { assert } from "../assert.ts";
import type { PlaceOrder } from "../entry/command.ts";

// What a MARKET order would take from the book, computed before it executes.

/**
 * The quantity of an order given by `quoteOrderQty`: at each price as many lots as the rest of the quote amount pays
 * for (or yields), rounded down to the step of LOT_SIZE. Stops at `enough` lots: the result is then at least `enough`,
 * but may be less than the full quantity.
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
    // The rest pays for the whole stretch, regardless of rounding.
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
 * Whether an order by `quoteOrderQty` has traded its whole quantity, but the book had too few orders for it: the rest
 * of the quote amount is enough for at least one more step at the price of the last fill, but the book contains no
 * further step. Since rules version 4, the order then expires instead of being filled.
 */
export function isShortOfQuote(
  { edition }: { readonly edition: number },
  { book, quoteScale, filters }: Market,
  { side, leftLots, quoteOrderQty, executedQuote }: Order,
  priceTicks: number,
): boolean {
  if (edition < 4 || leftLots > 0 || quoteOrderQty === 0n) return false;
  const stepLots = Math.max(1, filters.lotSize?.step ?? 1);
  const rest = quoteOrderQty - executedQuote;
  return (
    lotsFor(quoteScale, rest, priceTicks) >= BigInt(stepLots) && book.lotsOn(opposite(side), quoteScale) < stepLots
  );
}

function atMostSafe(lots: number): number {
  return Math.min(lots, Number.MAX_SAFE_INTEGER);
}

/**
 * A quantity that passes LOT_SIZE and MARKET_LOT_SIZE exactly when the result of `lotsForQuote` does, found without
 * reading the whole book if the largest quantity is clearly not reached.
 */
export function lotsToCheck(market: Market, side: Side, quoteOrderQty: bigint): number {
  const { lotSize, marketLotSize } = market.filters;
  const most = Math.min(mostOf(lotSize), mostOf(marketLotSize));
  const isPlain = (marketLotSize === null || marketLotSize.step <= 1) && staysBelow(market, side, quoteOrderQty, most);
  if (!isPlain) return lotsForQuote(market, side, quoteOrderQty);
  return lotsForQuote(market, side, quoteOrderQty, Math.max(1, lotSize?.min ?? 0, marketLotSize?.min ?? 0));
}

function mostOf(filter: Range | null): number {
  return filter === null || filter.max === 0 ? Number.MAX_SAFE_INTEGER : filter.max;
}

/** Whether the quote amount certainly buys or yields at most `most` lots. */
function staysBelow({ book, quoteScale }: Market, side: Side, quoteOrderQty: bigint, most: number): boolean {
  if (book.lotsOn(opposite(side), quoteScale) <= most) return true;
  if (side === "SELL") return false;
  // Assumes that all lots cost the best price. Rounding at each further price loses less than one unit.
  return lotsFor(quoteScale, quoteOrderQty + BigInt(book.size), book.bestTicks("SELL")) <= BigInt(most);
}

/** An upper bound on the lots that `free` can pay for. `free` is in units of quote for a BUY, of base for a SELL. */
export function mostAffordable(market: Market, side: Side, free: bigint): number {
  if (side === "SELL") return atMostSafe(Number(free / market.lotUnits));
  const bestTicks = market.book.bestTicks("SELL");
  if (bestTicks === 0) return Number.MAX_SAFE_INTEGER;
  return atMostSafe(Number(lotsFor(market.quoteScale, free + roundedAway(market), bestTicks)));
}

/**
 * An upper bound, in units of quote, on the total by which rounding down single fills lowers the cost of the whole
 * side.
 */
function roundedAway({ book, quoteScale }: Market): bigint {
  return quoteScale.divisor === 1n ? 0n : BigInt(book.size) * BigInt(MAX_ICEBERG_PARTS + 1);
}

export interface Sweep {
  /** The part of the quantity that is available on the opposite side, in lots. */
  readonly lots: number;
  /** Cost or proceeds in units of the quote asset. */
  readonly quote: bigint;
}

/** The result of trading `lots` against the opposite side, with each fill rounded separately. */
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

/**
 * Cost or proceeds of `lots` among these orders, which contain enough. Icebergs are filled slice by slice, in turns.
 */
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

/** The hidden lots of an iceberg after all visible lots at its price are taken. */
interface HiddenLots {
  readonly priceTicks: number;
  readonly sliceLots: number;
  lots: number;
}

/** Fills one slice of each iceberg in turns, until no lots are left or `fill` takes none. */
function fillSlices(hidden: readonly HiddenLots[], fill: (priceTicks: number, lots: number) => number): void {
  for (let icebergs = hidden; icebergs.length > 0; icebergs = icebergs.filter(({ lots }) => lots > 0)) {
    for (const iceberg of icebergs) {
      const taken = fill(iceberg.priceTicks, Math.min(iceberg.sliceLots, iceberg.lots));
      if (taken === 0) return;
      iceberg.lots -= taken;
    }
  }
}

// The maximum that an order can spend, which it locks: units of quote for a BUY, of base for a SELL.

/** The asset that an order of this side spends. */
export function spentAssetId(market: Market, side: Order["side"]): number {
  return side === "BUY" ? market.quoteAssetId : market.baseAssetId;
}

/**
 * A MARKET order needs the current cost of its quantity on the book. A STOP_LOSS or TAKE_PROFIT BUY locks its stop
 * price times its quantity (Interface S.10).
 */
export function fundsFor(
  market: Market,
  order: Pick<PlaceOrder, "side" | "orderType" | "priceTicks" | "stopTicks">,
  quantityLots: number,
): bigint {
  if (order.orderType === "MARKET") {
    const swept = sweep(market, order.side, quantityLots);
    return order.side === "BUY" ? swept.quote : market.baseOf(swept.lots);
  }
  if (order.side === "SELL") return market.baseOf(quantityLots);
  const priceTicks = hasPrice(order.orderType) ? order.priceTicks : order.stopTicks;
  return quoteToLock(market.quoteScale, priceTicks, quantityLots);
}

/** The funds that a stop order, or an unfilled leg of a list, needs to execute. */
export function fundsToWait(market: Market, order: Order): bigint {
  const { side, type: orderType, priceTicks, stopTicks } = order;
  return fundsFor(market, { side, orderType, priceTicks, stopTicks }, order.quantityLots);
}

/** The funds that an open order must still lock. An order without a price locks its whole amount until it ends. */
export function stillNeeded(market: Market, order: Order): bigint {
  if (order.side === "SELL") return market.baseOf(order.leftLots);
  if (!hasPrice(order.type)) return extrasOf(order).locked;
  return quoteToLock(market.quoteScale, order.priceTicks, order.leftLots);
}

/**
 * The amount locked for an open order. A plain order locks exactly what it still needs, so its amount is not stored.
 */
export function lockedBy(market: Market, order: Order): bigint {
  return order.extras === null ? stillNeeded(market, order) : order.extras.locked;
}

/** Deducts the `base` units of a trade from the amount locked for a SELL. */
export function spendBase(seller: Order, base: bigint): void {
  if (seller.extras === null) return;
  seller.extras.locked -= base;
  assert(seller.extras.locked >= 0n, "an order spends no more than it locked");
}

/** Deducts a fill of `lots` for `quote` units from a BUY's locked amount. Returns the amount that can be released. */
export function spendQuote(market: Market, buyer: Order, lots: number, quote: bigint): bigint {
  const { extras, priceTicks, leftLots } = buyer;
  if (extras === null) {
    const locked = quoteToLock(market.quoteScale, priceTicks, leftLots + lots);
    return locked - quote - quoteToLock(market.quoteScale, priceTicks, leftLots);
  }
  extras.locked -= quote;
  assert(extras.locked >= 0n, "an order spends no more than it locked");
  const surplus = extras.locked - (isClosed(buyer.status) ? 0n : stillNeeded(market, buyer));
  extras.locked -= surplus;
  return surplus;
}
