/**
 * Checks whether an order would be accepted, except for funds. Failures are reported in the order of Interface 7.8 and
 * 7.9: filters first, then the rules of the exchange.
 */
import type { PlaceOrder } from "../entry/command.ts";
import {
  type CompiledFilters,
  EXCHANGE_COUNTS,
  exceeds,
  exceedsCount,
  failedFilter,
  isOutside,
  type OrderCounts,
  percentOfSide,
  reaches,
  SYMBOL_COUNTS,
} from "../filters.ts";
import { LARGE_ORDER_LOTS, MAX_LEVEL_LOTS, MAX_OPEN_ORDERS } from "../limits.ts";
import type { Market } from "../state/market/market.ts";
import type { RejectReason } from "../entry/reject.ts";
import { containLots, lotsForQuote, lotsToCheck } from "./order-funds.ts";
import { type ReachableOffers, reachableOffers } from "./reachable-offers.ts";
import { allowsPrevention, preventionOf } from "./prevention.ts";
import { hasPrice, opposite, type Side, waitsForRise, waitsForStop } from "../entry/order-record.ts";
import type { Order } from "../state/order/order.ts";
import type { Pegging } from "../state/order/pegging.ts";
import { checkPegged, peggingOf, type Placing, pricesOf } from "./peg.ts";
import { rangeFault } from "../numbers.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { isTriggered } from "../state/book/triggers.ts";

// The filters of prices and quantities, in the order in which failures are reported.

/**
 * Whether a LIMIT order that is not an iceberg passes. It accepts exactly the orders that `failedFilter` accepts, but is
 * written out, because most orders are such orders. Symbols with a filter that it does not know use only the table.
 */
function passesPlainly(market: Market, { side, priceTicks, quantityLots }: PlaceOrder, nowMs: number): boolean {
  const { plain } = market.filters;
  if (plain === null) return false;
  const { priceFilter, percentPrice, percentPriceBySide, lotSize, minNotional, notional } = plain;
  if (priceTicks <= 0 || quantityLots <= 0) return false;
  if (rangeFault(priceFilter, priceTicks) !== null || rangeFault(lotSize, quantityLots) !== null) return false;
  if (percentPrice !== null && isOutside(market.percentBand(percentPrice, nowMs), priceTicks)) return false;
  if (percentPriceBySide !== null) {
    if (isOutside(market.percentBand(percentOfSide(percentPriceBySide, side), nowMs), priceTicks)) return false;
  }
  if (notional !== null) {
    if (!reaches(notional.minNotional, priceTicks, quantityLots)) return false;
    const { maxNotional } = notional;
    if (maxNotional.units > 0n && exceeds(maxNotional, priceTicks, quantityLots)) return false;
  }
  return minNotional === null || reaches(minNotional.minNotional, priceTicks, quantityLots);
}

/** `alsoBuysLots` are the lots that other orders of the same command buy. */
export function checkFilters(
  state: ExchangeState,
  market: Market,
  command: Placing,
  nowMs: number,
  alsoBuysLots = 0,
): RejectReason | null {
  const pegging = peggingOf(command);
  if (pegging === null) return checkFiltersAt(state, market, command, nowMs, alsoBuysLots);
  for (const priceTicks of pricesOf(pegging)) {
    const reason = checkFiltersAt(state, market, { ...command, priceTicks }, nowMs, alsoBuysLots);
    if (reason !== null) return reason;
  }
  return null;
}

function checkFiltersAt(
  state: ExchangeState,
  market: Market,
  command: PlaceOrder,
  nowMs: number,
  alsoBuysLots: number,
): RejectReason | null {
  const { side, orderType, priceTicks, stopTicks, icebergLots, quoteOrderQty, quantityLots } = command;
  const { trailingDelta = 0 } = command;
  const byQuote = quoteOrderQty > 0n;
  const isPlain = orderType === "LIMIT" && icebergLots === 0 && !byQuote;
  if (isPlain && passesPlainly(market, command, nowMs)) return null;
  const offers = byQuote
    ? reachableOffers(state, market, command, preventionOf(state, market, command), market.rangeOf(side, nowMs))
    : null;
  const lots = byQuote ? quantityByQuote(market, command, offers) : quantityLots;
  return failedFilter(checksFor(market.filters, command), {
    side,
    hasPrice: hasPrice(orderType),
    waitsForStop: waitsForStop(orderType),
    waitsForRise: waitsForRise(orderType, side),
    priceTicks,
    stopTicks,
    trailingDelta,
    icebergLots,
    quoteOrderQty,
    lots,
    hasQuantity: !byQuote || hasOffers(market, command.side, offers),
    market,
    position: () => positionLots(state, market, command.accountId) + BigInt(lots) + BigInt(alsoBuysLots),
    nowMs,
    amendCount: 0,
  });
}

