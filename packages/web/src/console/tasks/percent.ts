/** Fee rates in percent, as operators read them; the API has basis points. */
import { formatShort, fromUnits, parseDecimal } from "../../exact/decimal.ts";

const BPS_DIGITS = 2;
const MOST_BPS = 10_000;

export const percentOf = (bps: number): string => formatShort(fromUnits(bps, BPS_DIGITS));

/** The rate in basis points; null if the text is not a percentage from 0 to 100 with at most two decimals. */
export function bpsOf(text: string): number | null {
  const value = parseDecimal(text.trim());
  if (value === null || value.units < 0n || value.digits > BPS_DIGITS) return null;
  const bps = Number(value.units) * 10 ** (BPS_DIGITS - value.digits);
  return bps <= MOST_BPS ? bps : null;
}
