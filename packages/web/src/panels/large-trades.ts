/** Which trades of the tape are large enough to be marked. Pure. */
import { compare, type Decimal, decimal } from "../exact/decimal.ts";
import type { Print } from "../market/port.ts";

/** At most one of so many is marked, whatever sizes there are: a mark that is everywhere says nothing. */
const ONE_OF = 40;

/** Above which quantity a trade is marked; null: too few are known to say what is rare. */
export function largeAbove(prints: readonly Print[]): Decimal | null {
  if (prints.length < ONE_OF) return null;
  const falling = prints.map(({ quantity }) => decimal(quantity)).toSorted((one, other) => compare(other, one));
  return falling[Math.floor(prints.length / ONE_OF)] ?? null;
}