/**
 * The base asset that an account has, free and locked, and that its open BUY orders on the symbol still buy, in lots,
 * rounded up.
 */
function positionLots({ ledger, orders }: ExchangeState, market: Market, accountId: number): bigint {
  const { free, locked } = ledger.balance(accountId, market.baseAssetId);
  return (free + locked + market.lotUnits - 1n) / market.lotUnits + orders.buyLots(accountId, market.symbolId);
}

type Checks = Pick<CompiledFilters, "checks">;

/** All checks of an order. A pegged order whose price is not known is checked without it. */
export function checksFor(filters: Checks, { peg = null, priceTicks }: Pick<PlaceOrder, "peg" | "priceTicks">): Checks {
  if (peg === null || priceTicks !== 0) return filters;
  return { checks: filters.checks.filter((one) => !concernsPrice(one)) };
}

/** Whether the check depends on the price of an order that has one. */
function concernsPrice({ name, field }: CompiledFilters["checks"][number]): boolean {
  return field === "price" || DEPENDS_ON_AVERAGE.includes(name);
}

/** Whether an amendment, which only reduces the quantity, can fail a check. */
function concernsAmendment({ name, field }: CompiledFilters["checks"][number]): boolean {
  if (name === "MAX_POSITION") return false;
  return field === "quantity" || field === "amendments" || name === "ICEBERG_PARTS";
}

/** Why an open order cannot get this quantity. Its prices are not checked again. */
export function checkAmendedQuantity(market: Market, order: Order, lots: number, nowMs: number): RejectReason | null {
  for (const priceTicks of order.peg === null ? [order.priceTicks] : pricesOf(order.peg)) {
    const { checks } = checksFor(market.filters, { peg: order.peg, priceTicks });
    const reason = failedBy(market, order, checks.filter(concernsAmendment), { priceTicks, lots, nowMs });
    if (reason !== null) return reason;
  }
  return null;
}

/** Why a stop order cannot take this price from the book. Its own price must pass at this time, too. */
export function checkPeggedPrice(market: Market, order: Order, pegging: Pegging, nowMs: number): RejectReason | null {
  const checks = market.filters.checks.filter(concernsPrice);
  for (const priceTicks of pricesOf(pegging)) {
    const reason = failedBy(market, order, checks, { priceTicks, lots: order.leftLots, nowMs });
    if (reason !== null) return reason;
  }
  return null;
}

/** The first of these checks that an open order would fail with this price and quantity. */
function failedBy(
  market: Market,
  { side, type, stopTicks, trailingDelta, icebergLots, amendCount }: Order,
  checks: Checks["checks"],
  { priceTicks, lots, nowMs }: { readonly priceTicks: number; readonly lots: number; readonly nowMs: number },
): RejectReason | null {
  return failedFilter(
    { checks },
    {
      ...{ side, hasPrice: hasPrice(type), waitsForStop: waitsForStop(type), waitsForRise: waitsForRise(type, side) },
      ...{ priceTicks, stopTicks, trailingDelta, icebergLots, quoteOrderQty: 0n, lots, hasQuantity: true },
      ...{ market, position: () => 0n, nowMs, amendCount: amendCount + 1 },
    },
  );
}

/** Filters that depend on the market or on balances apply when an order enters the market. */
const DEPENDS_ON_MARKET: readonly string[] = ["PERCENT_PRICE", "PERCENT_PRICE_BY_SIDE", "MAX_POSITION"];
const DEPENDS_ON_AVERAGE: readonly string[] = ["MIN_NOTIONAL", "NOTIONAL"];

/** Why an order that is to be placed later certainly fails a filter then. */
export function checkFixedFilters(market: Market, command: PlaceOrder, nowMs: number): RejectReason | null {
  const { side, orderType, priceTicks, stopTicks, trailingDelta = 0, icebergLots, quantityLots: lots } = command;
  const isPriced = hasPrice(orderType);
  const checks = checksFor(market.filters, command).checks.filter(
    ({ name }) => !DEPENDS_ON_MARKET.includes(name) && (isPriced || !DEPENDS_ON_AVERAGE.includes(name)),
  );
  return failedFilter(
    { checks },
    {
      ...{ side, hasPrice: isPriced, waitsForStop: waitsForStop(orderType) },
      ...{ waitsForRise: waitsForRise(orderType, side), priceTicks, stopTicks, trailingDelta, icebergLots },
      ...{ quoteOrderQty: 0n, lots, hasQuantity: true, market, position: () => 0n, nowMs, amendCount: 0 },
    },
  );
}

