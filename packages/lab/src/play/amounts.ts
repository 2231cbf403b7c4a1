/** Exact amounts: decimals as integers of 10^-20, which is more than any asset or price has. */

const PLACES = 20;
const ONE = 10n ** BigInt(PLACES);

/** Reads a decimal, with a minus or without. Throws `RangeError` for anything else. */
export function amountOf(text: string): bigint {
  const [, sign = "", whole = "", part = ""] = /^(-?)([0-9]+)(?:\.([0-9]{1,20}))?$/.exec(text) ?? [];
  if (whole === "") throw new RangeError(`"${text}" is not an amount.`);
  const units = BigInt(whole) * ONE + BigInt(part.padEnd(PLACES, "0"));
  return sign === "" ? units : -units;
}

/** Rounded down to the last place where the quotient has more. */
export const times = (one: bigint, other: bigint): bigint => (one * other) / ONE;
export const over = (one: bigint, other: bigint): bigint => (one * ONE) / other;

/** For people: at most `places` digits after the point, rounded towards zero, without zeros at the end. */
export function shown(amount: bigint, places = 8): string {
  const size = amount < 0n ? -amount : amount;
  const digits = (size % ONE).toString().padStart(PLACES, "0").slice(0, places);
  const text = withoutZeros(`${size / ONE}.${digits}`);
  return amount < 0n && text !== "0" ? `-${text}` : text;
}

/** A rounded number, for charts alone. */
export const asNumber = (amount: bigint): number => Number(amount) / Number(ONE);

/** A decimal without the zeros at its end, and without its point where nothing follows. */
export function withoutZeros(decimal: string): string {
  let end = decimal.length;
  if (decimal.includes(".")) while (decimal[end - 1] === "0") end--;
  return decimal.slice(0, decimal[end - 1] === "." ? end - 1 : end);
}
