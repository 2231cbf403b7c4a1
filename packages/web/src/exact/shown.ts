/** Number formats of all panels: thousands separated, and digits truncated, never rounded up. */
import { cutTo, formatDecimal, formatShort, formatUnits, parseDecimal } from "./decimal.ts";

/** The text shown for unknown values. */
export const BLANK = "–";
export const MINUS = "−";

/** Separates thousands in the integer part. */
export function grouped(text: string): string {
  const point = text.indexOf(".");
  const end = point < 0 ? text.length : point;
  const begin = text.startsWith("-") ? 1 : 0;
  let all = text.slice(end);
  let at = end;
  for (; at - begin > 3; at -= 3) all = `,${text.slice(at - 3, at)}${all}`;
  return text.slice(0, at) + all;
}

/**
 * Formats a decimal with `digits` decimal places and thousands separated. Returns a dash if the text is not a decimal.
 */
export function showDecimal(text: string | undefined, digits: number): string {
  const value = text === undefined ? null : parseDecimal(text);
  return value === null ? BLANK : grouped(formatDecimal(cutTo(value, digits), digits));
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

/** Formats an integer number of units with `digits` decimal places and thousands separated. */
export function showUnits(units: number, digits: number): string {
  return grouped(formatUnits(units, digits));
}

/** Formats a floating-point number of a drawing. It is rounded, because it is inexact anyway. */
export function showFloat(value: number, digits: number): string {
  return grouped(value.toFixed(digits));
}

/** Formats a rounded number with its sign. Zero has none. */
export function signed(value: number, digits: number): string {
  const text = showFloat(Math.abs(value), digits);
  return /[1-9]/.test(text) ? `${value < 0 ? MINUS : "+"}${text}` : text;
}
