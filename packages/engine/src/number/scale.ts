/** Converts between decimals on the wire and the ticks and lots of a symbol: safe integers, exact. */
import { placePoint } from "./decimal.ts";

const ZERO = 48;
const NINE = 57;
const POINT = 46;

/** Stands for a price or quantity that the symbol's scale cannot hold; it fails PRICE_FILTER or LOT_SIZE. */
export const OFF_SCALE = -1;

/** Largest number of ticks or lots: one below the largest safe integer, so that the codec may add one. */
export const LARGEST = Number.MAX_SAFE_INTEGER - 1;

/** Digits after the point on the wire. Interface 1.10. */
export const WIRE_PLACES = 8;

/**
 * A plain decimal as an integer of 10^-decimals, or OFF_SCALE when that is not exact or not a safe integer below the
 * largest. Trailing zeros do not count as digits.
 */
export function toScale(text: string, decimals: number): number {
  let value = 0;
  let places = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === POINT && places === -1) {
      places = 0;
      continue;
    }
    if (code < ZERO || code > NINE) return OFF_SCALE;
    if (places === decimals) {
      if (code !== ZERO) return OFF_SCALE;
      continue;
    }
    if (places >= 0) places++;
    value = value * 10 + (code - ZERO);
    if (value > LARGEST) return OFF_SCALE;
  }
  for (let i = Math.max(places, 0); i < decimals; i++) value *= 10;
  return value <= LARGEST ? value : OFF_SCALE;
}

const ZEROS = ["", "0", "00", "000", "0000", "00000", "000000", "0000000", "00000000"];

/** An integer of 10^-decimals with 8 digits after the point. */
export function fromScale(value: number, decimals: number): string {
  const digits = value.toString();
  if (value === 0) return "0.00000000";
  if (decimals === 0) return `${digits}.00000000`;
  return placePoint(digits, decimals) + ZEROS[WIRE_PLACES - decimals];
}
