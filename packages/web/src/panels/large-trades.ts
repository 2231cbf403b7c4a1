/** Which trades of the tape are large enough to be marked. Pure. */
import { compare, type Decimal, decimal, multiply } from "../exact/decimal.ts";
import type { Print } from "../market/port.ts";

/** A trade is large when it is so many times the middle one of those that are known. */
const LARGE: Decimal = { units: 8n, digits: 0 };

/** Fewer say nothing of what is usual. */
const KNOWN_MIN = 20;

/** From which quantity on a trade is marked; null: too few are known. */
export function largeFrom(prints: readonly Print[]): Decimal | null {
  if (prints.length < KNOWN_MIN) return null;
  const sorted = prints.map(({ quantity }) => decimal(quantity)).toSorted(compare);
  const middle = sorted[sorted.length >> 1];
  return middle === undefined ? null : multiply(middle, LARGE);
}
