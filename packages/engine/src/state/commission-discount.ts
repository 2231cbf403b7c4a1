/**
 * The venue's discount on commission that is paid in another asset, with the prices of that asset. Interface 3.3;
 * docs/decisions/0100.
 */
import { assert } from "../assert.ts";
import type { DiscountRules } from "../entry/command.ts";
import { BPS_IN_WHOLE } from "../limits.ts";
import { DEFAULT_AVERAGE_PRICE_MINS, type Market } from "./market/market.ts";

/** `discountUnits` of the discount asset are worth `units` of another asset. Both are positive. */
interface DiscountPrice {
  readonly discountUnits: bigint;
  readonly units: bigint;
}

const SAME_ASSET: DiscountPrice = { discountUnits: 1n, units: 1n };

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
  private readonly prices = new Map<number, DiscountPrice | null>();
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
   * The discounted amount, in units of the discount asset, that replaces a commission in another asset. It is rounded
   * up. Null if the discount asset has no price in the other asset, or if the amount is worth more than the commission.
   */
  amountFor(state: PricedState, commission: bigint, assetId: number): bigint | null {
    const price = this.priceIn(state, assetId);
    if (price === null) return null;
    const value = commission * price.discountUnits;
    const divisor = BPS_IN_WHOLE * price.units;
    const amount = (value * BigInt(this.rules.factorBps) + divisor - 1n) / divisor;
    return amount * price.units > value ? null : amount;
  }

  private priceIn(state: PricedState, assetId: number): DiscountPrice | null {
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
   * The average price on a market that trades. A market of which the discount asset is the base asset comes first, then
   * the order of listing counts.
   */
  private readPrice(state: PricedState, assetId: number): DiscountPrice | null {
    let inverse: DiscountPrice | null = null;
    const [own, others] = [state.marketsOf(this.assetId), state.marketsOf(assetId)];
    // Searches the shorter list, because a common quote asset has hundreds of markets.
    for (const market of own.length <= others.length ? own : others) {
      const isBase = market.baseAssetId === this.assetId && market.quoteAssetId === assetId;
      const isQuote = market.quoteAssetId === this.assetId && market.baseAssetId === assetId;
      if (!isBase && (!isQuote || inverse !== null)) continue;
      if (market.statusAt(state.nowMs) !== "TRADING") continue;
      const { numerator, denominator } = market.averagePrice(DEFAULT_AVERAGE_PRICE_MINS, state.nowMs);
      if (denominator === 0n) continue;
      const { multiplier, divisor } = market.quoteScale;
      const quote = numerator * multiplier;
      const base = denominator * divisor * market.lotUnits;
      if (isBase) return { discountUnits: base, units: quote };
      inverse = { discountUnits: quote, units: base };
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
