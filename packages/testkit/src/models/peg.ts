/** Pegged orders in the model: the price is that of a level, taken when the order enters the market. Decision 107. */
import type { Peg, PegPriceType, PlaceOrder, RejectReason, Side } from "@pricetime/engine";
import {
  failingFilter,
  isAlgo,
  isPriced,
  type ModelMarket,
  type ModelOrder,
  price,
  remaining,
  type Wanted,
} from "./market.ts";
import type { Amount } from "./money.ts";
import type { ModelState } from "./state.ts";

/** How an order is pegged. Amounts are 0n if there is none. */
export interface ModelPeg {
  readonly to: PegPriceType;
  readonly level: number;
  /** The price of the client. */
  readonly sent: Amount;
  /** The price of the level. */
  readonly pegged: Amount;
}

/** The price of a level of the book; null if the book does not have it. */
function priceOf(market: ModelMarket, side: Side, { to, level }: Peg): Amount | null {
  const isOwnSide = to === "PRIMARY_PEG";
  const orders = market.orders.filter((order) => order.place === "book" && (order.side === side) === isOwnSide);
  const prices = [...new Set(orders.map((order) => order.price))].sort((a, b) => Number(a - b));
  // The best buyer is the last one, the best seller the first one.
  if ((side === "BUY") === isOwnSide) prices.reverse();
  return prices[level] ?? null;
}

function lessAggressive(side: Side, a: Amount, b: Amount): Amount {
  if (a === 0n || b === 0n) return a + b;
  return a < b === (side === "BUY") ? a : b;
}

/** A new order's peg, before it has a price; null for an order that is not pegged. */
export function pegOf(market: ModelMarket, { peg = null, priceTicks }: PlaceOrder): ModelPeg | null {
  return peg === null ? null : { to: peg.to, level: peg.level, sent: price(market, priceTicks), pegged: 0n };
}

/** Why the peg of an order is not allowed, or the price of an order that enters the market now does not exist. */
export function refusedPeg(
  { edition }: ModelState,
  market: ModelMarket,
  order: PlaceOrder,
  isEntering = true,
): RejectReason | null {
  const { peg = null, orderType, timeInForce, side } = order;
  if (peg === null) return null;
  const { pegInstructionsAllowed = true } = market.spec;
  if (edition < 5 || !pegInstructionsAllowed) return "PEG_NOT_SUPPORTED";
  if (!isPriced(orderType)) return "PEG_ORDER_TYPE";
  const isToOwnSide = peg.to === "PRIMARY_PEG";
  if (orderType === "LIMIT_MAKER" && !isToOwnSide) return "PEG_PRICE_TYPE";
  if (orderType === "LIMIT" && isToOwnSide && timeInForce !== "GTC") return "PEG_PRICE_TYPE";
  if (peg.level > 100) return "UNSUPPORTED_COMBINATION";
  const needsPrice = isEntering && !isAlgo(orderType);
  return needsPrice && priceOf(market, side, peg) === null ? "PEG_LEVEL_MISSING" : null;
}

/** The order with its price in effect, if it enters the market now. */
export function entered(market: ModelMarket, order: PlaceOrder): PlaceOrder {
  const { peg = null, side, priceTicks } = order;
  const pegged = peg === null || isAlgo(order.orderType) ? null : priceOf(market, side, peg);
  if (pegged === null) return order;
  const inEffect = lessAggressive(side, price(market, priceTicks), pegged);
  return { ...order, priceTicks: Number(inEffect / price(market, 1)) };
}

/** Sets the prices of an order that enters the market now. */
export function enter(market: ModelMarket, order: ModelOrder): boolean {
  if (order.peg === null) return true;
  const pegged = priceOf(market, order.side, order.peg);
  if (pegged === null) return false;
  order.peg = { ...order.peg, pegged };
  order.price = lessAggressive(order.side, order.peg.sent, pegged);
  return true;
}

/**
 * Checks the filters with each price of the order: the one of the client, and the one of the level if the order enters
 * now. An order without any is checked without its price.
 */
export function failingPegged(
  market: ModelMarket,
  order: PlaceOrder,
  wanted: Wanted,
  nowMs: number,
  isEntering = true,
): RejectReason | null {
  const { peg = null, side } = order;
  if (peg === null) return failingFilter(market, wanted, nowMs);
  const pegged = isEntering && !isAlgo(order.orderType) ? priceOf(market, side, peg) : null;
  return failingAt(market, wanted, [wanted.price, pegged ?? 0n], nowMs);
}

/** Why an order fails a filter with one of these prices. A price of 0n is none, null one that the symbol cannot have. */
function failingAt(
  market: ModelMarket,
  wanted: Wanted,
  prices: readonly (Amount | null)[],
  nowMs: number,
): RejectReason | null {
  const known = prices.filter((each) => each !== 0n);
  for (const each of known) {
    const reason = failingFilter(market, { ...wanted, price: each }, nowMs);
    if (reason !== null) return reason;
  }
  if (known.length > 0) return null;
  const { percentPrice: _, percentPriceBySide: _side, minNotional: _min, notional: _range, ...others } = market.filters;
  return failingFilter({ ...market, filters: others }, { ...wanted, price: 0n, isUnpriced: true }, nowMs);
}

/** Why a stop order cannot work at the prices that it now has. Only filters of prices are checked again. */
export function failingPrices(market: ModelMarket, order: ModelOrder, nowMs: number): RejectReason | null {
  const { priceFilter, percentPrice, percentPriceBySide, minNotional, notional } = market.filters;
  const filters = {
    ...(priceFilter && { priceFilter }),
    ...(percentPrice && { percentPrice }),
    ...(percentPriceBySide && { percentPriceBySide }),
    ...(minNotional && { minNotional }),
    ...(notional && { notional }),
  };
  const wanted: Wanted = {
    ...{ accountId: order.accountId, side: order.side, type: "LIMIT", price: 0n, stopPrice: 0n, trailingDelta: 0 },
    ...{ quantity: remaining(order), icebergQty: 0n, quoteOrderQty: 0n, mayRest: true, hasDepth: true },
    ...{ position: 0n, placed: 0n, isUnpriced: false },
  };
  return failingAt({ ...market, filters }, wanted, [order.peg!.sent, order.peg!.pegged], nowMs);
}
