/** Amounts of the order form: total, fee, and the share of the free balance that the order uses. */
import type { Balance, Commission, FeeDiscount, OrderDraft } from "../account/port.ts";
import {
  add,
  compare,
  type Decimal,
  decimal,
  formatShort,
  isZero,
  multiply,
  NONE,
  parseDecimal,
  subtract,
} from "../exact/decimal.ts";
import type { Book, Market } from "../market/port.ts";
import {
  type Balances,
  type Estimate,
  estimateTaking,
  feeOf,
  percentOf,
  portionOf,
  quotePortionOf,
  trailingTrigger,
  withPeggedPrice,
} from "../rules/estimate.ts";
import { legsOf } from "../rules/check-order.ts";
import { waits } from "../rules/draft.ts";
import { draftOf, type FieldName, fieldsOf, ocoDraftOf, pegOf, type Ticket } from "./ticket.ts";

// The order's total and fee, and what it would execute immediately.

export interface Costs {
  /** The price that a pegged order would take now; null if it is unknown, and for other orders. */
  readonly pegged: Decimal | null;
  /** Price × quantity, at the limit price if there is one, which is the most that an order can cost. */
  readonly total: Decimal | null;
  /** The estimated fee; null if the commission rates are unknown. */
  readonly fee: { readonly amount: Decimal; readonly asset: string; readonly role: "maker" | "taker" | "both" } | null;
  /** The discount with which the fee is paid where possible; null if there is none. */
  readonly discount: FeeDiscount | null;
  /** The part that executes immediately, by the current book; null if that is nothing or unknown. */
  readonly estimate: Estimate | null;
}

const NOTHING: Costs = { pegged: null, total: null, fee: null, discount: null, estimate: null };

/** The discount on the market shown. */
const discountOf = (rates: Commission): Pick<Costs, "discount"> => ({ discount: rates?.discount ?? null });

function marketCosts(draft: OrderDraft, market: Market, book: Book | null, rates: Commission): Costs {
  const quantity = parseDecimal(draft.quantity ?? "");
  const quoteQuantity = parseDecimal(draft.quoteOrderQty ?? "");
  const wanted = quantity !== null ? { quantity } : quoteQuantity !== null ? { quoteQuantity } : null;
  const estimate = wanted === null || book === null ? null : estimateTaking(book, market, draft.side, wanted);
  if (estimate === null) return NOTHING;
  const fee = rates === null ? null : feeOf(estimate, market, draft.side, decimal(rates.taker));
  const costs = { ...NOTHING, ...discountOf(rates), total: estimate.notional, estimate };
  return { ...costs, fee: fee && { ...fee, role: "taker" } };
}

/**
 * The costs of an order. All are null for an incomplete draft. Without the last price, the total of a trailing stop that
 * follows from now is unknown.
 */
export function costsOf(
  sent: OrderDraft,
  market: Market,
  book: Book | null,
  rates: Commission,
  lastPrice: string | null = null,
): Costs {
  if (sent.type === "MARKET") return marketCosts(sent, market, book, rates);
  const draft = withPeggedPrice(sent, market, book);
  const { side, type } = draft;
  const pegged = draft === sent ? null : parseDecimal(draft.price ?? "");
  const quantity = parseDecimal(draft.quantity ?? "");
  const price = parseDecimal(draft.price ?? "") ?? triggerOf(draft, market, lastPrice);
  if (quantity === null || price === null || quantity.units <= 0n || price.units <= 0n) return { ...NOTHING, pegged };
  const total = multiply(price, quantity);
  const taken = type === "LIMIT" && book !== null ? estimateTaking(book, market, side, { quantity }, price) : null;
  // A FOK order is filled completely or not at all.
  const estimate = draft.timeInForce === "FOK" && taken?.isWhole === false ? null : taken;
  const rest = { quantity: subtract(quantity, estimate?.quantity ?? NONE), price };
  const fee = rates === null ? null : limitFee(draft, market, estimate, rest, rates);
  return { ...discountOf(rates), pegged, total, fee, estimate };
}

/** The price at which a stop order is triggered; of a trailing stop, if the market turned at once. */
function triggerOf(
  { side, stopPrice, trailingDelta }: OrderDraft,
  market: Market,
  lastPrice: string | null,
): Decimal | null {
  if (trailingDelta === undefined) return parseDecimal(stopPrice ?? "");
  const from = parseDecimal(stopPrice ?? lastPrice ?? "");
  const delta = parseDecimal(trailingDelta);
  return from === null || delta === null ? null : trailingTrigger(side, delta, from, market);
}

/** The fee of an order with a price: the taker fee for what executes immediately, and the maker fee for the rest. */
function limitFee(
  { side, type, timeInForce }: OrderDraft,
  market: Market,
  estimate: Estimate | null,
  rest: { readonly quantity: Decimal; readonly price: Decimal },
  { maker, taker }: NonNullable<Commission>,
): Costs["fee"] {
  const left = { quantity: rest.quantity, notional: multiply(rest.price, rest.quantity) };
  // A triggered order usually executes immediately, so its fee is not estimated too low.
  if (waits(type)) return { ...feeOf(left, market, side, decimal(taker)), role: "taker" };
  const made = feeOf(left, market, side, decimal(maker));
  if (estimate === null) return { ...made, role: "maker" };
  const taken = feeOf(estimate, market, side, decimal(taker));
  if (timeInForce !== "GTC" || isZero(left.quantity)) return { ...taken, role: "taker" };
  return { ...taken, amount: add(taken.amount, made.amount), role: "both" };
}

