/**
 * The funds of an order: the maximum it can spend, and what a MARKET order would take from the book. Interface 3.3,
 * S.8.
 */
import { MAX_ICEBERG_PARTS } from "../limits.ts";
import type { Market } from "../state/market/market.ts";
import type { PriceBand } from "../filters.ts";
import { floorToStep, lotsFor, quoteOf, quoteToLock, type Range, roundDownToStep } from "../numbers.ts";
import { hasPrice, isClosed, opposite, type Side } from "../entry/order-record.ts";
import { buysAtAnyPrice, extrasOf, type Order } from "../state/order/order.ts";
import { assert } from "../assert.ts";
import type { PlaceOrder } from "../entry/command.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { triggerTicks } from "../state/book/followers.ts";
import type { Offer, Stretch } from "../state/book/ladder.ts";
import { type OfferedStretch, type ReachableOffers, reachableOffers } from "./reachable-offers.ts";

// What a MARKET order would take from the book, computed before it executes.

/**
 * The quantity of an order given by `quoteOrderQty`: at each price as many lots as the rest of the quote amount pays
 * for (or yields), rounded down to the step of LOT_SIZE. Stops at `enough` lots: the result is then at least `enough`,
 * but may be less than the full quantity. `offers` is what the order may trade with.
 */
