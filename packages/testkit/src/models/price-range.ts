/** The execution rule PRICE_RANGE in the model: the reference price, computed anew from all trades, and its bounds. */
import type { PriceRangeRule, Side } from "@pricetime/engine";
import type { ModelMarket } from "./market.ts";
import { type Amount, amount, ONE } from "./money.ts";

/**
 * Returns the reference price of a symbol with a price range: the mean price of its trades, each weighted by how many
 * milliseconds of its bucket are not older than the window. Null without a rule, and without a recent trade.
 */
export function referencePrice(market: ModelMarket, nowMs: number): Amount | null {
  const rule = market.spec.priceRange;
  if (rule === undefined) return null;
  const { bucketCount, bucketWidthMs: width } = rule;
  const places = Math.max(market.priceDecimals, market.quotePlaces);
  const cutoffMs = nowMs - bucketCount * width;
  let [sum, weights] = [0n, 0n];
  for (const { timeMs, price } of market.trades.slice(market.referenceFrom)) {
    const endMs = timeMs - (timeMs % width) + width;
    const weight = BigInt(Math.min(width, Math.max(0, endMs - cutoffMs)));
    sum += price * weight;
    weights += weight;
  }
  const unit = 10n ** BigInt(8 - places);
  return weights === 0n ? null : (sum / (weights * unit)) * unit;
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