// The share of the free balance: computed from the form, or selected to fill in the form.

/** The data, besides the form, from which shares are computed. */
export interface Around {
  readonly market: Market;
  /** The market's book; null while it is unknown. */
  readonly book: Book | null;
  readonly lastPrice: string | null;
  readonly free: Balances;
}

/** The account's free balances of the market's two assets; zero for visitors who are not signed in. */
export function freeOf(market: Market, balances: ReadonlyMap<string, Balance>): Balances {
  const amount = (asset: string): Decimal => decimal(balances.get(asset)?.free ?? "0");
  return { base: amount(market.baseAsset), quote: amount(market.quoteAsset) };
}

const PRICES: readonly FieldName[] = ["price", "limitStopPrice", "stopPrice", "stopLimitPrice"];

/** The number in a field. Incomplete numbers count as zero. */
const typed = ({ fields }: Ticket, name: FieldName): Decimal => parseDecimal(fields[name].value.trim()) ?? NONE;

/** The highest price in the form, with which the cost of purchases other than market orders is computed. */
function dearest(ticket: Ticket, { market, book, lastPrice }: Around): Decimal {
  if (ticket.kind.value === "trailing-stop" || pegOf(ticket) !== null) {
    const draft = withPeggedPrice(draftOf(ticket, market), market, book);
    return parseDecimal(draft.price ?? "") ?? triggerOf(draft, market, lastPrice) ?? NONE;
  }
  const known = fieldsOf(ticket).filter((name) => PRICES.includes(name));
  const trigger =
    ticket.kind.value === "oco" ? triggerOf(legsOf(ocoDraftOf(ticket, market))[0], market, lastPrice) : null;
  return [...known.map((name) => typed(ticket, name)), trigger ?? NONE].reduce(
    (most, one) => (compare(one, most) > 0 ? one : most),
    NONE,
  );
}

/** The amount of the paying asset that a market order would use, according to the current book. */
function takenAtMarket(ticket: Ticket, { market, book }: Around): Decimal {
  const isBuy = ticket.side.value === "BUY";
  const isByQuote = ticket.byQuote.value;
  const amount = typed(ticket, isByQuote ? "quoteQuantity" : "quantity");
  // If the amount is in the paying asset, the book is not needed.
  if (isBuy === isByQuote) return amount;
  if (book === null || amount.units <= 0n) return NONE;
  const wanted = isByQuote ? { quoteQuantity: amount } : { quantity: amount };
  const estimate = estimateTaking(book, market, ticket.side.value, wanted);
  return estimate === null ? NONE : isBuy ? estimate.notional : estimate.quantity;
}

function taken(ticket: Ticket, around: Around): Decimal {
  if (ticket.kind.value === "market") return takenAtMarket(ticket, around);
  const quantity = typed(ticket, "quantity");
  return ticket.side.value === "SELL" ? quantity : multiply(quantity, dearest(ticket, around));
}

/** The field and text for a share of the free balance. Market purchases are entered as an amount of the quote asset. */
function filling(ticket: Ticket, around: Around, percent: number): { name: FieldName; text: string } {
  const { market, free } = around;
  const side = ticket.side.value;
  const isByQuote = ticket.kind.value === "market" && side === "BUY";
  const value = isByQuote
    ? quotePortionOf(market, percent, free)
    : portionOf(market, side, percent, free, dearest(ticket, around));
  return { name: isByQuote ? "quoteQuantity" : "quantity", text: value.units === 0n ? "" : formatShort(value) };
}

/** Fills in the quantity or quote amount for a share of the free balance. */
export function fillShare(ticket: Ticket, around: Around, percent: number): void {
  const { name, text } = filling(ticket, around, percent);
  if (name === "quantity") return ticket.fillQuantity(text);
  ticket.byQuote.value = true;
  ticket.fields.quoteQuantity.value = text;
}

/**
 * The percentage that the form shows. `slid` is the last selected percentage; null if an amount was typed since. It is
 * returned as long as it results in the form's amount: because of rounding to the market's steps, the computed share
 * may differ, and the slider would jump while it is moved by keys.
 */
export function shareOf(ticket: Ticket, around: Around, slid: number | null): number {
  const isBuy = ticket.side.value === "BUY";
  const free = isBuy ? around.free.quote : around.free.base;
  const isPriceless = isBuy && ticket.kind.value !== "market" && dearest(ticket, around).units <= 0n;
  if (free.units <= 0n || isPriceless) return 0;
  if (slid !== null && isStill(ticket, around, slid)) return slid;
  return percentOf(taken(ticket, around), free);
}

function isStill(ticket: Ticket, around: Around, slid: number): boolean {
  const { name, text } = filling(ticket, around, slid);
  return fieldsOf(ticket).includes(name) && ticket.fields[name].value === text;
}
