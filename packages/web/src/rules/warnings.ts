/**
 * Warnings about orders that the node would accept but that may be mistakes: a limit price far from the market, a large
 * order, or one that takes much of the visible book.
 */
import type { OrderDraft } from "../account/port.ts";
import {
  add,
  compare,
  cutTo,
  type Decimal,
  decimal,
  divideDown,
  formatShort,
  fromUnits,
  HUNDRED,
  isZero,
  multiply,
  NONE,
  parseDecimal,
  subtract,
} from "../exact/decimal.ts";
import { grouped, showPercent, showUnits } from "../exact/shown.ts";
import type { Market } from "../market/port.ts";
import { WARNINGS } from "../words/words.ts";
import { type Circumstances, liveBook, valuesOf, waits } from "./draft.ts";
import { type Estimate, levelsFor } from "./estimate.ts";
import { rulesOf } from "./market-filters.ts";

/** Limits above which an order is warned about; null switches a warning off. */
export interface WarningLimits {
  /** The distance of a limit price from the market, in percent. */
  readonly pricePercent: Decimal | null;
  /** The value of an order, in `valueAsset`. */
  readonly value: Decimal | null;
  readonly valueAsset: string;
  /** The part of the visible book that an order takes, in percent. */
  readonly bookPercent: Decimal | null;
}

export const PRICE_PERCENT: Decimal = { units: 5n, digits: 0 };
export const BOOK_PERCENT: Decimal = { units: 10n, digits: 0 };
/** The default value limit in smallest orders of the market, which suits markets of every price. */
const SMALLEST_ORDERS: Decimal = { units: 1_000n, digits: 0 };
/** The slippage of a market order from which it is warned about, in percent. */
const SLIPPAGE_PERCENT: Decimal = { units: 1n, digits: 0 };

const PERCENT_DIGITS = 2;

/** The default value limit in the market's quote asset; null if the market has no minimum order value. */
export function firstValueLimit(market: Market): Decimal | null {
  const { minNotional, notional } = rulesOf(market).filters;
  const least = (minNotional ?? notional)?.minNotional.units ?? 0n;
  return least === 0n ? null : multiply({ units: least, digits: market.quoteDigits }, SMALLEST_ORDERS);
}

/** What is known about an order besides its draft. */
export interface Sized {
  /** Price × quantity in the quote asset; null if unknown. */
  readonly total: Decimal | null;
  /** The part of the order that would execute immediately. */
  readonly estimate: Estimate | null;
  /** The total in the asset of the limits; null if no price converts it. */
  readonly value: Decimal | null;
}

export function warningsOf(
  draft: OrderDraft,
  around: Pick<Circumstances, "market" | "book" | "lastPrice">,
  { estimate, value }: Sized,
  limits: WarningLimits,
): readonly string[] {
  const found: (string | null)[] = [
    priceWarning(draft, around, limits.pricePercent),
    // The limit instead of the value, which the total shows: so both legs of an order list have one warning.
    limits.value !== null && exceeds(value, limits.value)
      ? WARNINGS.large(`${grouped(formatShort(limits.value))} ${limits.valueAsset}`)
      : null,
    bookWarning(draft, around, estimate, limits.bookPercent),
    ...(draft.type === "MARKET" && estimate !== null ? marketWarnings(estimate) : []),
  ];
  return found.filter((text) => text !== null);
}

const exceeds = (value: Decimal | null, limit: Decimal | null): boolean =>
  value !== null && limit !== null && compare(value, limit) > 0;

/** A fraction in percent, truncated. */
const percentOf = (part: Decimal, whole: Decimal): Decimal =>
  divideDown(multiply(part, HUNDRED), whole, PERCENT_DIGITS);

/** The lowest and highest price that count as the market's: from the best bid to the best ask, or the last price. */
function marketRange(around: Pick<Circumstances, "market" | "book" | "lastPrice">): readonly [Decimal, Decimal] | null {
  const book = liveBook(around);
  const best = (side: "BUY" | "SELL"): Decimal | null => {
    const level = book === null ? undefined : levelsFor(side, book)[0];
    return level === undefined ? null : fromUnits(level.price, around.market.priceDigits);
  };
  const last = around.lastPrice === null ? null : decimal(around.lastPrice);
  const [bid, ask] = [best("SELL"), best("BUY")];
  const one = bid ?? ask ?? (last === null || isZero(last) ? null : last);
  return one === null ? null : [bid ?? one, ask ?? one];
}

function priceWarning(
  draft: OrderDraft,
  around: Pick<Circumstances, "market" | "book" | "lastPrice">,
  limit: Decimal | null,
): string | null {
  const { price, stopPrice } = valuesOf(draft);
  // When an order with a stop price is triggered, the market is at that price. A trailing stop without one follows the
  // market from now.
  const isAtMarket = !waits(draft.type) || (draft.trailingDelta !== undefined && draft.stopPrice === undefined);
  const atStop = stopPrice === null ? null : ([stopPrice, stopPrice] as const);
  const range = isAtMarket ? marketRange(around) : atStop;
  if (price === null || range === null || limit === null) return null;
  const [low, high] = range;
  const isAbove = compare(price, high) > 0;
  const from = isAbove ? high : low;
  const away = isAbove ? subtract(price, high) : subtract(low, price);
  if (compare(percentOf(away, from), limit) <= 0) return null;
  const shown = showUnits(Number(cutTo(from, around.market.priceDigits).units), around.market.priceDigits);
  return WARNINGS.price(showPercent(percentOf(away, from)), isAbove, shown, !isAtMarket);
}

function bookWarning(
  { side }: OrderDraft,
  { market, book }: Pick<Circumstances, "market" | "book">,
  estimate: Estimate | null,
  limit: Decimal | null,
): string | null {
  if (book === null || estimate === null || limit === null) return null;
  const levels = levelsFor(side, book);
  const there = levels.reduce((sum, { quantity }) => add(sum, fromUnits(quantity, market.quantityDigits)), NONE);
  const share = isZero(there) ? NONE : percentOf(estimate.quantity, there);
  return compare(share, limit) > 0 ? WARNINGS.book(showPercent(share), side) : null;
}

function marketWarnings({ slippage, isWhole }: Estimate): readonly (string | null)[] {
  const percent = multiply(slippage, HUNDRED);
  return [
    compare(percent, SLIPPAGE_PERCENT) >= 0 ? WARNINGS.slippage(showPercent(cutTo(percent, 2))) : null,
    isWhole ? null : WARNINGS.bookTooThin,
  ];
}

/** Reads a limit of the settings: empty is the default, zero switches the warning off. */
export function limitOf(text: string, first: Decimal | null): Decimal | null {
  const value = parseDecimal(text);
  return value === null ? first : value.units <= 0n ? null : value;
}
