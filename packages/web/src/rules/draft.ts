/**
 * An order before it is sent: the fields that its type requires (Interface 3.2), their values, and problems found by
 * validation.
 */
import type { Commission, OcoDraft, OrderDraft, OrderRow } from "../account/port.ts";
import type { Book, Market } from "../market/port.ts";
import { type Decimal, parseDecimal } from "../exact/decimal.ts";

// Problems of an order, each with its field.

/** A field of the form. The exit prices belong to the pending orders of a limit order. */
export type Field = Exclude<keyof OrderDraft | keyof OcoDraft, "symbol" | "side"> | "takeProfitPrice" | "stopLossPrice";

/**
 * `filter`: a filter of the market rejects the order. `form`: a field is missing or invalid. `market`: the market's
 * prices or status do not allow the order. `funds`: the balance is too low.
 */
export type ProblemKind = "filter" | "form" | "market" | "funds";

export interface Problem {
  readonly field: Field;
  readonly kind: ProblemKind;
  /** The name of the filter (Interface 2.8) that rejects the order; null if it is not a filter. */
  readonly filter: string | null;
  readonly text: string;
  /** The nearest valid values of the field, the lower one first; empty if there are none. */
  readonly nearest: readonly string[];
}

/** The data against which an order is validated. Null means unknown: checks that need the value are skipped. */
export interface Circumstances {
  readonly market: Market;
  /** The five-minute average price, from `avgPrice`. */
  readonly averagePrice: string | null;
  /** The price to which filters compare instead of the average, if the market has one (decision 105). */
  readonly referencePrice: string | null;
  /** The last price; "0" if the market has never traded. */
  readonly lastPrice: string | null;
  readonly book: Book | null;
  /** The account's open orders on all markets. */
  readonly openOrders: readonly OrderRow[];
  /** The account's free balances of the market's two assets. */
  readonly free: { readonly base: string; readonly quote: string } | null;
  readonly commission: Commission;
}

export const liveBook = ({ book }: Pick<Circumstances, "book">): Book | null =>
  book?.freshness === "live" ? book : null;

// Open orders.

type Listed = Pick<OrderRow, "symbol" | "orderListId">;

export const listKey = ({ symbol, orderListId }: Listed): string => `${symbol}/${orderListId}`;

/** The orders that are in a list, by list. */
export const byList = <Row extends Listed>(orders: readonly Row[]): ReadonlyMap<string, readonly Row[]> =>
  Map.groupBy(
    orders.filter(({ orderListId }) => orderListId !== -1),
    listKey,
  );

// The fields that each order type requires (Interface 3.2).

export {
  LIMIT_LEG_TYPES,
  type OrderType,
  PEG_PRICE_TYPES,
  TIMES_IN_FORCE,
  type TimeInForce,
} from "@pricetime/protocol";

export const hasPrice = (type: string): boolean =>
  type === "LIMIT" || type === "LIMIT_MAKER" || type.endsWith("_LIMIT");
/** Whether the order waits until the last price reaches its stop price. */
export const waits = (type: string): boolean => type.startsWith("STOP_LOSS") || type.startsWith("TAKE_PROFIT");
export const needsTimeInForce = (type: string): boolean => hasPrice(type) && type !== "LIMIT_MAKER";

/** Whether the order can stay open, so that it counts as an open order. */
export function mayRest(type: string, timeInForce = "GTC"): boolean {
  return waits(type) || (type !== "MARKET" && timeInForce === "GTC");
}

// The values of an order's fields; null if a field is missing or is not a positive decimal.

export interface DraftValues {
  readonly price: Decimal | null;
  readonly stopPrice: Decimal | null;
  readonly quantity: Decimal | null;
  readonly quoteQuantity: Decimal | null;
  readonly icebergQty: Decimal | null;
  /** In basis points. */
  readonly trailingDelta: Decimal | null;
}

export function valuesOf(draft: OrderDraft): DraftValues {
  return {
    price: read(draft.price),
    stopPrice: read(draft.stopPrice),
    quantity: read(draft.quantity),
    quoteQuantity: read(draft.quoteOrderQty),
    icebergQty: read(draft.icebergQty),
    trailingDelta: read(draft.trailingDelta),
  };
}

function read(text: string | undefined): Decimal | null {
  const value = text === undefined ? null : parseDecimal(text.trim());
  return value === null || value.units <= 0n ? null : value;
}
