/** Tickers. Interface 4.1; `allPrices` and `allBookTickers` serve clients of 2018 and 2019. */
import type { Endpoint } from "../endpoint.ts";
import { TICKER_TYPES } from "../shapes/enums.ts";
import { OPTIONAL_SYMBOL, optional, SYMBOL_STATUS, SYMBOLS } from "./parameters.ts";
import { bySymbols } from "./weights.ts";

export const TICKERS = [
  {
    id: "ticker.24hr",
    method: "GET",
    paths: ["/api/v3/ticker/24hr", "/api/v1/ticker/24hr"],
    family: "api",
    security: "NONE",
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
    id: "ticker.price",
    method: "GET",
    paths: ["/api/v3/ticker/price", "/api/v1/ticker/price"],
    family: "api",
    security: "NONE",
    weight: bySymbols(2),
    parameters: [OPTIONAL_SYMBOL, SYMBOLS, SYMBOL_STATUS],
    exclusive: [["symbol", "symbols"]],
    summary: "Returns the last price of one, several or all symbols.",
  },
  {
    id: "ticker.book",
    method: "GET",
    paths: ["/api/v3/ticker/bookTicker", "/api/v1/ticker/bookTicker"],
    family: "api",
    security: "NONE",
    weight: bySymbols(2),
    parameters: [OPTIONAL_SYMBOL, SYMBOLS, SYMBOL_STATUS],
    exclusive: [["symbol", "symbols"]],
    summary: "Returns the best prices and quantities of one, several or all symbols.",
  },
  {
    id: "ticker.allPrices",
    method: "GET",
    paths: ["/api/v1/ticker/allPrices"],
    family: "api",
    security: "NONE",
    weight: 2,
    parameters: [],
    summary: "Returns the last prices of all symbols.",
  },
  {
    id: "ticker.allBookTickers",
    method: "GET",
    paths: ["/api/v1/ticker/allBookTickers"],
    family: "api",
    security: "NONE",
    weight: 2,
    parameters: [],
    summary: "Returns the best prices and quantities of all symbols.",
  },
] as const satisfies readonly Endpoint[];