/** The quantity for the filters: the order's own or, if every filter treats both equally, a smaller one. */
function quantityByQuote(
  market: Market,
  { orderType, side, quoteOrderQty, icebergLots }: PlaceOrder,
  offers: ReachableOffers | null,
): number {
  const isSound = orderType === "MARKET" && icebergLots === 0 && market.filters.maxPosition === null;
  if (isSound) return lotsToCheck(market, side, quoteOrderQty, offers?.sized());
  return lotsForQuote(market, side, quoteOrderQty, undefined, offers?.sized());
}

/** Whether there is anything from which the quantity of an order by `quoteOrderQty` can be computed. */
function hasOffers(market: Market, side: Side, offers: ReachableOffers | null): boolean {
  return offers === null ? market.book.bestTicks(opposite(side)) !== 0 : containLots(market, offers.sized(), 1);
}

// Limits on an account's open orders: MAX_NUM_ORDERS and similar filters. New orders add to the counts.

const NONE: OrderCounts = { open: 0, algo: 0, iceberg: 0, lists: 0 };
const PLAIN: OrderCounts = { open: 1, algo: 0, iceberg: 0, lists: 0 };

/** The numbers of open orders that the order adds. An order that cannot stay open is not counted. */
export function countsOf(command: Pick<PlaceOrder, "orderType" | "timeInForce" | "icebergLots">): OrderCounts {
  const algo = waitsForStop(command.orderType);
  if (!algo && (command.orderType === "MARKET" || command.timeInForce !== "GTC")) return NONE;
  if (!algo && command.icebergLots === 0) return PLAIN;
  return { open: 1, algo: algo ? 1 : 0, iceberg: command.icebergLots === 0 ? 0 : 1, lists: 0 };
}

export function checkCounts(
  state: ExchangeState,
  market: Market,
  accountId: number,
  adds: OrderCounts,
): RejectReason | null {
  if (adds.open === 0) return null;
  const { orders, exchangeMost } = state;
  // Decides most orders without the table of filters.
  if (adds.lists === 0 && isWithin(market.filters.most, orders.accountBook(accountId, market.symbolId), adds)) {
    if (exchangeMost === null || isWithin(exchangeMost, orders.countOf(accountId), adds)) return null;
  }
  return exceededCount(state, market, accountId, adds);
}

function exceededCount(
  { orders, orderLists, exchangeFilters }: ExchangeState,
  { symbolId, filters }: Market,
  accountId: number,
  adds: OrderCounts,
): RejectReason | null {
  const { open, algo, iceberg } = orders.accountBook(accountId, symbolId) ?? NONE;
  const here: OrderCounts = { open, algo, iceberg, lists: orderLists.countOn(accountId, symbolId) };
  for (const one of SYMBOL_COUNTS) if (exceedsCount(filters, one, here, adds)) return one.name;
  const everywhere: OrderCounts = { ...(orders.countOf(accountId) ?? NONE), lists: orderLists.countOf(accountId) };
  for (const one of EXCHANGE_COUNTS) if (exceedsCount(exchangeFilters, one, everywhere, adds)) return one.name;
  return null;
}

type Counted = Omit<OrderCounts, "lists">;

function isWithin(most: OrderCounts, there: Counted | undefined, adds: OrderCounts): boolean {
  if (there === undefined) return adds.open <= most.open && adds.algo <= most.algo && adds.iceberg <= most.iceberg;
  return (
    there.open + adds.open <= most.open &&
    (adds.algo === 0 || there.algo + adds.algo <= most.algo) &&
    (adds.iceberg === 0 || there.iceberg + adds.iceberg <= most.iceberg)
  );
}

// All checks of an order.

/** Returns null if the order is acceptable. `nowMs` is the time for average prices. */
export function checkOrder(state: ExchangeState, command: PlaceOrder, nowMs: number): RejectReason | null {
  if (state.funds.isInMaintenance) return "MAINTENANCE";
  const market = state.markets[command.symbolId];
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (state.accounts.get(command.accountId) === undefined) return "UNKNOWN_ACCOUNT";
  const order = checkPegged(state, market, command);
  if (typeof order === "string") return order;
  return (
    checkFilters(state, market, order, nowMs) ??
    checkCounts(state, market, order.accountId, countsOf(order)) ??
    checkAllowed(state, market, order, nowMs) ??
    checkUnique(state, order) ??
    checkSide(market, order) ??
    checkRoom(state, market, order)
  );
}

