/**
 * Checks an order's prices and quantities with the engine's own filters, in the engine's order (Interface 7.9). Each
 * problem names its field and the nearest valid values.
 */
import {
  type AveragePriceView,
  type Fault,
  type FilteredOrder,
  type FilterName,
  type MinNotional,
  mostParts,
  type NotionalRange,
  percentOfSide,
  type PercentPrice,
  type PercentPriceBySide,
  priceBand,
  trailingBounds,
  type TrailingDelta,
} from "@pricetime/engine/filters";
import { floorToStep, type Range } from "@pricetime/engine/numbers";
import type { OrderDraft } from "../account/port.ts";
import {
  compare,
  cutTo,
  type Decimal,
  decimal,
  formatShort,
  formatUnits,
  fromUnits,
  isZero,
  leastDigits,
} from "../exact/decimal.ts";
import { grouped, showTrailing } from "../exact/shown.ts";
import type { Market } from "../market/port.ts";
import { RULES } from "../words/words.ts";
import { type Circumstances, type DraftValues, type Field, hasPrice, liveBook, type Problem, waits } from "./draft.ts";
import { estimateTaking, levelsFor } from "./estimate.ts";
import { rulesOf, show } from "./market-filters.ts";

export function checkFilters(draft: OrderDraft, values: DraftValues, around: Circumstances): Problem[] {
  const { quantity, quoteQuantity, icebergQty } = values;
  const { market } = around;
  const order = filteredOrder(draft, values, around);
  const byQuote = order.quoteOrderQty > 0n;
  const found: (Problem | null)[] = [];
  if (byQuote && quoteQuantity !== null && isTooFine(quoteQuantity, market.quoteDigits))
    found.push(digitsProblem("quoteOrderQty", quoteQuantity, market.quoteDigits));
  for (const { name, field, check, filter } of rulesOf(market).filters.checks) {
    // Amendments are checked by the node.
    if (field === "amendments") continue;
    const value = field === "quantity" && byQuote ? fromUnits(order.lots, market.quantityDigits) : values[field];
    if (value === null) continue;
    const digits = digitsOf(name, market);
    const isRange = name === "PRICE_FILTER" || name === "LOT_SIZE" || name === "TRAILING_DELTA";
    const fault = check(filter, order) ?? (isRange && isTooFine(value, digits) ? "step" : null);
    const shown = field === "quantity" && byQuote ? "quoteOrderQty" : field;
    if (fault !== null) found.push(explained({ name, field: shown, value, digits, fault, filter, order, around }));
  }
  if (quantity !== null && icebergQty !== null && compare(icebergQty, quantity) > 0)
    found.push({ ...filterProblem("icebergQty", null, RULES.icebergTooLarge), kind: "form" });
  const problems = withoutRepeated(found.filter((problem) => problem !== null));
  // For a quote amount, further problems follow from the first one.
  return byQuote ? problems.slice(0, 1) : problems;
}

/** A symbol may have two forms of a filter, such as MIN_NOTIONAL and NOTIONAL. The same problem is shown once. */
function withoutRepeated(problems: readonly Problem[]): Problem[] {
  const saidBy = ({ field, filter, text }: Problem): string => `${field} ${text.replace(filter ?? "", "")}`;
  return problems.filter((problem, at) => problems.findIndex((one) => saidBy(one) === saidBy(problem)) === at);
}

// Converts the draft to the type that the engine's filters check.

const NEVER_TRADED: AveragePriceView = { numerator: 0n, denominator: 0n };

/** The order to check. Missing values are 0. Excess digits are dropped here and reported separately. */
function filteredOrder({ type, side }: OrderDraft, values: DraftValues, around: Circumstances): FilteredOrder {
  const { market } = around;
  const book = liveBook(around);
  const units = (value: Decimal | null, digits: number) => (value === null ? 0n : cutTo(value, digits).units);
  const ticks = (value: Decimal | null) => Number(units(value, market.priceDigits));
  const lots = (value: Decimal | null) => Number(units(value, market.quantityDigits));
  const { quantity, quoteQuantity } = values;
  const byQuote = quantity === null && quoteQuantity !== null;
  const isThere = book !== null && levelsFor(side, book).length > 0;
  const taken = byQuote && isThere ? (estimateTaking(book, market, side, { quoteQuantity })?.quantity ?? null) : null;
  const filterPrice = (minutes: number): AveragePriceView => {
    const average = averageOf(around, minutes);
    if (average === null || isZero(average)) return NEVER_TRADED;
    return { numerator: average.units * 10n ** BigInt(market.priceDigits), denominator: 10n ** BigInt(average.digits) };
  };
  return {
    ...{ side, hasPrice: hasPrice(type), waitsForStop: waits(type), nowMs: 0, amendCount: 0 },
    waitsForRise: type.startsWith("STOP_LOSS") === (side === "BUY"),
    trailingDelta: Number(units(values.trailingDelta, 0)),
    ...{ priceTicks: ticks(values.price), stopTicks: ticks(values.stopPrice), icebergLots: lots(values.icebergQty) },
    quoteOrderQty: byQuote ? units(quoteQuantity, market.quoteDigits) : 0n,
    ...{ lots: lots(quantity ?? taken), hasQuantity: !byQuote || isThere },
    market: { filterPrice, percentBand: (filter) => priceBand(filter, filterPrice(filter.avgPriceMins)) },
    position: () => BigInt(lots(quantity ?? taken)) + leastPosition(around),
  };
}

