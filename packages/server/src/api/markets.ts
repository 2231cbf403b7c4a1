/** Finds the markets of the symbols that a client names. */
import type { EngineView, MarketView } from "@pricetime/engine";
import { INVALID_SYMBOL, OTHER_SYMBOL_STATUS } from "@pricetime/protocol";
import type { Names } from "../history/shapes/names.ts";
import type { Call } from "./call.ts";
import { Refused } from "./edge/refusals.ts";

function marketNamed(engine: EngineView, symbol: string): MarketView {
  const market = engine.marketBySymbol(symbol);
  if (market === undefined) throw new Refused(INVALID_SYMBOL);
  return market;
}

/** The market of the mandatory `symbol`. */
export function marketOf(call: Call): MarketView {
  return marketNamed(call.venue.engine, call.text("symbol"));
}

/** The market of `symbol`; those of `symbols`, in their order; undefined without either. Only with `symbolStatus`. */
export function marketsOf(call: Call): MarketView | readonly MarketView[] | undefined {
  const { engine } = call.venue;
  const status = call.optionalText("symbolStatus");
  const symbol = call.optionalText("symbol");
  if (symbol !== undefined) return ofStatus(marketNamed(engine, symbol), status);
  const named = call.symbols()?.map((name) => marketNamed(engine, name));
  if (status === undefined) return named;
  return (named ?? engine.markets()).filter(({ spec }) => spec.status === status);
}

/** Refuses a single market whose status is not the one asked for. */
export function ofStatus(market: MarketView, status: string | undefined): MarketView {
  if (status !== undefined && market.spec.status !== status) throw new Refused(OTHER_SYMBOL_STATUS);
  return market;
}

/** Names from the engine in its present state: not to be kept across a wait. */
export function namesOf(engine: EngineView): Names {
  return {
    symbol: (symbolId) => engine.market(symbolId).spec.symbol,
    asset: (assetId) => engine.asset(assetId).spec.asset,
  };
}
