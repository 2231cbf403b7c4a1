/** Errors of today's interface, each with a request that causes it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import {
  banned,
  illegalCharacters,
  NO_MORE_SUBSCRIPTION_IDS,
  rejectError,
  SERVER_BUSY,
  SUBSCRIPTION_ACTIVE,
  SUBSCRIPTION_NOT_ACTIVE,
  SYMBOLS_PATTERN,
  TIMEOUT,
  tooManyRequests,
  UNKNOWN_ERROR,
} from "@pricetime/protocol";
import { type Answer, Client, type Parameters } from "@pricetime/testkit/client";
import { openAccount, operate } from "@pricetime/testkit/venue";
import { type Ask, type ErrorRow, LIST_ERROR_ROWS, list, LISTING, off, on, own, PLAIN, signed } from "./list-errors.ts";
import { WebSocket } from "ws";
import { FILTERED, STEPS } from "./filters.ts";
import { order, SYMBOL, type Venue } from "./samples.ts";

const symbol = SYMBOL;

/** A request for market data. */
const open =
  (path: string, parameters: Parameters = {}): Ask =>
  ({ maker }) =>
    maker.public(`/api/v3/${path}`, parameters);
const test = (more: Parameters): Ask => signed("POST order/test", order("BUY", more));
const placed = (more: Parameters): Ask => signed("POST order", order("BUY", more));
/** An order on a symbol that an operator has given this status. */
const inStatus =
  (status: string, more: Parameters = {}): Ask =>
  async (venue) => {
    await operate(venue.exchange, "PUT", "/v1/symbols/LTCUSDT/status", { status });
    return placed({ symbol: "LTCUSDT", price: "100", quantity: "1", ...more })(venue);
  };
/** A signed request with the number of an order that was placed for it. */
const changing =
  (request: string, idName: string, more: Parameters): Ask =>
  async (venue) => {
    const price = { price: "40000", newClientOrderId: `own-${(serial += 1)}`, newOrderRespType: "ACK" };
    const { orderId = 0 } = await venue.ask(venue.maker, "order ACK", "POST order", order("BUY", price));
    return signed(request, { symbol, [idName]: orderId, ...more })(venue);
  };
let serial = 0;

const ONLY_MAKER = { defaultMode: "EXPIRE_MAKER", allowedModes: ["EXPIRE_MAKER"] };
const SYMBOLS_101 = JSON.stringify(Array.from({ length: 101 }, (_, i) => `S${i}`));

const replacing = (more: Parameters): Ask =>
  changing("POST order/cancelReplace", "cancelOrderId", { ...order("BUY"), ...more });

/** A market order on a book with next to nothing, with these filters. */
const thin =
  (filters: object): Ask =>
  async (venue) => {
    await operate(venue.exchange, "PUT", `/v1/symbols/${FILTERED}/filters`, { ...STEPS, ...filters });
    return signed("POST order", { symbol: FILTERED, side: "BUY", type: "MARKET", quoteOrderQty: "100" })(venue);
  };
const AT_LEAST = { ...STEPS.lotSize, minQty: "0.01" };

/** An order while an operator suspends trading. */
const suspended: Ask = async (venue) => {
  await operate(venue.exchange, "PUT", "/v1/suspensions/trading", { why: "for its error" });
  const answer = await placed({})(venue);
  await operate(venue.exchange, "DELETE", "/v1/suspensions/trading");
  return answer;
};
const CLOSED = "-2010 Market is closed.";

/** A message on a socket for streams. */
const control =
  (message: string): Ask =>
  async ({ exchange }) => {
    const socket = new WebSocket(`${exchange.ws}/ws`);
    await once(socket, "open");
    socket.send(message);
    const [text] = (await once(socket, "message")) as [Buffer];
    socket.close();
    const { code, msg } = JSON.parse(String(text)) as { code: number; msg: string };
    return { status: 0, json: { code, msg } };
  };

