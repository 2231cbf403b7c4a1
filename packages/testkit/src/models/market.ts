/** A symbol of the model: its terms, its open orders in one list, and every trade so far. */
import type { OrderType, Side, SymbolFilters, SymbolSpec, SymbolStatus, TimeInForce } from "@pricetime/engine";
import { type Amount, ONE, placesOf, scaled } from "./amount.ts";

export interface ModelOrder {
  readonly orderId: number;
  readonly accountId: number;
  readonly symbolId: number;
  readonly clientOrderId: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  /** The price; 0n: whatever the book asks. */
  readonly price: Amount;
  readonly quantity: Amount;
  /** What a MARKET order by quote asks to spend or to receive; 0n: it is by quantity. */
  readonly quoteOrderQty: Amount;
  /** The stop price; 0n: none. */
  readonly stopPrice: Amount;
  readonly icebergQty: Amount;
  /** The list that it was placed with; -1: none. */
  readonly orderListId: number;
  place: Place;
  readonly timeMs: number;
  /** The time of its latest change: placed, triggered, traded. */
  updateTimeMs: number;
  executed: Amount;
  executedQuote: Amount;
  /** The quantity that the book shows. */
  visible: Amount;
  /** The place in the queue: lower was earlier. */
  arrival: number;
  locked: Amount;
}

/**
 * Where an order is. `called`: a trade has reached its stop price, and others run before it. `running`: it is
 * meeting the book, which no command ever sees.
 */
export type Place = "waiting" | "called" | "running" | "book" | "over";

/** Two orders, one of which cancels the other while neither has traded or ended. */
export interface ModelList {
  readonly orderListId: number;
  readonly listClientOrderId: string;
  readonly accountId: number;
  readonly symbolId: number;
  readonly timeMs: number;
  readonly stopLeg: ModelOrder;
  readonly limitLeg: ModelOrder;
  /** What the list has locked; its orders lock nothing while it lives. */
  readonly locked: Amount;
}

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
  /** Whether its candles may be finer than the symbol's steps. */
  readonly isFine: boolean;
  /** The close of the last candle before the first trade. */
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
  status: SymbolStatus;
  /** Open orders, including waiting ones, in no particular order. */
  orders: ModelOrder[];
  /** Whether the current command changed what rests on the book. */
  touched: boolean;
  readonly trades: ModelTrade[];
  /** The candles from before the first trade. */
  past: ModelPast | null;
  aggregates: number;
  /** From then on the symbol does not trade; Infinity: no time is set. */
  delistedFromMs: number;
  /** A tick has come since then. */
  isDelisted: boolean;
  /** Its open orders end, some with each tick. */
  isEnding: boolean;
  /** Averaging windows in minutes, and since when each knows the trades: a new filter's window starts late. */
  readonly windows: Map<number, number>;
}

/** The window that everybody may request. */
const DEFAULT_MINS = 5;

/** Opens the windows that the filters need; a new one knows what the longest so far still holds. */
export function openWindows(market: ModelMarket, nowMs: number): void {
  const { percentPrice, minNotional } = market.filters;
  for (const mins of [DEFAULT_MINS, percentPrice?.avgPriceMins ?? 0, minNotional?.avgPriceMins ?? 0]) {
    if (mins === 0 || market.windows.has(mins)) continue;
    const longest = Math.max(...market.windows.keys());
    const since = market.windows.get(longest);
    market.windows.set(mins, since === undefined ? -Infinity : Math.max(since, windowStart(longest, nowMs)));
  }
}

/** Returns the start of a window: trades count in whole seconds, those that start after it. */
function windowStart(mins: number, nowMs: number): number {
  return Math.floor((nowMs - mins * 60_000) / 1000) * 1000;
}

/** Returns the scale that a symbol gets when it is listed: see SymbolScale. */
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
  return order.quantity - order.executed;
}

/** Returns the orders that a taker of `side` meets, first to trade first; those at `limit` or better unless it is 0. */
export function opposite(market: ModelMarket, side: Side, limit: Amount): ModelOrder[] {
  const sign = side === "BUY" ? 1n : -1n;
  return market.orders
    .filter((order) => order.place === "book" && order.side !== side)
    .filter((order) => limit === 0n || (order.price - limit) * sign <= 0n)
    .sort((a, b) => Number((a.price - b.price) * sign) || a.arrival - b.arrival);
}

/** Returns the opposite side by price: the total of all orders there, with hidden parts. */
export function levels(market: ModelMarket, side: Side, limit: Amount): { price: Amount; quantity: Amount }[] {
  const found: { price: Amount; quantity: Amount }[] = [];
  for (const order of opposite(market, side, limit)) {
    const last = found.at(-1);
    if (last !== undefined && last.price === order.price) last.quantity += remaining(order);
    else found.push({ price: order.price, quantity: remaining(order) });
  }
  return found;
}

export function isAlgo(type: OrderType): boolean {
  return ["STOP_LOSS", "STOP_LOSS_LIMIT", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"].includes(type);
}

/** Whether the type has its own price; the others take what the book asks. */
export function isPriced(type: OrderType): boolean {
  return !["MARKET", "STOP_LOSS", "TAKE_PROFIT"].includes(type);
}

/** Interface 4.2: STOP_LOSS BUY and TAKE_PROFIT SELL are above the market, the other two below it. */
export function standsAbove(type: OrderType, side: Side): boolean {
  return type.startsWith("STOP_LOSS") ? side === "BUY" : side === "SELL";
}

/** Whether a last price of `last` triggers the order: reaching the stop price is enough. */
export function isReached(order: { type: OrderType; side: Side; stopPrice: Amount }, last: Amount): boolean {
  return standsAbove(order.type, order.side) ? last >= order.stopPrice : last <= order.stopPrice;
}

export function lastPrice(market: ModelMarket): Amount | null {
  return market.trades.at(-1)?.price ?? market.past?.close ?? null;
}

/** Returns sum(price*quantity) and sum(quantity) over the window; else the last price; null without one. */
export function averagePrice(market: ModelMarket, mins: number, nowMs: number): [Amount, Amount] | null {
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
