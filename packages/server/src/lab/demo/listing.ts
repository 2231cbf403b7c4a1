/** The demo's listing, merged with the configuration's. */
import type { AssetSpec, EngineView, SymbolSpec } from "@pricetime/engine";
import { DEMO_ASSETS } from "./assets.ts";
import { DEMO_MARKETS, type DemoMarket } from "./markets.ts";

export interface Listing {
  readonly assets: readonly AssetSpec[];
  readonly symbols: readonly SymbolSpec[];
}

/**
 * Merges the demo's listing with the configuration's, which wins where both name the same. A symbol of the demo is left
 * out when an asset of it is listed with other decimals: `listed` are the assets that exist already.
 */
export function demoListing(configured: Listing, listed: readonly AssetSpec[] = []): Listing {
  const own = DEMO_ASSETS.map(({ spec }) => spec);
  const assets = new Map([...own, ...configured.assets].map((spec) => [spec.asset, spec]));
  const decimals = new Map([...assets.values(), ...listed].map(({ asset, precision }) => [asset, precision]));
  const isOwn = (name: string): boolean =>
    own.some((spec) => spec.asset === name && decimals.get(name) === spec.precision);
  const markets = DEMO_MARKETS.filter(({ spec }) => isOwn(spec.baseAsset) && isOwn(spec.quoteAsset));
  const symbols = new Map(
    [...markets.map(({ spec }) => spec), ...configured.symbols].map((spec) => [spec.symbol, spec]),
  );
  return { assets: [...assets.values()], symbols: [...symbols.values()] };
}

/** Returns the demo's symbols as listed now, without those that an operator has changed. */
export function liveMarkets(view: EngineView): DemoMarket[] {
  return DEMO_MARKETS.flatMap((market) => {
    const { symbol, baseAsset, quoteAsset } = market.spec;
    const live = view.marketBySymbol(symbol)?.spec;
    const isSame = live?.baseAsset === baseAsset && live.quoteAsset === quoteAsset;
    return isSame ? [{ ...market, spec: live }] : [];
  });
}

/** Returns whether orders on a symbol are accepted now. */
export function isTrading(view: EngineView, symbol: string): boolean {
  return view.marketBySymbol(symbol)?.spec.status === "TRADING" && !view.isInMaintenance;
}
