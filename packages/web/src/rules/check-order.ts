/**
 * Validates an order or order list before it is sent. If no problems are found, the node accepts it, as far as the
 * client can tell.
 */
import { EXCHANGE_COUNTS, exceedsCount, limitOf, type OrderCounts, SYMBOL_COUNTS } from "@pricetime/engine/filters";
import type { OcoDraft, OrderDraft, OrderRow } from "../account/port.ts";
import {
  compare,
  cutTo,
  type Decimal,
  decimal,
  formatDecimal,
  isZero,
  multiply,
  parseDecimal,
  raiseTo,
} from "../exact/decimal.ts";
import { RULES } from "../words/words.ts";
import { amountDigits, rulesOf, show } from "./market-filters.ts";
import {
  byList,
  type Circumstances,
  type DraftValues,
  type Field,
  hasPrice,
  liveBook,
  mayRest,
  needsTimeInForce,
  type Problem,
  valuesOf,
  waits,
} from "./draft.ts";
import { grouped } from "../exact/shown.ts";
import { estimateTaking, takenPrice, trailingTrigger, withPeggedPrice } from "./estimate.ts";
import { checkFilters } from "./check-filters.ts";

// The maximum number of open orders of an account on a market (Interface 2.8).

type Counted = Pick<OrderDraft, "type" | "icebergQty">;

/** Checks the number of open orders. `drafts` is one order, or all orders of an order list. */
export function checkCounts(drafts: readonly OrderDraft[], { market, openOrders }: Circumstances): readonly Problem[] {
  const added = drafts.filter(({ type, timeInForce }) => drafts.length > 1 || mayRest(type, timeInForce));
  const { filters, everywhere } = rulesOf(market);
  const here = openOrders.filter(({ symbol }) => symbol === market.symbol);
  const isList = drafts.length > 1;
  return [
    ...tooMany(SYMBOL_COUNTS, filters, here, added, isList),
    ...tooMany(EXCHANGE_COUNTS, everywhere, openOrders, added, isList),
  ];
}

function tooMany(
  all: typeof SYMBOL_COUNTS | typeof EXCHANGE_COUNTS,
  filters: object,
  open: readonly OrderRow[],
  added: readonly Counted[],
  isList: boolean,
): readonly Problem[] {
  // The last order of a list, which no longer depends on another one, is in no open list.
  const lists = [...byList(open).values()].filter(({ length }) => length > 1).length;
  const there = { ...countsOf(open), lists };
  const adds = { ...countsOf(added), lists: isList ? 1 : 0 };
  return all.flatMap((one): Problem[] => {
    if (!exceedsCount(filters, one, there, adds)) return [];
    const text = RULES.tooMany(RULES.counted[one.counts], there[one.counts], limitOf(filters, one) ?? 0);
    return [{ field: "type", kind: "filter", filter: one.name, text, nearest: [] }];
  });
}

function countsOf(orders: readonly Counted[]): Omit<OrderCounts, "lists"> {
  const number = (counts: (order: Counted) => boolean): number => orders.filter(counts).length;
  return { open: orders.length, algo: number(({ type }) => waits(type)), iceberg: number(isIceberg) };
}

function isIceberg({ icebergQty = "" }: Counted): boolean {
  const value = parseDecimal(icebergQty);
  return value !== null && !isZero(value);
}

// Orders that would be rejected at current prices: post-only orders that would execute immediately, and orders whose
// stop price has already been reached.

function checkStanding(draft: OrderDraft, values: DraftValues, around: Circumstances): readonly Problem[] {
  const last = lastPriceOf(around);
  if (draft.type === "LIMIT_MAKER" && values.price !== null) return wouldTake(draft.side, values.price, around);
  if (!waits(draft.type) || values.stopPrice === null || last === null) return [];
  const isAbove = (draft.side === "BUY") === draft.type.startsWith("STOP_LOSS");
  const turn = compare(values.stopPrice, last);
  if (isAbove ? turn > 0 : turn < 0) return [];
  const shown = grouped(show(last, around.market.priceDigits));
  const text = draft.trailingDelta === undefined ? RULES.reached(isAbove, shown) : RULES.activated(isAbove, shown);
  return [unfit("stopPrice", text)];
}

