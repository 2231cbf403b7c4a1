/** Klines in the format of the interface, and sums of their decimals. Interface 2.6. */
import type { Kline } from "@pricetime/protocol";
import { formatDecimal, parseDecimal, WIRE_PLACES } from "@pricetime/engine";

/**
 * closeTimeMs is the next open time - 1. Intervals without trades are filled in, starting at the symbol's first kline.
 */
export interface KlineRow {
  readonly openTimeMs: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  readonly closeTimeMs: number;
  readonly quoteVolume: string;
  readonly count: number;
  readonly takerBuyBase: string;
  readonly takerBuyQuote: string;
  /** The part of `count` before the symbol's first trade, which has no trade ids. */
  readonly pastCount: number;
}

export function klineShape(row: KlineRow): Kline {
  return [
    ...([row.openTimeMs, row.open, row.high, row.low, row.close, row.volume] as const),
    ...([row.closeTimeMs, row.quoteVolume, row.count, row.takerBuyBase, row.takerBuyQuote, "0"] as const),
  ];
}

// Backfilled klines may have finer units than the symbol. A kline that combines them with trades is summed in decimals,
// which are exact for any units.

export type KlineDecimals = Omit<KlineRow, "openTimeMs" | "closeTimeMs" | "count" | "pastCount">;

const NOTHING = formatDecimal(0n, WIRE_PLACES);

/** The sum of two klines of one interval. Other fields are dropped. */
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

/** A kline without trades, which repeats the previous price. */
export function quietKlineDecimals(price: string): KlineDecimals {
  const amounts = { volume: NOTHING, quoteVolume: NOTHING, takerBuyBase: NOTHING, takerBuyQuote: NOTHING };
  return { open: price, high: price, low: price, close: price, ...amounts };
}

function sum(a: string, b: string): string {
  return formatDecimal(unitsOf(a) + unitsOf(b), WIRE_PLACES);
}

/** Throws on a malformed amount; history contains none. */
function unitsOf(text: string): bigint {
  const units = parseDecimal(text, WIRE_PLACES);
  if (units === null) throw new TypeError(`history gave an amount that is none: ${text}`);
  return units;
}
