/**
 * Prices and amounts of a candle as decimals of the wire. Candles of before a symbol's first trade may be finer than its
 * units, so a candle that holds some of them and trades as well is added up here: exactly, whatever the units of both.
 */
import { formatDecimal, parseDecimal, WIRE_PLACES } from "@pricetime/engine";
import type { KlineRow } from "./rows.ts";

export type KlineDecimals = Pick<
  KlineRow,
  "open" | "high" | "low" | "close" | "volume" | "quoteVolume" | "takerBuyBase" | "takerBuyQuote"
>;

const NOTHING = formatDecimal(0n, WIRE_PLACES);

/** The sum of two candles of one interval; copies no other fields. */
export function addKlineDecimals(earlier: KlineDecimals, later: KlineDecimals): KlineDecimals {
  return {
    open: earlier.open,
    high: unitsOf(later.high) > unitsOf(earlier.high) ? later.high : earlier.high,
    low: unitsOf(later.low) < unitsOf(earlier.low) ? later.low : earlier.low,
    close: later.close,
    volume: sum(earlier.volume, later.volume),
    quoteVolume: sum(earlier.quoteVolume, later.quoteVolume),
    takerBuyBase: sum(earlier.takerBuyBase, later.takerBuyBase),
    takerBuyQuote: sum(earlier.takerBuyQuote, later.takerBuyQuote),
  };
}

/** A candle without a trade: it repeats the price of the one before. */
export function quietKlineDecimals(price: string): KlineDecimals {
  const amounts = { volume: NOTHING, quoteVolume: NOTHING, takerBuyBase: NOTHING, takerBuyQuote: NOTHING };
  return { open: price, high: price, low: price, close: price, ...amounts };
}

function sum(a: string, b: string): string {
  return formatDecimal(unitsOf(a) + unitsOf(b), WIRE_PLACES);
}

/** Throws on what no history gives: a text that is no decimal of the wire. */
function unitsOf(text: string): bigint {
  const units = parseDecimal(text, WIRE_PLACES);
  if (units === null) throw new TypeError(`history gave an amount that is none: ${text}`);
  return units;
}