/** Checks what the symbol and the account permit. */
export function checkAllowed(
  state: ExchangeState,
  market: Market,
  command: PlaceOrder,
  nowMs: number,
): RejectReason | null {
  const status = market.statusAt(nowMs);
  if (state.stops.stopsPlacing(nowMs)) return "MARKET_CLOSED";
  if (status !== "TRADING") return status === "CANCEL_ONLY" ? "CANCEL_ONLY" : "MARKET_CLOSED";
  const account = state.accounts.get(command.accountId);
  if (!account?.canTrade || !account.isEnabled) return "ACCOUNT_MAY_NOT_TRADE";
  if (state.funds.apiLocks.at(command.accountId, nowMs) !== undefined) return "API_TRADING_LOCKED";
  if (!market.spec.orderTypes.includes(command.orderType)) return "ORDER_TYPE_NOT_SUPPORTED";
  if (!allowsPrevention(state, market, command)) return "SELF_TRADE_PREVENTION_NOT_ALLOWED";
  if ((command.trailingDelta ?? 0) !== 0 && !allowsTrailing(state, market)) return "TRAILING_STOP_NOT_SUPPORTED";
  return checkIceberg(market, command) ?? checkShape(market, command);
}

function allowsTrailing({ edition }: ExchangeState, { spec }: Market): boolean {
  return edition >= 5 && spec.allowTrailingStop !== false;
}

function checkIceberg(market: Market, command: PlaceOrder): RejectReason | null {
  if (command.icebergLots === 0) return null;
  if (!hasPrice(command.orderType) || command.timeInForce !== "GTC") return "UNSUPPORTED_COMBINATION";
  if (!market.spec.icebergAllowed) return "ICEBERG_NOT_SUPPORTED";
  return command.icebergLots >= command.quantityLots ? "ICEBERG_EXCEEDS_QUANTITY" : null;
}

/**
 * Checks for errors that no well-formed order of the type has. The gateway rejects such orders first, with the
 * interface's messages.
 */
function checkShape(market: Market, command: PlaceOrder): RejectReason | null {
  const { orderType, stopTicks, trailingDelta = 0 } = command;
  if (waitsForStop(orderType) !== (stopTicks !== 0 || trailingDelta !== 0)) return "UNSUPPORTED_COMBINATION";
  if (!hasPrice(orderType) && command.priceTicks !== 0) return "UNSUPPORTED_COMBINATION";
  if ((!hasPrice(orderType) || orderType === "LIMIT_MAKER") && command.timeInForce !== "GTC") {
    return "UNSUPPORTED_COMBINATION";
  }
  if (command.quoteOrderQty === 0n) return null;
  if (!market.spec.quoteOrderQtyMarketAllowed) return "QUOTE_ORDER_QTY_NOT_SUPPORTED";
  return orderType !== "MARKET" || command.quantityLots !== 0 ? "UNSUPPORTED_COMBINATION" : null;
}

/** Checks that no other open order of the account on the symbol has the client id. */
export function checkUnique(state: ExchangeState, command: PlaceOrder): RejectReason | null {
  const { accountId, symbolId, clientOrderId } = command;
  return state.orders.byClientId(accountId, symbolId, clientOrderId) === undefined ? null : "DUPLICATE_ORDER";
}

/** A maker-only order must not execute immediately, and a stop price must not have been reached already. */
export function checkSide(market: Market, command: PlaceOrder): RejectReason | null {
  const { orderType, side, stopTicks } = command;
  if (orderType === "LIMIT_MAKER") return wouldTake(market, command) ? "WOULD_MATCH_IMMEDIATELY" : null;
  if (waitsForStop(orderType) && isTriggered(orderType, side, stopTicks, market.lastTradeTicks)) {
    return "WOULD_TRIGGER_IMMEDIATELY";
  }
  return null;
}

export function wouldTake(market: Market, command: Pick<PlaceOrder, "side" | "priceTicks">): boolean {
  const bestTicks = market.book.bestTicks(opposite(command.side));
  if (bestTicks === 0) return false;
  return command.side === "BUY" ? bestTicks <= command.priceTicks : bestTicks >= command.priceTicks;
}

/** Checks the engine's own limits. `adds` is the number of orders that the command opens. */
export function checkRoom(
  state: ExchangeState,
  market: Market,
  command: PlaceOrder,
  adds = countsOf(command).open,
): RejectReason | null {
  if (adds === 0) return null;
  if (state.orders.size + adds > MAX_OPEN_ORDERS) return "TOO_MANY_OPEN_ORDERS";
  return countsOf(command).open > 0 && overflowsLevel(market, command) ? "LOT_SIZE" : null;
}

/** Whether the order would bring the lots at its price above the largest safe integer. */
export function overflowsLevel(
  market: Market,
  order: Pick<PlaceOrder, "side" | "priceTicks" | "quantityLots">,
): boolean {
  if (order.quantityLots <= LARGE_ORDER_LOTS) return false;
  return market.book.lotsAt(order.side, order.priceTicks) + order.quantityLots > MAX_LEVEL_LOTS;
}
