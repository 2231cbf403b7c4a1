/** Amounts as the wire writes them. */
import { type Amount, scaled, show } from "@pricetime/testkit/models";

const ONE = 100_000_000n;

/** Eight places, always. */
export function wire(value: Amount): string {
  return `${value / ONE}.${(value % ONE).toString().padStart(8, "0")}`;
}

/** Ticks, lots or units as a client would write them. */
export function written(value: number | bigint, decimals: number): string {
  return show(scaled(value, decimals));
}
