/** Finds a symbol by its name, for all routes that name one. */
import type { EngineView, MarketView } from "@pricetime/engine";
import { unknownName } from "./known-names.ts";

/** Throws `AdminRefusal` 404 that says which there are. */
export function findMarket(view: EngineView, symbol: string | undefined): MarketView {
  const market = symbol === undefined ? undefined : view.marketBySymbol(symbol);
  if (market === undefined) {
    const known = view.markets().map(({ spec }) => spec.symbol);
    throw unknownName("UNKNOWN_SYMBOL", "symbol", symbol ?? "", known);
  }
  return market;
}
