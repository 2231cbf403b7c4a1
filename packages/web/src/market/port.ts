/** Types of the node's public market data, which panels read. */
import type { ReadonlySignal } from "@preact/signals";
import type { StepOrigin } from "@pricetime/engine/numbers";
import type { MiniTicker, StoredInterval, SymbolInfo } from "@pricetime/protocol";

/** `stale`: the data is from before the connection was lost, and is shown dimmed. */
export type Freshness = "loading" | "live" | "stale";

/** The rules of a symbol, from exchangeInfo (Interface 2.1). */
export interface Market
  extends Pick<
    SymbolInfo,
    | "symbol"
    | "baseAsset"
    | "quoteAsset"
    | "icebergAllowed"
    | "ocoAllowed"
    | "otoAllowed"
    | "opoAllowed"
    | "allowTrailingStop"
    | "pegInstructionsAllowed"
    | "defaultSelfTradePreventionMode"
    | "allowedSelfTradePreventionModes"
    | "delistTime"
  > {
  readonly status: string;
  readonly orderTypes: readonly string[];
  /** Decimal places of prices, of quantities, and of amounts of the quote asset. */
  readonly priceDigits: number;
  readonly quantityDigits: number;
  readonly quoteDigits: number;
  /** The price step and quantity step of the filters; "0" if there is no step. */
  readonly tickSize: string;
  readonly stepSize: string;
  readonly filters: readonly MarketFilter[];
  /** Where the steps of the filters are counted from, by the interface of the venue. */
  readonly stepOrigin: StepOrigin;
}

/** A filter as sent by the node: `filterType` and its fields. Decimals are strings. */
export type MarketFilter = { readonly filterType: string } & Readonly<Record<string, string | number | boolean>>;

/** A 24-hour ticker. Decimals are strings, as sent by the node. */
export type Ticker = Omit<MiniTicker, "openTime" | "closeTime" | "firstId" | "lastId" | "count">;

/**
 * A level of the book. Price and quantity are integers in units of the market's last digit (`priceDigits`,
 * `quantityDigits`).
 */
export interface Level {
  readonly price: number;
  readonly quantity: number;
}

/** A book at one point in time, best levels first. The best bid is always below the best ask. */
export interface Book {
  readonly symbol: string;
  readonly lastUpdateId: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly freshness: Freshness;
  /** When this book was last current, by this machine's clock. */
  readonly atMs: number;
}

/** A public trade. */
export interface Print {
  readonly tradeId: number;
  readonly price: string;
  readonly quantity: string;
  readonly timeMs: number;
  readonly buyerIsMaker: boolean;
}

/** A candle. Its values are floating-point numbers, for drawing only. */
export interface Candle {
  readonly openTimeMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** A candle interval: one of `STORED_INTERVALS`. */
export type Interval = StoredInterval;

/** Maximum number of candles per page. */
export const PAGE_CANDLES = 1_000;

/** Candles of one market and interval. `close` ends the subscription. */
export interface CandleFeed {
  /**
   * The newest candle, updated as it changes; null if there is none yet. After a gap in the stream, `reset` increases,
   * and all pages must be fetched again.
   */
  readonly newest: ReadonlySignal<Candle | null>;
  readonly reset: ReadonlySignal<number>;
  /**
   * Fetches up to `PAGE_CANDLES` candles before a time, oldest first; null means the newest. If there are fewer, no
   * older candles exist. Rejects with a `Refusal`.
   */
  before(timeMs: number | null): Promise<readonly Candle[]>;
  close(): void;
}

/** `down`: the connection was refused or lost. It is retried automatically. */
export type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "live" }
  | { readonly state: "down"; readonly sinceMs: number; readonly reason: string };

/** The number of leading items for which `isBefore` is true, by binary search. It must be false for all later items. */
export function countBefore<Item>(items: readonly Item[], isBefore: (item: Item) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(items[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
