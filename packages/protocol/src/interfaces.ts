/**
 * The two interfaces with which a venue may answer, and everything in which they differ on the wire: weights, limits,
 * texts of errors, and what today's interface no longer has. The engine has the rules of trading that differ
 * (`INTERFACE_RULES`). See docs/decisions/0095.
 */
import type { Endpoint } from "./endpoint.ts";
import { ENDPOINTS, EndpointTable, type KnownEndpoint, METHODS } from "./endpoints.ts";
import { klineWeight } from "./endpoints/parameters.ts";
import { type ApiError, BAD_RECV_WINDOW, OTHER_CLIENT_ORDER_ID, RECV_WINDOW_TOO_LARGE } from "./errors.ts";
import { LEG_TYPES } from "./order-types.ts";
import { ORDER_TYPES } from "./shapes/enums.ts";
import type { RateLimit } from "./shapes/market.ts";

export type VenueInterfaceName = "2019" | "today";

export interface VenueInterface {
  readonly name: VenueInterfaceName;
  readonly endpoints: EndpointTable;
  /** The rate limits of a venue that configures none. */
  readonly limits: readonly RateLimit[];
  /** How many orders the first fill of an order takes off the order limits, if the venue configures nothing else. */
  readonly fillCredits: { readonly taker: number; readonly maker: number };
  /** Whether a request that was carried out weighs nothing. */
  readonly isFree: (endpoint: Endpoint) => boolean;
  /** The longest span of aggTrades in hours; undefined if there is none. */
  readonly aggTradesMaxHours: number | undefined;
  /** The error for an order whose two ids disagree; undefined if it is that of an unknown order. */
  readonly otherOrderId: ApiError | undefined;
  /** The error as the interface words it. */
  readonly worded: (error: ApiError) => ApiError;
  /** The streams of all markets, with or without a period, that no longer exist. */
  readonly isRetiredStream: (name: string) => boolean;
  /** Whether the messages of `@trade` contain the ids of both orders. */
  readonly tradesShowOrders: boolean;
  /** Whether sockets for streams get an event of their own, without a subscription, when a node stops. */
  readonly announcesShutdown: boolean;
  /** Whether it is an error to subscribe to an account again, or to end a subscription that does not exist. */
  readonly countsSubscriptions: boolean;
  /** Whether exchangeInfo over the WebSocket API announces the limit of connections in place of RAW_REQUESTS. */
  readonly announcesConnections: boolean;
  /** Whether the first request after the logged-on key has become invalid is answered with -2015. */
  readonly revokesSessions: boolean;
  /** The weight of opening a connection to the WebSocket API. */
  readonly connectionWeight: number;
  /** Whether a request that has waited for its batch is checked against its `recvWindow` again. */
  readonly checksTimeTwice: boolean;
  /** Pings of WebSockets. */
  readonly pings: { readonly pingEveryMs: number; readonly pongTimeoutMs: number };
}

// The interface of 2019: the endpoint table and the texts of errors as they are.

const IN_2019: VenueInterface = {
  name: "2019",
  endpoints: new EndpointTable(ENDPOINTS, METHODS),
  limits: [
    { rateLimitType: "REQUEST_WEIGHT", interval: "MINUTE", intervalNum: 1, limit: 1200 },
    { rateLimitType: "ORDERS", interval: "SECOND", intervalNum: 1, limit: 10 },
    { rateLimitType: "ORDERS", interval: "DAY", intervalNum: 1, limit: 100_000 },
    { rateLimitType: "RAW_REQUESTS", interval: "MINUTE", intervalNum: 5, limit: 5000 },
  ],
  fillCredits: { taker: 0, maker: 0 },
  isFree: () => false,
  aggTradesMaxHours: 1,
  otherOrderId: undefined,
  worded: (error) => error,
  isRetiredStream: () => false,
  tradesShowOrders: true,
  // Clients of 2019 take every message of a stream for one of its events.
  announcesShutdown: false,
  countsSubscriptions: false,
  announcesConnections: false,
  revokesSessions: false,
  connectionWeight: 0,
  checksTimeTwice: false,
  pings: { pingEveryMs: 3 * 60_000, pongTimeoutMs: 10 * 60_000 },
};

