/**
 * The venue's discount on commission that is paid in another asset, with the prices of that asset. Interface 3.3;
 * docs/decisions/0100.
 */
import { assert } from "../assert.ts";
import type { DiscountRules } from "../entry/command.ts";
import { BPS_IN_WHOLE } from "../limits.ts";
import type { PriceBand } from "../filters.ts";
import type { Market } from "./market/market.ts";
import { dayStartMs } from "./market/ticker.ts";

/** `discountUnits` of the discount asset are worth `units` of another asset. Both are positive. */
interface DiscountPrice {
  readonly discountUnits: bigint;
  readonly units: bigint;
}

/** The prices of the discount asset in another asset during the last day. */
interface DayPrices {
  readonly lowest: DiscountPrice;
  readonly highest: DiscountPrice;
}

const ONE_FOR_ONE: DiscountPrice = { discountUnits: 1n, units: 1n };
const SAME_ASSET: DayPrices = { lowest: ONE_FOR_ONE, highest: ONE_FOR_ONE };

/** What prices are read from. */
interface PricedState {
  readonly seq: number;
  readonly nowMs: number;
  marketsOf(assetId: number): readonly Market[];
}

export class CommissionDiscount {
  readonly rules: DiscountRules;
  readonly assetId: number;
  private readonly excludedIds: ReadonlySet<number>;
  /** The prices in the entry `pricedSeq`; null if there is none. */
  private readonly prices = new Map<number, DayPrices | null>();
  private pricedSeq = 0;

  constructor(rules: DiscountRules, assetId: number, excludedIds: ReadonlySet<number>) {
    this.rules = rules;
    this.assetId = assetId;
    this.excludedIds = excludedIds;
  }

  appliesTo(symbolId: number): boolean {
    return !this.excludedIds.has(symbolId);
  }

  /** Reads the prices on which the trades of this market have an effect, before its first trade of the entry. */
  fixPrices(state: PricedState, { baseAssetId, quoteAssetId }: Market): void {
    if (baseAssetId === this.assetId) this.priceIn(state, quoteAssetId);
    else if (quoteAssetId === this.assetId) this.priceIn(state, baseAssetId);
  }

  /**
   * The discounted amount, in units of the discount asset, that replaces a commission in another asset: at the lowest
   * price of the day, rounded up. Null if the discount asset has no price in the other asset, or if the amount is worth
   * more than the commission at the highest price of the day. So a trade at an odd price lowers no commission, and makes
   * none larger.
   */
  amountFor(state: PricedState, commission: bigint, assetId: number): bigint | null {
    const price = this.priceIn(state, assetId);
    if (price === null) return null;
    const { lowest, highest } = price;
    const divisor = BPS_IN_WHOLE * lowest.units;
    const amount = (commission * lowest.discountUnits * BigInt(this.rules.factorBps) + divisor - 1n) / divisor;
    return amount * highest.units > commission * highest.discountUnits ? null : amount;
  }

  private priceIn(state: PricedState, assetId: number): DayPrices | null {
    if (assetId === this.assetId) return SAME_ASSET;
    if (this.pricedSeq !== state.seq) {
      this.prices.clear();
      this.pricedSeq = state.seq;
    }
    let price = this.prices.get(assetId);
    if (price === undefined) {
      price = this.readPrice(state, assetId);
      this.prices.set(assetId, price);
    }
    return price;
  }

  /**
   * The prices on a market that trades. A market of which the discount asset is the base asset comes first, then
   * the order of listing counts.
   */
  private readPrice(state: PricedState, assetId: number): DayPrices | null {
    let inverse: DayPrices | null = null;
    const [own, others] = [state.marketsOf(this.assetId), state.marketsOf(assetId)];
    // Searches the shorter list, because a common quote asset has hundreds of markets.
    for (const market of own.length <= others.length ? own : others) {
      const isBase = market.baseAssetId === this.assetId && market.quoteAssetId === assetId;
      const isQuote = market.quoteAssetId === this.assetId && market.baseAssetId === assetId;
      if (!isBase && (!isQuote || inverse !== null)) continue;
      if (market.statusAt(state.nowMs) !== "TRADING") continue;
      const range = dayPrices(market, state.nowMs);
      if (range === null) continue;
      const { multiplier, divisor } = market.quoteScale;
      const base = divisor * market.lotUnits;
      const [low, high] = [BigInt(range.lowestTicks) * multiplier, BigInt(range.highestTicks) * multiplier];
      if (isBase) {
        return { lowest: { discountUnits: base, units: low }, highest: { discountUnits: base, units: high } };
      }
      inverse = { lowest: { discountUnits: high, units: base }, highest: { discountUnits: low, units: base } };
    }
    return inverse;
  }

  /** Throws if the numbers of the asset and the symbols are not those of their names. */
  check(assetId: number | undefined, symbolIds: readonly (number | undefined)[]): void {
    assert(this.assetId === assetId, "the discount asset is found by its name");
    const areSame =
      symbolIds.length === this.excludedIds.size && symbolIds.every((id) => this.excludedIds.has(id ?? -1));
    assert(areSame, "excluded symbols are found by their names");
  }
}

/**
 * The lowest and the highest price of the trades of the last 24 hours and of the last one before them. Null before the
 * first trade, and while these hours contain candles from before the first trade.
 */
function dayPrices(market: Market, nowMs: number): PriceBand | null {
  if (market.past !== null && market.past.endMs > dayStartMs(nowMs)) return null;
  const { lowTicks, highTicks, prevCloseTicks } = market.ticker(nowMs);
  if (lowTicks === 0) return null;
  const beforeTicks = prevCloseTicks === 0 ? lowTicks : prevCloseTicks;
  return { lowestTicks: Math.min(lowTicks, beforeTicks), highestTicks: Math.max(highTicks, beforeTicks) };
}
