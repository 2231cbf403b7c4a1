/** The node's public data, as panels see it. Panels draw these values and change none of them. */
import type { ReadonlySignal } from "@preact/signals";
import type { KlineInterval } from "@pricetime/protocol";

/** `stale`: what is shown was true until the connection was lost; it is dimmed, and nothing of it is called live. */
export type Freshness = "loading" | "live" | "stale";

/** One symbol's rules, from exchangeInfo (Interface 2.1). */
export interface Market {
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly status: string;
  readonly orderTypes: readonly string[];
  readonly icebergAllowed: boolean;
  readonly ocoAllowed: boolean;
  /** When it stops trading for good, ms; absent where no delisting is announced. */
  readonly delistTime?: number;
  /** Digits behind the point that a price, a quantity and an amount of the quote asset have. */
  readonly priceDigits: number;
  readonly quantityDigits: number;
  readonly quoteDigits: number;
  /** The price's step and the quantity's, as the filters say them; "0": none. */
  readonly tickSize: string;
  readonly stepSize: string;
  readonly filters: readonly MarketFilter[];
}

/** As sent: `filterType` and its fields, all decimals as text. */
export type MarketFilter = { readonly filterType: string } & Readonly<Record<string, string | number | boolean>>;

/** Decimals as sent. */
export interface Ticker {
  readonly symbol: string;
  readonly lastPrice: string;
  readonly openPrice: string;
  readonly highPrice: string;
  readonly lowPrice: string;
  readonly volume: string;
  readonly quoteVolume: string;
  /** Which way the price went last: 1 up, -1 down, 0 none yet. */
  readonly direction: -1 | 0 | 1;
}

/** Prices and quantities are integers: units of the market's last digit (`priceDigits`, `quantityDigits`). */
export interface Level {
  readonly price: number;
  readonly quantity: number;
}

/** One moment of a book. The best level is first. Best bid < best ask, always. */
export interface Book {
  readonly symbol: string;
  readonly lastUpdateId: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly freshness: Freshness;
  /** When this was last true, by the machine's clock. */
  readonly atMs: number;
}

/** A trade of the tape. */
export interface Print {
  readonly tradeId: number;
  readonly price: string;
  readonly quantity: string;
  readonly timeMs: number;
  readonly buyerIsMaker: boolean;
}

/** Numbers are for drawing only. */
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

/** Candles of one market and interval; `close` ends its subscription. */
export interface CandleFeed {
  /** The newest candle as it changes; null: none yet. After a gap `reset` counts up, and all pages are to be asked again. */
  readonly newest: ReadonlySignal<Candle | null>;
  readonly reset: ReadonlySignal<number>;
  /** Up to `PAGE_CANDLES` before this time, oldest first; fewer: there are no more. Rejects with a `Refusal`. */
  before(timeMs: number | null): Promise<readonly Candle[]>;
  close(): void;
}

/** `down`: refused or cut off; it is tried again by itself. */
export type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "live" }
  | { readonly state: "down"; readonly sinceMs: number; readonly reason: string };

export interface Feed {
  readonly connection: ReadonlySignal<Connection>;
  /** While the node refuses all requests of this address (429, 418): until when, by the machine's clock; null: it does not. */
  readonly blockedUntilMs: ReadonlySignal<number | null>;
  /** Why the last fetch of market data failed, in words; it is tried again by itself. Null: it did not. */
  readonly failure: ReadonlySignal<string | null>;
  /** The average price that filters of the looked-at market compare with, half a minute old at most; null: not known. */
  readonly averagePrice: ReadonlySignal<string | null>;
  /** The node's clock less this machine's, in milliseconds; null: not known yet. */
  readonly clockOffsetMs: ReadonlySignal<number | null>;
  readonly markets: ReadonlySignal<ReadonlyMap<string, Market>>;
  readonly tickers: ReadonlySignal<ReadonlyMap<string, Ticker>>;
  /** The market that is looked at; null before the first answer, or where none is listed. */
  readonly market: ReadonlySignal<Market | null>;
  /** The book of that market. A new market begins with empty ones, `loading`. */
  readonly book: ReadonlySignal<Book>;
  /** Newest first, at most 200. */
  readonly prints: ReadonlySignal<readonly Print[]>;
  select(symbol: string): void;
  /** Rules and statuses of markets are asked for now: somebody has changed them. */
  refresh(): void;
  candles(symbol: string, interval: Interval): CandleFeed;
  /** Ends all of its subscriptions. */
  close(): void;
}
