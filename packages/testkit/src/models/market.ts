/** A symbol of the model: its specification, its open orders in one list, every trade so far, and its filters. */
import type {
  OrderType,
  RejectReason,
  SelfTradePreventionMode,
  Side,
  SymbolFilters,
  SymbolSpec,
  SymbolStatus,
  TimeInForce,
} from "@pricetime/engine";
import { type Amount, amount, ONE, placesOf, scaled } from "./money.ts";
import type { ModelPeg } from "./peg.ts";
import { failsTrailing, type ModelTrailing } from "./trailing.ts";
import { type ModelRange, referencePrice } from "./price-range.ts";

export interface ModelOrder {
  readonly orderId: number;
  readonly accountId: number;
  readonly symbolId: number;
  clientOrderId: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  /** The price in effect; 0n for an order at market price, and for a pegged one that has none yet. */
  price: Amount;
  quantity: Amount;
  /** The amount that a MARKET order by quote spends or receives; 0n for an order by quantity. */
  readonly quoteOrderQty: Amount;
  /** The stop price; 0n if there is none. */
  readonly stopPrice: Amount;
  readonly icebergQty: Amount;
  /** The id of the order's list; -1 if there is none. */
  readonly orderListId: number;
  place: Place;
  readonly timeMs: number;
  /** The time of the latest change: placed, triggered or traded. */
  updateTimeMs: number;
  executed: Amount;
  executedQuote: Amount;
  /** The prices at which the order may trade since it met the book. */
  range: ModelRange | null;
  readonly prevention: SelfTradePreventionMode;
  /** The quantity that self-trade prevention took. */
  prevented: Amount;
  /** The quantity that is visible in the book. */
  visible: Amount;
  /** The positions in the queue of the book and among the orders that wait for a price: lower values came first. */
  arrival: number;
  waitingSince: number;
  locked: Amount;
  amendments: number;
  /** Null if the order is no trailing stop. */
  trailing: ModelTrailing | null;
  /** Null if the order is not pegged. */
  peg: ModelPeg | null;
}

/**
 * The state of an order. `pending` is in a list whose working order is not filled. `called` is triggered by a trade, but other orders run before it. `running` is matching
 * against the book, a state that exists only within a command.
 */
export type Place = "pending" | "waiting" | "called" | "running" | "book" | "over";

export interface ModelTrade {
  readonly timeMs: number;
  readonly price: Amount;
  readonly quantity: Amount;
  readonly quote: Amount;
  readonly tradeId: number;
}

export interface ModelPast {
  readonly interval: string;
  readonly endMs: number;
  /** Whether the candles may be finer than the symbol's steps. */
  readonly isFine: boolean;
  /** The closing price of the last candle before the first trade. */
  readonly close: Amount;
}

export interface ModelMarket {
  readonly symbolId: number;
  spec: SymbolSpec;
  readonly base: string;
  readonly quote: string;
  readonly basePlaces: number;
  readonly quotePlaces: number;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  filters: SymbolFilters;
  /** Whether steps are counted from zero, as in today's interface. */
  hasStepsFromZero: boolean;
  status: SymbolStatus;
  /** Open orders, including orders that wait for their stop price, in no particular order. */
  orders: ModelOrder[];
  /** Whether the current command changed the orders that rest on the book. */
  touched: boolean;
  readonly trades: ModelTrade[];
  /** How many of them are older than the current command. */
  tradesBefore: number;
  /** The candles from before the first trade. */
  past: ModelPast | null;
  /** The number of trades before those from which the reference price is computed. */
  referenceFrom: number;
  aggregates: number;
  preventions: number;
  /** The time from which the symbol does not trade; Infinity if no delisting is scheduled. */
  delistedFromMs: number;
  /** Whether a tick has occurred after `delistedFromMs`. */
  isDelisted: boolean;
  /** Whether the symbol's open orders are being ended, some with each tick. */
  isEnding: boolean;
  /**
   * Averaging windows in minutes, each with the time from which it includes trades, because the window of a new filter
   * starts late.
   */
  readonly windows: Map<number, number>;
}

