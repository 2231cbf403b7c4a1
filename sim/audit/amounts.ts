/** Amounts in the format of the wire. */
import { type Amount, scaled, show } from "@pricetime/testkit/models";

const ONE = 100_000_000n;

/** Always eight decimal places. */
export function wire(value: Amount): string {
  return `${value / ONE}.${(value % ONE).toString().padStart(8, "0")}`;
}

/** Ticks, lots or units as a client would send them. */
export function written(value: number | bigint, decimals: number): string {
  return show(scaled(value, decimals));
}
