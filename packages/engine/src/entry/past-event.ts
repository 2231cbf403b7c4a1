import type { CandleScale, PastCandle, PastInterval } from "./past-candle.ts";
import type { GeneratedPast } from "./generated-past.ts";

/** The symbol has a past; whoever needs it generates it from these numbers (`generatePast`). */
export interface PastAdded {
  readonly type: "pastAdded";
  readonly symbolId: number;
  readonly past: GeneratedPast;
}
/** Candles from before the symbol's first trade, in order of time. */
export interface KlinesImported {
  readonly type: "klinesImported";
  readonly symbolId: number;
  readonly interval: PastInterval;
  /** The units of the candles; absent: those of the symbol, as before rules version 4. */
  readonly scale?: CandleScale;
  readonly candles: readonly PastCandle[];
}

export type PastEvent = PastAdded | KlinesImported;
