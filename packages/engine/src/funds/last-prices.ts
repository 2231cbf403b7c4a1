/** What one asset is worth in another at the last prices, exactly. */
import { powerOfTen } from "../number/decimal.ts";
import type { ExchangeState } from "../state.ts";

/** Units of the one asset for a unit of the other: `numerator / denominator`. */
export interface Rate {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const ONE: Rate = { numerator: 1n, denominator: 1n };

export class LastPrices {
  /** By asset sold, then asset bought. Of several symbols with one pair the first listed counts. */
  private readonly rates = new Map<number, Map<number, Rate>>();

  constructor(state: ExchangeState) {
    for (const { lastTradeTicks, scale, baseAssetId, quoteAssetId } of state.markets) {
      if (lastTradeTicks === 0) continue;
      const [base, quote] = [state.assetOf(baseAssetId).spec, state.assetOf(quoteAssetId).spec];
      const numerator = BigInt(lastTradeTicks) * powerOfTen(quote.precision);
      const denominator = powerOfTen(base.precision + scale.priceDecimals);
      this.put(baseAssetId, quoteAssetId, { numerator, denominator });
      this.put(quoteAssetId, baseAssetId, { numerator: denominator, denominator: numerator });
    }
  }

  /** Directly, or by way of one other asset, the first listed that has both prices; null without prices. */
  rate(fromAssetId: number, toAssetId: number): Rate | null {
    if (fromAssetId === toAssetId) return ONE;
    const direct = this.rates.get(fromAssetId);
    if (direct === undefined) return null;
    const rate = direct.get(toAssetId);
    if (rate !== undefined) return rate;
    for (const bridgeId of [...direct.keys()].sort((a, b) => a - b)) {
      const there = direct.get(bridgeId);
      const on = this.rates.get(bridgeId)?.get(toAssetId);
      if (there === undefined || on === undefined) continue;
      return { numerator: there.numerator * on.numerator, denominator: there.denominator * on.denominator };
    }
    return null;
  }

  private put(fromAssetId: number, toAssetId: number, rate: Rate): void {
    const rates = this.rates.get(fromAssetId);
    if (rates === undefined) this.rates.set(fromAssetId, new Map([[toAssetId, rate]]));
    else if (!rates.has(toAssetId)) rates.set(toAssetId, rate);
  }
}
