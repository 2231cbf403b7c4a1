/**
 * The order lists among an account's orders: OCO, two orders of which one cancels the other, and OTO, a working order
 * and the pending orders that are placed when it is filled (decision 101).
 */
import { decimal, isZero } from "../exact/decimal.ts";
import { showAmount } from "../exact/shown.ts";
import { byList, listKey } from "../rules/draft.ts";
import { isPending, trailingState } from "./own-orders.ts";
import { orderWords } from "../words/words.ts";
import type { OrderRow } from "./port.ts";

/** OTOCO, OPO and OPOCO count as OTO, as in `contingencyType`. */
export type ListKind = "OCO" | "OTO";

/** An open list of at least two orders that depend on each other. */
export interface OpenList {
  readonly kind: ListKind;
  readonly orderListId: number;
  readonly symbol: string;
  /** The working order of an OTO; null if its end is known before that of its pending orders. */
  readonly working: OrderRow | null;
  /** The stop leg of a pair, or a single pending stop order. */
  readonly stop: OrderRow | null;
  /** The limit leg of a pair, or a single pending order of another type. */
  readonly limit: OrderRow | null;
}

type Listed = Pick<OrderRow, "symbol" | "orderId" | "orderListId" | "type" | "status" | "side" | "price">;

function openList(orders: readonly OrderRow[]): OpenList | null {
  const pending = orders.filter(isPending);
  const legs = pending.length > 0 ? pending : orders;
  const stop = legs.find(({ type }) => type.startsWith("STOP_LOSS")) ?? null;
  const limit = legs.find((order) => order !== stop) ?? null;
  const working = orders.find((order) => !legs.includes(order)) ?? null;
  const [first] = orders;
  const isList = pending.length > 0 || (stop !== null && limit !== null);
  if (first === undefined || !isList) return null;
  const { orderListId, symbol } = first;
  return { kind: pending.length > 0 ? "OTO" : "OCO", orderListId, symbol, working, stop, limit };
}

/** The lists among open orders. The last order of a list, which no longer depends on another one, is no list. */
export const openLists = (orders: readonly OrderRow[]): readonly OpenList[] =>
  [...byList(orders).values()].map(openList).filter((list) => list !== null);

/** The open list of an order; null if the order does not depend on another one. */
export function listOf(order: OrderRow, orders: readonly OrderRow[]): OpenList | null {
  if (order.orderListId === -1) return null;
  return openList(orders.filter((one) => listKey(one) === listKey(order)));
}

/** The orders of a list: the working order first. */
export const ordersOf = ({ working, stop, limit }: OpenList): readonly OrderRow[] =>
  [working, stop, limit].filter((order) => order !== null);

/** The other orders of the list. */
export const othersOf = (list: OpenList, { orderId }: OrderRow): readonly OrderRow[] =>
  ordersOf(list).filter((one) => one.orderId !== orderId);

/** Whether the pending orders sell what the working order buys: their quantity is unknown until then. */
export const sellsBought = (order: Pick<OrderRow, "status" | "origQty">): boolean =>
  isPending(order) && isZero(decimal(order.origQty));

/** The orders that an amendment of this one changes: both legs of a pair, otherwise the order itself. */
export function amendedWith(list: OpenList | null, order: OrderRow): readonly OrderRow[] {
  if (list === null || order.orderId === list.working?.orderId) return [order];
  return [list.stop, list.limit].filter((leg) => leg !== null);
}

/**
 * Whether the prices of the order can be moved, which places it and its whole list again. A trailing stop that follows
 * the price would lose the highest or lowest price that it has followed, and the pending orders of a list would no
 * longer cover what its working order has executed.
 */
export function isMovable(list: OpenList | null, order: OrderRow): boolean {
  if (trailingState(order) === "following") return false;
  return list?.kind !== "OTO" || (list.working !== null && isZero(decimal(list.working.executedQty)));
}

/** Whether moving the order places a trailing stop again that follows the price, so that it follows it from then on. */
export const restartsTrailing = (list: OpenList | null, order: OrderRow): boolean =>
  list !== null && othersOf(list, order).some((one) => trailingState(one) === "following");

/**
 * The kinds of the lists among orders of a history. The first order of an OCO is its stop leg, that of an OTO is a limit
 * order. A list of which only one order is known has none.
 */
export function listKinds<Row extends Listed>(orders: readonly Row[]): ReadonlyMap<Row, ListKind> {
  const kinds = new Map<Row, ListKind>();
  for (const group of byList(orders).values()) {
    if (group.length < 2) continue;
    const first = group.reduce((least, order) => (order.orderId < least.orderId ? order : least));
    const kind = first.type.startsWith("STOP_LOSS") ? "OCO" : "OTO";
    for (const order of group) kinds.set(order, kind);
  }
  return kinds;
}

/** The status in words. A pending order names the order that it waits for, an expired one the reason. */
export function statusText<Row extends Listed & Pick<OrderRow, "expiryReason">>(
  order: Row,
  orders: readonly Row[],
): string {
  const { status, expiryReason = "" } = order;
  const text = orderWords.statuses[status] ?? status;
  const reason = status === "EXPIRED" ? orderWords.reasons[expiryReason] : undefined;
  if (reason !== undefined) return orderWords.because(text, reason);
  if (!isPending(order)) return text;
  const working = orders.find((one) => listKey(one) === listKey(order) && !isPending(one));
  return working === undefined ? text : orderWords.waitsFor(working.side === "BUY", showAmount(working.price));
}
