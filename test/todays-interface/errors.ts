/** Errors of today's interface, each with a request that causes it. */
import {
  banned,
  NO_MORE_SUBSCRIPTION_IDS,
  rejectError,
  SERVER_BUSY,
  SUBSCRIPTION_ACTIVE,
  SUBSCRIPTION_NOT_ACTIVE,
  TIMEOUT,
  tooManyRequests,
  UNKNOWN_ERROR,
} from "@pricetime/protocol";
import { type Answer, Client, type Parameters } from "@pricetime/testkit/client";
import { openAccount, operate } from "@pricetime/testkit/venue";
import { type Ask, type ErrorRow, LIST_ERROR_ROWS, list, PLAIN, signed } from "./list-errors.ts";
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
  (status: string): Ask =>
  async (venue) => {
    await operate(venue.exchange, "PUT", "/v1/symbols/LTCUSDT/status", { status });
    return placed({ symbol: "LTCUSDT", price: "100", quantity: "1" })(venue);
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

export const ERROR_ROWS: readonly ErrorRow[] = [
  { code: -1000, status: 500, error: UNKNOWN_ERROR, text: "An unknown error occurred while processing the request." },
  {
    code: -1003,
    status: 429,
    error: tooManyRequests(300_000, 5, "MINUTE"),
    text: "Too many requests; current limit is 300000 requests per 5 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.",
  },
  {
    code: -1003,
    status: 418,
    error: banned(1),
    text: "Way too much request weight used; IP banned until 1. Please use WebSocket Streams for live updates to avoid bans.",
  },
  {
    code: -1007,
    status: 504,
    error: TIMEOUT,
    text: "Timeout waiting for response from backend server. Send status unknown; execution status unknown.",
  },
  {
    code: -1008,
    status: 503,
    error: SERVER_BUSY,
    text: "Server is currently overloaded with other requests. Please try again in a few minutes.",
  },
  {
    code: -1021,
    text: "Timestamp for this request is outside of the recvWindow.",
    ask: signed("GET account", { timestamp: 1 }),
  },
  {
    code: -1022,
    text: "Signature for this request is not valid.",
    ask: ({ maker }) => maker.keyed("GET", "/api/v3/account", { timestamp: Date.now(), signature: "0".repeat(64) }),
  },
  {
    code: -1034,
    text: "Too many concurrent connections; current limit is '%s'.",
    isMissing: "it belongs to FIX",
    instead: "-1003",
  },
  {
    code: -1100,
    text: "Illegal characters found in parameter 'symbol'; legal range is '^[A-Z0-9-_.]{1,20}$'.",
    ask: open("depth", { symbol: "b c" }),
  },
  {
    code: -1101,
    text: "Too many values sent for parameter 'symbols', maximum allowed up to 100.",
    ask: open("ticker", { symbols: SYMBOLS_101 }),
  },
  { code: -1102, text: "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed.", ask: open("depth") },
  { code: -1102, text: "Param 'symbol' or 'symbols' must be sent, but both were empty/null!", ask: open("ticker") },
  {
    code: -1102,
    text: "'recvWindow' contains unexpected value. Cannot be greater than 60000.",
    ask: signed("GET account", { recvWindow: 60_001 }),
  },
  {
    code: -1104,
    text: "Not all sent parameters were read; read '3' parameter(s) but was sent '4'.",
    ask: signed("GET openOrders", { symbol, foreign: 1 }),
  },
  { code: -1105, text: "Parameter 'symbol' was empty.", ask: signed("GET openOrders", { symbol: "" }) },
  { code: -1106, text: "Parameter 'stopPrice' sent when not required.", ask: test({ stopPrice: "1" }) },
  {
    code: -1108,
    text: "Parameter 'quantity' overflowed.",
    ask: async (venue) => {
      const listed = {
        symbol: PLAIN,
        baseAsset: "LTC",
        quoteAsset: "USDT",
        orderTypes: ["LIMIT", "LIMIT_MAKER", "STOP_LOSS"],
        ocoAllowed: false,
        opoAllowed: false,
        allowTrailingStop: false,
        pegInstructionsAllowed: false,
      };
      await operate(venue.exchange, "POST", "/v1/symbols", { ...listed, acceptRounding: true });
      return test({ symbol: PLAIN, quantity: "99999999999999999999" })(venue);
    },
  },
  { code: -1111, text: "Parameter 'quantity' has too much precision.", ask: test({ quantity: "0.123456789" }) },
  { code: -1115, text: "Invalid timeInForce.", ask: test({ timeInForce: "GTX" }) },
  { code: -1116, text: "Invalid orderType.", ask: test({ type: "X" }) },
  { code: -1117, text: "Invalid side.", ask: test({ side: "X" }) },
  { code: -1120, text: "Invalid interval.", ask: open("klines", { symbol, interval: "2m" }) },
  { code: -1121, text: "Invalid symbol.", ask: open("depth", { symbol: "NOSUCH" }) },
  { code: -1122, text: "Invalid symbolStatus.", ask: open("ticker/price", { symbolStatus: "X" }) },
  {
    code: -1128,
    text: "Combination of optional parameters invalid.",
    ask: open("ticker/price", { symbol, symbols: '["BTCUSDT"]' }),
  },
  {
    code: -1128,
    text: "Fields [pegOffsetType, pegOffsetValue] must be sent together or omitted entirely.",
    ask: test({ pegPriceType: "PRIMARY_PEG", pegOffsetValue: 1 }),
  },
  {
    code: -1130,
    text: "Data sent for parameter 'timeZone' is not valid.",
    ask: open("klines", { symbol, interval: "1d", timeZone: "15" }),
  },
  { code: -1134, text: "strategyType was less than 1000000.", ask: test({ strategyType: 1 }) },
  { code: -1136, text: "Invalid newOrderRespType.", ask: test({ newOrderRespType: "X" }) },
  { code: -1139, text: "Invalid ticker type.", ask: open("ticker", { symbol, type: "X" }) },
  {
    code: -1145,
    text: "Invalid cancelRestrictions",
    ask: signed("DELETE order", { symbol, orderId: 1, cancelRestrictions: "X" }),
  },
  {
    code: -1151,
    text: "Symbol is present multiple times in the list.",
    ask: open("ticker/price", { symbols: '["BTCUSDT","BTCUSDT"]' }),
  },
  {
    code: -1194,
    text: "Invalid value for time unit; expected either MICROSECOND or MILLISECOND.",
    ask: ({ maker }) => maker.send("GET", "/api/v3/time", { headers: { "X-MBX-TIME-UNIT": "SECOND" } }),
  },
  {
    code: -1220,
    text: "The symbol's status does not match the requested symbolStatus.",
    ask: open("ticker/price", { symbol, symbolStatus: "HALT" }),
  },
  {
    code: -1013,
    text: "This symbol does not allow the specified self-trade prevention mode.",
    ask: async (venue) => {
      await operate(venue.exchange, "PUT", `/v1/symbols/${PLAIN}/self-trade-prevention`, ONLY_MAKER);
      return placed({ symbol: PLAIN, selfTradePreventionMode: "NONE" })(venue);
    },
  },
  { code: -2010, text: "Account has insufficient balance for requested action.", ask: placed({ quantity: "80000" }) },
  {
    code: -2010,
    text: "This account may not place or cancel orders.",
    ask: async (venue) => {
      const [{ email }] = venue.accounts;
      await operate(venue.exchange, "PATCH", `/v1/accounts/${email}`, { canTrade: false });
      const answer = await placed({})(venue);
      await operate(venue.exchange, "PATCH", `/v1/accounts/${email}`, { canTrade: true });
      return answer;
    },
  },
  { code: -2010, text: "Market is closed.", ask: inStatus("HALT") },
  { code: -2010, text: "This order type is not possible in this trading phase.", ask: inStatus("CANCEL_ONLY") },
  {
    code: -2010,
    text: "Duplicate order sent.",
    ask: async (venue) => {
      const own = { price: "40000", newClientOrderId: "twice" };
      await placed(own)(venue);
      return placed(own)(venue);
    },
  },
  {
    code: -2010,
    text: "OCO orders are not supported for this symbol",
    ask: list({
      symbol: PLAIN,
      aboveType: "LIMIT_MAKER",
      abovePrice: "100",
      belowType: "STOP_LOSS",
      belowStopPrice: "50",
    }),
  },
  {
    code: -2010,
    text: "Trailing stop orders are not supported for this symbol.",
    ask: signed("POST order", { symbol: PLAIN, side: "SELL", type: "STOP_LOSS", quantity: "1", trailingDelta: "100" }),
  },
  {
    code: -2010,
    text: "Order would immediately match and take.",
    ask: async (venue) => {
      await venue.ask(
        venue.maker,
        "order ACK",
        "POST order",
        order("SELL", { price: "50300", newOrderRespType: "ACK" }),
      );
      return signed("POST order", { symbol, side: "BUY", type: "LIMIT_MAKER", quantity: "0.1", price: "50300" })(venue);
    },
  },
  {
    code: -2010,
    text: "Order would trigger immediately.",
    ask: signed("POST order", { symbol, side: "SELL", type: "STOP_LOSS", quantity: "0.1", stopPrice: "60000" }),
  },
  {
    code: -2010,
    text: "The relationship of the prices for the orders is not correct.",
    ask: list({ aboveType: "LIMIT_MAKER", abovePrice: "45000", belowType: "STOP_LOSS", belowStopPrice: "44000" }),
  },
  {
    code: -2010,
    text: "This symbol is not permitted for this account.",
    isMissing: "all accounts may trade all symbols",
  },
  { code: -2010, text: "This symbol is restricted for this account.", isMissing: "all accounts may trade all symbols" },
  {
    code: -2010,
    text: "Rest API trading is not enabled.",
    isMissing: "a suspension concerns all ways to trade",
    instead: "-1016, or the status of the symbols",
  },
  {
    code: -2010,
    text: "WebSocket API trading is not enabled.",
    isMissing: "a suspension concerns all ways to trade",
    instead: "-1016, or the status of the symbols",
  },
  {
    code: -2010,
    text: "Pegged orders are not supported for this symbol.",
    ask: placed({ symbol: PLAIN, pegPriceType: "PRIMARY_PEG" }),
  },
  {
    code: -2010,
    text: "This order type may not use pegged price.",
    ask: signed("POST order", { symbol, side: "BUY", type: "MARKET", quantity: "0.1", pegPriceType: "MARKET_PEG" }),
  },
  {
    code: -2010,
    text: "This price peg cannot be used with this order type.",
    ask: placed({ timeInForce: "IOC", pegPriceType: "PRIMARY_PEG" }),
  },
  {
    code: -2010,
    text: "Order book liquidity is too low for this pegged order.",
    ask: placed({ pegPriceType: "PRIMARY_PEG", pegOffsetType: "PRICE_LEVEL", pegOffsetValue: 100 }),
  },
  {
    code: -2010,
    text: "Order book liquidity is less than symbol minimum quantity.",
    isMissing: "the order is accepted and expires",
    instead: "an order with the status EXPIRED",
  },
  {
    code: -2010,
    text: "Order book liquidity is less than `LOT_SIZE` filter minimum quantity.",
    isMissing: "the filter itself is named",
    instead: "-1013 Filter failure: LOT_SIZE",
  },
  { code: -2010, text: "Order cancel-replace is not supported for this symbol.", isMissing: "every symbol allows it" },

  { code: -2011, text: "Unknown order sent.", ask: signed("DELETE order", { symbol, orderId: 999_999 }) },
  {
    code: -2011,
    text: "Order was not canceled due to cancel restrictions.",
    ask: changing("DELETE order", "orderId", { cancelRestrictions: "ONLY_PARTIALLY_FILLED" }),
  },
  {
    code: -2011,
    text: "Cancel order is invalid. Check origClOrdId and orderId.",
    ask: async (venue) => {
      await changing("GET order", "orderId", {})(venue);
      return changing("DELETE order", "orderId", { origClientOrderId: `own-${serial}` })(venue);
    },
  },
  { code: -2013, text: "Order does not exist.", ask: signed("GET order", { symbol, orderId: 999_999 }) },
  {
    code: -2014,
    text: "API-key format invalid.",
    status: 401,
    ask: ({ maker }) =>
      maker.send("GET", "/api/v3/account", { query: "timestamp=1&signature=1", headers: { "X-MBX-APIKEY": "short" } }),
  },
  {
    code: -2015,
    text: "Invalid API-key, IP, or permissions for action.",
    status: 401,
    ask: ({ maker }) =>
      maker.send("GET", "/api/v3/account", {
        query: `timestamp=1&signature=${"0".repeat(64)}`,
        headers: { "X-MBX-APIKEY": "A".repeat(64) },
      }),
  },
  {
    code: -2021,
    text: "Order cancel-replace partially failed.",
    status: 409,
    ask: replacing({ cancelReplaceMode: "STOP_ON_FAILURE", quantity: "80000" }),
  },
  {
    code: -2022,
    text: "Order cancel-replace failed.",
    ask: signed("POST order/cancelReplace", {
      ...order("BUY"),
      cancelOrderId: 999_999,
      cancelReplaceMode: "STOP_ON_FAILURE",
    }),
  },
  {
    code: -2026,
    text: "Order was canceled or expired with no executed qty over 90 days ago and has been archived.",
    isMissing: "orders are not archived",
    instead: "the order",
  },
  {
    code: -2035,
    text: "User Data Stream subscription already active.",
    error: SUBSCRIPTION_ACTIVE,
  },
  {
    code: -2036,
    text: "User Data Stream subscription not active.",
    error: SUBSCRIPTION_NOT_ACTIVE,
  },
  {
    code: -2042,
    text: "Maximum subscription ID reached for this connection.",
    error: NO_MORE_SUBSCRIPTION_IDS,
  },
  {
    code: -2043,
    text: "This symbol doesn't have a reference price.",
    ask: open("referencePrice", { symbol: "ETHUSDT" }),
  },
  {
    code: -2038,
    text: "Unknown order sent.",
    ask: signed("PUT order/amend/keepPriority", { symbol, orderId: 999_999, newQty: "0.1" }),
  },
  {
    code: -2038,
    text: "Order amend is not supported for this symbol.",
    error: rejectError("AMEND_NOT_SUPPORTED", "amend"),
  },
  {
    code: -2038,
    text: "Order amend (quantity increase) is not supported.",
    ask: changing("PUT order/amend/keepPriority", "orderId", { newQty: "1" }),
  },
  {
    code: -2038,
    text: "The requested action would change no state; rejecting",
    ask: changing("PUT order/amend/keepPriority", "orderId", { newQty: "0.1" }),
  },
  {
    code: -2038,
    text: "Duplicate order sent.",
    ask: changing("PUT order/amend/keepPriority", "orderId", { newQty: "0.05", newClientOrderId: "twice" }),
  },
  { code: -1013, text: "Invalid quantity.", ask: changing("PUT order/amend/keepPriority", "orderId", { newQty: "0" }) },
  {
    code: -2039,
    text: "Client order ID is not correct for this order ID.",
    ask: changing("GET order", "orderId", { origClientOrderId: "twice" }),
  },

  { code: -1210, text: "Invalid pegPriceType.", ask: test({ pegPriceType: "X" }) },
  { code: -1211, text: "Invalid pegOffsetType.", ask: test({ pegOffsetType: "X" }) },
  ...LIST_ERROR_ROWS,

  // The last ones, because they exhaust a limit.
  {
    code: -1015,
    status: 429,
    text: "Too many new orders; current limit is 100 orders per 10 SECOND.",
    ask: manyOrders,
  },
  {
    code: -1003,
    status: 429,
    text: "Too much request weight used; current limit is 6000 request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.",
    ask: manyReads,
  },
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
