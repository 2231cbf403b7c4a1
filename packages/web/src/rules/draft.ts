/**
 * A draft of an order before it is sent: what its type needs (Interface 3.2), its texts as values, and the
 * problems that keep it from being sent.
 */
import type { OcoDraft, OrderDraft, OrderRow } from "../account/port.ts";
import type { Book, Market } from "../market/port.ts";
import { type Decimal, parseDecimal } from "../exact/decimal.ts";

// Problems of a draft, in words, each with the field that it concerns.

/** A field of the form. */
export type Field = Exclude<keyof OrderDraft | keyof OcoDraft, "symbol" | "side">;

/**
 * `filter`: the node would refuse it for that filter. `form`: something is missing, or is no value. `market`: as the
 * market stands now the node would refuse it. `funds`: it cannot be paid.
 */
export type ProblemKind = "filter" | "form" | "market" | "funds";

export interface Problem {
  readonly field: Field;
  readonly kind: ProblemKind;
  /** The filter's name as in Interface 2.8; null: none. */
  readonly filter: string | null;
  readonly text: string;
  /** The nearest values of the field that are allowed, the lower first; empty: there are none to offer. */
  readonly nearest: readonly string[];
}

/** The facts that a draft is checked against. Null: unknown, and what depends on it is not checked. */
export interface Circumstances {
  readonly market: Market;
  /** The average of five minutes, as `avgPrice` says it. */
  readonly averagePrice: string | null;
  /** Zero: nothing was ever traded. */
  readonly lastPrice: string | null;
  readonly book: Book | null;
  /** Open orders on all markets. */
  readonly openOrders: readonly OrderRow[];
  /** What the account has of both assets. */
  readonly free: { readonly base: string; readonly quote: string } | null;
}

export const liveBook = ({ book }: Circumstances): Book | null => (book?.freshness === "live" ? book : null);

// What a type of order needs.

/** What a type of order needs (Interface 3.2). */
export { LIMIT_LEG_TYPES, type OrderType, TIMES_IN_FORCE, type TimeInForce } from "@pricetime/protocol";

export const hasPrice = (type: string): boolean =>
  type === "LIMIT" || type === "LIMIT_MAKER" || type.endsWith("_LIMIT");
/** It waits for the last price to reach its stop price. */
export const waits = (type: string): boolean => type.startsWith("STOP_LOSS") || type.startsWith("TAKE_PROFIT");
export const needsTimeInForce = (type: string): boolean => hasPrice(type) && type !== "LIMIT_MAKER";

/** Whether it may stay open, and so counts among the open orders. */
export function mayRest(type: string, timeInForce = "GTC"): boolean {
  return waits(type) || (type !== "MARKET" && timeInForce === "GTC");
}

// The texts of a draft as values; null: absent, or no decimal above zero.

export interface DraftValues {
  readonly price: Decimal | null;
  readonly stopPrice: Decimal | null;
  readonly quantity: Decimal | null;
  readonly quoteQuantity: Decimal | null;
  readonly icebergQty: Decimal | null;
}

export function valuesOf(draft: OrderDraft): DraftValues {
  return {
    price: read(draft.price),
    stopPrice: read(draft.stopPrice),
    quantity: read(draft.quantity),
    quoteQuantity: read(draft.quoteOrderQty),
    icebergQty: read(draft.icebergQty),
  };
}

function read(text: string | undefined): Decimal | null {
  const value = text === undefined ? null : parseDecimal(text.trim());
  return value === null || value.units <= 0n ? null : value;
}
