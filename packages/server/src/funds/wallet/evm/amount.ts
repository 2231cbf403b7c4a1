/**
 * Converts between a chain's integers and the venue's decimals. A token may count in finer steps than its asset
 * here: incoming amounts are rounded down and network costs are rounded up, so the ledger never says more than
 * the chain holds. Outgoing amounts must fit exactly.
 */
import { formatDecimal, parseDecimal } from "@pricetime/engine";

/** Converts a deposit; null when it is less than the smallest unit of the asset. */
export function coinAmount(value: bigint, decimals: number, precision: number): string | null {
  const units = rescale(value, decimals, precision).whole;
  return units === 0n ? null : formatDecimal(units, precision, precision);
}

/** Converts a cost, rounded up. */
export function costAmount(value: bigint, decimals: number, precision: number): string {
  const { whole, hasRest } = rescale(value, decimals, precision);
  return formatDecimal(hasRest ? whole + 1n : whole, precision, precision);
}

/** Converts a payment; null when the token cannot express it. */
export function paymentValue(amount: string, decimals: number): bigint | null {
  return parseDecimal(amount, decimals);
}

function rescale(value: bigint, from: number, to: number): { whole: bigint; hasRest: boolean } {
  if (from <= to) return { whole: value * 10n ** BigInt(to - from), hasRest: false };
  const step = 10n ** BigInt(from - to);
  return { whole: value / step, hasRest: value % step !== 0n };
}
