/**
 * Number formats of all pages: the locale's separators, thousands separated, and digits truncated, never rounded up.
 */
import { type Decimal, cutTo, formatDecimal, formatShort, formatUnits, leastDigits, parseDecimal } from "./decimal.ts";
import { numberStyle } from "./number-style.ts";
import { numbers } from "../words/words.ts";

/** The text shown for unknown values. */
export const BLANK = "—";
export const MINUS = "−";

/** Formats a decimal as sent by the node in the page's number style, with all its digits. */
export function grouped(text: string): string {
  const { decimal, group } = numberStyle.value;
  const point = text.indexOf(".");
  const end = point < 0 ? text.length : point;
  const begin = text.startsWith("-") ? 1 : 0;
  let all = point < 0 ? "" : decimal + text.slice(point + 1);
  let at = end;
  for (; at - begin > 3; at -= 3) all = group + text.slice(at - 3, at) + all;
  return text.slice(0, at) + all;
}

/** Formats a decimal in the page's number style without separating thousands, for a field that is being edited. */
export function ungrouped(text: string): string {
  return text.replace(".", numberStyle.value.decimal);
}

/** Truncates a decimal to `digits` decimal places and writes it as the node does. Returns "" if it is no decimal. */
export function plainDecimal(text: string, digits: number): string {
  const value = parseDecimal(text);
  return value === null ? "" : formatDecimal(cutTo(value, digits), digits);
}

/**
 * Formats a decimal with `digits` decimal places and thousands separated. Returns a dash if the text is not a decimal.
 */
export function showDecimal(text: string | undefined, digits: number): string {
  const plain = plainDecimal(text ?? "", digits);
  return plain === "" ? BLANK : grouped(plain);
}

/** Formats a price. Returns a dash if it is unknown or zero, which nodes send for markets that have not traded. */
export function showPrice(text: string | undefined, digits: number): string {
  return text === undefined || !/[1-9]/.test(text) ? BLANK : showDecimal(text, digits);
}

/** Formats a decimal without trailing zeros, for narrow places. */
export function showBrief(text: string, digits: number): string {
  const value = parseDecimal(text);
  return value === null ? BLANK : grouped(formatShort(cutTo(value, digits)));
}

/** Decimal places that amounts and percentages keep even if they are zero, so that they look as usual. */
const DIGITS_LEAST = 2;

/** Formats an amount exactly, without the zeros after its second decimal place. */
export function showAmount(text: string): string {
  const value = parseDecimal(text);
  return value === null ? text : showValue(value);
}

/** Like `showAmount`, for a computed value. */
export function showValue(value: Decimal): string {
  const least = Math.max(leastDigits(value), Math.min(value.digits, DIGITS_LEAST));
  return grouped(formatDecimal(cutTo(value, least), least));
}

/** Formats a percentage exactly, without the zeros after its second decimal place. */
export const showPercent = (value: Decimal): string =>
  numbers.percent(grouped(formatDecimal(value, Math.max(leastDigits(value), DIGITS_LEAST))));

/** Formats the distance of a trailing stop, which is in basis points, as a percentage. */
export const showTrailing = (basisPoints: number): string =>
  numbers.percent(grouped(formatShort({ units: BigInt(basisPoints), digits: 2 })));

/** Formats an integer number of units with `digits` decimal places and thousands separated. */
export function showUnits(units: number, digits: number): string {
  return grouped(formatUnits(units, digits));
}

/** Formats a floating-point number of a drawing. It is rounded, because it is inexact anyway. */
export function showFloat(value: number, digits: number): string {
  return Number.isFinite(value) ? grouped(value.toFixed(digits)) : BLANK;
}

const SIZES = [
  { name: numbers.trillions, digits: 12 },
  { name: numbers.billions, digits: 9 },
  { name: numbers.millions, digits: 6 },
  { name: numbers.thousands, digits: 3 },
];

/** Formats a number with about four significant digits: `1.234M`, `56.78K`, `0.1234`. Returns a dash for zero. */
export function showShort(text: string): string {
  const value = parseDecimal(text);
  if (value === null || value.units === 0n) return BLANK;
  const length = formatDecimal(cutTo(value, 0)).replace("-", "").length;
  const size = length < 6 ? undefined : SIZES.find(({ digits }) => length > digits);
  if (size === undefined) return showDecimal(text, length > 3 ? 1 : length > 1 ? 2 : 4);
  const scaled = { units: value.units, digits: value.digits + size.digits };
  const shownDigits = length - size.digits > 2 ? 1 : 2;
  return grouped(formatDecimal(cutTo(scaled, shownDigits), shownDigits)) + size.name;
}

/** Formats a rounded number with its sign. Zero has none. */
export function signed(value: number, digits: number): string {
  const text = showFloat(Math.abs(value), digits);
  return /[1-9]/.test(text) ? `${value < 0 ? MINUS : "+"}${text}` : text;
}