// Today's interface.

type Sent = ReadonlyMap<string, string>;
type Weight = Endpoint["weight"];

const bySymbol =
  (one: number, all: number) =>
  (sent: Sent): number =>
    sent.has("symbol") ? one : all;

function depthWeight(sent: Sent): number {
  const limit = Number(sent.get("limit") ?? "100");
  if (limit <= 100) return 5;
  if (limit <= 500) return 25;
  return limit <= 1000 ? 50 : 250;
}

function dayTickerWeight(sent: Sent): number {
  if (sent.has("symbol")) return 2;
  const symbols = sent.get("symbols")?.split(",").length ?? Number.POSITIVE_INFINITY;
  if (symbols <= 20) return 2;
  return symbols <= 100 ? 40 : 80;
}

/** Endpoints whose weight differs. */
const WEIGHTS: Readonly<Record<string, Weight>> = {
  exchangeInfo: 20,
  depth: depthWeight,
  "trades.recent": 25,
  "trades.historical": 25,
  "blockTrades.historical": 25,
  "trades.aggregate": 4,
  // Klines that have to be computed weigh five times as much as those that are stored, as in 2019.
  klines: (sent) => 2 * klineWeight(sent),
  uiKlines: (sent) => 2 * klineWeight(sent),
  avgPrice: 2,
  "ticker.24hr": dayTickerWeight,
  "ticker.price": bySymbol(2, 4),
  "ticker.book": bySymbol(2, 4),
  "order.test": (sent) => (sent.get("computeCommissionRates") === "true" ? 20 : 1),
  "order.status": 4,
  "openOrders.status": bySymbol(6, 80),
  allOrders: 20,
  "orderList.status": 4,
  allOrderLists: 20,
  "openOrderLists.status": 6,
  "account.status": 20,
  myTrades: (sent) => (sent.has("orderId") ? 5 : 20),
  myPreventedMatches: (sent) => (sent.has("orderId") ? 20 : 2),
  "account.commission": 20,
  "account.rateLimits.orders": 40,
  myFilters: 40,
};

/** Endpoints that weigh nothing when they succeed: those that place and cancel orders and order lists. */
const PLACES_OR_CANCELS =
  /^(order\.(place|cancel|cancelReplace)|openOrders\.cancelAll|orderList\.(place(\.\w+)?|cancel))$/;
const FREE: ReadonlySet<string> = new Set(
  ENDPOINTS.map(({ id }) => id).filter((id: string) => PLACES_OR_CANCELS.test(id)),
);

/** Endpoints that no longer exist: listen keys, and the wallet of 2018. */
const RETIRED = /^(userDataStream\.(start|ping|stop)|wapi\..+|ticker\.all\w+)$/;
/** Paths that no longer exist. */
const RETIRED_PATHS = "/api/v1/";

/** Trades of an account are selected by ids or by times. */
const TRADES_EXCLUSIVE: readonly (readonly [string, string])[] = ["fromId", "orderId"].flatMap((id) => [
  [id, "startTime"] as const,
  [id, "endTime"] as const,
]);

/** The row of today's interface; null if it does not have the endpoint. */
function todayOf(row: KnownEndpoint): KnownEndpoint | null {
  if (RETIRED.test(row.id)) return null;
  const changes = {
    paths: row.paths.filter((path) => !path.startsWith(RETIRED_PATHS)),
    weight: WEIGHTS[row.id] ?? row.weight,
    // Market data needs no key, and one that is sent is not checked.
    ...(row.security === "MARKET_DATA" && { security: "NONE" as const }),
    ...(row.id === "myTrades" && { exclusive: TRADES_EXCLUSIVE }),
    ...(row.id === "depth" && { parameters: row.parameters.map(withoutWordsOfLimit) }),
    ...(row.id === "orderList.place.oco" && { parameters: row.parameters.map(withAllOrderTypes) }),
  };
  return { ...row, ...changes };
}

