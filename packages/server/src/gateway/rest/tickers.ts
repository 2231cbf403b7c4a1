/** Average price and tickers, from the engine's memory. Interface 4.1. */
import type { MarketView } from "@pricetime/engine";
import type { Call } from "../call.ts";
import { averageText } from "./amounts.ts";
import { marketOf, marketsOf } from "./markets.ts";
import { bookTickerShape, dayTickerShape, miniTickerShape, priceTickerShape } from "./ticker-shape.ts";

/** Interface 2.8, the average price rule. */
const AVERAGE_PRICE_MINS = 5;

export function averagePrice(call: Call): string {
  const market = marketOf(call);
  const average = market.averagePrice(AVERAGE_PRICE_MINS, call.nowMs);
  return `{"mins":${AVERAGE_PRICE_MINS},"price":"${averageText(market, average)}"}`;
}

/** One object for `symbol`, an array for `symbols` or neither. */
function oneOrMany(call: Call, shape: (market: MarketView) => object): string {
  const asked = marketsOf(call) ?? call.venue.engine.markets();
  return JSON.stringify("length" in asked ? asked.map(shape) : shape(asked));
}

export function dayTickers(call: Call): string {
  const shape = call.optionalText("type") === "MINI" ? miniTickerShape : dayTickerShape;
  return oneOrMany(call, (market) => shape(call.venue.engine, market, call.nowMs));
}

export function priceTickers(call: Call): string {
  return oneOrMany(call, priceTickerShape);
}

export function bookTickers(call: Call): string {
  return oneOrMany(call, bookTickerShape);
}

export function allPrices(call: Call): string {
  return JSON.stringify(call.venue.engine.markets().map(priceTickerShape));
}

export function allBookTickers(call: Call): string {
  return JSON.stringify(call.venue.engine.markets().map(bookTickerShape));
}
