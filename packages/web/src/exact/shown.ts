/** Numbers as all panels show them: thousands separated, and digits truncated, never rounded up. */
import { cutTo, formatDecimal, formatShort, formatUnits, parseDecimal } from "./decimal.ts";

/** Shown where a value is unknown. */
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

/** A decimal with that many digits and thousands separated; blank if the text is no decimal. */
export function showDecimal(text: string | undefined, digits: number): string {
  const value = text === undefined ? null : parseDecimal(text);
  return value === null ? BLANK : grouped(formatDecimal(cutTo(value, digits), digits));
}

/** A price; blank where none is known. Nodes send zero for a market that has not traded. */
export function showPrice(text: string | undefined, digits: number): string {
  return text === undefined || !/[1-9]/.test(text) ? BLANK : showDecimal(text, digits);
}

/** A decimal without trailing zeros, for narrow places. */
export function showBrief(text: string, digits: number): string {
  const value = parseDecimal(text);
  return value === null ? BLANK : grouped(formatShort(cutTo(value, digits)));
}

/** An integer number of units of that many digits, with thousands separated. */
export function showUnits(units: number, digits: number): string {
  return grouped(formatUnits(units, digits));
}

/** A float of a drawing, rounded to that many digits because it is inexact anyway. */
export function showFloat(value: number, digits: number): string {
  return grouped(value.toFixed(digits));
}
