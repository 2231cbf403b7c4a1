/** The node's public data, as panels use it. Panels only read it. */
import type { ReadonlySignal } from "@preact/signals";
import type { KlineInterval, MiniTicker, SymbolInfo } from "@pricetime/protocol";

/** `stale`: the data was valid until the connection was lost. It is shown dimmed and not called live. */
export type Freshness = "loading" | "live" | "stale";

/** One symbol's rules, from exchangeInfo (Interface 2.1). */
export interface Market
  extends Pick<SymbolInfo, "symbol" | "baseAsset" | "quoteAsset" | "icebergAllowed" | "ocoAllowed" | "delistTime"> {
  readonly status: string;
  readonly orderTypes: readonly string[];
  /** The decimal places of a price, a quantity and an amount of the quote asset. */
  readonly priceDigits: number;
  readonly quantityDigits: number;
  readonly quoteDigits: number;
  /** The steps of price and quantity, as in the filters; "0" if there is none. */
  readonly tickSize: string;
  readonly stepSize: string;
  readonly filters: readonly MarketFilter[];
}

/** As sent: `filterType` and its fields, with all decimals as strings. */
export type MarketFilter = { readonly filterType: string } & Readonly<Record<string, string | number | boolean>>;

/** Decimals are strings, as sent by the node. */
export interface Ticker extends Omit<MiniTicker, "openTime" | "closeTime" | "firstId" | "lastId" | "count"> {
  /** The direction of the last price change: 1 up, -1 down, 0 none yet. */
  readonly direction: -1 | 0 | 1;
}

/** Prices and quantities are integers: units of the market's last digit (`priceDigits`, `quantityDigits`). */
export interface Level {
  readonly price: number;
  readonly quantity: number;
}

/** A book at one point in time, best level first. The best bid is always below the best ask. */
export interface Book {
  readonly symbol: string;
  readonly lastUpdateId: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly freshness: Freshness;
  /** The last time at which this was current, by the machine's clock. */
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

/** Floating-point numbers, for drawing only. */
export interface Candle {
  readonly openTimeMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** One of `KLINE_INTERVALS`. */
export type Interval = KlineInterval;

/** The most candles of one page. */
export const PAGE_CANDLES = 1_000;

/** Candles of one market and interval. `close` ends the subscription. */
export interface CandleFeed {
  /**
   * The newest candle as it changes; null if none yet. After a gap, `reset` grows, and all pages must be fetched again.
   */
  readonly newest: ReadonlySignal<Candle | null>;
  readonly reset: ReadonlySignal<number>;
  /**
   * Up to `PAGE_CANDLES` candles before this time, oldest first. Fewer means that there are no older ones. Rejects with
   * a `Refusal`.
   */
  before(timeMs: number | null): Promise<readonly Candle[]>;
  close(): void;
}

/** `down`: refused or disconnected. The connection is retried automatically. */
export type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "live" }
  | { readonly state: "down"; readonly sinceMs: number; readonly reason: string };

/** The number of items before the first for which `isBefore` is false, by binary search: no later one may be true. */
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
