/** Exact value of one asset in another at the last prices. */
import type { Market } from "../../state/market/market.ts";
import { powerOfTen } from "../../number/decimal.ts";
import type { ExchangeState } from "../../state/exchange-state.ts";

/** Units of the target asset for one unit of the source asset: `numerator / denominator`. */
export interface Rate {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const ONE: Rate = { numerator: 1n, denominator: 1n };

/** The direct rate, or one by way of the first listed asset that has prices to both; null without prices. */
export function rateAtLastPrices(state: ExchangeState, fromAssetId: number, toAssetId: number): Rate | null {
  if (fromAssetId === toAssetId) return ONE;
  const direct = priceOf(state, fromAssetId, toAssetId);
  if (direct !== null) return direct;
  const bridges = new Set(state.marketsOf(fromAssetId).map((market) => otherAsset(market, fromAssetId)));
  for (const bridgeId of [...bridges].sort((a, b) => a - b)) {
    const there = priceOf(state, fromAssetId, bridgeId);
    const on = there && priceOf(state, bridgeId, toAssetId);
    if (there === null || on === null) continue;
    return { numerator: there.numerator * on.numerator, denominator: there.denominator * on.denominator };
  }
  return null;
}

/** The price of the pair itself. If several symbols have the pair, the first listed that has traded counts. */
function priceOf(state: ExchangeState, fromAssetId: number, toAssetId: number): Rate | null {
  const [ofOne, ofOther] = [state.marketsOf(fromAssetId), state.marketsOf(toAssetId)];
  // An asset in which everything is quoted has hundreds of markets.
  const [markets, assetId, wanted] =
    ofOne.length <= ofOther.length ? [ofOne, fromAssetId, toAssetId] : [ofOther, toAssetId, fromAssetId];
  const market = markets.find((each) => each.lastTradeTicks !== 0 && otherAsset(each, assetId) === wanted);
  if (market === undefined) return null;
  const { lastTradeTicks, scale, baseAssetId, quoteAssetId } = market;
  const [base, quote] = [state.assetOf(baseAssetId).spec, state.assetOf(quoteAssetId).spec];
  const units = BigInt(lastTradeTicks) * powerOfTen(quote.precision);
  const perUnits = powerOfTen(base.precision + scale.priceDecimals);
  return fromAssetId === baseAssetId
    ? { numerator: units, denominator: perUnits }
    : { numerator: perUnits, denominator: units };
}

function otherAsset({ baseAssetId, quoteAssetId }: Market, assetId: number): number {
  return assetId === baseAssetId ? quoteAssetId : baseAssetId;
}
