/** The execution rule PRICE_RANGE in the model: the reference price, computed anew from all trades, and its bounds. */
import type { PriceRangeRule, Side } from "@pricetime/engine";
import type { ModelMarket } from "./market.ts";
import { type Amount, amount, ONE } from "./money.ts";

/**
 * Returns the reference price of a symbol with a price range: the mean price of the trades in its buckets. The part of
 * the first bucket that is before the window does not count. Null without a rule, and without a recent trade.
 */
export function referencePrice(market: ModelMarket, nowMs: number): Amount | null {
  const rule = market.spec.priceRange;
  if (rule === undefined) return null;
  const { bucketCount, bucketWidthMs: width } = rule;
  const places = Math.max(market.priceDecimals, market.quotePlaces);
  const cutoffMs = nowMs - bucketCount * width;
  let [sum, count] = [0n, 0n];
  for (let startMs = cutoffMs - (cutoffMs % width); startMs <= nowMs; startMs += width) {
    const inside = market.trades
      .slice(market.referenceFrom)
      .filter(({ timeMs }) => timeMs >= startMs && timeMs < startMs + width);
    const left = BigInt(width - Math.max(0, cutoffMs - startMs));
    const prices = inside.reduce((total, trade) => total + trade.price / 10n ** BigInt(8 - places), 0n);
    sum += (prices * 10_000n * left) / BigInt(width);
    count += (BigInt(inside.length) * 10_000n * left) / BigInt(width);
  }
  return count === 0n ? null : (sum / count) * 10n ** BigInt(8 - places);
}

/** Whether the values of a rule are valid. */
export function isPriceRange(rule: PriceRangeRule): boolean {
  const { bidLimitMultUp, bidLimitMultDown, askLimitMultUp, askLimitMultDown, bucketCount, bucketWidthMs } = rule;
  const areBounds = (up = "9999", down = "0.0001"): boolean => amount(down) > 0n && amount(up) >= amount(down);
  const isWithin = (value: number, least: number, most: number): boolean =>
    Number.isInteger(value) && value >= least && value <= most;
  return (
    areBounds(bidLimitMultUp, bidLimitMultDown) &&
    areBounds(askLimitMultUp, askLimitMultDown) &&
    isWithin(bucketCount, 1, 100) &&
    isWithin(bucketWidthMs, 100, 24 * 3_600_000)
  );
}

/** The prices at which a taker may trade: between two multiples of the reference price, both included. */
export interface ModelRange {
  /** Multiples as written, for exact comparisons; null: no bound. */
  readonly reference: Amount;
  readonly down: Amount | null;
  readonly up: Amount | null;
}

/** Returns the range of an order that meets the book now; null if all prices are allowed. */
export function rangeOf(market: ModelMarket, side: Side, nowMs: number): ModelRange | null {
  const reference = referencePrice(market, nowMs);
  const rule = market.spec.priceRange;
  if (reference === null || rule === undefined) return null;
  const orNull = (text: string | undefined): Amount | null => (text === undefined ? null : amount(text));
  return side === "BUY"
    ? { reference, down: orNull(rule.bidLimitMultDown), up: orNull(rule.bidLimitMultUp) }
    : { reference, down: orNull(rule.askLimitMultDown), up: orNull(rule.askLimitMultUp) };
}

export function isInRange(range: ModelRange | null, { price }: { readonly price: Amount }): boolean {
  if (range === null) return true;
  const { reference, down, up } = range;
  if (down !== null && price * ONE < reference * down) return false;
  return up === null || price * ONE <= reference * up;
}
