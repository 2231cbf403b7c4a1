/** General endpoints and market data. Interface 4.1; the paths under /api/v1 are aliases (Interface 9.2). */
import type { Endpoint } from "../endpoint.ts";
import { KLINE_INTERVALS } from "../shapes/kline-interval.ts";
import {
  END_TIME,
  FROM_ID,
  LIMIT,
  MAX_DEPTH_LIMIT,
  OPTIONAL_SYMBOL,
  optional,
  required,
  START_TIME,
  SYMBOL,
  SYMBOL_STATUS,
  SYMBOLS,
} from "./parameters.ts";
import { depthWeight } from "./weights.ts";

export const DEPTH_LIMITS = ["5", "10", "20", "50", "100", "500", "1000", "5000"] as const;

/** Spellings of UTC. */
const UTC = ["0", "00", "0:00", "00:00", "+0:00", "+00:00", "-0:00", "-00:00"];

export const GENERAL = [
  {
    id: "ping",
    method: "GET",
    paths: ["/api/v3/ping", "/api/v1/ping"],
    family: "api",
    security: "NONE",
    weight: 1,
    parameters: [],
    summary: "Tests whether the service is reachable.",
  },
  {
    id: "time",
    method: "GET",
    paths: ["/api/v3/time", "/api/v1/time"],
    family: "api",
    security: "NONE",
    weight: 1,
    parameters: [],
    summary: "Returns the server's time.",
  },
  {
    id: "exchangeInfo",
    method: "GET",
    paths: ["/api/v3/exchangeInfo", "/api/v1/exchangeInfo"],
    family: "api",
    security: "NONE",
    weight: 1,
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
    id: "depth",
    method: "GET",
    paths: ["/api/v3/depth", "/api/v1/depth"],
    family: "api",
    security: "NONE",
    weight: depthWeight,
    parameters: [
      SYMBOL,
      optional("limit", "limit", { default: "100", max: MAX_DEPTH_LIMIT, words: DEPTH_LIMITS }),
      SYMBOL_STATUS,
    ],
    summary: "Returns the order book.",
  },
  {
    id: "trades.recent",
    method: "GET",
    paths: ["/api/v3/trades", "/api/v1/trades"],
    family: "api",
    security: "NONE",
    weight: 1,
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
    id: "trades.aggregate",
    method: "GET",
    paths: ["/api/v3/aggTrades", "/api/v1/aggTrades"],
    family: "api",
    security: "NONE",
    weight: 1,
    parameters: [SYMBOL, FROM_ID, START_TIME, END_TIME, LIMIT],
    summary: "Returns trades, with those of one order at one price combined.",
  },
  {
    id: "klines",
    method: "GET",
    paths: ["/api/v3/klines", "/api/v1/klines"],
    family: "api",
    security: "NONE",
    weight: 1,
    parameters: [
      SYMBOL,
      required("interval", "enum", { words: KLINE_INTERVALS, wrongWord: -1120 }),
      START_TIME,
      END_TIME,
      LIMIT,
      optional("timeZone", "enum", { words: UTC, note: "Candles open by UTC." }),
    ],
    summary: "Returns klines (candlesticks).",
  },
  {
    id: "avgPrice",
    method: "GET",
    paths: ["/api/v3/avgPrice"],
    family: "api",
    security: "NONE",
    weight: 1,
    parameters: [SYMBOL],
    summary: "Returns the average price of the last minutes.",
  },
] as const satisfies readonly Endpoint[];