/**
 * The least position of the account, in lots: what is locked for withdrawals and orders of other markets is unknown
 * here.
 */
function leastPosition({ market, free, openOrders }: Circumstances): bigint {
  const lots = (text: string): bigint => cutTo(decimal(text), market.quantityDigits).units;
  return openOrders
    .filter(({ symbol, side }) => symbol === market.symbol && side === "BUY")
    .reduce(
      (sum, { origQty, executedQty, preventedQuantity = "0" }) =>
        sum + lots(origQty) - lots(executedQty) - lots(preventedQuantity),
      lots(free?.base ?? "0"),
    );
}

/** The price to which filters compare: the reference price, or the average price over a period; zero if the market has never traded, null if the average is unknown. */
function averageOf({ averagePrice, referencePrice, lastPrice }: Circumstances, minutes: number): Decimal | null {
  const last = lastPrice === null ? null : decimal(lastPrice);
  if (last !== null && isZero(last)) return last;
  // It replaces the averages of all periods.
  if (referencePrice !== null) return decimal(referencePrice);
  if (minutes === 0) return last;
  // The node publishes only the five-minute average. For other periods, the last price is an approximation that is
  // sufficient for a warning.
  return minutes === 5 && averagePrice !== null ? decimal(averagePrice) : last;
}

/** The decimal places of the value that a filter checks. */
function digitsOf(name: FilterName, { priceDigits, quantityDigits }: Market): number {
  if (name === "TRAILING_DELTA") return 0;
  return name === "PRICE_FILTER" ? priceDigits : quantityDigits;
}

function isTooFine(value: Decimal, digits: number): boolean {
  return leastDigits(value) > digits;
}

// Explains why a value does not pass a filter.

interface Failed {
  readonly name: FilterName;
  readonly field: Field;
  readonly value: Decimal;
  /** The market's decimal places for the value. */
  readonly digits: number;
  readonly fault: Fault;
  readonly filter: object | null;
  readonly order: FilteredOrder;
  readonly around: Circumstances;
}

/** The problem with a value; null if the client cannot tell whether the filter rejects it. */
function explained(failed: Failed): Problem | null {
  switch (failed.name) {
    case "PRICE_FILTER":
    case "LOT_SIZE":
    case "MARKET_LOT_SIZE":
      return rangeProblem(failed);
    case "PERCENT_PRICE":
      return bandProblem(failed, failed.filter as PercentPrice);
    case "PERCENT_PRICE_BY_SIDE":
      return bandProblem(failed, percentOfSide(failed.filter as PercentPriceBySide, failed.order.side));
    case "MIN_NOTIONAL":
    case "NOTIONAL":
      return notionalProblem(failed);
    case "MAX_POSITION":
      return positionProblem(failed);
    case "ICEBERG_PARTS":
      return partsProblem(failed);
    case "TRAILING_DELTA":
      return trailingProblem(failed);
    default:
      return filterProblem(failed.field, failed.name, RULES.unmet(failed.name));
  }
}

const shown = (values: readonly string[]): readonly string[] => values.map(grouped);

function filterProblem(field: Field, filter: string | null, text: string, nearest: readonly string[] = []): Problem {
  return { field, kind: "filter", filter, text, nearest };
}

/** The problem of a value that passes all filters but has too many decimal places. */
function digitsProblem(field: Field, value: Decimal, digits: number): Problem {
  const nearest = nearestOn(NO_RANGE, value, digits);
  return filterProblem(field, null, RULES.digits(digits, shown(nearest)), nearest);
}

const NO_RANGE: Range = { min: 0, max: 0, step: 0, origin: 0 };

/** The problem with a value that fails PRICE_FILTER, LOT_SIZE or MARKET_LOT_SIZE, which have the same rule. */
function rangeProblem({ name, field, value, digits, fault, filter, order }: Failed): Problem {
  const range = (filter ?? NO_RANGE) as Range;
  const { min, max, step } = range;
  const isAmount = field === "quoteOrderQty";
  if (isAmount && order.lots === 0) return filterProblem(field, name, RULES.nothingForIt);
  if (filter === null || (step === 0 && isTooFine(value, digits))) return digitsProblem(field, value, digits);
  if (fault === "below" || fault === "above") {
    const bound = formatUnits(
      fault === "below" ? stepUp(range, min) || Math.max(step, 1) : floorToStep(range, max),
      digits,
    );
    return filterProblem(field, name, RULES[fault](name, grouped(bound)), isAmount ? [] : [bound]);
  }
  const nearest = isAmount ? [] : nearestOn(range, value, digits);
  return filterProblem(
    field,
    name,
    RULES.step(name, grouped(formatShort(fromUnits(step, digits))), shown(nearest)),
    nearest,
  );
}

