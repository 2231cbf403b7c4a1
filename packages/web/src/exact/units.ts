/** Prices and quantities of a book as plain whole numbers: quick to compare, and exact below 2^53. */
import type { Decimal } from "./decimal.ts";

const ZERO_CODE = 48;
const POINT_CODE = 46;

/**
 * Reads a decimal as a number of units of that many digits: `"0.10"` of 2 digits is 10. NaN: it is none, it is finer
 * than a unit, or it is 2^53 or more.
 */
export function toUnits(text: string, digits: number): number {
  let units = 0;
  let behind = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === POINT_CODE) {
      if (behind >= 0) return NaN;
      behind = 0;
      continue;
    }
    const digit = code - ZERO_CODE;
    if (digit < 0 || digit > 9) return NaN;
    if (behind < digits) units = units * 10 + digit;
    else if (digit !== 0) return NaN;
    if (behind >= 0) behind++;
  }
  for (let given = Math.max(behind, 0); given < digits; given++) units *= 10;
  return text === "" || units > Number.MAX_SAFE_INTEGER ? NaN : units;
}

export function fromUnits(units: number, digits: number): Decimal {
  return { units: BigInt(units), digits };
}

/** As `formatDecimal`, without the cost of a bigint: a book formats hundreds of them a second. */
export function formatUnits(units: number, digits: number): string {
  const text = String(units).padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
