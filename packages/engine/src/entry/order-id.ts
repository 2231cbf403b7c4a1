/**
 * Ids of orders. Inside the exchange, an id is unique across all symbols. If orders are numbered by symbol, it is composed
 * of the symbol in the high bits and the number within the symbol in the low bits, and clients see and send only the
 * number. Otherwise id and number are the same. An id shows which of the two it is. See docs/decisions/0106.
 */

/** Where order ids are unique for clients: across the exchange, or only within a symbol. */
export const ORDER_ID_SCOPES = ["exchange", "symbol"] as const;
export type OrderIdScope = (typeof ORDER_ID_SCOPES)[number];

/** Numbers are below this limit, and composed ids are not: with MAX_SYMBOLS symbols, they are still safe integers. */
export const ORDER_NUMBERS = 2 ** 38;

/** An id that no order has. */
const NO_ORDER_ID = Number.MAX_SAFE_INTEGER;

/** The id inside the exchange of an order that is numbered within its symbol. */
export function composedOrderId(symbolId: number, orderNumber: number): number {
  return (symbolId + 1) * ORDER_NUMBERS + orderNumber;
}

/** The range of the ids of a symbol whose orders are numbered within it. */
export function orderIdsOfSymbol(symbolId: number): { readonly first: number; readonly last: number } {
  return { first: composedOrderId(symbolId, 1), last: composedOrderId(symbolId, ORDER_NUMBERS - 1) };
}

/** The id of an order as clients see it: the field `orderId` and all others that name an order. */
export function orderNumberOf(orderId: number): number {
  return orderId < ORDER_NUMBERS ? orderId : orderId % ORDER_NUMBERS;
}

/** The id inside the exchange of the order that a client names by its symbol and `orderId`; possibly one that no order has. */
export function namedOrderId(scope: OrderIdScope, symbolId: number, orderNumber: number): number {
  if (scope === "exchange") return orderNumber;
  return orderNumber < ORDER_NUMBERS ? composedOrderId(symbolId, orderNumber) : NO_ORDER_ID;
}