/** The nearest values that are in the range and on its step: at most one below and one above. */
function nearestOn(range: Range, value: Decimal, digits: number): readonly string[] {
  const { min, max, step } = range;
  const low = floorToStep(range, Number(cutTo(value, digits).units));
  return [low, low + Math.max(step, 1)]
    .filter((units) => units > 0 && units >= min && (max === 0 || units <= max))
    .map((units) => formatUnits(units, digits));
}

function bandProblem(failed: Failed, filter: PercentPrice): Problem {
  const { order, fault, around } = failed;
  const { market } = around;
  const { priceFilter } = rulesOf(market).filters;
  const { lowestTicks, highestTicks } = order.market.percentBand(filter, 0);
  const low = formatUnits(stepUp(priceFilter, lowestTicks), market.priceDigits);
  const high = formatUnits(floorToStep(priceFilter, highestTicks), market.priceDigits);
  return filterProblem(
    failed.field,
    failed.name,
    RULES.percent(grouped(low), grouped(high), around.referencePrice !== null),
    [fault === "below" ? low : high],
  );
}

function notionalProblem(failed: Failed): Problem | null {
  const { name, field, order, fault, around } = failed;
  const { market } = around;
  const filter = failed.filter as MinNotional | NotionalRange;
  const isMost = fault === "above";
  const { units, scale } = isMost && "maxNotional" in filter ? filter.maxNotional : filter.minNotional;
  const bound = { units, digits: market.quoteDigits };
  // `checkTraded` reports it at once, not only for a quantity.
  if (fault === "neverTraded") return null;
  if (order.quoteOrderQty > 0n) {
    const amount = show(bound, market.quoteDigits);
    return filterProblem(field, name, RULES.notional(`${grouped(amount)} ${market.quoteAsset}`, isMost), [amount]);
  }
  const average = { numerator: BigInt(order.priceTicks), denominator: 1n };
  const { numerator, denominator } = order.hasPrice ? average : order.market.filterPrice(filter.avgPriceMins, 0);
  if (numerator === 0n) return null;
  const by = numerator * scale.multiplier;
  const { lotSize } = rulesOf(market).filters;
  const product = units * scale.divisor * denominator;
  const lots = isMost
    ? floorToStep(lotSize, Number(product / by))
    : stepUp(lotSize, Math.max(Number((product + by - 1n) / by), lotSize?.min ?? 0));
  const nearest = formatUnits(lots, market.quantityDigits);
  const value = `${grouped(formatShort(bound))} ${market.quoteAsset}`;
  return filterProblem(field, name, RULES.notionalAt(value, grouped(nearest), isMost), [nearest]);
}

function positionProblem({ name, field, filter, around }: Failed): Problem {
  const { maxPosition } = filter as { readonly maxPosition: number };
  const { market } = around;
  const most = grouped(formatUnits(maxPosition, market.quantityDigits));
  return filterProblem(field, name, RULES.position(most, market.baseAsset));
}

/** The problem of an iceberg order with too many parts. Suggests the smallest visible quantity that is allowed. */
function partsProblem(failed: Failed): Problem {
  const { market } = failed.around;
  const most = mostParts(failed.filter as { readonly limit: number } | null);
  const slice = stepUp(rulesOf(market).filters.lotSize, Math.ceil(failed.order.lots / most));
  const least = formatUnits(slice, market.quantityDigits);
  return filterProblem(failed.field, failed.name, RULES.icebergParts(most, grouped(least)), [least]);
}

/** The problem of a trailing distance, which is shown in percent. */
function trailingProblem({ name, field, value, fault, filter, order }: Failed): Problem {
  const percent = (basisPoints: number): string => formatShort(fromUnits(basisPoints, TRAILING_DIGITS));
  if (fault === "step") {
    const nearest = nearestOn(NO_RANGE, value, 0).map((basisPoints) => percent(Number(basisPoints)));
    return filterProblem(field, null, RULES.digits(TRAILING_DIGITS, shown(nearest)), nearest);
  }
  const { min, max } = trailingBounds(filter as TrailingDelta | null, order.waitsForRise);
  return filterProblem(field, name, RULES.trailing(showTrailing(min), showTrailing(max)), [
    percent(fault === "below" ? min : max),
  ]);
}

/** Decimal places of a percentage of whole basis points. */
const TRAILING_DIGITS = 2;

function stepUp(range: Range | null, units: number): number {
  const down = floorToStep(range, units);
  return down === units ? units : down + (range?.step ?? 1);
}
