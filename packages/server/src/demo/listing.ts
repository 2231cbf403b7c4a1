/** What the demo lists, beside what the configuration does. */
import type { AssetSpec, EngineView, SymbolSpec } from "@pricetime/engine";
import { DEMO_ASSETS } from "./assets.ts";
import { DEMO_MARKETS, type DemoMarket } from "./markets.ts";

export interface Listing {
  readonly assets: readonly AssetSpec[];
  readonly symbols: readonly SymbolSpec[];
}

/**
 * What the demo lists together with what the configuration lists, which wins where both name the same. A symbol of the
 * demo whose assets are listed with other decimals is left out: `listed` are the assets that are there already.
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

/** The demo's symbols as they are listed now; without those that an operator has listed otherwise. */
export function liveMarkets(view: EngineView): DemoMarket[] {
  return DEMO_MARKETS.flatMap((market) => {
    const { symbol, baseAsset, quoteAsset } = market.spec;
    const live = view.marketBySymbol(symbol)?.spec;
    const isSame = live?.baseAsset === baseAsset && live.quoteAsset === quoteAsset;
    return isSame ? [{ ...market, spec: live }] : [];
  });
}

/** Whether orders on a symbol are taken now. */
export function isTrading(view: EngineView, symbol: string): boolean {
  return view.marketBySymbol(symbol)?.spec.status === "TRADING" && !view.isInMaintenance;
}
