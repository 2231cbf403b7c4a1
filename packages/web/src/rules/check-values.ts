/** Prices and quantities of a draft against the market's filters, each with the nearest values that pass. */
import {
  compare,
  cutTo,
  type Decimal,
  divideDown,
  formatShort,
  formatDecimal,
  isZero,
  multiply,
  NONE,
  raiseTo,
} from "../exact/decimal.ts";
import { isOnStep, stepDown, stepUp } from "../exact/step.ts";
import { RULES } from "../words/words.ts";
import type { Range } from "./market-rules.ts";
import type { Field, Problem } from "./problem.ts";

interface Named {
  readonly field: Field;
  readonly filter: string;
  readonly digits: number;
}

/** PRICE_FILTER, LOT_SIZE and MARKET_LOT_SIZE are one rule. */
export function checkRange(value: Decimal, range: Range, named: Named): Problem | null {
  const { min, max, step } = range;
  const { field, filter, digits } = named;
  const problem = (text: string, nearest: readonly Decimal[]): Problem => ({
    ...{ field, kind: "filter", filter, text, nearest: nearest.map((one) => show(one, digits)) },
  });
  if (compare(value, min) < 0) return problem(RULES.below(filter, show(min, digits)), [min]);
  if (max !== null && compare(value, max) > 0) {
    const highest = stepDown(max, step, min);
    return problem(RULES.above(filter, show(highest, digits)), [highest]);
  }
  if (isZero(step) || isOnStep(value, step, min)) return null;
  const nearest = [stepDown(value, step, min), stepUp(value, step, min)].filter(
    (one) => compare(one, min) >= 0 && !isZero(one) && (max === null || compare(one, max) <= 0),
  );
  return problem(
    RULES.step(
      filter,
      formatShort(step),
      nearest.map((one) => show(one, digits)),
    ),
    nearest,
  );
}

/** Where no filter limits the digits of a value, the asset does. */
export function checkDigits(value: Decimal, field: Field, digits: number): Problem | null {
  if (compare(cutTo(value, digits), value) === 0) return null;
  const nearest = [cutTo(value, digits), raiseTo(value, digits)].filter((one) => !isZero(one));
  const shown = nearest.map((one) => formatDecimal(one, digits));
  return { field, kind: "filter", filter: null, text: RULES.digits(digits, shown), nearest: shown };
}

export interface Band {
  readonly lowest: Decimal;
  readonly highest: Decimal;
}

/** The prices that PERCENT_PRICE allows, on the market's ticks. */
export function percentBand(average: Decimal, up: Decimal, down: Decimal, price: Range | null, digits: number): Band {
  const [low, high] = [raiseTo(multiply(average, down), digits), cutTo(multiply(average, up), digits)];
  if (price === null) return { lowest: low, highest: high };
  return { lowest: stepUp(low, price.step, price.min), highest: stepDown(high, price.step, price.min) };
}

export function checkBand(value: Decimal, { lowest, highest }: Band, digits: number): Problem | null {
  if (compare(value, lowest) >= 0 && compare(value, highest) <= 0) return null;
  const [low, high] = [show(lowest, digits), show(highest, digits)];
  const nearest = [compare(value, lowest) < 0 ? low : high];
  return { field: "price", kind: "filter", filter: "PERCENT_PRICE", text: RULES.percent(low, high), nearest };
}

/** The least quantity that makes an order worth `min` at a price, on the market's lots. */
export function leastQuantity(min: Decimal, price: Decimal, lot: Range | null, digits: number): Decimal {
  const cut = divideDown(min, price, digits);
  const least = compare(multiply(cut, price), min) < 0 ? { units: cut.units + 1n, digits } : cut;
  if (lot === null) return least;
  return stepUp(compare(least, lot.min) < 0 ? lot.min : least, lot.step, lot.min);
}

/** Checks how many slices an iceberg has, and offers the least slice that makes few enough. */
export function checkIcebergParts(
  quantity: Decimal,
  slice: Decimal,
  most: number,
  lot: Range | null,
  digits: number,
): Problem | null {
  const whole = divideDown(quantity, slice, 0);
  const hasRest = compare(multiply(whole, slice), quantity) < 0;
  if (whole.units + (hasRest ? 1n : 0n) <= BigInt(most)) return null;
  const by: Decimal = { units: BigInt(most), digits: 0 };
  const cut = divideDown(quantity, by, digits);
  const slim = compare(multiply(cut, by), quantity) < 0 ? { units: cut.units + 1n, digits } : cut;
  const least = show(stepUp(slim, lot?.step ?? NONE, lot?.min ?? NONE), digits);
  return {
    ...{ field: "icebergQty", kind: "filter", filter: "ICEBERG_PARTS" },
    text: RULES.icebergParts(most, least),
    nearest: [least],
  };
}

/** The value with the market's digits where they suffice. */
export function show(value: Decimal, digits: number): string {
  return compare(cutTo(value, digits), value) === 0 ? formatDecimal(value, digits) : formatShort(value);
}