/** The last price; null if it is unknown or the market has never traded. */
function lastPriceOf({ lastPrice }: Circumstances): Decimal | null {
  const last = lastPrice === null ? null : decimal(lastPrice);
  return last === null || isZero(last) ? null : last;
}

function wouldTake(side: "BUY" | "SELL", price: Decimal, around: Circumstances): readonly Problem[] {
  const { market } = around;
  const book = liveBook(around);
  const best = book && takenPrice(side, price, market, book);
  return best === null ? [] : [unfit("price", RULES.wouldTake(side, grouped(show(best, market.priceDigits))))];
}

function unfit(field: Field, text: string): Problem {
  return { field, kind: "market", filter: null, text, nearest: [] };
}

// Whether the account's balance covers an order (Interface 3.3).

function checkFunds(draft: OrderDraft, values: DraftValues, around: Circumstances): readonly Problem[] {
  const { market, free } = around;
  const need = free === null ? null : needOf(draft, values, around);
  if (free === null || need === null) return [];
  const [has, asset] = draft.side === "SELL" ? [free.base, market.baseAsset] : [free.quote, market.quoteAsset];
  if (compare(need, decimal(has)) <= 0) return [];
  const field = values.quantity === null ? "quoteOrderQty" : "quantity";
  const digits = draft.side === "SELL" ? market.quantityDigits : amountDigits(market);
  const shown = (value: Decimal): string => grouped(formatDecimal(value, digits));
  const text = RULES.funds(shown(raiseTo(need, digits)), shown(cutTo(decimal(has), digits)), asset);
  return [{ field, kind: "funds", filter: null, text, nearest: [] }];
}

/** The amount that the order locks; null if unknown. */
export function needOf(
  draft: OrderDraft,
  { quantity, quoteQuantity, price, stopPrice, trailingDelta }: DraftValues,
  around: Circumstances,
): Decimal | null {
  const { type, side } = draft;
  if (quantity !== null && side === "SELL") return quantity;
  const priced = price ?? (draft.pegPriceType === undefined ? null : stopPrice);
  if (hasPrice(type)) return quantity === null || priced === null ? null : multiply(priced, quantity);
  if (trailingDelta !== null) {
    const from = stopPrice ?? lastPriceOf(around);
    if (quantity === null || from === null) return null;
    return multiply(trailingTrigger(side, trailingDelta, from, around.market), quantity);
  }
  if (waits(type)) return quantity === null || stopPrice === null ? null : multiply(stopPrice, quantity);
  const book = liveBook(around);
  if (book === null) return null;
  const wanted = quantity !== null ? { quantity } : quoteQuantity !== null ? { quoteQuantity } : null;
  const taken = wanted === null ? null : estimateTaking(book, around.market, side, wanted);
  if (taken === null) return null;
  return side === "SELL" ? taken.quantity : taken.notional;
}

// Validation of single orders.

export function checkOrder(sent: OrderDraft, around: Circumstances): readonly Problem[] {
  const draft = withPeggedPrice(sent, around.market, liveBook(around));
  const values = valuesOf(draft);
  return [
    ...checkForm(draft, values, around),
    ...checkTraded(draft, around),
    ...checkFilters(draft, values, around),
    ...checkCounts([draft], around),
    ...checkStanding(draft, values, around),
    ...checkFunds(draft, values, around),
  ];
}

/** Whether it is the problem of `checkTraded`, for which the form has a button instead of a field. */
export const needsFirstTrade = ({ field, filter }: Problem): boolean =>
  field === "type" && (filter === "MIN_NOTIONAL" || filter === "NOTIONAL");

/** Finds a market order on a market without trades whose filters need an average price. */
function checkTraded({ type }: OrderDraft, { market, lastPrice }: Circumstances): readonly Problem[] {
  if (type !== "MARKET" || lastPrice === null || !isZero(decimal(lastPrice))) return [];
  const { minNotional, notional } = rulesOf(market).filters;
  const isCapped = notional !== null && notional.applyMaxToMarket && notional.maxNotional.units > 0n;
  const isOfNew = notional?.applyMinToMarket === true || isCapped;
  const filter = minNotional?.applyToMarket === true ? "MIN_NOTIONAL" : isOfNew ? "NOTIONAL" : null;
  if (filter === null) return [];
  return [{ field: "type", kind: "filter", filter, text: RULES.neverTraded, nearest: [] }];
}