/** The averaging window, in minutes, that is always available. */
const DEFAULT_MINS = 5;

/**
 * Opens the windows that the filters need. A new window contains the trades that the longest existing window still
 * contains.
 */
export function openWindows(market: ModelMarket, nowMs: number): void {
  const { percentPrice, percentPriceBySide, minNotional, notional } = market.filters;
  const averaging = [percentPrice, percentPriceBySide, minNotional, notional];
  for (const mins of [DEFAULT_MINS, ...averaging.map((filter) => filter?.avgPriceMins ?? 0)]) {
    if (mins === 0 || market.windows.has(mins)) continue;
    const longest = Math.max(...market.windows.keys());
    const since = market.windows.get(longest);
    market.windows.set(mins, since === undefined ? -Infinity : Math.max(since, windowStart(longest, nowMs)));
  }
}

/** Returns the start of a window. Trade times are rounded down to seconds, and only trades after the start count. */
function windowStart(mins: number, nowMs: number): number {
  return Math.floor((nowMs - mins * 60_000) / 1000) * 1000;
}

/** Returns the scale of a symbol at its listing: see SymbolScale. */
export function scaleOf(spec: SymbolSpec, basePlaces: number, quotePlaces: number): [number, number] {
  const price = spec.filters.priceFilter;
  const lot = spec.filters.lotSize;
  const market = spec.filters.marketLotSize;
  const priceDecimals =
    price !== undefined && placed(price.tickSize)
      ? Math.max(...[price.minPrice, price.maxPrice, price.tickSize].map(placesOf))
      : quotePlaces;
  const lots = lot === undefined ? [] : [lot.minQty, lot.maxQty, lot.stepSize];
  if (market !== undefined) lots.push(market.minQty, market.maxQty, market.stepSize);
  const quantityDecimals = lot !== undefined && placed(lot.stepSize) ? Math.max(...lots.map(placesOf)) : basePlaces;
  return [priceDecimals, quantityDecimals];
}

function placed(text: string): boolean {
  return /[1-9]/.test(text);
}

export function remaining(order: ModelOrder): Amount {
  return order.quantity - order.executed - order.prevented;
}

/**
 * Returns the orders that a taker of `side` matches, in order of execution. A nonzero `limit` excludes worse prices.
 */
export function opposite(market: ModelMarket, side: Side, limit: Amount): ModelOrder[] {
  const sign = side === "BUY" ? 1n : -1n;
  return market.orders
    .filter((order) => order.place === "book" && order.side !== side)
    .filter((order) => limit === 0n || (order.price - limit) * sign <= 0n)
    .sort((a, b) => Number((a.price - b.price) * sign) || a.arrival - b.arrival);
}

/** Returns the levels of these orders, with the total quantity including hidden parts. */
export function levelsOf(orders: readonly ModelOrder[]): { price: Amount; quantity: Amount }[] {
  const found: { price: Amount; quantity: Amount }[] = [];
  for (const order of orders) {
    const last = found.at(-1);
    if (last !== undefined && last.price === order.price) last.quantity += remaining(order);
    else found.push({ price: order.price, quantity: remaining(order) });
  }
  return found;
}

