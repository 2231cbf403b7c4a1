/** Streams of one market: their interface and context, and their names. Interface 10.1, 10.3. */
import { KLINE_INTERVALS, type KlineInterval } from "@pricetime/protocol";
import type { EngineView, MarketView, Side, Trade } from "@pricetime/engine";
import type { History } from "../../../history/port.ts";
import type { SavedState, Saves, Timers } from "../../../platform/world/port.ts";
import type { Turns } from "../../answers/long-list.ts";
import type { GatewayLog } from "../../options.ts";
import type { Publisher } from "../port.ts";

// Names of market streams: the symbol in lower case, the rest exactly as here. Interface 10.1, 10.3.

/** The kinds of streams of one market. */
export type StreamKind =
  | { readonly kind: "trade" | "aggTrade" | "miniTicker" | "ticker" | "bookTicker" }
  | { readonly kind: "kline"; readonly interval: KlineInterval }
  | { readonly kind: "depth"; readonly periodMs: Period }
  | { readonly kind: "partialDepth"; readonly levels: number; readonly periodMs: Period };

/** Period of a stream that merges changes. */
export type Period = 100 | 1000;

export interface MarketStreamName {
  /** Upper case, as listed. */
  readonly symbol: string;
  readonly stream: StreamKind;
}

/** Period of the tickers of all markets. */
export type ArrayPeriod = 1000 | 3000;

type AllMarketsKind =
  | { readonly kind: "bookTicker" }
  | { readonly kind: "miniTicker" | "ticker"; readonly periodMs: ArrayPeriod };

/** Streams of all markets at once, by name; python-binance asks for `!miniTicker@arr@3000ms`. */
export const ALL_MARKETS = {
  "!bookTicker": { kind: "bookTicker" },
  "!miniTicker@arr": { kind: "miniTicker", periodMs: 1000 },
  "!miniTicker@arr@1000ms": { kind: "miniTicker", periodMs: 1000 },
  "!miniTicker@arr@3000ms": { kind: "miniTicker", periodMs: 3000 },
  "!ticker@arr": { kind: "ticker", periodMs: 1000 },
  "!ticker@arr@1000ms": { kind: "ticker", periodMs: 1000 },
  "!ticker@arr@3000ms": { kind: "ticker", periodMs: 3000 },
} as const satisfies Record<string, AllMarketsKind>;
export type AllMarketsName = keyof typeof ALL_MARKETS;

export function isAllMarkets(name: string): name is AllMarketsName {
  return Object.hasOwn(ALL_MARKETS, name);
}

/** `@1000ms` is the default; `@binance/connector` sends it. */
const DEPTH = /^depth(5|10|20)?(@100ms|@1000ms)?$/;
const KLINE = "kline_";

/** Null when no market can have such a stream. */
export function readStreamName(name: string): MarketStreamName | null {
  const at = name.indexOf("@");
  if (at <= 0) return null;
  const written = name.slice(0, at);
  const symbol = written.toUpperCase();
  const stream = readKind(name.slice(at + 1));
  // Converted back and forth: a letter that merely shares its capital with ours (`\u017f`, the long s) is refused.
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
      return { kind: text };
  }
  if (text.startsWith(KLINE)) {
    const interval = KLINE_INTERVALS.find((known) => known === text.slice(KLINE.length));
    return interval === undefined ? null : { kind: "kline", interval };
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
  /** The orders resting at a price may have changed. */
  touched?(side: Side, priceTicks: number): void;
  /** The symbol was given candles from before its first trade. */
  pastGrown?(): void;
  /** An entry that changed the market is complete; `timeMs` is its time. */
  entryDone?(timeMs: number): void;
  /** Called every `periodMs`. */
  flush?(): void;
  readonly periodMs?: number;
  /** One more subscriber has come. */
  joined?(): void;
  /** The last subscriber has gone. */
  close?(): void;
}

export interface MarketContext {
  readonly engine: EngineView;
  readonly history: History;
  readonly publisher: Publisher;
  /** Messages about all markets are made here. */
  readonly turns: Turns;
  readonly log: GatewayLog;
  readonly world: Timers & Saves;
  /** The exchange's time. */
  nowMs(): number;
  /** Entries yet to be applied are not earlier than this. */
  settledMs(): number;
}

/** The place of a stream that is being opened. */
export interface StreamPlace extends MarketContext {
  readonly name: string;
  readonly market: MarketView;
  /** Each open stream saves its state by its name. */
  readonly saved: SavedState;
}
