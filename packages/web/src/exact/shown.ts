/**
 * Numbers as a person reads them, the same in every panel: thousands separated, and digits cut off, never rounded up.
 */
import { cutTo, formatDecimal, formatShort, formatUnits, parseDecimal } from "./decimal.ts";

/** What stands where no value is known. */
export const BLANK = "–";
export const MINUS = "−";

/** Thousands apart in what stands before the point. */
export function grouped(text: string): string {
  const point = text.indexOf(".");
  const end = point < 0 ? text.length : point;
  const begin = text.startsWith("-") ? 1 : 0;
  let all = text.slice(end);
  let at = end;
  for (; at - begin > 3; at -= 3) all = `,${text.slice(at - 3, at)}${all}`;
  return text.slice(0, at) + all;
}

/** A decimal with that many digits, thousands apart; blank where it is none. */
export function showDecimal(text: string | undefined, digits: number): string {
  const value = text === undefined ? null : parseDecimal(text);
  return value === null ? BLANK : grouped(formatDecimal(cutTo(value, digits), digits));
}

/** A price; blank where none is known: nodes write zero for a market that has not traded. */
export function showPrice(text: string | undefined, digits: number): string {
  return text === undefined || !/[1-9]/.test(text) ? BLANK : showDecimal(text, digits);
}

/** A decimal without zeros at its end: where room is scarce. */
export function showBrief(text: string, digits: number): string {
  const value = parseDecimal(text);
  return value === null ? BLANK : grouped(formatShort(cutTo(value, digits)));
}

/** A whole number of units of that many digits, thousands apart. */
export function showUnits(units: number, digits: number): string {
  return grouped(formatUnits(units, digits));
}

/** A number of the drawing, which is a float: rounded to that many digits, as it is not exact anyway. */
export function showFloat(value: number, digits: number): string {
  return grouped(value.toFixed(digits));
}
