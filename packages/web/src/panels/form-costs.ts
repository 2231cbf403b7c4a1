/** What an order comes to: total, fee, and for what takes at once the estimate from the book. Pure. */
import type { OrderDraft } from "../account/port.ts";
import { compare, type Decimal, decimal, multiply, parseDecimal } from "../exact/decimal.ts";
import { fromUnits } from "../exact/units.ts";
import type { Book, Market } from "../market/port.ts";
import { type Estimate, estimateTaking, feeOf } from "../rules/estimate.ts";

export interface Costs {
  readonly total: Decimal | null;
  /** Null: the rates are not known. */
  readonly fee: { readonly amount: Decimal; readonly asset: string; readonly role: "maker" | "taker" } | null;
  /** Known for a MARKET order only. */
  readonly estimate: Estimate | null;
}

type Rates = { readonly maker: string; readonly taker: string } | null;

const NOTHING: Costs = { total: null, fee: null, estimate: null };

/** Whether a limit order at that price would trade at once. */
function takes({ side, type }: OrderDraft, price: Decimal, market: Market, book: Book | null): boolean {
  if (type === "LIMIT_MAKER" || type !== "LIMIT") return false;
  const best = side === "BUY" ? book?.asks[0] : book?.bids[0];
  if (best === undefined) return false;
  const order = compare(price, fromUnits(best.price, market.priceDigits));
  return side === "BUY" ? order >= 0 : order <= 0;
}

function marketCosts(draft: OrderDraft, market: Market, book: Book | null, rates: Rates): Costs {
  const quantity = parseDecimal(draft.quantity ?? "");
  const quoteQuantity = parseDecimal(draft.quoteOrderQty ?? "");
  const wanted = quantity !== null ? { quantity } : quoteQuantity !== null ? { quoteQuantity } : null;
  const estimate = wanted === null || book === null ? null : estimateTaking(book, market, draft.side, wanted);
  if (estimate === null) return NOTHING;
  const fee = rates === null ? null : feeOf(estimate, market, draft.side, decimal(rates.taker));
  return { total: estimate.notional, fee: fee && { ...fee, role: "taker" }, estimate };
}

/** What is not complete has no costs. */
export function costsOf(draft: OrderDraft, market: Market, book: Book | null, rates: Rates): Costs {
  if (draft.type === "MARKET") return marketCosts(draft, market, book, rates);
  const quantity = parseDecimal(draft.quantity ?? "");
  const price = parseDecimal(draft.price ?? draft.stopPrice ?? "");
  if (quantity === null || price === null || quantity.units <= 0n || price.units <= 0n) return NOTHING;
  const notional = multiply(price, quantity);
  const role = draft.price === undefined || takes(draft, price, market, book) ? "taker" : "maker";
  const fee = rates === null ? null : feeOf({ quantity, notional }, market, draft.side, decimal(rates[role]));
  return { total: notional, fee: fee && { ...fee, role }, estimate: null };
}
