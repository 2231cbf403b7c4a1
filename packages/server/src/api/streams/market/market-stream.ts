/** Streams of one market: their interface, context and names. Interface 10.1, 10.3. */
import { KLINE_INTERVALS, type KlineInterval, timeZoneOffset, type VenueInterface } from "@pricetime/protocol";
import type { EngineView, MarketView, Side, Trade } from "@pricetime/engine";
import type { History } from "../../../history/port.ts";
import type { SavedState, Saves, Timers } from "../../../platform/world/port.ts";
import type { Turns } from "../../answers/long-list.ts";
import type { GatewayLog } from "../../options.ts";
import type { Publisher } from "../port.ts";

// Names of market streams: the symbol in lower case, the rest exactly as written here. Interface 10.1, 10.3.

/** The kinds of streams of one market. */
export type StreamKind =
  | { readonly kind: "trade" | "aggTrade" | "miniTicker" | "ticker" | "bookTicker" | "avgPrice" | "referencePrice" }
  | { readonly kind: "windowTicker"; readonly size: WindowSize }
  | { readonly kind: "kline"; readonly interval: KlineInterval; readonly offsetMs: number }
  | { readonly kind: "depth"; readonly periodMs: Period }
  | { readonly kind: "partialDepth"; readonly levels: number; readonly periodMs: Period };

/** Windows of tickers that have streams. */
const WINDOW_SIZES = ["1h", "4h", "1d"] as const;
export type WindowSize = (typeof WINDOW_SIZES)[number];

/** The period of a stream that merges changes, in milliseconds. */
export type Period = 100 | 1000;

export interface MarketStreamName {
  /** The symbol in upper case, as listed. */
  readonly symbol: string;
  readonly stream: StreamKind;
}

/** The period in milliseconds of a stream with the tickers of all markets. */
export type ArrayPeriod = 1000 | 3000;

type AllMarketsKind =
  | { readonly kind: "bookTicker" }
  | { readonly kind: "windowTicker"; readonly size: WindowSize }
  | { readonly kind: "miniTicker" | "ticker"; readonly periodMs: ArrayPeriod };

/** Streams of all markets by name. python-binance requests `!miniTicker@arr@3000ms`. */
export const ALL_MARKETS = {
  "!bookTicker": { kind: "bookTicker" },
  "!miniTicker@arr": { kind: "miniTicker", periodMs: 1000 },
  "!miniTicker@arr@1000ms": { kind: "miniTicker", periodMs: 1000 },
  "!miniTicker@arr@3000ms": { kind: "miniTicker", periodMs: 3000 },
  "!ticker@arr": { kind: "ticker", periodMs: 1000 },
  "!ticker@arr@1000ms": { kind: "ticker", periodMs: 1000 },
  "!ticker@arr@3000ms": { kind: "ticker", periodMs: 3000 },
  "!ticker_1h@arr": { kind: "windowTicker", size: "1h" },
  "!ticker_4h@arr": { kind: "windowTicker", size: "4h" },
  "!ticker_1d@arr": { kind: "windowTicker", size: "1d" },
} as const satisfies Record<string, AllMarketsKind>;
export type AllMarketsName = keyof typeof ALL_MARKETS;

export function isAllMarkets(name: string): name is AllMarketsName {
  return Object.hasOwn(ALL_MARKETS, name);
}

/** `@1000ms` is the default period; `@binance/connector` sends it explicitly. */
const DEPTH = /^depth(5|10|20)?(@100ms|@1000ms)?$/;
const KLINE = "kline_";
/** The only time zone of streams besides UTC. */
const KLINE_ZONE = "@+08:00";

/** Returns null if no market can have a stream of this name. */
export function readStreamName(name: string): MarketStreamName | null {
  const at = name.indexOf("@");
  if (at <= 0) return null;
  const written = name.slice(0, at);
  const symbol = written.toUpperCase();
  const stream = readKind(name.slice(at + 1));
  // Converting to upper case and back must give the same letters. This rejects letters that share their upper case form
  // with another (`\u017f`, the long s).
  if (stream === null || symbol.toLowerCase() !== written) return null;
  return { symbol, stream };
}

function readKind(text: string): StreamKind | null {
  switch (text) {
    case "trade":
    case "aggTrade":
    case "miniTicker":
    case "ticker":
    case "bookTicker":
    case "avgPrice":
    case "referencePrice":
      return { kind: text };
  }
  const size = WINDOW_SIZES.find((each) => text === `ticker_${each}`);
  if (size !== undefined) return { kind: "windowTicker", size };
  if (text.startsWith(KLINE)) {
    const isZoned = text.endsWith(KLINE_ZONE);
    const name = text.slice(KLINE.length, isZoned ? -KLINE_ZONE.length : undefined);
    const interval = KLINE_INTERVALS.find((known) => known === name);
    const offsetMs = isZoned ? (timeZoneOffset(KLINE_ZONE.slice(1)) ?? 0) : 0;
    return interval === undefined ? null : { kind: "kline", interval, offsetMs };
  }
  const depth = DEPTH.exec(text);
  if (depth === null) return null;
  const periodMs = depth[2] === "@100ms" ? 100 : 1000;
  return depth[1] === undefined
    ? { kind: "depth", periodMs }
    : { kind: "partialDepth", levels: Number(depth[1]), periodMs };
}

export interface MarketStream {
  trade?(trade: Trade): void;
  /** Called when orders resting at a price may have changed. */
  touched?(side: Side, priceTicks: number): void;
  /** Called when candles from before the symbol's first trade were added. */
  historyAdded?(): void;
  /** Called when all events of an entry that changed the market were passed on. `timeMs` is the entry's time. */
  entryDone?(timeMs: number): void;
  /** Called every `periodMs`. */
  flush?(): void;
  readonly periodMs?: number;
  /** Called when a subscriber was added. */
  joined?(): void;
  /** Called when the last subscriber was removed. */
  close?(): void;
}

export interface MarketContext {
  readonly engine: EngineView;
  readonly venueInterface: VenueInterface;
  readonly history: History;
  readonly publisher: Publisher;
  /** Generates the messages about all markets in pieces. */
  readonly turns: Turns;
  readonly log: GatewayLog;
  readonly world: Timers & Saves;
  /** The current time of the exchange. */
  nowMs(): number;
  /** The time before which no future entry can be. */
  settledMs(): number;
}

/** The context of a single stream. */
export interface StreamPlace extends MarketContext {
  readonly name: string;
  readonly market: MarketView;
  /** The saved states of open streams, each under its stream's name. */
  readonly saved: SavedState;
}