export function lotsForQuote(
  market: Market,
  side: Side,
  quoteOrderQty: bigint,
  enough = Number.POSITIVE_INFINITY,
  offers: Iterable<Stretch> = market.book.stretches(opposite(side)),
): number {
  const { quoteScale } = market;
  const { lotSize } = market.filters;
  let rest = quoteOrderQty;
  let lots = 0;
  for (const stretch of offers) {
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
 * further step within the `range` of the order. Since rules version 4, the order then expires instead of being filled.
 */
export function isShortOfQuote(
  state: ExchangeState,
  market: Market,
  { accountId, side, leftLots, quoteOrderQty, executedQuote, preventedLots, selfTradePrevention }: Order,
  priceTicks: number,
  range: PriceBand | null,
): boolean {
  if (state.edition < 4 || leftLots > 0 || quoteOrderQty === 0n || preventedLots > 0) return false;
  const { book, quoteScale, filters } = market;
  const stepLots = Math.max(1, filters.lotSize?.step ?? 1);
  if (lotsFor(quoteScale, quoteOrderQty - executedQuote, priceTicks) < BigInt(stepLots)) return false;
  const offers = reachableOffers(state, market, { accountId, side }, selfTradePrevention, range);
  if (offers === null) return book.lotsOn(opposite(side), quoteScale) < stepLots;
  return !containLots(market, offers.sized(), stepLots);
}

/** Whether these stretches of the book contain at least so many lots. Reads no more of them than necessary. */
export function containLots({ quoteScale }: Market, offers: Iterable<Stretch>, least: number): boolean {
  let lots = 0;
  for (const stretch of offers) {
    lots += stretch.totals(quoteScale).lots;
    if (lots >= least) return true;
  }
  return false;
}

function atMostSafe(lots: number): number {
  return Math.min(lots, Number.MAX_SAFE_INTEGER);
}

/**
 * A quantity that passes LOT_SIZE and MARKET_LOT_SIZE exactly when the result of `lotsForQuote` does, found without
 * reading the whole book if the largest quantity is clearly not reached.
 */
export function lotsToCheck(market: Market, side: Side, quoteOrderQty: bigint, offers?: Iterable<Stretch>): number {
  const { lotSize, marketLotSize } = market.filters;
  const most = Math.min(mostOf(lotSize), mostOf(marketLotSize));
  const isPlain = (marketLotSize === null || marketLotSize.step <= 1) && staysBelow(market, side, quoteOrderQty, most);
  const enough = isPlain ? Math.max(1, lotSize?.min ?? 0, marketLotSize?.min ?? 0) : undefined;
  return lotsForQuote(market, side, quoteOrderQty, enough, offers);
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
  /** The part of the quantity that trades, in lots: as far as the opposite side has enough, and nothing is prevented. */
  readonly lots: number;
  /** Cost or proceeds in units of the quote asset. */
  readonly quote: bigint;
}

/**
 * The result of trading `lots` against these offers, with each fill rounded separately. Stops once this spends more than
 * the `budget`, in units of quote for a BUY, of base for a SELL: the result is then incomplete, but above the budget.
 */
export function sweep(
  market: Market,
  side: Side,
  lots: number,
  offers: Iterable<OfferedStretch> = market.book.stretches(opposite(side)),
  budget: bigint | null = null,
): Sweep {
  let left = lots;
  let prevented = 0;
  let quote = 0n;
  for (const stretch of offers) {
    const all = stretch.isPrevented === undefined ? stretch.totals(market.quoteScale) : null;
    if (all === null || all.lots > left) {
      const part = sweepOrders(market, { orders: stretch.orders(), isPrevented: stretch.isPrevented }, left);
      left = part.leftLots;
      prevented += part.preventedLots;
      quote += part.quote;
    } else {
      left -= all.lots;
      quote += all.quoteByFill;
    }
    if (left === 0) break;
    if (budget !== null && (side === "BUY" ? quote : market.baseOf(lots - left - prevented)) > budget) break;
  }
  return { lots: lots - left - prevented, quote };
}

/** The result of trading `lots` with the orders of a stretch. */
interface PartialSweep {
  readonly leftLots: number;
  /** Lots that self-trade prevention takes from the quantity without a trade. */
  readonly preventedLots: number;
  readonly quote: bigint;
}

interface Offered {
  readonly orders: Iterable<Offer>;
  readonly isPrevented: OfferedStretch["isPrevented"];
}

/** Icebergs are filled slice by slice, in turns. */
function sweepOrders(market: Market, { orders, isPrevented }: Offered, lots: number): PartialSweep {
  let leftLots = lots;
  let preventedLots = 0;
  let quote = 0n;
  const fill = (offer: Offer, offeredLots: number): number => {
    const taken = Math.min(leftLots, offeredLots);
    if (isPrevented?.(offer) === true) preventedLots += taken;
    else quote += quoteOf(market.quoteScale, offer.priceTicks, taken);
    leftLots -= taken;
    return taken;
  };
  let hidden: HiddenLots[] = [];
  for (const offer of orders) {
    if (hidden.length > 0 && hidden[0]?.offer.priceTicks !== offer.priceTicks) {
      fillSlices(hidden, fill);
      hidden = [];
    }
    fill(offer, offer.visibleLots);
    if (leftLots === 0) break;
    if (offer.hiddenLots > 0) hidden.push({ offer, lots: offer.hiddenLots });
  }
  fillSlices(hidden, fill);
  return { leftLots, preventedLots, quote };
}

/** The hidden lots of an iceberg after all visible lots at its price are taken. */
interface HiddenLots {
  readonly offer: Offer;
  lots: number;
}

/** Fills one slice of each iceberg in turns, until no lots are left or `fill` takes none. */
function fillSlices(hidden: readonly HiddenLots[], fill: (offer: Offer, lots: number) => number): void {
  for (let icebergs = hidden; icebergs.length > 0; icebergs = icebergs.filter(({ lots }) => lots > 0)) {
    for (const iceberg of icebergs) {
      const taken = fill(iceberg.offer, Math.min(iceberg.offer.icebergLots, iceberg.lots));
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
 * A MARKET order needs the current cost of its quantity on the book, without what self-trade prevention takes. A
 * STOP_LOSS or TAKE_PROFIT BUY locks its stop price times its quantity (Interface S.10), a trailing one the price that
 * would trigger it from its stop price or, without one, from `lastTicks`. If a MARKET order needs more than the `budget`,
 * the result may be any amount above it.
 */
export function fundsFor(
  market: Market,
  order: Pick<PlaceOrder, "side" | "orderType" | "priceTicks" | "stopTicks" | "trailingDelta">,
  quantityLots: number,
  offers: ReachableOffers | null = null,
  lastTicks = market.lastTradeTicks,
  budget: bigint | null = null,
): bigint {
  if (order.orderType === "MARKET") {
    const swept = sweep(market, order.side, quantityLots, offers?.payable(), budget);
    return order.side === "BUY" ? swept.quote : market.baseOf(swept.lots);
  }
  if (order.side === "SELL") return market.baseOf(quantityLots);
  // A pegged stop order without its own price has none yet.
  const priceTicks = order.priceTicks === 0 ? stopToLock(order, lastTicks) : order.priceTicks;
  return quoteToLock(market.quoteScale, priceTicks, quantityLots);
}

/** Later extremes change nothing: they only lower the price that triggers a BUY. */
function stopToLock(
  { side, stopTicks, trailingDelta = 0 }: Pick<PlaceOrder, "side" | "stopTicks" | "trailingDelta">,
  lastTicks: number,
): number {
  return trailingDelta === 0 ? stopTicks : triggerTicks(side, stopTicks === 0 ? lastTicks : stopTicks, trailingDelta);
}

/** The funds that a stop order, or an unfilled leg of a list, needs to execute. */
export function fundsToWait(market: Market, order: Order): bigint {
  const { side, type: orderType, priceTicks, stopTicks, trailing, trailingDelta } = order;
  const placed = { side, orderType, priceTicks, stopTicks, trailingDelta };
  return fundsFor(market, placed, order.leftLots, null, trailing?.startTicks);
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

/** The lots that the taker can pay for. A stop order that buys at market price can spend only its locked amount. */
export function affordableLots(
  state: ExchangeState,
  market: Market,
  taker: Order,
  maker: Order,
  wanted: number,
): number {
  if (!buysAtAnyPrice(taker)) return wanted;
  const locked = lockedBy(market, taker);
  // Compares the exact cost: rounding lowers it, so less money may be sufficient.
  if (state.edition >= 2 && quoteOf(market.quoteScale, maker.priceTicks, wanted) <= locked) return wanted;
  const payable = lotsFor(market.quoteScale, locked, maker.priceTicks);
  if (payable >= BigInt(wanted)) return wanted;
  // The executed total stays on the step of LOT_SIZE, as the requested quantity is.
  const executed = floorToStep(market.filters.lotSize, taker.executedLots + Number(payable));
  return Math.max(0, executed - taker.executedLots);
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

/**
 * Deducts `lots` that self-trade prevention took from an order, and the `paid` amount of a transfer. Returns the amount
 * that can be released. `needed` is what the order must still lock; a MARKET order, or a stop order that became one,
 * locks the rest of its amount until it ends.
 */
export function spendPrevented(market: Market, order: Order, lots: number, paid: bigint, needed?: bigint): bigint {
  const { extras, side, priceTicks, leftLots } = order;
  if (extras === null) {
    const before =
      side === "SELL" ? market.baseOf(leftLots + lots) : quoteToLock(market.quoteScale, priceTicks, leftLots + lots);
    return before - paid - stillNeeded(market, order);
  }
  extras.locked -= paid;
  const keeps = needed ?? (order.type === "MARKET" ? extras.locked : stillNeeded(market, order));
  const surplus = extras.locked - (isClosed(order.status) ? 0n : keeps);
  assert(surplus >= 0n, "an order spends no more than it locked");
  extras.locked -= surplus;
  return surplus;
}
