/** The facts of an order for its confirmation: all that is sent, and the estimated total, fee and execution. */
import type { OcoDraft, OrderDraft } from "../account/port.ts";
import {
  type Decimal,
  formatDecimal,
  formatShort,
  HUNDRED,
  isZero,
  leastDigits,
  multiply,
  parseDecimal,
  raiseTo,
} from "../exact/decimal.ts";
import { BLANK, grouped, showPercent, showTrailing, showUnits, showValue } from "../exact/shown.ts";
import type { Market } from "../market/port.ts";
import { amountDigits } from "../rules/market-filters.ts";
import { legsOf } from "../rules/check-order.ts";
import { type TimeInForce, waits } from "../rules/draft.ts";
import { form as words, preventionWords, tables } from "../words/words.ts";
import type { Facts, FactGroup } from "./controls.tsx";
import type { Costs } from "./order-amounts.ts";
import { peggedText } from "./show.ts";

/** A typed number with at least `digits` decimal places. */
function number(text: string, digits: number): string {
  const value = parseDecimal(text);
  return value === null ? text : grouped(formatDecimal(value, Math.max(digits, leastDigits(value))));
}

/** A price estimated from the book, with the market's digits. */
function estimated(value: Decimal, { priceDigits, quoteAsset }: Market): string {
  const { units, digits } = value;
  return `${showUnits(Number(units / 10n ** BigInt(Math.max(0, digits - priceDigits))), priceDigits)} ${quoteAsset}`;
}

/** The total of an order, exactly unless it is estimated. */
function totalText(total: Decimal, isEstimated: boolean, market: Market): string {
  if (!isEstimated) return `${grouped(formatDecimal(total, Math.max(2, leastDigits(total))))} ${market.quoteAsset}`;
  return words.about(`${showValue(raiseTo(total, amountDigits(market)))} ${market.quoteAsset}`);
}

/** The fee in the asset received, and how much of it the discount asset would pay. */
function feeText({ amount, asset }: NonNullable<Costs["fee"]>, discount: Costs["discount"]): string {
  const text = (value: Decimal): string => `${grouped(formatShort(value))} ${asset}`;
  if (isZero(amount)) return text(amount);
  const remains = discount && parseDecimal(discount.remains);
  if (discount === null || remains === null) return words.about(text(amount));
  if (discount.asset === asset) return words.about(text(multiply(amount, remains)));
  return words.orDiscounted(words.about(text(amount)), showPercent(multiply(remains, HUNDRED)), discount.asset);
}

/** The total, fee and execution of an order, as the form and the confirmation show them. */
export function costFacts(costs: Costs, draft: OrderDraft, market: Market): Facts {
  const { pegged, total, fee, discount, estimate } = costs;
  const isMarket = draft.type === "MARKET";
  const takesPrice = draft.trailingDelta !== undefined || draft.pegPriceType !== undefined;
  const isEstimated = isMarket || (takesPrice && draft.price === undefined);
  const facts: [string, string][] = pegged === null ? [] : [[words.priceNow, words.about(estimated(pegged, market))]];
  facts.push([words.total, total === null ? BLANK : totalText(total, isEstimated, market)]);
  if (fee !== null) {
    facts.push([words.fee(words[fee.role]), feeText(fee, discount)]);
  }
  if (isMarket && estimate !== null)
    facts.push(
      [words.average, estimated(estimate.average, market)],
      [words.worst, estimated(estimate.worst, market)],
      [words.slippage, showPercent(raiseTo(multiply(estimate.slippage, HUNDRED), 2))],
    );
  return facts;
}

/** The parameters of one order that are sent. */
export function draftFacts(draft: OrderDraft, { baseAsset, quoteAsset, priceDigits }: Market): [string, string][] {
  const { type, price, stopPrice, quantity, quoteOrderQty, icebergQty, timeInForce, trailingDelta } = draft;
  const isLimit = type === "LIMIT" || type === "LIMIT_MAKER";
  const isTrailing = trailingDelta !== undefined;
  const kind = isTrailing ? words.kinds["trailing-stop"] : isLimit ? words.kinds.limit : (tables.types[type] ?? type);
  const facts: [string, string][] = [[words.kind, kind]];
  const add = (label: string, value: string | undefined, asset: string, digits = 0): void => {
    if (value !== undefined) facts.push([label, `${number(value, digits)} ${asset}`]);
  };
  const trigger = type.startsWith("TAKE_PROFIT") ? words.fields.limitStopPrice : words.fields.stopPrice;
  if (isTrailing) facts.push([words.fields.trailingDelta, showTrailing(Number(trailingDelta))]);
  if (isTrailing && stopPrice === undefined) facts.push([words.activationPrice, words.atOnce]);
  add(isTrailing ? words.activationPrice : trigger, stopPrice, quoteAsset, priceDigits);
  add(words.fields.price, price, quoteAsset, priceDigits);
  if (draft.pegPriceType !== undefined) facts.push([words.fields.price, peggedText(draft)]);
  else if (waits(type) && price === undefined) facts.push([words.fields.price, words.orMarket]);
  add(words.fields.quantity, quantity, baseAsset);
  add(words.fields.quoteQuantity, quoteOrderQty, quoteAsset);
  if (icebergQty !== undefined)
    facts.push([words.iceberg, words.icebergParts(`${number(icebergQty, 0)} ${baseAsset}`)]);
  if (isLimit) facts.push([words.postOnly, type === "LIMIT_MAKER" ? words.yes : words.no]);
  if (timeInForce !== undefined)
    facts.push([words.timeInForce, words.times[timeInForce as TimeInForce] ?? timeInForce]);
  const { selfTradePreventionMode: mode } = draft;
  if (mode !== undefined) facts.push([preventionWords.label, preventionWords.mode(mode)]);
  return facts;
}

export function orderFacts(draft: OrderDraft, market: Market, costs: Costs): Facts {
  return [...draftFacts(draft, market), ...costFacts(costs, draft, market)];
}

/** The facts of both legs of an order list, the limit leg first, as in the form. */
export function listFacts(draft: OcoDraft, market: Market, costsOf: (leg: OrderDraft) => Costs): readonly FactGroup[] {
  const [stop, limit] = legsOf(draft);
  return [
    { title: words.limitLeg, facts: orderFacts(limit, market, costsOf(limit)) },
    { title: words.stopLeg, facts: orderFacts(stop, market, costsOf(stop)) },
  ];
}
