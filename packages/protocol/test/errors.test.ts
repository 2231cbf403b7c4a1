/** Codes, texts, statuses and bodies. FACTS 0.3, 1.1 to 1.5. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as protocol from "@pricetime/protocol";
import {
  type ApiError,
  apiError,
  banned,
  ERROR_KINDS,
  errorBody,
  httpStatus,
  INVALID_SIGNATURE,
  isApiError,
  NO_SUCH_ORDER,
  ORDER_TYPES,
  type RejectContext,
  rejectError,
  type RejectWord,
  tooManyOrders,
  tooManyRequests,
  tooMuchWeight,
  UNKNOWN_PATH,
  WRONG_METHOD,
} from "@pricetime/protocol";

test("codes stand once in the table, and every constant is one of them", () => {
  const codes = new Set(ERROR_KINDS.map(({ code }) => code));
  assert.equal(codes.size, ERROR_KINDS.length);
  const constants = Object.values(protocol).filter(
    (value): value is ApiError => typeof value === "object" && value !== null && isApiError(value),
  );
  assert.ok(constants.length > 20);
  for (const error of constants) assert.ok(codes.has(error.code) && error.msg !== "", JSON.stringify(error));
});

test("statuses", () => {
  const statuses: readonly (readonly [error: ApiError, status: number])[] = [
    [apiError(-1121, ""), 400],
    [apiError(-2010, ""), 400],
    [INVALID_SIGNATURE, 400],
    [protocol.BAD_API_KEY_FORMAT, 401],
    [protocol.REJECTED_API_KEY, 401],
    [UNKNOWN_PATH, 404],
    [WRONG_METHOD, 405],
    [tooMuchWeight(1200, 1, "MINUTE"), 429],
    [tooManyOrders(10, 1, "SECOND"), 429],
    [banned(1), 418],
    [protocol.CANCEL_REPLACE_FAILED, 400],
    [protocol.CANCEL_REPLACE_PARTLY_FAILED, 409],
    [protocol.UNKNOWN_ERROR, 500],
    [protocol.DISCONNECTED, 503],
    [protocol.SHUTTING_DOWN, 503],
    [protocol.SERVER_BUSY, 503],
    [protocol.TIMEOUT, 504],
    [apiError(-9999, ""), 400],
  ];
  for (const [error, status] of statuses) {
    assert.equal(error.status, status, JSON.stringify(error));
    assert.equal(httpStatus(error, "api"), status);
    assert.equal(httpStatus(error, "sapi"), status);
  }
});

test("the wallet family refuses with 200 and success false, but for limits and faults of ours", () => {
  assert.deepEqual(errorBody(NO_SUCH_ORDER, "api"), { code: -2013, msg: "Order does not exist." });
  assert.deepEqual(errorBody(NO_SUCH_ORDER, "sapi"), { code: -2013, msg: "Order does not exist." });
  assert.deepEqual(errorBody(NO_SUCH_ORDER, "wapi"), { success: false, msg: "Order does not exist.", code: -2013 });
  for (const [status, walletStatus] of [
    [400, 200],
    [401, 200],
    [404, 200],
    [403, 403],
    [418, 418],
    [429, 429],
    [500, 500],
    [503, 503],
    [504, 504],
  ] as const) {
    assert.equal(httpStatus(apiError(-1000, "", status), "wapi"), walletStatus);
  }
});

test("texts with numbers", () => {
  assert.equal(
    tooMuchWeight(1200, 1, "MINUTE").msg,
    "Too much request weight used; current limit is 1200 request weight per 1 MINUTE. Please use the websocket for live updates to avoid polling the API.",
  );
  assert.equal(
    banned(1573100000000).msg,
    "Way too much request weight used; IP banned until 1573100000000. Please use the websocket for live updates to avoid bans.",
  );
  assert.match(
    tooManyRequests(5000, 5, "MINUTE").msg,
    /^Too many requests; current limit is 5000 requests per 5 MINUTE\./,
  );
  assert.equal(tooManyOrders(10, 1, "SECOND").msg, "Too many new orders; current limit is 10 orders per SECOND.");
  assert.equal(tooManyOrders(50, 10, "SECOND").msg, "Too many new orders; current limit is 50 orders per 10 SECOND.");
  assert.equal(protocol.moreThanHours(24).msg, "More than 24 hours between startTime and endTime.");
});

/** A row a reason: where it can come up, the code there, and the text. */
const REJECTS = `
PRICE_FILTER                  place  -1013 Filter failure: PRICE_FILTER
PERCENT_PRICE                 place  -1013 Filter failure: PERCENT_PRICE
LOT_SIZE                      place  -1013 Filter failure: LOT_SIZE
MIN_NOTIONAL                  place  -1013 Filter failure: MIN_NOTIONAL
ICEBERG_PARTS                 place  -1013 Filter failure: ICEBERG_PARTS
MARKET_LOT_SIZE               place  -1013 Filter failure: MARKET_LOT_SIZE
MAX_NUM_ORDERS                place  -1013 Filter failure: MAX_NUM_ORDERS
MAX_NUM_ALGO_ORDERS           place  -1013 Filter failure: MAX_ALGO_ORDERS
MAX_NUM_ICEBERG_ORDERS        place  -1013 Filter failure: MAX_NUM_ICEBERG_ORDERS
EXCHANGE_MAX_NUM_ORDERS       place  -1013 Filter failure: EXCHANGE_MAX_NUM_ORDERS
EXCHANGE_MAX_NUM_ALGO_ORDERS  place  -1013 Filter failure: EXCHANGE_MAX_ALGO_ORDERS
TOO_MANY_OPEN_ORDERS          place  -1013 Filter failure: EXCHANGE_MAX_NUM_ORDERS
INVALID_QUANTITY              place  -1013 Invalid quantity.
MARKET_CLOSED                 place  -2010 Market is closed.
MARKET_CLOSED                 cancel -2011 Market is closed.
INSUFFICIENT_BALANCE          place  -2010 Account has insufficient balance for requested action.
DUPLICATE_ORDER               place  -2010 Duplicate order sent.
UNKNOWN_ORDER                 cancel -2011 Unknown order sent.
CANCEL_IDS_DISAGREE           cancel -2011 Cancel order is invalid. Check origClOrdId and orderId.
UNKNOWN_SYMBOL                place  -1121 Invalid symbol.
ICEBERG_NOT_SUPPORTED         place  -2010 Iceberg orders are not supported for this symbol.
ICEBERG_EXCEEDS_QUANTITY      place  -2010 IcebergQty exceeds QTY.
QUOTE_ORDER_QTY_NOT_SUPPORTED place  -2010 Quote order qty market orders are not support for this symbol.
UNSUPPORTED_COMBINATION       place  -2010 Unsupported order combination
WOULD_MATCH_IMMEDIATELY       place  -2010 Order would immediately match and take.
WOULD_TRIGGER_IMMEDIATELY     place  -2010 Order would trigger immediately.
OCO_NOT_SUPPORTED             place  -2010 OCO orders are not supported for this symbol
OCO_BAD_PRICES                place  -2010 The relationship of the prices for the orders is not correct.
ACCOUNT_MAY_NOT_TRADE         place  -2010 This action disabled is on this account.
ACCOUNT_MAY_NOT_TRADE         cancel -2011 This action disabled is on this account.
UNKNOWN_LISTEN_KEY            other  -1125 This listenKey does not exist.
UNKNOWN_ACCOUNT               other  -1010 Unknown account.
UNKNOWN_ASSET                 other  -1010 Unknown asset.
UNKNOWN_API_KEY               other  -1010 Unknown API key.
ALREADY_EXISTS                other  -1010 It exists already.
INVALID_VALUE                 other  -1010 Invalid value.
TOO_MANY                      other  -1010 The maximum is reached.
`;

test("every refusal of the engine", () => {
  for (const row of REJECTS.trim().split("\n")) {
    const [, reason, context, code, msg] = /^(\S+)\s+(\S+)\s+(\S+) (.*)$/.exec(row) ?? [];
    const error = rejectError(reason as RejectWord, context as RejectContext);
    assert.deepEqual(error, { code: Number(code), msg, status: 400 }, row);
  }
});

test("a type that a symbol does not take is named", () => {
  const texts = ORDER_TYPES.map((type) => rejectError("ORDER_TYPE_NOT_SUPPORTED", "place", type).msg);
  assert.deepEqual(
    texts.map((text) => text.replace(" orders are not supported for this symbol.", "")),
    ["Limit", "Market", "Limit maker", "Stop loss", "Stop loss limit", "Take profit", "Take profit limit"],
  );
  assert.equal(rejectError("ORDER_TYPE_NOT_SUPPORTED", "place", "MARKET").code, -2010);
});