/** Finds missing and contradictory fields. Invalid values count as missing. */
function checkForm(draft: OrderDraft, values: DraftValues, around: Circumstances): readonly Problem[] {
  const { market } = around;
  const { type, timeInForce = "" } = draft;
  const found: Problem[] = [];
  const add = (field: Field, text: string): void =>
    void found.push({ field, kind: "form", filter: null, text, nearest: [] });
  if (market.status === "CANCEL_ONLY") add("type", RULES.cancelOnly(market.symbol));
  else if (market.status !== "TRADING") add("type", RULES.closed(market.symbol));
  if (!market.orderTypes.includes(type)) add("type", RULES.typeNotTaken);
  if (draft.pegPriceType !== undefined) checkPeg(draft, values, around, found);
  else if (hasPrice(type) && values.price === null) add("price", RULES.missing.price);
  if (draft.trailingDelta !== undefined) {
    if (!market.allowTrailingStop) add("type", RULES.noTrailingStops);
    if (values.trailingDelta === null) add("trailingDelta", RULES.missing.trailingDelta);
  }
  const needsStop = waits(type) && (draft.trailingDelta === undefined || draft.stopPrice !== undefined);
  if (needsStop && values.stopPrice === null) add("stopPrice", RULES.missing.stopPrice);
  if (needsTimeInForce(type) && timeInForce === "") add("timeInForce", RULES.missing.timeInForce);
  const isByQuote = type === "MARKET" && draft.quoteOrderQty !== undefined;
  if (isByQuote && values.quoteQuantity === null) add("quoteOrderQty", RULES.missing.amount);
  if (!isByQuote && values.quantity === null) add("quantity", RULES.missing.quantity);
  if (draft.icebergQty !== undefined) checkIceberg(draft, values, market.icebergAllowed, add);
  return found;
}

const MAX_LEVEL = 100;

/** Finds an offset that no order may have, and one that the book does not have now. */
function checkPeg(draft: OrderDraft, values: DraftValues, around: Circumstances, found: Problem[]): void {
  const level = draft.pegOffsetValue;
  if (level !== undefined && !(/^[0-9]{1,3}$/.test(level) && Number(level) >= 1 && Number(level) <= MAX_LEVEL)) {
    found.push({ field: "pegOffsetValue", kind: "form", filter: null, text: RULES.pegLevel(MAX_LEVEL), nearest: [] });
  } else if (!waits(draft.type) && values.price === null && liveBook(around) !== null) {
    found.push(unfit("pegOffsetValue", RULES.noPegLevel));
  }
}

function checkIceberg(
  { type, timeInForce = "GTC" }: OrderDraft,
  { icebergQty }: DraftValues,
  isAllowed: boolean,
  add: (field: Field, text: string) => void,
): void {
  if (icebergQty === null) return add("icebergQty", RULES.missing.icebergQty);
  if (!isAllowed || !hasPrice(type)) return add("icebergQty", RULES.noIcebergs);
  if (timeInForce !== "GTC") add("timeInForce", RULES.icebergGtc);
}

// Validation of order lists.

const STOP_FIELDS: Partial<Record<Field, Field>> = {
  price: "stopLimitPrice",
  icebergQty: "stopIcebergQty",
  timeInForce: "stopLimitTimeInForce",
};
const LIMIT_FIELDS: Partial<Record<Field, Field>> = {
  icebergQty: "limitIcebergQty",
  stopPrice: "limitStopPrice",
  timeInForce: "limitTimeInForce",
};

