/** The order book. Interface 2.6. Written by hand: it is asked for often, and is long. */
import { fromScale } from "@pricetime/engine";
import type { DepthLevel, MarketView } from "@pricetime/engine";
import type { Call } from "../call.ts";
import { marketOf, ofStatus } from "./markets.ts";

export function levelsJson(market: MarketView, levels: readonly DepthLevel[]): string {
  const { priceDecimals, quantityDecimals } = market.scale;
  let json = "[";
  for (const [priceTicks, lots] of levels) {
    if (json.length > 1) json += ",";
    json += `["${fromScale(priceTicks, priceDecimals)}","${fromScale(lots, quantityDecimals)}"]`;
  }
  return `${json}]`;
}

export function depth(call: Call): string {
  const market = ofStatus(marketOf(call), call.optionalText("symbolStatus"));
  const limit = call.limit();
  const bids = levelsJson(market, market.bids(limit));
  return `{"lastUpdateId":${market.bookUpdateId},"bids":${bids},"asks":${levelsJson(market, market.asks(limit))}}`;
}
