/** General endpoints, market data and tickers. Interface 4.1; the paths under /api/v1 are aliases (Interface 9.2). */
import type { Endpoint } from "../endpoint.ts";
import { KLINE_INTERVALS } from "../shapes/kline-interval.ts";
import {
  bySymbols,
  depthWeight,
  END_TIME,
  FROM_ID,
  klineWeight,
  LIMIT,
  MAX_DEPTH_LIMIT,
  MAX_WINDOW_SYMBOLS,
  optional,
  OPTIONAL_SYMBOL,
  required,
  ruleWeight,
  START_TIME,
  SYMBOL,
  SYMBOL_STATUS,
  SYMBOLS,
  windowWeight,
} from "./parameters.ts";
import { TICKER_TYPES } from "../shapes/enums.ts";

export const DEPTH_LIMITS = ["5", "10", "20", "50", "100", "500", "1000", "5000"] as const;

const TIME_ZONE = optional("timeZone", "timeZone", {
  default: "0",
  note: "Local time, as 8, -1:00 or +05:45, from -12:00 to +14:00 (otherwise -1130). Times remain UTC.",
});

const TICKER_TYPE = optional("type", "enum", {
  words: TICKER_TYPES,
  wrongWord: -1139,
  note: "MINI omits the change and the average. Default FULL.",
});
const WINDOW_SYMBOLS = { ...SYMBOLS, max: MAX_WINDOW_SYMBOLS };

const KLINES = [
  SYMBOL,
  required("interval", "enum", { words: KLINE_INTERVALS, wrongWord: -1120 }),
  START_TIME,
  END_TIME,
  LIMIT,
  TIME_ZONE,
] as const;

const PUBLIC = { method: "GET", family: "api", security: "NONE", weight: 1 } as const;

export const GENERAL = [
  {
    ...PUBLIC,
    id: "ping",
    paths: ["/api/v3/ping", "/api/v1/ping"],
    parameters: [],
    summary: "Tests whether the service is reachable.",
  },
  {
    ...PUBLIC,
    id: "time",
    paths: ["/api/v3/time", "/api/v1/time"],
    parameters: [],
    summary: "Returns the server's time.",
  },
  {
    ...PUBLIC,
    id: "exchangeInfo",
    paths: ["/api/v3/exchangeInfo", "/api/v1/exchangeInfo"],
    parameters: [
      OPTIONAL_SYMBOL,
      SYMBOLS,
      optional("permissions", "string", {
        note: 'A word or a JSON array, as in ["SPOT","MARGIN"]; all symbols are SPOT.',
      }),
      SYMBOL_STATUS,
      optional("showPermissionSets", "boolean", { default: "true", note: "false omits `permissionSets`." }),
    ],
    exclusive: [
      ["symbol", "symbols"],
      ["symbol", "permissions"],
      ["symbols", "permissions"],
      ["symbol", "symbolStatus"],
      ["symbols", "symbolStatus"],
    ],
    summary: "Returns the symbols with their trading rules, and the rate limits.",
  },
  {
    ...PUBLIC,
    id: "depth",
    paths: ["/api/v3/depth", "/api/v1/depth"],
    weight: depthWeight,
    parameters: [
      SYMBOL,
      optional("limit", "limit", { default: "100", max: MAX_DEPTH_LIMIT, words: DEPTH_LIMITS }),
      SYMBOL_STATUS,
    ],
    summary: "Returns the order book.",
  },
  {
    ...PUBLIC,
    id: "trades.recent",
    paths: ["/api/v3/trades", "/api/v1/trades"],
    parameters: [SYMBOL, LIMIT],
    summary: "Returns the latest trades.",
  },
  {
    id: "trades.historical",
    method: "GET",
    paths: ["/api/v3/historicalTrades", "/api/v1/historicalTrades"],
    family: "api",
    security: "MARKET_DATA",
    weight: 5,
    parameters: [SYMBOL, LIMIT, FROM_ID],
    summary: "Returns trades from an id on, or the latest ones.",
  },
  {
    ...PUBLIC,
    id: "blockTrades.historical",
    paths: ["/api/v3/historicalBlockTrades"],
    parameters: [SYMBOL, required("fromId", "integer", { note: "Inclusive." }), LIMIT],
    summary: "Returns block trades. There are none.",
  },
  {
    ...PUBLIC,
    id: "trades.aggregate",
    paths: ["/api/v3/aggTrades", "/api/v1/aggTrades"],
    parameters: [SYMBOL, FROM_ID, START_TIME, END_TIME, LIMIT],
    summary: "Returns trades, with those of one order at one price combined.",
  },
  {
    ...PUBLIC,
    id: "klines",
    paths: ["/api/v3/klines", "/api/v1/klines"],
    weight: klineWeight,
    parameters: KLINES,
    summary: "Returns klines (candlesticks).",
  },
  {
    ...PUBLIC,
    id: "uiKlines",
    paths: ["/api/v3/uiKlines"],
    weight: klineWeight,
    parameters: KLINES,
    summary: "Returns the same klines, under the name that charts use.",
  },
  {
    ...PUBLIC,
    id: "avgPrice",
    paths: ["/api/v3/avgPrice"],
    parameters: [SYMBOL],
    summary: "Returns the average price of the last minutes.",
  },
  {
    ...PUBLIC,
    id: "executionRules",
    paths: ["/api/v3/executionRules"],
    weight: ruleWeight,
    parameters: [OPTIONAL_SYMBOL, SYMBOLS, SYMBOL_STATUS],
    exclusive: [
      ["symbol", "symbols"],
      ["symbol", "symbolStatus"],
      ["symbols", "symbolStatus"],
    ],
    summary: "Returns the symbols with rules for executions, which are price ranges.",
  },
  {
    ...PUBLIC,
    id: "referencePrice",
    paths: ["/api/v3/referencePrice"],
    weight: 2,
    parameters: [SYMBOL],
    summary: "Returns the reference price of a symbol with a price range.",
  },
  {
    ...PUBLIC,
    id: "referencePrice.calculation",
    paths: ["/api/v3/referencePrice/calculation"],
    weight: 2,
    parameters: [SYMBOL, SYMBOL_STATUS],
    summary: "Returns how the reference price of a symbol is calculated.",
  },
] as const satisfies readonly Endpoint[];

