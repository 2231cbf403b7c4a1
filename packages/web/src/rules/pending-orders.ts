/**
 * A take profit and a stop loss that are placed when a limit order is filled: the list of orders for their prices, its
 * validation, and its outcome at these prices (decision 101).
 */
import type { OrderDraft, OtoDraft } from "../account/port.ts";
import {
  add,
  compare,
  type Decimal,
  decimal,
  divideDown,
  formatDecimal,
  isZero,
  multiply,
  NONE,
  parseDecimal,
  raiseTo,
  subtract,
} from "../exact/decimal.ts";
import { grouped } from "../exact/shown.ts";
import type { Market } from "../market/port.ts";
import { exitWords, RULES } from "../words/words.ts";
import { checkFilters } from "./check-filters.ts";
import { checkCounts, checkOrder, needOf, unique } from "./check-order.ts";
import { type Circumstances, type Field, hasPrice, liveBook, type Problem, valuesOf } from "./draft.ts";
import { feeOf, takenPrice, trailingTrigger, withPeggedPrice } from "./estimate.ts";
import { amountDigits, show } from "./market-filters.ts";

/** The prices at which a position is closed, as typed; "" if there is none. */
export interface ExitPrices {
  readonly takeProfitPrice: string;
  readonly stopLossPrice: string;
  /** In place of the stop loss price, in basis points. */
  readonly trailingDelta?: string;
}

/**
 * The list that places the exits of an order. What a BUY has bought is sold, less a fee in that asset, if the market
 * allows it. A take profit alone is a limit order, which is also placed if the market has passed its price; as a leg of
 * a pair it only makes.
 */
export function otoDraftOf(
  working: OrderDraft,
  { takeProfitPrice, stopLossPrice, trailingDelta = "" }: ExitPrices,
  market: Market,
): OtoDraft {
  const isOfBought = working.side === "BUY" && market.opoAllowed;
  const { symbol, quantity } = working;
  const side = working.side === "BUY" ? "SELL" : "BUY";
  const both = { symbol, side, ...(isOfBought || quantity === undefined ? {} : { quantity }) } as const;
  const loss = trailingDelta !== "" ? { trailingDelta } : stopLossPrice !== "" ? { stopPrice: stopLossPrice } : null;
  const isPair = takeProfitPrice !== "" && loss !== null;
  const pending: OrderDraft[] = [];
  if (loss !== null) pending.push({ ...both, type: "STOP_LOSS", ...loss });
  if (takeProfitPrice !== "") {
    const type = isPair ? { type: "LIMIT_MAKER" } : { type: "LIMIT", timeInForce: "GTC" };
    pending.push({ ...both, ...type, price: takeProfitPrice });
  }
  return { kind: `${isOfBought ? "OPO" : "OTO"}${isPair ? "CO" : ""}`, working, pending };
}

export type ExitField = "takeProfitPrice" | "stopLossPrice";

/** The exits that the form offers in the market. */
export function exitFieldsOf({ otoAllowed, orderTypes }: Market): readonly ExitField[] {
  if (!otoAllowed) return [];
  return orderTypes.includes("STOP_LOSS") ? ["takeProfitPrice", "stopLossPrice"] : ["takeProfitPrice"];
}

/** The field of the form for a price of a pending order. */
export const exitField = ({ type }: Pick<OrderDraft, "type">): ExitField =>
  type.startsWith("STOP_LOSS") ? "stopLossPrice" : "takeProfitPrice";

/** The price at which a pending order closes the position; for a trailing stop, if the price turns at the entry. */
function exitPriceOf({ side, price, stopPrice, trailingDelta }: OrderDraft, entry: Decimal, market: Market) {
  const delta = price === undefined && stopPrice === undefined ? parseDecimal(trailingDelta ?? "") : null;
  return delta === null ? parseDecimal(price ?? stopPrice ?? "") : trailingTrigger(side, delta, entry, market);
}

// Validation.

/** Validates the form's list: also whether the prices make a profit and limit a loss. */
export function checkExits(draft: OtoDraft, around: Circumstances): readonly Problem[] {
  if (draft.pending.length === 0) {
    return [...checkOrder(draft.working, around), problem("takeProfitPrice", "form", exitWords.missing)];
  }
  return unique([...checkOto(draft, around), ...checkSides(draft, around), ...checkFundsOfExits(draft, around)]);
}

/** Validates a list. Problems of the pending orders have the fields of the exits. */
export function checkOto(draft: OtoDraft, around: Circumstances): readonly Problem[] {
  const { working, pending } = draft;
  const { market } = around;
  const found: Problem[] = market.otoAllowed ? [] : [problem("type", "market", exitWords.notAccepted)];
  found.push(...checkOrder(working, around), ...checkCounts([working, ...pending], around));
  if (pending.length > 1 && !market.ocoAllowed) found.push(problem("type", "form", exitWords.onlyOne));
  if (!isPairInOrder(pending)) found.push(problem("takeProfitPrice", "form", exitWords.pair));
  for (const order of pending) found.push(...checkPending(order, working.quantity ?? "", around));
  return unique(found);
}

/** Whether the limit leg is above the stop leg of a SELL, and below that of a BUY, as the node requires of a pair. */
function isPairInOrder([stop, limit]: readonly OrderDraft[]): boolean {
  if (stop === undefined || limit === undefined) return true;
  const [stopPrice, price] = [parseDecimal(stop.stopPrice ?? ""), parseDecimal(limit.price ?? limit.stopPrice ?? "")];
  return stopPrice === null || price === null || compare(price, stopPrice) === (stop.side === "SELL" ? 1 : -1);
}

