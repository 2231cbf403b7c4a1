/** What keeps a draft from being sent, in words, beside the field that it concerns. */
import type { OcoDraft, OrderDraft, OrderRow } from "../account/port.ts";
import type { Book, Market } from "../market/port.ts";

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
