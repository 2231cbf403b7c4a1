/**
 * The reference price of a symbol: the mean price of its trades over the last buckets of time, from which the execution
 * rule PRICE_RANGE computes its limits. Interface 3.14, decision 105.
 */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import type { PriceRangeRule } from "../../entry/symbol.ts";
import { MULTIPLIER_DECIMALS } from "../../filter-checks.ts";
import type { AveragePriceView, PriceBounds } from "../../filters.ts";
import { MAX_BUCKET_WIDTH_MS, MAX_BUCKETS, MIN_BUCKET_WIDTH_MS } from "../../limits.ts";
import { type parseDecimal, powerOfTen } from "../../numbers.ts";

/** The rule of a symbol with its multipliers in 10^-8. */
export interface PriceRange {
  readonly bid: PriceBounds;
  readonly ask: PriceBounds;
  readonly bucketCount: number;
  readonly bucketWidthMs: number;
}

/** Null if a value is invalid: a multiplier of zero or less, bounds in the wrong order, or buckets beyond the limits. */
export function compilePriceRange(rule: PriceRangeRule, parse: typeof parseDecimal): PriceRange | null {
  const { bidLimitMultUp, bidLimitMultDown, askLimitMultUp, askLimitMultDown, bucketCount, bucketWidthMs } = rule;
  const bid = boundsOf(bidLimitMultUp, bidLimitMultDown, parse);
  const ask = boundsOf(askLimitMultUp, askLimitMultDown, parse);
  const isCount = Number.isInteger(bucketCount) && bucketCount >= 1 && bucketCount <= MAX_BUCKETS;
  const isWidth =
    Number.isInteger(bucketWidthMs) && bucketWidthMs >= MIN_BUCKET_WIDTH_MS && bucketWidthMs <= MAX_BUCKET_WIDTH_MS;
  return bid === null || ask === null || !isCount || !isWidth ? null : { bid, ask, bucketCount, bucketWidthMs };
}

function boundsOf(up: string | undefined, down: string | undefined, parse: typeof parseDecimal): PriceBounds | null {
  const multiplierUp = up === undefined ? null : (parse(up, MULTIPLIER_DECIMALS) ?? 0n);
  const multiplierDown = down === undefined ? null : (parse(down, MULTIPLIER_DECIMALS) ?? 0n);
  const isPositive = (multiplierUp ?? 1n) > 0n && (multiplierDown ?? 1n) > 0n;
  const isOrdered = multiplierUp === null || multiplierDown === null || multiplierDown <= multiplierUp;
  return isPositive && isOrdered ? { multiplierUp, multiplierDown } : null;
}

/** The trades of one bucket, which starts at `index` times its width. */
interface Bucket {
  readonly index: number;
  trades: bigint;
  /** The sum of their prices. */
  ticks: bigint;
}

export class ReferencePrice {
  /** At most one more than `bucketCount`. */
  private readonly buckets: Bucket[] = [];
  /** The sums of all buckets. */
  private trades = 0n;
  private ticks = 0n;
  private cached: { readonly nowMs: number; readonly price: AveragePriceView | null } | null = null;
  private readonly bucketCount: number;
  private readonly bucketWidthMs: number;
  /** The price has the decimals of the quote asset, or of the symbol's prices if these are more. */
  private readonly unitsInTick: bigint;

  constructor({ bucketCount, bucketWidthMs }: PriceRange, decimalsBeyondTick: number) {
    this.bucketCount = bucketCount;
    this.bucketWidthMs = bucketWidthMs;
    this.unitsInTick = powerOfTen(decimalsBeyondTick);
  }

  /** Whether the price is computed from the same buckets. */
  hasBucketsOf({ bucketCount, bucketWidthMs }: PriceRange): boolean {
    return this.bucketCount === bucketCount && this.bucketWidthMs === bucketWidthMs;
  }

  add(priceTicks: number, nowMs: number): void {
    this.forget(nowMs);
    const index = Math.floor(nowMs / this.bucketWidthMs);
    let bucket = this.buckets.at(-1);
    if (bucket?.index !== index) {
      bucket = { index, trades: 0n, ticks: 0n };
      this.buckets.push(bucket);
    }
    bucket.trades++;
    bucket.ticks += BigInt(priceTicks);
    this.trades++;
    this.ticks += BigInt(priceTicks);
    this.cached = null;
  }

