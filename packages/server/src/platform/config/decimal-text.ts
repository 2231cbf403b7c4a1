/**
 * Arithmetic on exact decimal strings. Values that are not decimals are passed through, so that the schema rejects
 * them.
 */
import { formatDecimal, parseDecimal, withoutTrailingZeros } from "@pricetime/engine";

export type DecimalText = string;
const DECIMALS = 20;
export const PLAIN_DECIMAL = /^[0-9]{1,20}(\.[0-9]{1,20})?$/;

const unitsOf = (value: unknown): bigint | null =>
  typeof value === "string" && PLAIN_DECIMAL.test(value) ? parseDecimal(value, DECIMALS) : null;

/** Rounds `value` down to a multiple of `step`. Returns `value` unchanged if the step is not a positive decimal. */
export function onStep(value: DecimalText, step: DecimalText): DecimalText {
  const [units, size] = [unitsOf(value), unitsOf(step)];
  if (units === null || size === null || size === 0n || units % size === 0n) return value;
  return withoutTrailingZeros(formatDecimal(units - (units % size), DECIMALS, DECIMALS));
}
