/** Trailing stops in the model: each order has its own extreme, and every trade is compared with every order. Decision 98. */
import type { SymbolFilters } from "@pricetime/engine";
import type { ModelOrder } from "./market.ts";
import type { Amount } from "./money.ts";

/** How a trailing stop follows the price. */
export interface ModelTrailing {
  /** In basis points. */
  readonly delta: Amount;
  /** The last price at the placement of an order without a stop price; 0n without a last price, or with a stop price. */
  readonly start: Amount;
  /** -1 before the order follows the price. */
  sinceMs: number;
  /** The highest price since then for a SELL, the lowest for a BUY; null if there was none. */
  extreme: Amount | null;
}

type Trailer = Pick<ModelOrder, "side" | "trailing">;

export function isFollowing({ trailing }: Trailer): boolean {
  return trailing !== null && trailing.sinceMs !== -1;
}

/** A trade at `now` becomes the extreme of an order that follows the price, unless the order has seen a farther one. */
export function follow({ side, trailing }: Trailer, now: Amount): void {
  const { extreme } = trailing!;
  if (extreme === null || (side === "SELL" ? now > extreme : now < extreme)) trailing!.extreme = now;
}

/** Whether the price has moved back from the extreme of a trailing stop by its delta, or more. */
export function hasTurned({ side, trailing }: Trailer, now: Amount): boolean {
  const { extreme, delta } = trailing!;
  if (extreme === null) return false;
  return side === "SELL" ? now * 10_000n <= extreme * (10_000n - delta) : now * 10_000n >= extreme * (10_000n + delta);
}

/** The first price that triggers a trailing stop, in whole units of the symbol. */
export function triggerPrice(unit: Amount, { side, trailing }: Trailer): Amount {
  const { extreme, delta } = trailing!;
  if (side === "BUY") return riseOf(unit, extreme!, delta);
  return ((extreme! * (10_000n - delta)) / 10_000n / unit) * unit;
}

/** The lowest price, in whole units of the symbol, that is at least `delta` basis points above another. */
export function riseOf(unit: Amount, from: Amount, delta: Amount): Amount {
  let price = ((from * (10_000n + delta)) / 10_000n / unit) * unit;
  while (price * 10_000n < from * (10_000n + delta)) price += unit;
  return price;
}

/** A delta is below 100 %. The filter distinguishes orders that wait for a rise, and for a fall. */
export function failsTrailing(filter: SymbolFilters["trailingDelta"], isAbove: boolean, delta: number): boolean {
  if (delta >= 10_000) return true;
  if (filter === undefined) return false;
  return isAbove
    ? delta < filter.minTrailingAboveDelta || delta > filter.maxTrailingAboveDelta
    : delta < filter.minTrailingBelowDelta || delta > filter.maxTrailingBelowDelta;
}