  /**
   * The price in ticks; null if no trade is recent enough. Returns the same object while the price stays the same, until
   * the next trade.
   */
  at(nowMs: number): AveragePriceView | null {
    const { cached } = this;
    if (cached?.nowMs === nowMs) return cached.price;
    const first = this.buckets[0];
    const isWhole = first !== undefined && first.index * this.bucketWidthMs >= this.windowStart(nowMs);
    let price = cached !== null && cached.nowMs < nowMs && isWhole ? cached.price : this.priceAt(nowMs);
    if (price !== null && cached?.price?.numerator === price.numerator) price = cached.price;
    this.cached = { nowMs, price };
    return price;
  }

  /** Each bucket counts with the milliseconds of it that are in the window, so that one division is enough. */
  private priceAt(nowMs: number): AveragePriceView | null {
    const { bucketWidthMs, unitsInTick } = this;
    const fromMs = this.windowStart(nowMs);
    let trades = this.trades * BigInt(bucketWidthMs);
    let ticks = this.ticks * BigInt(bucketWidthMs);
    for (const bucket of this.buckets) {
      const startMs = bucket.index * bucketWidthMs;
      if (startMs >= fromMs) break;
      const expiredMs = BigInt(Math.min(fromMs - startMs, bucketWidthMs));
      trades -= bucket.trades * expiredMs;
      ticks -= bucket.ticks * expiredMs;
    }
    return trades === 0n ? null : { numerator: (ticks * unitsInTick) / trades, denominator: unitsInTick };
  }

  private windowStart(nowMs: number): number {
    return nowMs - this.bucketCount * this.bucketWidthMs;
  }

  /** Removes the buckets that are before the window. */
  private forget(nowMs: number): void {
    const fromMs = this.windowStart(nowMs);
    let first = this.buckets[0];
    while (first !== undefined && (first.index + 1) * this.bucketWidthMs <= fromMs) {
      this.buckets.shift();
      this.trades -= first.trades;
      this.ticks -= first.ticks;
      first = this.buckets[0];
    }
  }

  /** Throws if the sums, or the cached price, do not match the buckets. */
  check(range: PriceRange, decimalsBeyondTick: number): void {
    const { buckets, cached } = this;
    assert(this.hasBucketsOf(range), "a reference price has the buckets of the rule");
    assert(this.unitsInTick === powerOfTen(decimalsBeyondTick), "a reference price has the decimals of the symbol");
    assert(buckets.length <= this.bucketCount + 1, "a reference price has no more buckets than its window");
    const isSorted = buckets.every(({ index }, at) => at === 0 || index > (buckets[at - 1] as Bucket).index);
    assert(isSorted && buckets.every(({ trades }) => trades > 0n), "buckets with trades ascend");
    const sum = (of: (bucket: Bucket) => bigint): bigint => buckets.reduce((total, bucket) => total + of(bucket), 0n);
    assert(this.trades === sum(({ trades }) => trades), "a reference price has the trades of its buckets");
    assert(this.ticks === sum(({ ticks }) => ticks), "a reference price has the prices of its buckets");
    if (cached === null) return;
    const again = this.priceAt(cached.nowMs);
    const isSame = again?.numerator === cached.price?.numerator && again?.denominator === cached.price?.denominator;
    assert(isSame, "the last reference price is that of its buckets");
  }

  save(writer: ByteWriter): void {
    writer.uint(this.buckets.length);
    for (const { index, trades, ticks } of this.buckets) {
      writer.uint(index);
      writer.big(trades);
      writer.big(ticks);
    }
  }

  load(reader: ByteReader): void {
    for (let left = reader.uint(); left > 0; left--) {
      const bucket: Bucket = { index: reader.uint(), trades: reader.big(), ticks: reader.big() };
      this.buckets.push(bucket);
      this.trades += bucket.trades;
      this.ticks += bucket.ticks;
    }
  }
}