export function checkOco(draft: OcoDraft, around: Circumstances): readonly Problem[] {
  const [stop, limit] = legsOf(draft);
  const [stopValues, limitValues] = [valuesOf(stop), valuesOf(limit)];
  const found: Problem[] = around.market.ocoAllowed ? [] : [unfit("type", RULES.noLists)];
  found.push(
    ...renamed(legProblems(stop, stopValues, around), STOP_FIELDS),
    ...renamed(legProblems(limit, limitValues, around), LIMIT_FIELDS),
    ...checkCounts([stop, limit], around),
    ...checkOrderOfPrices(limit, limitValues, stopValues, around),
    // If the leg has a trigger price, checking the order of prices is sufficient.
    ...(waits(limit.type) ? [] : checkStanding(limit, limitValues, around)),
    ...renamed(worse(checkFunds(stop, stopValues, around), checkFunds(limit, limitValues, around)), {}),
  );
  return unique(found);
}

function legProblems(leg: OrderDraft, values: DraftValues, around: Circumstances): readonly Problem[] {
  return [...checkForm(leg, values, around), ...checkFilters(leg, values, around)];
}

/** The two legs of an OCO, stop leg first, as in the node's responses. */
export function legsOf(draft: OcoDraft): readonly [stop: OrderDraft, limit: OrderDraft] {
  const { symbol, side, quantity, stopPrice, trailingDelta, stopLimitPrice, stopLimitTimeInForce } = draft;
  const { limitType, price, limitStopPrice, limitTimeInForce } = draft;
  const { selfTradePreventionMode } = draft;
  const both = { symbol, side, quantity, ...(selfTradePreventionMode && { selfTradePreventionMode }) };
  const stop: OrderDraft = {
    ...{ ...both, type: stopLimitPrice === undefined ? "STOP_LOSS" : "STOP_LOSS_LIMIT" },
    ...(stopPrice === undefined ? {} : { stopPrice }),
    ...(trailingDelta === undefined ? {} : { trailingDelta }),
    ...(stopLimitPrice === undefined ? {} : { price: stopLimitPrice, timeInForce: stopLimitTimeInForce ?? "" }),
    ...(draft.stopIcebergQty === undefined ? {} : { icebergQty: draft.stopIcebergQty }),
  };
  const limit: OrderDraft = {
    ...{ ...both, type: limitType },
    ...(price === undefined ? {} : { price }),
    ...(limitStopPrice === undefined ? {} : { stopPrice: limitStopPrice }),
    ...(limitTimeInForce === undefined ? {} : { timeInForce: limitTimeInForce }),
    ...(draft.limitIcebergQty === undefined ? {} : { icebergQty: draft.limitIcebergQty }),
  };
  return [stop, limit];
}

/**
 * Checks the order of prices. SELL: limit > last > stop; BUY: limit < last < stop (Interface 3.5). For a leg with a
 * trigger price, that price counts.
 */
function checkOrderOfPrices(
  { side, type }: OrderDraft,
  limit: DraftValues,
  { stopPrice, trailingDelta }: DraftValues,
  around: Circumstances,
): readonly Problem[] {
  const isTriggered = waits(type);
  const price = isTriggered ? limit.stopPrice : limit.price;
  if (price === null || (stopPrice === null && trailingDelta === null)) return [];
  const last = lastPriceOf(around);
  const sign = side === "SELL" ? 1 : -1;
  const isAbove = (one: DraftValues["price"], other: DraftValues["price"]): boolean =>
    one === null || other === null || compare(one, other) * sign > 0;
  if (isAbove(price, stopPrice) && isAbove(price, last) && isAbove(last, stopPrice)) return [];
  const field = isAbove(price, last) ? "stopPrice" : isTriggered ? "limitStopPrice" : "price";
  return [unfit(field, RULES.ocoPrices(side, isTriggered ? "trigger" : "limit"))];
}

function renamed(problems: readonly Problem[], names: Partial<Record<Field, Field>>): readonly Problem[] {
  return problems.map((problem) => ({ ...problem, field: names[problem.field] ?? problem.field }));
}

/**
 * The problems of the first leg, or of the second if there are none. An order list locks the greater amount of its
 * legs.
 */
function worse(one: readonly Problem[], other: readonly Problem[]): readonly Problem[] {
  return one.length > 0 ? one : other;
}

/** Removes duplicate problems. The orders of a list have the same quantity and therefore the same problems with it. */
export function unique(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ field, text }) => {
    const key = `${field} ${text}`;
    return !seen.has(key) && seen.add(key);
  });
}