export function isAlgo(type: OrderType): boolean {
  return ["STOP_LOSS", "STOP_LOSS_LIMIT", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"].includes(type);
}

/** Whether the order type has its own price. Orders of other types execute at the prices of the book. */
export function isPriced(type: OrderType): boolean {
  return !["MARKET", "STOP_LOSS", "TAKE_PROFIT"].includes(type);
}

/**
 * Whether the stop price must be above the market. Interface 4.2: true for STOP_LOSS BUY and TAKE_PROFIT SELL, false
 * for the other two.
 */
export function standsAbove(type: OrderType, side: Side): boolean {
  return type.startsWith("STOP_LOSS") ? side === "BUY" : side === "SELL";
}

/** Whether a last price of `last` reaches the stop price, if there is one. */
export function isReached(order: { type: OrderType; side: Side; stopPrice: Amount }, last: Amount): boolean {
  if (order.stopPrice === 0n) return false;
  return standsAbove(order.type, order.side) ? last >= order.stopPrice : last <= order.stopPrice;
}

export function lastPrice(market: ModelMarket): Amount | null {
  return market.trades.at(-1)?.price ?? market.past?.close ?? null;
}

/** Returns the price with which filters compare, as a fraction: the reference price, otherwise the average price. */
function filterPrice(market: ModelMarket, mins: number, nowMs: number): [Amount, Amount] | null {
  const reference = referencePrice(market, nowMs);
  return reference === null ? averagePrice(market, mins, nowMs) : [reference * ONE, ONE];
}

/**
 * Returns sum(price*quantity) and sum(quantity) over the window, the last price and 1 if the window has no trades, or
 * null if nothing has traded.
 */
function averagePrice(market: ModelMarket, mins: number, nowMs: number): [Amount, Amount] | null {
  const last = lastPrice(market);
  if (last === null) return null;
  const startMs = Math.max(windowStart(mins, nowMs), market.windows.get(mins) ?? -Infinity);
  const inside = market.trades.filter((trade) => Math.floor(trade.timeMs / 1000) * 1000 > startMs);
  if (mins === 0 || inside.length === 0) return [last * ONE, ONE];
  return [
    inside.reduce((sum, trade) => sum + trade.price * trade.quantity, 0n),
    inside.reduce((sum, trade) => sum + trade.quantity, 0n),
  ];
}

/**
 * The prices of the trades of 24 hours, in whole minutes, after the last price before them. None before the first trade,
 * and as long as these hours include candles from before it.
 */
export function dayPrices({ trades, past }: ModelMarket, nowMs: number): Amount[] {
  const day = 24 * 3_600_000;
  const startMs = nowMs - day - ((nowMs - day) % 60_000) + 60_000;
  if (past !== null && past.endMs > startMs) return [];
  const before = trades.findLast(({ timeMs }) => timeMs < startMs)?.price ?? past?.close;
  const inside = trades.filter(({ timeMs }) => timeMs >= startMs).map(({ price }) => price);
  return before === undefined ? inside : [before, ...inside];
}

export function lots(market: ModelMarket, value: number): Amount {
  return scaled(value, market.quantityDecimals);
}
export function price(market: ModelMarket, ticks: number): Amount {
  return scaled(ticks, market.priceDecimals);
}

/** Returns the asset that an order of this side pays with. */
export function paidAsset(market: ModelMarket, side: Side): string {
  return side === "BUY" ? market.quote : market.base;
}

// The rules of Interface 2.8, in the order in which the first failure is reported (Interface 7.9).

/** An order as requested. A value is null if the symbol cannot represent it. */
export interface Wanted {
  readonly accountId: number;
  readonly side: Side;
  readonly type: OrderType;
  /** The price; 0n if the order type has none. */
  readonly price: Amount | null;
  /** The stop price; 0n if the order type has none. */
  readonly stopPrice: Amount | null;
  /** In basis points; 0 if the order is no trailing stop. */
  readonly trailingDelta: number;
  /** The order's quantity; for an order by quoteOrderQty, the quantity computed from it. */
  readonly quantity: Amount | null;
  readonly icebergQty: Amount | null;
  /** The amount in the quote asset; 0n if a quantity is given. */
  readonly quoteOrderQty: Amount;
  /** Whether the order can stay open. Limits on open orders apply only to such orders. */
  readonly mayRest: boolean;
  /** Whether the book has orders on the opposite side. */
  readonly hasDepth: boolean;
  /** The base asset that the account has or buys with its open orders on the symbol, without this placement. */
  readonly position: Amount;
  /** The quantities of all orders of the placement. */
  readonly placed: Amount;
  /** Whether the order has a price only later. */
  readonly isUnpriced: boolean;
}

/** The maximum number of parts of any iceberg order, with or without ICEBERG_PARTS. */
const MOST_PARTS = 1000;

/** Checks the filters that concern a single order. */
export function failingFilter(market: ModelMarket, wanted: Wanted, nowMs: number): RejectReason | null {
  const { filters } = market;
  const byQuote = wanted.quoteOrderQty !== 0n;
  // An order by quote on an empty book executes nothing, which is not a failure.
  const skipsQuantity = byQuote && !wanted.hasDepth;
  const isIceberg = wanted.icebergQty !== 0n;

  if (isPriced(wanted.type) && wanted.price === 0n && !wanted.isUnpriced) return "PRICE_FILTER";
  if (failsPrice(market, filters.priceFilter, wanted.price)) return "PRICE_FILTER";
  if (isAlgo(wanted.type) && wanted.stopPrice === 0n && wanted.trailingDelta === 0) return "PRICE_FILTER";
  if (failsPrice(market, filters.priceFilter, wanted.stopPrice)) return "PRICE_FILTER";
  const { percentPrice, percentPriceBySide: bySide } = filters;
  const both = percentPrice && { ...percentPrice, up: percentPrice.multiplierUp, down: percentPrice.multiplierDown };
  if (failsPercentPrice(market, both, wanted, nowMs)) return "PERCENT_PRICE";
  const bid = bySide && { ...bySide, up: bySide.bidMultiplierUp, down: bySide.bidMultiplierDown };
  const ask = bySide && { ...bySide, up: bySide.askMultiplierUp, down: bySide.askMultiplierDown };
  if (failsPercentPrice(market, wanted.side === "BUY" ? bid : ask, wanted, nowMs)) return "PERCENT_PRICE_BY_SIDE";
  const isTrailing = isAlgo(wanted.type) && wanted.trailingDelta !== 0;
  const isAbove = standsAbove(wanted.type, wanted.side);
  if (isTrailing && failsTrailing(filters.trailingDelta, isAbove, wanted.trailingDelta)) return "TRAILING_DELTA";
  if (!byQuote && wanted.quantity === 0n) return "INVALID_QUANTITY";
  if (!skipsQuantity && failsLot(market, filters.lotSize, wanted.quantity)) return "LOT_SIZE";
  if (byQuote && wanted.hasDepth && wanted.quantity === 0n) return "LOT_SIZE";
  if (isIceberg && !skipsQuantity && failsLot(market, filters.lotSize, wanted.icebergQty)) return "LOT_SIZE";
  const { minNotional, notional } = filters;
  if (minNotional !== undefined) {
    const value = notionalOf(market, wanted, minNotional.avgPriceMins, nowMs);
    const applies = isPriced(wanted.type) || minNotional.applyToMarket;
    if (applies && (value === "unknown" || isLess(value, minNotional.minNotional))) return "MIN_NOTIONAL";
  }
  if (notional !== undefined && failsNotional(market, notional, wanted, nowMs)) return "NOTIONAL";
  if (isIceberg && wanted.icebergQty !== null) {
    const most = Math.min(filters.icebergParts?.limit ?? MOST_PARTS, MOST_PARTS);
    if (ceilDivide(wanted.quantity!, wanted.icebergQty) > BigInt(most)) return "ICEBERG_PARTS";
  }
  if (!isPriced(wanted.type) && !skipsQuantity && failsLot(market, filters.marketLotSize, wanted.quantity)) {
    return "MARKET_LOT_SIZE";
  }
  if (filters.maxPosition !== undefined && wanted.side === "BUY" && !skipsQuantity) {
    if (wanted.position + wanted.placed > amount(filters.maxPosition.maxPosition)) return "MAX_POSITION";
  }
  return null;
}

/** Checks the filters that concern the quantity of an open order, if it becomes `quantity`. */
export function failingAmendment(
  market: ModelMarket,
  order: ModelOrder,
  quantity: Amount | null,
  nowMs: number,
): RejectReason | null {
  const { price, peg } = order;
  if (peg === null) return failingAmendmentAt(market, order, price, quantity, nowMs);
  const known = [peg.sent, peg.pegged].filter((each) => each !== 0n);
  for (const each of known) {
    const reason = failingAmendmentAt(market, order, each, quantity, nowMs);
    if (reason !== null) return reason;
  }
  if (known.length > 0) return null;
  const { minNotional: _, notional: _range, ...filters } = market.filters;
  return failingAmendmentAt({ ...market, filters }, order, 0n, quantity, nowMs);
}

function failingAmendmentAt(
  market: ModelMarket,
  order: ModelOrder,
  price: Amount,
  quantity: Amount | null,
  nowMs: number,
): RejectReason | null {
  const { filters } = market;
  const { type, side, icebergQty, amendments } = order;
  if (quantity === 0n) return "INVALID_QUANTITY";
  if (quantity === null || failsLot(market, filters.lotSize, quantity)) return "LOT_SIZE";
  const { accountId, stopPrice } = order;
  const wanted: Wanted = {
    ...{ accountId, side, type, price, stopPrice, quantity, icebergQty, quoteOrderQty: 0n, isUnpriced: false },
    ...{ mayRest: true, hasDepth: true, position: 0n, placed: 0n, trailingDelta: 0 },
  };
  const { minNotional, notional } = filters;
  if (minNotional !== undefined && (isPriced(type) || minNotional.applyToMarket)) {
    const value = notionalOf(market, wanted, minNotional.avgPriceMins, nowMs);
    if (value === "unknown" || isLess(value, minNotional.minNotional)) return "MIN_NOTIONAL";
  }
  if (notional !== undefined && failsNotional(market, notional, wanted, nowMs)) return "NOTIONAL";
  const most = Math.min(filters.icebergParts?.limit ?? MOST_PARTS, MOST_PARTS);
  if (icebergQty !== 0n && ceilDivide(quantity, icebergQty) > BigInt(most)) return "ICEBERG_PARTS";
  if (!isPriced(type) && failsLot(market, filters.marketLotSize, quantity)) return "MARKET_LOT_SIZE";
  const mostAmendments = filters.maxNumOrderAmends?.maxNumOrderAmends ?? Infinity;
  return amendments + 1 > mostAmendments ? "MAX_NUM_ORDER_AMENDS" : null;
}

/**
 * Checks the price filter. Each of its parts is disabled when it is 0. A price of 0n means that the order has no price.
 */
function failsPrice(market: ModelMarket, filter: ModelMarket["filters"]["priceFilter"], price: Amount | null): boolean {
  if (price === null) return true;
  if (filter === undefined || price === 0n) return false;
  const [min, max, tick] = [amount(filter.minPrice), amount(filter.maxPrice), amount(filter.tickSize)];
  if (min !== 0n && price < min) return true;
  if (max !== 0n && price > max) return true;
  return tick !== 0n && (price - stepOrigin(market, min)) % tick !== 0n;
}

function failsLot(market: ModelMarket, filter: ModelMarket["filters"]["lotSize"], quantity: Amount | null): boolean {
  if (quantity === null) return true;
  if (filter === undefined) return false;
  const [min, max, step] = [amount(filter.minQty), amount(filter.maxQty), amount(filter.stepSize)];
  if (quantity < min || (max !== 0n && quantity > max)) return true;
  return step !== 0n && (quantity - stepOrigin(market, min)) % step !== 0n;
}

/** The value from which a filter's steps are counted. */
export function stepOrigin(market: ModelMarket, min: Amount): Amount {
  return market.hasStepsFromZero ? 0n : min;
}

/** Checks only the price, so order types without one pass. All orders pass before the first trade. */
function failsPercentPrice(
  market: ModelMarket,
  filter: { readonly up: string; readonly down: string; readonly avgPriceMins: number } | undefined,
  wanted: Wanted,
  nowMs: number,
): boolean {
  if (filter === undefined || wanted.price === null || wanted.price === 0n) return false;
  const average = filterPrice(market, filter.avgPriceMins, nowMs);
  if (average === null) return false;
  const [total, quantity] = average;
  // The price is compared with (total / quantity) * multiplier, cross-multiplied to be exact.
  const left = wanted.price * quantity * 10n ** 8n;
  return left > total * amount(filter.up) || left < total * amount(filter.down);
}

/** A value in the quote asset as a fraction. */
type Value = readonly [numerator: bigint, denominator: bigint];

const isLess = (value: Value | null, than: string): boolean => value !== null && value[0] < amount(than) * value[1];
const isMore = (value: Value | null, than: string): boolean => value !== null && value[0] > amount(than) * value[1];

/**
 * The value of an order: at its own price, at the average price, or its amount. `unknown` if nothing has traded yet;
 * null if the order has no value to check, as for a stop order before the first trade.
 */
function notionalOf(market: ModelMarket, wanted: Wanted, mins: number, nowMs: number): Value | null | "unknown" {
  if (wanted.quantity === null || wanted.price === null) return null;
  if (wanted.price !== 0n) return [wanted.price * wanted.quantity, 10n ** 8n];
  const average = filterPrice(market, mins, nowMs);
  if (average === null) return isAlgo(wanted.type) ? null : "unknown";
  if (wanted.quoteOrderQty !== 0n) return [wanted.quoteOrderQty, 1n];
  const [total, quantity] = average;
  return [total * wanted.quantity, quantity * 10n ** 8n];
}

function failsNotional(
  market: ModelMarket,
  filter: NonNullable<SymbolFilters["notional"]>,
  wanted: Wanted,
  nowMs: number,
): boolean {
  const value = notionalOf(market, wanted, filter.avgPriceMins, nowMs);
  const hasMin = isPriced(wanted.type) || filter.applyMinToMarket;
  const hasMax = (isPriced(wanted.type) || filter.applyMaxToMarket) && amount(filter.maxNotional) > 0n;
  if (value === "unknown") return hasMin || hasMax;
  return (hasMin && isLess(value, filter.minNotional)) || (hasMax && isMore(value, filter.maxNotional));
}

function ceilDivide(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}

/**
 * One unit of the quote asset as basis points of the smallest possible trade, rounded up; 0 if every fill is exact. The
 * smallest trade is MIN_NOTIONAL or NOTIONAL, or the smallest quantity at the lowest price if that is more or if the filter does
 * not apply to orders without a price.
 */
export function roundingBps(market: ModelMarket, { filters, orderTypes }: SymbolSpec): number {
  const { priceDecimals, quantityDecimals, quotePlaces } = market;
  if (priceDecimals + quantityDecimals <= quotePlaces) return 0;
  const step = (places: number): Amount => 10n ** BigInt(8 - places);
  const least = (min: string | undefined, by: string | undefined, places: number): Amount =>
    [min, by].map((text) => amount(text ?? "0")).find((value) => value > 0n) ?? step(places);
  const { priceFilter, lotSize, minNotional, notional } = filters;
  const price = least(priceFilter?.minPrice, priceFilter?.tickSize, priceDecimals);
  const quantity = least(lotSize?.minQty, lotSize?.stepSize, quantityDecimals);
  const arePriced = orderTypes.every(isPriced);
  const bounds = [
    price * quantity,
    minNotional && (minNotional.applyToMarket || arePriced) ? amount(minNotional.minNotional) * 10n ** 8n : 0n,
    notional && (notional.applyMinToMarket || arePriced) ? amount(notional.minNotional) * 10n ** 8n : 0n,
  ];
  const smallest = bounds.reduce((most, bound) => (bound > most ? bound : most));
  return Number(ceilDivide(step(quotePlaces) * 10n ** 8n * 10_000n, smallest));
}
