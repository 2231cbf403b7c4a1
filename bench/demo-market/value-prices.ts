/** What a symbol of the demo is worth, second by second, without books or orders: its bots' prices keep to it. */
import { AssetValues, DEMO_MARKETS, walkingAssets } from "@pricetime/server/demo";

const SECOND_MS = 1000;

export function valuePrices(symbol: string, seed: number, fromMs: number, seconds: number): number[] {
  const market = DEMO_MARKETS.find(({ spec }) => spec.symbol === symbol);
  if (market === undefined) throw new Error(`${symbol} is not of the demo`);
  const values = new AssetValues(walkingAssets([{ market }]), seed, SECOND_MS);
  return Array.from({ length: seconds }, (_, second) => {
    values.step(fromMs + second * SECOND_MS);
    return values.price(market.spec.baseAsset, market.spec.quoteAsset);
  });
}
