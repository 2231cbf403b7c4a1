/** Amounts as they were sent. */
import type { ApiError } from "./errors.ts";
import { BAD_PRECISION, invalidAmount } from "./refusals.ts";

/** The fault of an amount in an asset with that many decimals: too fine (-1111), or zero (-1013). */
export function amountFault(name: string, amount: string, decimals: number): ApiError | null {
  if (decimalsOf(amount) > decimals) return BAD_PRECISION;
  return isZero(amount) ? invalidAmount(name) : null;
}

/** Digits after the point up to the last that is not zero: trailing zeros are no precision. */
export function decimalsOf(amount: string): number {
  const point = amount.indexOf(".");
  if (point === -1) return 0;
  let end = amount.length;
  while (amount.charCodeAt(end - 1) === 48) end--;
  return end - point - 1;
}

/** Whether an amount was sent and is zero. */
export function isZero(amount: string): boolean {
  for (let i = 0; i < amount.length; i++) {
    const c = amount.charCodeAt(i);
    if (c !== 48 && c !== 46) return false;
  }
  return amount !== "";
}

/** "" also when zero was sent: an iceberg of zero is none. */
export function icebergOf(amount: string): string {
  return isZero(amount) ? "" : amount;
}
