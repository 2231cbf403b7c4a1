/** From the symbols that a client names to markets. */
import type { EngineView, MarketView } from "@pricetime/engine";
import { INVALID_SYMBOL, OTHER_SYMBOL_STATUS } from "@pricetime/protocol";
import type { Names } from "../shapes/names.ts";
import type { Call } from "./call.ts";
import { Refused } from "../edge/refusals.ts";

function marketNamed(engine: EngineView, symbol: string): MarketView {
  const market = engine.marketBySymbol(symbol);
  if (market === undefined) throw new Refused(INVALID_SYMBOL);
  return market;
}

/** Of the mandatory `symbol`. */
export function marketOf(call: Call): MarketView {
  return marketNamed(call.venue.engine, call.text("symbol"));
}

/** `symbol`: that one; `symbols`: those, in the order named; neither: undefined. Only those of `symbolStatus`. */
export function marketsOf(call: Call): MarketView | readonly MarketView[] | undefined {
  const { engine } = call.venue;
  const status = call.optionalText("symbolStatus");
  const symbol = call.optionalText("symbol");
  if (symbol !== undefined) return ofStatus(marketNamed(engine, symbol), status);
  const named = call.symbols()?.map((name) => marketNamed(engine, name));
  if (status === undefined) return named;
  return (named ?? engine.markets()).filter(({ spec }) => spec.status === status);
}

/** Of a single one another status than the one asked for is a mistake. */
export function ofStatus(market: MarketView, status: string | undefined): MarketView {
  if (status !== undefined && market.spec.status !== status) throw new Refused(OTHER_SYMBOL_STATUS);
  return market;
}

/** Of the engine as it stands: not to be kept across a wait. */
export function namesOf(engine: EngineView): Names {
  return {
    symbol: (symbolId) => engine.market(symbolId).spec.symbol,
    asset: (assetId) => engine.asset(assetId).spec.asset,
  };
}