// Tickers: `allPrices` and `allBookTickers` serve clients of 2018 and 2019.

export const TICKERS = [
  {
    ...PUBLIC,
    id: "ticker.24hr",
    paths: ["/api/v3/ticker/24hr", "/api/v1/ticker/24hr"],
    weight: bySymbols(40),
    parameters: [
      OPTIONAL_SYMBOL,
      SYMBOLS,
      optional("type", "enum", {
        words: TICKER_TYPES,
        wrongWord: -1139,
        note: "MINI omits the fields of the book, the change and the average. Default FULL.",
      }),
      SYMBOL_STATUS,
    ],
    exclusive: [["symbol", "symbols"]],
    summary: "Returns the statistics of the last 24 hours for one, several or all symbols.",
  },
  {
    ...PUBLIC,
    id: "ticker.tradingDay",
    paths: ["/api/v3/ticker/tradingDay"],
    weight: windowWeight,
    parameters: [OPTIONAL_SYMBOL, WINDOW_SYMBOLS, TIME_ZONE, TICKER_TYPE, SYMBOL_STATUS],
    either: ["symbol", "symbols"],
    exclusive: [["symbol", "symbols"]],
    summary: "Returns the statistics of the current day for one or several symbols.",
  },
  {
    ...PUBLIC,
    id: "ticker",
    paths: ["/api/v3/ticker"],
    weight: windowWeight,
    parameters: [
      OPTIONAL_SYMBOL,
      WINDOW_SYMBOLS,
      optional("windowSize", "windowSize", {
        default: "1d",
        note: "`1m` to `59m`, `1h` to `23h`, `1d` to `7d` (otherwise -1130).",
      }),
      TICKER_TYPE,
      SYMBOL_STATUS,
    ],
    either: ["symbol", "symbols"],
    exclusive: [["symbol", "symbols"]],
    summary: "Returns the statistics of a window that ends now for one or several symbols.",
  },
  {
    ...PUBLIC,
    id: "ticker.price",
    paths: ["/api/v3/ticker/price", "/api/v1/ticker/price"],
    weight: bySymbols(2),
    parameters: [OPTIONAL_SYMBOL, SYMBOLS, SYMBOL_STATUS],
    exclusive: [["symbol", "symbols"]],
    summary: "Returns the last price of one, several or all symbols.",
  },
  {
    ...PUBLIC,
    id: "ticker.book",
    paths: ["/api/v3/ticker/bookTicker", "/api/v1/ticker/bookTicker"],
    weight: bySymbols(2),
    parameters: [OPTIONAL_SYMBOL, SYMBOLS, SYMBOL_STATUS],
    exclusive: [["symbol", "symbols"]],
    summary: "Returns the best prices and quantities of one, several or all symbols.",
  },
  {
    ...PUBLIC,
    id: "ticker.allPrices",
    paths: ["/api/v1/ticker/allPrices"],
    weight: 2,
    parameters: [],
    summary: "Returns the last prices of all symbols.",
  },
  {
    ...PUBLIC,
    id: "ticker.allBookTickers",
    paths: ["/api/v1/ticker/allBookTickers"],
    weight: 2,
    parameters: [],
    summary: "Returns the best prices and quantities of all symbols.",
  },
] as const satisfies readonly Endpoint[];
