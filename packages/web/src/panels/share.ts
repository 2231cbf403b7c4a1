/** The share of what is free: what the order form takes of it, and what a share of it fills in. */
import { compare, type Decimal, decimal, formatShort, multiply, NONE, parseDecimal } from "../exact/decimal.ts";
import type { Balance } from "../account/port.ts";
import type { Book, Market } from "../market/port.ts";
import { estimateTaking } from "../rules/estimate.ts";
import { type Balances, percentOf, portionOf, quotePortionOf } from "../rules/portion.ts";
import { type FieldName, fieldsOf, type Ticket } from "./ticket.ts";

/** What a share depends on beside the form. */
export interface Around {
  readonly market: Market;
  /** Null: not known at this moment. */
  readonly book: Book | null;
  readonly free: Balances;
}

/** Nothing where the account is not there. */
export function freeOf(market: Market, balances: ReadonlyMap<string, Balance>): Balances {
  const amount = (asset: string): Decimal => decimal(balances.get(asset)?.free ?? "0");
  return { base: amount(market.baseAsset), quote: amount(market.quoteAsset) };
}

const PRICES: readonly FieldName[] = ["price", "limitStopPrice", "stopPrice", "stopLimitPrice"];

/** What is not complete counts as nothing. */
const typed = ({ fields }: Ticket, name: FieldName): Decimal => parseDecimal(fields[name].value.trim()) ?? NONE;

/** At which price a purchase that is not one at the market is counted: the dearest that the form shows. */
function dearest(ticket: Ticket): Decimal {
  const known = fieldsOf(ticket).filter((name) => PRICES.includes(name));
  return known.map((name) => typed(ticket, name)).reduce((most, one) => (compare(one, most) > 0 ? one : most), NONE);
}

/** What a market order takes from the book as it stands, as its total says. */
function takenAtMarket(ticket: Ticket, { market, book }: Around): Decimal {
  const isBuy = ticket.side.value === "BUY";
  const isByQuote = ticket.byQuote.value;
  const amount = typed(ticket, isByQuote ? "quoteQuantity" : "quantity");
  // What is given in the asset that pays for it needs no book.
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

/** The form's text for that share: what a purchase at the market costs is given as an amount of the quote asset. */
function filling(ticket: Ticket, { market, free }: Around, percent: number): { name: FieldName; text: string } {
  const side = ticket.side.value;
  const isByQuote = ticket.kind.value === "market" && side === "BUY";
  const value = isByQuote
    ? quotePortionOf(market, percent, free)
    : portionOf(market, side, percent, free, dearest(ticket));
  return { name: isByQuote ? "quoteQuantity" : "quantity", text: value.units === 0n ? "" : formatShort(value) };
}

/** Fills in the quantity, or the amount, that is that share of what is free. */
export function fillShare(ticket: Ticket, around: Around, percent: number): void {
  const { name, text } = filling(ticket, around, percent);
  if (name === "quantity") return ticket.fillQuantity(text);
  ticket.byQuote.value = true;
  ticket.fields.quoteQuantity.value = text;
}

/**
 * The percent at which the form stands. `slid` was chosen last, null: it was typed. It holds while it means what stands
 * in the form: by the market's steps that may be another share, and a slider that went there would not obey its keys.
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
