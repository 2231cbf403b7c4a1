/** Amounts of the order form: the order's total and fee, and the share of the free balance that it uses. */
import type { Balance, Commission, OrderDraft } from "../account/port.ts";
import { compare, type Decimal, decimal, formatShort, multiply, NONE, parseDecimal } from "../exact/decimal.ts";
import type { Book, Market } from "../market/port.ts";
import {
  type Balances,
  type Estimate,
  estimateTaking,
  feeOf,
  percentOf,
  portionOf,
  quotePortionOf,
  takenPrice,
} from "../rules/estimate.ts";
import { type FieldName, fieldsOf, type Ticket } from "./ticket.ts";

// The order's total and fee, and the estimate from the book for an order that executes immediately.

export interface Costs {
  readonly total: Decimal | null;
  /** Null if the rates are unknown. */
  readonly fee: { readonly amount: Decimal; readonly asset: string; readonly role: "maker" | "taker" } | null;
  /** Only for a MARKET order. */
  readonly estimate: Estimate | null;
}

const NOTHING: Costs = { total: null, fee: null, estimate: null };

function marketCosts(draft: OrderDraft, market: Market, book: Book | null, rates: Commission): Costs {
  const quantity = parseDecimal(draft.quantity ?? "");
  const quoteQuantity = parseDecimal(draft.quoteOrderQty ?? "");
  const wanted = quantity !== null ? { quantity } : quoteQuantity !== null ? { quoteQuantity } : null;
  const estimate = wanted === null || book === null ? null : estimateTaking(book, market, draft.side, wanted);
  if (estimate === null) return NOTHING;
  const fee = rates === null ? null : feeOf(estimate, market, draft.side, decimal(rates.taker));
  return { total: estimate.notional, fee: fee && { ...fee, role: "taker" }, estimate };
}

/** An incomplete draft has no costs. */
export function costsOf(draft: OrderDraft, market: Market, book: Book | null, rates: Commission): Costs {
  if (draft.type === "MARKET") return marketCosts(draft, market, book, rates);
  const quantity = parseDecimal(draft.quantity ?? "");
  const price = parseDecimal(draft.price ?? draft.stopPrice ?? "");
  if (quantity === null || price === null || quantity.units <= 0n || price.units <= 0n) return NOTHING;
  const notional = multiply(price, quantity);
  const takes = draft.type === "LIMIT" && book !== null && takenPrice(draft.side, price, market, book) !== null;
  const role = draft.price === undefined || takes ? "taker" : "maker";
  const fee = rates === null ? null : feeOf({ quantity, notional }, market, draft.side, decimal(rates[role]));
  return { total: notional, fee: fee && { ...fee, role }, estimate: null };
}

// The share of the free balance: what the form uses of it, and the quantity that a share fills in.

/** The values besides the form that a share depends on. */
export interface Around {
  readonly market: Market;
  /** Null if it is currently unknown. */
  readonly book: Book | null;
  readonly free: Balances;
}

/** Zero for a visitor who is not signed in. */
export function freeOf(market: Market, balances: ReadonlyMap<string, Balance>): Balances {
  const amount = (asset: string): Decimal => decimal(balances.get(asset)?.free ?? "0");
  return { base: amount(market.baseAsset), quote: amount(market.quoteAsset) };
}

const PRICES: readonly FieldName[] = ["price", "limitStopPrice", "stopPrice", "stopLimitPrice"];

/** An incomplete number counts as zero. */
const typed = ({ fields }: Ticket, name: FieldName): Decimal => parseDecimal(fields[name].value.trim()) ?? NONE;

/** The price at which a purchase other than a market order is counted: the highest in the form. */
function dearest(ticket: Ticket): Decimal {
  const known = fieldsOf(ticket).filter((name) => PRICES.includes(name));
  return known.map((name) => typed(ticket, name)).reduce((most, one) => (compare(one, most) > 0 ? one : most), NONE);
}

/** The amount that a market order takes from the current book, as its total shows. */
function takenAtMarket(ticket: Ticket, { market, book }: Around): Decimal {
  const isBuy = ticket.side.value === "BUY";
  const isByQuote = ticket.byQuote.value;
  const amount = typed(ticket, isByQuote ? "quoteQuantity" : "quantity");
  // An amount in the paying asset needs no book.
  if (isBuy === isByQuote) return amount;
  if (book === null || amount.units <= 0n) return NONE;
  const wanted = isByQuote ? { quoteQuantity: amount } : { quantity: amount };
  const estimate = estimateTaking(book, market, ticket.side.value, wanted);
  return estimate === null ? NONE : isBuy ? estimate.notional : estimate.quantity;
}

function taken(ticket: Ticket, around: Around): Decimal {
  if (ticket.kind.value === "market") return takenAtMarket(ticket, around);
  const quantity = typed(ticket, "quantity");
  return ticket.side.value === "SELL" ? quantity : multiply(quantity, dearest(ticket));
}

/** The form's text for that share: a market purchase is entered as an amount of the quote asset. */
function filling(ticket: Ticket, { market, free }: Around, percent: number): { name: FieldName; text: string } {
  const side = ticket.side.value;
  const isByQuote = ticket.kind.value === "market" && side === "BUY";
  const value = isByQuote
    ? quotePortionOf(market, percent, free)
    : portionOf(market, side, percent, free, dearest(ticket));
  return { name: isByQuote ? "quoteQuantity" : "quantity", text: value.units === 0n ? "" : formatShort(value) };
}

/** Fills in the quantity, or the amount, for that share of the free balance. */
export function fillShare(ticket: Ticket, around: Around, percent: number): void {
  const { name, text } = filling(ticket, around, percent);
  if (name === "quantity") return ticket.fillQuantity(text);
  ticket.byQuote.value = true;
  ticket.fields.quoteQuantity.value = text;
}

/**
 * The percentage that the form shows. `slid` is the last selected one; null if an amount was typed since. It is kept
 * while it still results in the form's amount: rounding to the market's steps may give another share, and a slider that
 * jumped there would not follow its keys.
 */
export function shareOf(ticket: Ticket, around: Around, slid: number | null): number {
  const isBuy = ticket.side.value === "BUY";
  const free = isBuy ? around.free.quote : around.free.base;
  const isPriceless = isBuy && ticket.kind.value !== "market" && dearest(ticket).units <= 0n;
  if (free.units <= 0n || isPriceless) return 0;
  if (slid !== null && isStill(ticket, around, slid)) return slid;
  return percentOf(taken(ticket, around), free);
}

function isStill(ticket: Ticket, around: Around, slid: number): boolean {
  const { name, text } = filling(ticket, around, slid);
  return fieldsOf(ticket).includes(name) && ticket.fields[name].value === text;
}