export const ERROR_ROWS: readonly ErrorRow[] = [
  own(-1000, "An unknown error occurred while processing the request.", UNKNOWN_ERROR),
  own(
    -1003,
    "Too many requests; current limit is 300000 requests per 5 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.",
    tooManyRequests(300_000, 5, "MINUTE"),
  ),
  own(
    -1003,
    "Way too much request weight used; IP banned until 1. Please use WebSocket Streams for live updates to avoid bans.",
    banned(1),
  ),
  own(
    -1007,
    "Timeout waiting for response from backend server. Send status unknown; execution status unknown.",
    TIMEOUT,
  ),
  own(-1008, "Server is currently overloaded with other requests. Please try again in a few minutes.", SERVER_BUSY),
  on(-1021, "Timestamp for this request is outside of the recvWindow.", signed("GET account", { timestamp: 1 })),
  on(-1022, "Signature for this request is not valid.", ({ maker }) =>
    maker.keyed("GET", "/api/v3/account", { timestamp: Date.now(), signature: "0".repeat(64) }),
  ),
  {
    ...off(-1034, "Too many concurrent connections; current limit is '%s'.", "it is FIX's; all others get one text"),
    ...{
      status: 429,
      instead: "-1003 Too many open connections; please use one connection for many requests or streams.",
    },
  },
  on(
    -1100,
    "Illegal characters found in parameter 'symbol'; legal range is '^[A-Z0-9-_.]{1,20}$'.",
    open("depth", { symbol: "b c" }),
  ),
  on(
    -1101,
    "Too many values sent for parameter 'symbols', maximum allowed up to 100.",
    open("ticker", { symbols: SYMBOLS_101 }),
  ),
  on(-1102, "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed.", open("depth")),
  on(-1102, "Param 'symbol' or 'symbols' must be sent, but both were empty/null!", open("ticker")),
  on(
    -1102,
    "'recvWindow' contains unexpected value. Cannot be greater than 60000.",
    signed("GET account", { recvWindow: 60_001 }),
  ),
  on(
    -1104,
    "Not all sent parameters were read; read '3' parameter(s) but was sent '4'.",
    signed("GET openOrders", { symbol, foreign: 1 }),
  ),
  on(-1105, "Parameter 'symbol' was empty.", signed("GET openOrders", { symbol: "" })),
  on(-1106, "Parameter 'stopPrice' sent when not required.", test({ stopPrice: "1" })),
  on(-1108, "Parameter 'quantity' overflowed.", async (venue) => {
    await operate(venue.exchange, "POST", "/v1/symbols", LISTING);
    return test({ symbol: PLAIN, quantity: "99999999999999999999" })(venue);
  }),
  on(-1111, "Parameter 'quantity' has too much precision.", test({ quantity: "0.123456789" })),
  on(-1115, "Invalid timeInForce.", test({ timeInForce: "GTX" })),
  on(-1116, "Invalid orderType.", test({ type: "X" })),
  on(-1117, "Invalid side.", test({ side: "X" })),
  on(-1120, "Invalid interval.", open("klines", { symbol, interval: "2m" })),
  on(-1121, "Invalid symbol.", open("depth", { symbol: "NOSUCH" })),
  on(-1122, "Invalid symbolStatus.", open("ticker/price", { symbolStatus: "X" })),
  on(-1128, "Combination of optional parameters invalid.", open("ticker/price", { symbol, symbols: '["BTCUSDT"]' })),
  on(
    -1128,
    "Fields [pegOffsetType, pegOffsetValue] must be sent together or omitted entirely.",
    test({ pegPriceType: "PRIMARY_PEG", pegOffsetValue: 1 }),
  ),
  on(
    -1130,
    "Data sent for parameter 'timeZone' is not valid.",
    open("klines", { symbol, interval: "1d", timeZone: "15" }),
  ),
  off(
    -1128,
    "Conflicting fields: ['%s'...]",
    "the text does not name the parameters",
    "-1128 Combination of optional parameters invalid.",
    open("ticker/price", { symbol, symbols: '["BTCUSDT"]' }),
  ),
  off(
    -1135,
    "JSON sent for parameter '%s' is not valid",
    "the legal range is named",
    `-1100 ${illegalCharacters("symbols", SYMBOLS_PATTERN).msg}`,
    open("ticker/price", { symbols: '["BTCUSDT"' }),
  ),
  off(-1167, "(obsolete)", "Binance does not send it either"),
  on(-1134, "strategyType was less than 1000000.", test({ strategyType: 1 })),
  on(-1136, "Invalid newOrderRespType.", test({ newOrderRespType: "X" })),
  on(-1139, "Invalid ticker type.", open("ticker", { symbol, type: "X" })),
  on(-1145, "Invalid cancelRestrictions", signed("DELETE order", { symbol, orderId: 1, cancelRestrictions: "X" })),
  on(
    -1151,
    "Symbol is present multiple times in the list.",
    open("ticker/price", { symbols: '["BTCUSDT","BTCUSDT"]' }),
  ),
  on(-1194, "Invalid value for time unit; expected either MICROSECOND or MILLISECOND.", ({ maker }) =>
    maker.send("GET", "/api/v3/time", { headers: { "X-MBX-TIME-UNIT": "SECOND" } }),
  ),
  on(
    -1220,
    "The symbol's status does not match the requested symbolStatus.",
    open("ticker/price", { symbol, symbolStatus: "HALT" }),
  ),
  on(-1013, "This symbol does not allow the specified self-trade prevention mode.", async (venue) => {
    await operate(venue.exchange, "PUT", `/v1/symbols/${PLAIN}/self-trade-prevention`, ONLY_MAKER);
    return placed({ symbol: PLAIN, selfTradePreventionMode: "NONE" })(venue);
  }),
  on(-2010, "Account has insufficient balance for requested action.", placed({ quantity: "80000" })),
  on(-2010, "This account may not place or cancel orders.", async (venue) => {
    const [{ email }] = venue.accounts;
    await operate(venue.exchange, "PATCH", `/v1/accounts/${email}`, { canTrade: false });
    const answer = await placed({})(venue);
    await operate(venue.exchange, "PATCH", `/v1/accounts/${email}`, { canTrade: true });
    return answer;
  }),
  on(-2010, "Market is closed.", inStatus("HALT")),
  on(-2010, "This order type is not possible in this trading phase.", inStatus("CANCEL_ONLY")),
  off(
    -2010,
    "Limit orders require GTC for this phase.",
    "all orders get the same text",
    "-2010 This order type is not possible in this trading phase.",
    inStatus("CANCEL_ONLY", { timeInForce: "IOC" }),
  ),
  on(-2010, "Duplicate order sent.", async (venue) => {
    const own = { price: "40000", newClientOrderId: "twice" };
    await placed(own)(venue);
    return placed(own)(venue);
  }),
  on(
    -2010,
    "OCO orders are not supported for this symbol",
    list({
      symbol: PLAIN,
      aboveType: "LIMIT_MAKER",
      abovePrice: "100",
      belowType: "STOP_LOSS",
      belowStopPrice: "50",
    }),
  ),
  on(
    -2010,
    "Trailing stop orders are not supported for this symbol.",
    signed("POST order", { symbol: PLAIN, side: "SELL", type: "STOP_LOSS", quantity: "1", trailingDelta: "100" }),
  ),
  on(-2010, "Order would immediately match and take.", async (venue) => {
    await venue.ask(venue.maker, "order ACK", "POST order", order("SELL", { price: "50300", newOrderRespType: "ACK" }));
    return signed("POST order", { symbol, side: "BUY", type: "LIMIT_MAKER", quantity: "0.1", price: "50300" })(venue);
  }),
  on(
    -2010,
    "Order would trigger immediately.",
    signed("POST order", { symbol, side: "SELL", type: "STOP_LOSS", quantity: "0.1", stopPrice: "60000" }),
  ),
  on(
    -2010,
    "The relationship of the prices for the orders is not correct.",
    list({ aboveType: "LIMIT_MAKER", abovePrice: "45000", belowType: "STOP_LOSS", belowStopPrice: "44000" }),
  ),
  off(-2010, "This symbol is not permitted for this account.", "all accounts may trade all symbols"),
  off(-2010, "This symbol is restricted for this account.", "all accounts may trade all symbols"),
  ...["Rest", "WebSocket"].map((way) =>
    off(-2010, `${way} API trading is not enabled.`, "a suspension concerns all ways to trade", CLOSED, suspended),
  ),
  on(-2010, "Pegged orders are not supported for this symbol.", placed({ symbol: PLAIN, pegPriceType: "PRIMARY_PEG" })),
  on(
    -2010,
    "This order type may not use pegged price.",
    signed("POST order", { symbol, side: "BUY", type: "MARKET", quantity: "0.1", pegPriceType: "MARKET_PEG" }),
  ),
  on(
    -2010,
    "This price peg cannot be used with this order type.",
    placed({ timeInForce: "IOC", pegPriceType: "PRIMARY_PEG" }),
  ),
  on(
    -2010,
    "Order book liquidity is too low for this pegged order.",
    placed({ pegPriceType: "PRIMARY_PEG", pegOffsetType: "PRICE_LEVEL", pegOffsetValue: 100 }),
  ),
  off(
    -2010,
    "Order book liquidity is less than symbol minimum quantity.",
    "the order is accepted and expires",
    "an order with the status EXPIRED",
    async (venue) => {
      const answer = await thin({})(venue);
      assert.equal((answer.json as { status: string }).status, "EXPIRED");
      return answer;
    },
  ),
  off(
    -2010,
    "Order book liquidity is less than `LOT_SIZE` filter minimum quantity.",
    "the filter itself is named",
    "-1013 Filter failure: LOT_SIZE",
    async (venue) => {
      const little = { symbol: FILTERED, price: "2000", quantity: "0.0001" };
      await venue.taker.signed("POST", "/api/v3/order", order("SELL", little));
      return thin({ lotSize: AT_LEAST })(venue);
    },
  ),
  off(
    -2010,
    "Order book liquidity is less than `MARKET_LOT_SIZE` filter minimum quantity.",
    "the filter itself is named",
    "-1013 Filter failure: MARKET_LOT_SIZE",
    thin({ marketLotSize: AT_LEAST }),
  ),
  off(
    -2010,
    "Order cancel-replace is not supported for this symbol.",
    "every symbol allows it",
    "the new order",
    replacing({ cancelReplaceMode: "STOP_ON_FAILURE", price: "40000" }),
  ),

  on(-2011, "Unknown order sent.", signed("DELETE order", { symbol, orderId: 999_999 })),
  on(
    -2011,
    "Order was not canceled due to cancel restrictions.",
    changing("DELETE order", "orderId", { cancelRestrictions: "ONLY_PARTIALLY_FILLED" }),
  ),
  on(-2011, "Cancel order is invalid. Check origClOrdId and orderId.", async (venue) => {
    await changing("GET order", "orderId", {})(venue);
    return changing("DELETE order", "orderId", { origClientOrderId: `own-${serial}` })(venue);
  }),
  on(-2013, "Order does not exist.", signed("GET order", { symbol, orderId: 999_999 })),
  on(
    -2014,
    "API-key format invalid.",
    ({ maker }) =>
      maker.send("GET", "/api/v3/account", { query: "timestamp=1&signature=1", headers: { "X-MBX-APIKEY": "short" } }),
    401,
  ),
  on(
    -2015,
    "Invalid API-key, IP, or permissions for action.",
    ({ maker }) =>
      maker.send("GET", "/api/v3/account", {
        query: `timestamp=1&signature=${"0".repeat(64)}`,
        headers: { "X-MBX-APIKEY": "A".repeat(64) },
      }),
    401,
  ),
  on(
    -2021,
    "Order cancel-replace partially failed.",
    replacing({ cancelReplaceMode: "STOP_ON_FAILURE", quantity: "80000" }),
    409,
  ),
  on(
    -2022,
    "Order cancel-replace failed.",
    signed("POST order/cancelReplace", {
      ...order("BUY"),
      cancelOrderId: 999_999,
      cancelReplaceMode: "STOP_ON_FAILURE",
    }),
  ),
  off(
    -2026,
    "Order was canceled or expired with no executed qty over 90 days ago and has been archived.",
    "orders are not archived",
    "the order",
  ),
  own(-2035, "User Data Stream subscription already active.", SUBSCRIPTION_ACTIVE),
  own(-2036, "User Data Stream subscription not active.", SUBSCRIPTION_NOT_ACTIVE),
  own(-2042, "Maximum subscription ID reached for this connection.", NO_MORE_SUBSCRIPTION_IDS),
  on(-2043, "This symbol doesn't have a reference price.", open("referencePrice", { symbol: "ETHUSDT" })),
  on(-2038, "Unknown order sent.", signed("PUT order/amend/keepPriority", { symbol, orderId: 999_999, newQty: "0.1" })),
  {
    code: -2038,
    text: "Order amend is not supported for this symbol.",
    error: rejectError("AMEND_NOT_SUPPORTED", "amend"),
    isMissing: "every symbol allows it since version 5 of the rules",
    instead: "the amended order",
    ask: changing("PUT order/amend/keepPriority", "orderId", { newQty: "0.05" }),
  },
  on(
    -2038,
    "Order amend (quantity increase) is not supported.",
    changing("PUT order/amend/keepPriority", "orderId", { newQty: "1" }),
  ),
  on(
    -2038,
    "The requested action would change no state; rejecting",
    changing("PUT order/amend/keepPriority", "orderId", { newQty: "0.1" }),
  ),
  on(
    -2038,
    "Duplicate order sent.",
    changing("PUT order/amend/keepPriority", "orderId", { newQty: "0.05", newClientOrderId: "twice" }),
  ),
  on(-1013, "Invalid quantity.", changing("PUT order/amend/keepPriority", "orderId", { newQty: "0" })),
  on(
    -2039,
    "Client order ID is not correct for this order ID.",
    changing("GET order", "orderId", { origClientOrderId: "twice" }),
  ),

  on(-1210, "Invalid pegPriceType.", test({ pegPriceType: "X" })),
  on(-1211, "Invalid pegOffsetType.", test({ pegOffsetType: "X" })),
  ...LIST_ERROR_ROWS,

  ...[
    [0, "Unknown property", '{"method":"SET_PROPERTY","params":["x",true],"id":1}'] as const,
    [1, "Invalid value type: expected Boolean", '{"method":"SET_PROPERTY","params":["combined",3],"id":1}'] as const,
    [2, "Invalid request: property name must be a string", '{"method":"GET_PROPERTY","params":[3],"id":1}'] as const,
    [3, "Invalid JSON: expected value at line 1 column 1", "x"] as const,
  ].map(([code, text, message]) => ({ ...on(code, text, control(message)), status: 0 })),

  // The last ones, because they exhaust a limit.
  on(-1015, "Too many new orders; current limit is 100 orders per 10 SECOND.", manyOrders, 429),
  on(
    -1003,
    "Too much request weight used; current limit is 6000 request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.",
    manyReads,
    429,
  ),
];

/** Orders that are canceled at once, until one exceeds the limit. A window may end in between. */
async function manyOrders(venue: Venue): Promise<Answer<unknown>> {
  const account = await openAccount(venue.exchange, "many@example.org", { USDT: "1000" });
  const client = new Client(venue.exchange.rest, account);
  try {
    for (;;) {
      const sent = order("BUY", { quantity: "0.001", timeInForce: "IOC", price: "11000" });
      const answer = await client.signed("POST", "/api/v3/order", sent);
      if (answer.status !== 200) return answer;
    }
  } finally {
    client.close();
  }
}

async function manyReads({ maker }: Venue): Promise<Answer<unknown>> {
  for (;;) {
    const answer = await maker.public("/api/v3/depth", { symbol, limit: 5000 });
    if (answer.status !== 200) return answer;
  }
}
