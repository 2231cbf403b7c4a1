/** Levels of the order book as JSON. Interface 2.6. Written by hand, because they are frequent and many. */
import { fromScale } from "@pricetime/engine";
import type { DepthLevel, MarketView } from "@pricetime/engine";

type WriteLevel = (level: DepthLevel) => string;

/** Writes one level of a market as JSON. */
export function levelWriter(market: MarketView): WriteLevel {
  const { priceDecimals, quantityDecimals } = market.scale;
  return ([priceTicks, lots]) => `["${fromScale(priceTicks, priceDecimals)}","${fromScale(lots, quantityDecimals)}"]`;
}

export function levelsJson(market: MarketView, levels: readonly DepthLevel[]): string {
  const write = levelWriter(market);
  let json = "[";
  for (const level of levels) json += json.length > 1 ? `,${write(level)}` : write(level);
  return `${json}]`;
}
