/** One order's prices and quantities against the filters, in the order in which the node tries them (Interface 7.9). */
import type { OrderDraft } from "../account/port.ts";
import { compare, type Decimal, decimal, isZero, multiply } from "../exact/decimal.ts";
import { RULES } from "../words/words.ts";
import {
  checkBand,
  checkDigits,
  checkIcebergParts,
  checkRange,
  leastQuantity,
  type MarketRules,
  percentBand,
  rulesOf,
  show,
} from "./market-filters.ts";
import { type Circumstances, type DraftValues, type Field, hasPrice, type Problem, waits } from "./draft.ts";
import { estimateTaking } from "./estimate.ts";

export function checkFilters(draft: OrderDraft, values: DraftValues, around: Circumstances): Problem[] {
  const rules = rulesOf(around.market);
  return [...checkPrices(draft, values, around, rules), ...checkQuantities(draft, values, around, rules)].filter(
    (problem) => problem !== null,
  );
}

function checkPrices(
  { type }: OrderDraft,
  { price, stopPrice }: DraftValues,
  around: Circumstances,
  rules: MarketRules,
): (Problem | null)[] {
  const { priceDigits, quoteDigits } = around.market;
  const priced = hasPrice(type) ? price : null;
  const found = [
    checkOne(priced, "price", "PRICE_FILTER", rules.price, { shown: priceDigits, most: quoteDigits }),
    checkOne(waits(type) ? stopPrice : null, "stopPrice", "PRICE_FILTER", rules.price, {
      shown: priceDigits,
      most: quoteDigits,
    }),
  ];
  const { percent } = rules;
  const average = percent === null ? null : averageOf(around, percent.minutes);
  if (percent === null || priced === null || average === null || isZero(average)) return found;
  const band = percentBand(average, percent.up, percent.down, rules.price, priceDigits);
  return [...found, checkBand(priced, band, priceDigits)];
}

function checkOne(
  value: Decimal | null,
  field: Field,
  filter: string,
  range: MarketRules["price"],
  digits: { readonly shown: number; readonly most: number },
): Problem | null {
  if (value === null) return null;
  const problem = range === null ? null : checkRange(value, range, { field, filter, digits: digits.shown });
  return problem ?? checkDigits(value, field, range === null ? digits.shown : digits.most);
}

function checkQuantities(
  draft: OrderDraft,
  values: DraftValues,
  around: Circumstances,
  rules: MarketRules,
): (Problem | null)[] {
  const { market } = around;
  const { quantity, icebergQty } = values;
  const { lot, marketLot } = rules;
  const digits = market.quantityDigits;
  const lots = { shown: digits, most: digits };
  if (quantity === null) return [checkByQuote(draft, values, around, rules)];
  const found = [
    checkOne(quantity, "quantity", "LOT_SIZE", lot, lots),
    checkOne(icebergQty, "icebergQty", "LOT_SIZE", lot, lots),
    checkNotional(draft, quantity, values, around),
  ];
  if (icebergQty !== null) {
    found.push(checkIcebergParts(quantity, icebergQty, rules.icebergParts, lot, digits));
    if (compare(icebergQty, quantity) > 0) found.push(problem("icebergQty", "form", RULES.icebergTooLarge));
  }
  if (marketLot !== null && !hasPrice(draft.type)) {
    found.push(checkRange(quantity, marketLot, { field: "quantity", filter: "MARKET_LOT_SIZE", digits }));
  }
  return found;
}

/** A MARKET order for an amount of the quote asset: what it comes to is checked, as far as the book is known. */
function checkByQuote(
  { side }: OrderDraft,
  { quoteQuantity }: DraftValues,
  around: Circumstances,
  { notional, lot, marketLot }: MarketRules,
): Problem | null {
  const { market, book } = around;
  if (quoteQuantity === null) return null;
  const field = "quoteOrderQty";
  const fine = checkDigits(quoteQuantity, field, market.quoteDigits);
  if (fine !== null) return fine;
  const digits = market.quantityDigits;
  if (book !== null && book.freshness === "live" && (side === "BUY" ? book.asks : book.bids).length > 0) {
    const quantity = estimateTaking(book, market, side, { quoteQuantity })?.quantity;
    if (quantity === undefined) return { ...problem(field, "filter", RULES.nothingForIt), filter: "LOT_SIZE" };
    const named = { field, digits } as const;
    const unfit =
      (lot === null ? null : checkRange(quantity, lot, { ...named, filter: "LOT_SIZE" })) ??
      (marketLot === null ? null : checkRange(quantity, marketLot, { ...named, filter: "MARKET_LOT_SIZE" }));
    // The values that would pass are quantities, which this field, an amount, cannot offer.
    if (unfit !== null) return { ...unfit, nearest: [] };
  }
  if (notional === null || !notional.isOfMarket || compare(quoteQuantity, notional.min) >= 0) return null;
  const least = show(notional.min, market.quoteDigits);
  return {
    ...problem(field, "filter", RULES.notional(least, market.quoteAsset)),
    filter: "MIN_NOTIONAL",
    nearest: [least],
  };
}

function checkNotional(
  { type }: OrderDraft,
  quantity: Decimal,
  { price }: DraftValues,
  around: Circumstances,
): Problem | null {
  const { market } = around;
  const { notional, lot } = rulesOf(market);
  if (notional === null || (!hasPrice(type) && !notional.isOfMarket)) return null;
  const at = hasPrice(type) ? price : averageOf(around, notional.minutes);
  if (at === null) return null;
  const refusal = { field: "quantity", kind: "filter", filter: "MIN_NOTIONAL" } as const;
  if (isZero(at)) return waits(type) ? null : { ...refusal, text: RULES.neverTraded, nearest: [] };
  if (compare(multiply(at, quantity), notional.min) >= 0) return null;
  const nearest = show(leastQuantity(notional.min, at, lot, market.quantityDigits), market.quantityDigits);
  const text = RULES.notionalAt(show(notional.min, 0), market.quoteAsset, nearest);
  return { ...refusal, text, nearest: [nearest] };
}

/** Zero: nothing was ever traded. Null: not known. */
function averageOf({ averagePrice, lastPrice }: Circumstances, minutes: number): Decimal | null {
  const last = lastPrice === null ? null : decimal(lastPrice);
  if (last !== null && isZero(last)) return last;
  if (minutes === 0) return last;
  // Nothing is told of other spans than five minutes: the last price is near enough to warn by.
  return minutes === 5 && averagePrice !== null ? decimal(averagePrice) : last;
}

function problem(field: Field, kind: Problem["kind"], text: string): Problem {
  return { field, kind, filter: null, text, nearest: [] };
}