/** The rules of prices and quantities, which the node applies to pending orders at once. */
const AT_ONCE: readonly string[] = ["PRICE_FILTER", "LOT_SIZE", "MARKET_LOT_SIZE", "ICEBERG_PARTS", "TRAILING_DELTA"];

/** Validates a pending order. `quantity` is that of its working order, which it has unless it sells what that buys. */
export function checkPending(order: OrderDraft, quantity: string, around: Circumstances): readonly Problem[] {
  const draft = { quantity, ...order };
  const field = exitField(order);
  const values = valuesOf(draft);
  const found: Problem[] = [];
  if (!around.market.orderTypes.includes(order.type)) found.push(problem(field, "form", RULES.typeNotTaken));
  const isTyped = (text: string | undefined, value: Decimal | null): boolean => text === undefined || value !== null;
  if (!isTyped(order.price, values.price) || !isTyped(order.stopPrice, values.stopPrice))
    found.push(problem(field, "form", exitWords.missingPrice));
  if (!isTyped(order.trailingDelta, values.trailingDelta))
    found.push(problem("trailingDelta", "form", RULES.missing.trailingDelta));
  for (const one of checkFilters(draft, values, around)) {
    const isOfPrice = one.field === "price" || one.field === "stopPrice";
    const isOfValue = one.filter === "MIN_NOTIONAL" || one.filter === "NOTIONAL";
    const isCertain = one.filter === null || AT_ONCE.includes(one.filter) || (isOfValue && hasPrice(order.type));
    // What depends on the market then is only a hint, without what only the node can know.
    if (!isCertain && !one.filter?.startsWith("PERCENT_PRICE")) continue;
    found.push({ ...one, field: isOfPrice ? field : one.field, kind: isCertain ? one.kind : "market" });
  }
  return found;
}

/** The price at which the working order is expected to execute: the best price if it executes at once. */
function entryPriceOf(working: OrderDraft, { market, book }: Pick<Circumstances, "market" | "book">) {
  const live = liveBook({ book });
  const { side, price = "" } = withPeggedPrice(working, market, live);
  const limit = parseDecimal(price);
  return limit === null || live === null ? limit : (takenPrice(side, limit, market, live) ?? limit);
}

function checkSides({ working, pending }: OtoDraft, around: Circumstances): readonly Problem[] {
  const entry = entryPriceOf(working, around);
  if (entry === null) return [];
  const shown = grouped(show(entry, around.market.priceDigits));
  return pending.flatMap((order): Problem[] => {
    const price = exitPriceOf(order, entry, around.market);
    const field = exitField(order);
    const isAbove = (field === "takeProfitPrice") === (working.side === "BUY");
    if (price === null || compare(price, entry) * (isAbove ? 1 : -1) > 0) return [];
    return [problem(field, "form", exitWords.side(field, isAbove, shown))];
  });
}

/** Whether the balance after the working order would cover the pending orders, which are paid only then. */
function checkFundsOfExits(draft: OtoDraft, around: Circumstances): readonly Problem[] {
  const { market, free, commission } = around;
  const { working, pending } = draft;
  if (free === null || draft.kind.startsWith("OPO")) return [];
  const { quantity, price } = valuesOf(withPeggedPrice(working, market, liveBook(around)));
  if (quantity === null || price === null) return [];
  const isBuy = working.side === "BUY";
  const notional = multiply(price, quantity);
  const [has, received] = isBuy ? [free.base, quantity] : [free.quote, notional];
  // With the discount, the fee is usually paid in another asset.
  const rate = commission === null || commission.discount ? "0" : commission.taker;
  const fee = feeOf({ quantity, notional }, market, working.side, decimal(rate)).amount;
  const after = subtract(add(decimal(has), received), fee);
  const asset = isBuy ? market.baseAsset : market.quoteAsset;
  const digits = isBuy ? market.quantityDigits : amountDigits(market);
  return pending.flatMap((order): Problem[] => {
    const need = needOf(order, valuesOf(order), around);
    if (need === null || compare(need, after) <= 0) return [];
    const shown = grouped(formatDecimal(raiseTo(subtract(need, after), digits), digits));
    return [problem(exitField(order), "funds", exitWords.funds(shown, asset))];
  });
}

function problem(field: Field, kind: Problem["kind"], text: string): Problem {
  return { field, kind, filter: null, text, nearest: [] };
}

// The outcome at the price of a pending order, before fees.

export interface Outcome {
  readonly field: ExitField;
  /** The profit in the quote asset; negative for a loss. */
  readonly amount: Decimal;
  /** The profit as a fraction of the entry. */
  readonly fraction: Decimal;
}

const FRACTION_DIGITS = 6;

/** The outcomes, that of the take profit first, as in the form. */
export function outcomesOf(
  { working, pending }: OtoDraft,
  around: Pick<Circumstances, "market" | "book">,
): readonly Outcome[] {
  const entry = entryPriceOf(working, around);
  const quantity = parseDecimal(working.quantity ?? "");
  if (entry === null || isZero(entry)) return [];
  return pending.toReversed().flatMap((order): Outcome[] => {
    const exit = exitPriceOf(order, entry, around.market);
    if (exit === null || isZero(exit)) return [];
    const gain = working.side === "BUY" ? subtract(exit, entry) : subtract(entry, exit);
    const amount = quantity === null ? NONE : multiply(gain, quantity);
    return [{ field: exitField(order), amount, fraction: divideDown(gain, entry, FRACTION_DIGITS) }];
  });
}
