/** Exact decimal arithmetic: a value is an integer number of units. Only functions whose names say so round. */
import { OFF_SCALE, placePoint, toScale } from "@pricetime/engine/numbers";

/** The value is `units` × 10^-`digits`. */
export interface Decimal {
  readonly units: bigint;
  readonly digits: number;
}

const FORM = /^(-?)(\d{0,40})(?:\.(\d{0,40}))?$/;

/** Parses `12`, `12.50`, `.5`, `5.` and their negatives. Returns null if the text is not a decimal. */
export function parseDecimal(text: string): Decimal | null {
  const [, sign = "", whole = "", part = ""] = FORM.exec(text) ?? [];
  if (whole === "" && part === "") return null;
  const units = BigInt(whole + part);
  return { units: sign === "-" ? -units : units, digits: part.length };
}

/** Parses a decimal sent by the node. Throws if the text is not a decimal. */
export function decimal(text: string): Decimal {
  const value = parseDecimal(text);
  if (value === null) throw new RangeError(`no decimal: ${text}`);
  return value;
}

export const NONE: Decimal = { units: 0n, digits: 0 };
/** The factor from fractions to percent. */
export const HUNDRED: Decimal = { units: 100n, digits: 0 };

/** Formats with `shownDigits` decimal places. Throws if the value needs more. */
export function formatDecimal({ units, digits }: Decimal, shownDigits: number = digits): string {
  const shown = rescale({ units, digits }, shownDigits);
  const text = placePoint((shown < 0n ? -shown : shown).toString(), shownDigits);
  return shown < 0n ? `-${text}` : text;
}

/** Formats without trailing zeros: `0.50000000` becomes `0.5`. */
export function formatShort(value: Decimal): string {
  return formatDecimal(value, leastDigits(value));
}

/** The number of decimal places without trailing zeros. */
export function leastDigits({ units, digits }: Decimal): number {
  let left = units;
  let least = digits;
  while (least > 0 && left % 10n === 0n) {
    left /= 10n;
    least--;
  }
  return least;
}

/** The value in units of `wanted` decimal places. Throws if the value needs more. */
function rescale({ units, digits }: Decimal, wanted: number): bigint {
  if (wanted >= digits) return units * 10n ** BigInt(wanted - digits);
  const by = 10n ** BigInt(digits - wanted);
  if (units % by !== 0n) throw new RangeError(`${units} of ${digits} digits does not fit ${wanted}`);
  return units / by;
}

/** Converts both values to units of the same number of decimal places. */
function aligned(one: Decimal, other: Decimal): readonly [bigint, bigint, number] {
  const digits = Math.max(one.digits, other.digits);
  return [rescale(one, digits), rescale(other, digits), digits];
}

/** Compares two values, regardless of their digits: -1 if `one` is less than `other`, 1 if greater, 0 if equal. */
export function compare(one: Decimal, other: Decimal): -1 | 0 | 1 {
  const [left, right] = aligned(one, other);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Parses a limit sent by the node. Returns null for zero, which means that there is no limit. */
export function boundOf(text: string): Decimal | null {
  const value = decimal(text);
  return isZero(value) ? null : value;
}

export const isZero = ({ units }: Decimal): boolean => units === 0n;

export function add(one: Decimal, other: Decimal): Decimal {
  const [left, right, digits] = aligned(one, other);
  return { units: left + right, digits };
}

export function subtract(one: Decimal, other: Decimal): Decimal {
  const [left, right, digits] = aligned(one, other);
  return { units: left - right, digits };
}

export function multiply(one: Decimal, other: Decimal): Decimal {
  return { units: one.units * other.units, digits: one.digits + other.digits };
}

/** The quotient, truncated (towards zero) to `digits` decimal places. Throws if `by` is zero. */
export function divideDown(value: Decimal, by: Decimal, digits: number): Decimal {
  const [left, right] = aligned(value, by);
  return { units: (left * 10n ** BigInt(digits)) / right, digits };
}

/** Truncates (towards zero) to `digits` decimal places. */
export function cutTo(value: Decimal, digits: number): Decimal {
  if (value.digits <= digits) return { units: rescale(value, digits), digits };
  return { units: value.units / 10n ** BigInt(value.digits - digits), digits };
}

/** Rounds away from zero to `digits` decimal places. */
export function raiseTo(value: Decimal, digits: number): Decimal {
  const cut = cutTo(value, digits);
  if (compare(cut, value) === 0) return cut;
  return { units: cut.units + (value.units < 0n ? -1n : 1n), digits };
}

// Rounding to a grid of values: `from` plus or minus multiples of `step`.

/** The greatest grid value not above `value`. Returns `value` if the step is zero. */
export function stepDown(value: Decimal, step: Decimal, from: Decimal = NONE): Decimal {
  if (isZero(step)) return value;
  return subtract(value, remainder(subtract(value, from), step));
}

/** The least grid value not below `value`. Returns `value` if the step is zero. */
export function stepUp(value: Decimal, step: Decimal, from: Decimal = NONE): Decimal {
  const down = stepDown(value, step, from);
  return compare(down, value) === 0 ? down : add(down, step);
}

/** The nearest grid value. If two are equally near, the lower one. */
export function stepNearest(value: Decimal, step: Decimal, from: Decimal = NONE): Decimal {
  const down = stepDown(value, step, from);
  const up = stepUp(value, step, from);
  return compare(subtract(value, down), subtract(up, value)) <= 0 ? down : up;
}

export function isOnStep(value: Decimal, step: Decimal, from: Decimal = NONE): boolean {
  return compare(stepDown(value, step, from), value) === 0;
}

/** The distance from the next lower grid value; never negative. */
function remainder(value: Decimal, step: Decimal): Decimal {
  const digits = Math.max(value.digits, step.digits);
  const units = multiply(value, { units: 10n ** BigInt(digits - value.digits), digits: 0 }).units;
  const by = multiply(step, { units: 10n ** BigInt(digits - step.digits), digits: 0 }).units;
  const rest = units % by;
  return { units: rest < 0n ? rest + by : rest, digits };
}

// Prices and quantities of order books as integer numbers, which are fast to compare and exact below 2^53.

/**
 * Parses a decimal as a number of units with `digits` decimal places: `"0.10"` with 2 digits is 10. Returns NaN if the
 * text is not a decimal, has more digits, or exceeds the engine's maximum number of ticks or lots.
 */
export function toUnits(text: string, digits: number): number {
  const units = toScale(text, digits);
  return text === "" || units === OFF_SCALE ? NaN : units;
}

export function fromUnits(units: number, digits: number): Decimal {
  return { units: BigInt(units), digits };
}

/** Like `formatDecimal`, but without the cost of a bigint: a book formats hundreds of numbers a second. */
export function formatUnits(units: number, digits: number): string {
  return placePoint(String(units), digits);
}
