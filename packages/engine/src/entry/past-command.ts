/** Operators' commands that give a symbol a past: candles from before its first trade. docs/decisions/0025, 0026 */
import type { PastInterval } from "./past-candle.ts";
import type { PastAsset } from "./generated-past.ts";

/** Generates candles from these numbers. Only for a symbol without trades and without a past. */
export interface AddPast {
  readonly type: "addPast";
  readonly by: string;
  readonly symbol: string;
  /** Version of the generator. A newer one comes with a new edition of the rules, so that no older release reads it. */
  readonly generator: number;
  readonly seed: number;
  /** End of the last candle: a whole minute, not later than the entry. */
  readonly endMs: number;
  /** The last close, a decimal on the symbol's tick. */
  readonly endPrice: string;
  /** Base asset traded on an average day, a decimal on the symbol's step. */
  readonly dayVolume: string;
  readonly dayTrades: number;
  readonly base: Omit<PastAsset, "asset">;
  readonly quote: Omit<PastAsset, "asset">;
}

/** One candle as in the interface: prices, volume, quote volume and takers' purchases of both are decimals. */
export type ImportedCandle = readonly [
  openTimeMs: number,
  open: string,
  high: string,
  low: string,
  close: string,
  volume: string,
  quoteVolume: string,
  count: number,
  takerBuyVolume: string,
  takerBuyQuoteVolume: string,
];

/** Recorded candles in order of time, after the existing ones and before the symbol's first trade. */
export interface ImportKlines {
  readonly type: "importKlines";
  readonly by: string;
  readonly symbol: string;
  readonly interval: PastInterval;
  readonly candles: readonly ImportedCandle[];
}

export type PastCommand = AddPast | ImportKlines;
