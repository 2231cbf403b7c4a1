/**
 * Between a chain's integers and the venue's decimals. A token may count in finer steps than its asset
 * here: what comes in is rounded down and what the network costs is rounded up, so the ledger never
 * says more than the chain holds. What goes out must fit exactly.
 */
import { formatDecimal, parseDecimal } from "@pricetime/engine";

/** Of a deposit; null when it is less than the smallest unit of the asset. */
export function coinAmount(value: bigint, decimals: number, precision: number): string | null {
  const units = rescale(value, decimals, precision).whole;
  return units === 0n ? null : formatDecimal(units, precision, precision);
}

/** Of a cost. */
export function costAmount(value: bigint, decimals: number, precision: number): string {
  const { whole, hasRest } = rescale(value, decimals, precision);
  return formatDecimal(hasRest ? whole + 1n : whole, precision, precision);
}

/** Of a payment; null when the token cannot express it. */
export function paymentValue(amount: string, decimals: number): bigint | null {
  return parseDecimal(amount, decimals);
}

function rescale(value: bigint, from: number, to: number): { whole: bigint; hasRest: boolean } {
  if (from <= to) return { whole: value * 10n ** BigInt(to - from), hasRest: false };
  const step = 10n ** BigInt(from - to);
  return { whole: value / step, hasRest: value % step !== 0n };
}