/** Any limit is allowed; one above the maximum is reduced to it. */
function withoutWordsOfLimit(parameter: Endpoint["parameters"][number]): Endpoint["parameters"][number] {
  if (parameter.name !== "limit") return parameter;
  const { words: _, ...rest } = parameter;
  return rest;
}

/** Types that a leg cannot have are rejected with the pair. */
function withAllOrderTypes(parameter: Endpoint["parameters"][number]): Endpoint["parameters"][number] {
  return parameter.words === LEG_TYPES ? { ...parameter, words: ORDER_TYPES } : parameter;
}

/** Rows of the table stay the same objects in both lists, because a method is a row of the table too. */
const ROWS = new Map([...new Set([...ENDPOINTS, ...METHODS])].map((row) => [row, todayOf(row)]));
const todays = (rows: readonly KnownEndpoint[]): readonly KnownEndpoint[] => rows.flatMap((row) => ROWS.get(row) ?? []);

const USE_STREAMS = "Please use WebSocket Streams for live updates";

/** Texts that differ: the code, the part of the text of 2019, and today's. */
const TEXTS: readonly (readonly [code: number, in2019: string, today: string])[] = [
  [-1000, "occured", "occurred"],
  [-1003, "Please use the websocket for live updates", USE_STREAMS],
  [-1130, "paramter", "parameter"],
  [-1013, "Filter failure: MAX_ALGO_ORDERS", "Filter failure: MAX_NUM_ALGO_ORDERS"],
  [-1013, "Filter failure: EXCHANGE_MAX_ALGO_ORDERS", "Filter failure: EXCHANGE_MAX_NUM_ALGO_ORDERS"],
  [-2010, "This action disabled is on this account.", "This account may not place or cancel orders."],
  [-2011, "This action disabled is on this account.", "This account may not place or cancel orders."],
];

function wordedToday(error: ApiError): ApiError {
  const { code, msg, parameter, today } = error;
  if (today !== undefined) return today;
  if (code === BAD_RECV_WINDOW.code) return RECV_WINDOW_TOO_LARGE;
  if (code === -1111 && parameter !== undefined) {
    return { ...error, msg: `Parameter '${parameter}' has too much precision.` };
  }
  const text = TEXTS.find(([ofCode, in2019]) => ofCode === code && msg.includes(in2019));
  return text === undefined ? error : { ...error, msg: msg.replace(text[1], text[2]) };
}

const TODAY: VenueInterface = {
  name: "today",
  endpoints: new EndpointTable(todays(ENDPOINTS), todays(METHODS)),
  limits: [
    { rateLimitType: "REQUEST_WEIGHT", interval: "MINUTE", intervalNum: 1, limit: 6000 },
    { rateLimitType: "ORDERS", interval: "SECOND", intervalNum: 10, limit: 100 },
    { rateLimitType: "ORDERS", interval: "DAY", intervalNum: 1, limit: 200_000 },
    { rateLimitType: "RAW_REQUESTS", interval: "MINUTE", intervalNum: 5, limit: 300_000 },
  ],
  // The original exchange does not publish the number of makers.
  fillCredits: { taker: 1, maker: 5 },
  isFree: ({ id }) => FREE.has(id),
  aggTradesMaxHours: undefined,
  otherOrderId: OTHER_CLIENT_ORDER_ID,
  worded: wordedToday,
  isRetiredStream: (name) => name === "!bookTicker" || name.startsWith("!ticker@arr"),
  tradesShowOrders: false,
  announcesShutdown: true,
  countsSubscriptions: true,
  announcesConnections: true,
  revokesSessions: true,
  connectionWeight: 2,
  checksTimeTwice: true,
  pings: { pingEveryMs: 20_000, pongTimeoutMs: 60_000 },
};

export const VENUE_INTERFACES: Readonly<Record<VenueInterfaceName, VenueInterface>> = {
  "2019": IN_2019,
  today: TODAY,
};
