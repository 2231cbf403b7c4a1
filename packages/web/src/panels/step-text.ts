/** What arrows and pasting do to the text of a field. Pure. */
import {
  add,
  compare,
  decimal,
  formatDecimal,
  leastDigits,
  multiply,
  NONE,
  parseDecimal,
  subtract,
} from "../exact/decimal.ts";
import { isOnStep, stepDown, stepUp } from "../exact/step.ts";

/** The next value of the grid in that direction; never below zero. */
export function stepped(text: string, step: string, digits: number, by: number): string {
  const from = parseDecimal(text) ?? NONE;
  const size = decimal(step);
  const one = size.units === 0n ? { units: 1n, digits } : size;
  if (!isOnStep(from, one)) return formatDecimal(by > 0 ? stepUp(from, one) : stepDown(from, one), digits);
  const way = multiply(one, { units: BigInt(Math.abs(by)), digits: 0 });
  const to = by > 0 ? add(from, way) : subtract(from, way);
  return formatDecimal(compare(to, NONE) < 0 ? NONE : to, Math.max(digits, leastDigits(one)));
}

/** Thousands apart, as this page itself shows them, are taken out; nothing else is put right. */
export function cleaned(text: string): string {
  const bare = text.replace(/[\s\u202f\u00a0]/g, "");
  return bare.includes(".") ? bare.replaceAll(",", "") : bare;
}
