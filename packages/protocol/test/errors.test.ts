/** Codes, texts, statuses and bodies. Interface S.3, 7.4 to 7.9. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as protocol from "@pricetime/protocol";
import type { RejectReason } from "@pricetime/engine";
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
  tooManyOrders,
  tooManyRequests,
  tooMuchWeight,
  UNKNOWN_PATH,
  WRONG_METHOD,
} from "@pricetime/protocol";

test("codes are unique in the table, and every constant is one of them", () => {
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

test("the wallet family rejects with 200 and success false, except for limits and internal errors", () => {
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

/** One row for each reason: the context, the code, and the text. */
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
MAX_NUM_ORDER_AMENDS          amend  -2038 Filter failure: MAX_NUM_ORDER_AMENDS
LOT_SIZE                      amend  -1013 Filter failure: LOT_SIZE
UNKNOWN_ORDER                 amend  -2038 Unknown order sent.
DUPLICATE_ORDER               amend  -2038 Duplicate order sent.
MARKET_CLOSED                 amend  -2038 Market is closed.
AMEND_NOT_SUPPORTED           amend  -2038 Order amend is not supported for this symbol.
AMEND_INCREASES               amend  -2038 Order amend (quantity increase) is not supported.
AMEND_CHANGES_NOTHING         amend  -2038 The requested action would change no state; rejecting
AMEND_PENDING_OPO             amend  -2038 Order amend (pending OPO order) is not supported.
EXCHANGE_MAX_NUM_ORDERS       place  -1013 Filter failure: EXCHANGE_MAX_NUM_ORDERS
EXCHANGE_MAX_NUM_ALGO_ORDERS  place  -1013 Filter failure: EXCHANGE_MAX_ALGO_ORDERS
TOO_MANY_OPEN_ORDERS          place  -1013 Filter failure: EXCHANGE_MAX_NUM_ORDERS
INVALID_QUANTITY              place  -1013 Invalid quantity.
MARKET_CLOSED                 place  -2010 Market is closed.
MARKET_CLOSED                 cancel -2011 Market is closed.
CANCEL_ONLY                   place  -2010 This order type is not possible in this trading phase.
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
OTO_NOT_SUPPORTED             place  -2010 OTO orders are not supported for this symbol.
OPO_NOT_SUPPORTED             place  -2010 OPO orders are not supported for this symbol.
PEG_NOT_SUPPORTED             place  -2010 Pegged orders are not supported for this symbol.
PEG_ORDER_TYPE                place  -2010 This order type may not use pegged price.
PEG_PRICE_TYPE                place  -2010 This price peg cannot be used with this order type.
PEG_LEVEL_MISSING             place  -2010 Order book liquidity is too low for this pegged order.
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
API_TRADING_LOCKED            place  -2010 This action disabled is on this account.
WITHDRAWAL_SUSPENDED          other  -4001 Invalid operation.
`;

test("every rejection of the engine", () => {
  for (const row of REJECTS.trim().split("\n")) {
    const [, reason, context, code, msg] = /^(\S+)\s+(\S+)\s+(\S+) (.*)$/.exec(row) ?? [];
    const error = rejectError(reason as RejectReason, context as RejectContext);
    assert.deepEqual(error, { code: Number(code), msg, status: 400 }, row);
  }
});

/** The same for the wallet: the request, the reason, and the error. Interface 7.10. */
const WALLET_REJECTS = `
withdraw UNKNOWN_ASSET             -4018 We don't have this asset.
withdraw UNKNOWN_NETWORK           -1130 Data sent for paramter 'network' is not valid.
withdraw WITHDRAWAL_SUSPENDED      -4019 Current asset is not open for withdrawal.
withdraw ACCOUNT_MAY_NOT_WITHDRAW  -4015 Withdraw is limited.
withdraw WITHDRAWAL_BELOW_MINIMUM  -4022 Not less than the minimum pick-up quantity 0.01.
withdraw WITHDRAWAL_ABOVE_MAXIMUM  -4023 Within 24 hours, the withdrawal exceeds the maximum amount.
withdraw WITHDRAWAL_NOT_A_MULTIPLE -4021 Asset withdrawal must be an integer multiple of 0.001.
withdraw WITHDRAWAL_BELOW_FEE      -4028 The amount of withdrawal must be greater than the Commission.
withdraw INSUFFICIENT_BALANCE      -4026 You have insufficient balance.
withdraw ADDRESS_NOT_ALLOWED       -4035 This address is not on the whitelist. Please join and try again.
withdraw ADDRESS_IS_OWN            -4033 Illegal address.
withdraw TOTP_REQUIRED             -1102 Mandatory parameter 'code' was not sent, was empty/null, or malformed.
withdraw TOTP_REUSED               -4032 Withdraw verification exception.
withdraw UNKNOWN_WITHDRAWAL        -4029 The withdrawal record does not exist.
withdraw TOO_MANY                  -4005 Too many new requests.
withdraw ALREADY_EXISTS            -1130 Data sent for paramter 'withdrawOrderId' is not valid.
withdraw INVALID_VALUE             -4001 Invalid operation.
transfer UNKNOWN_ASSET             -4018 We don't have this asset.
transfer INSUFFICIENT_BALANCE      -4026 You have insufficient balance.
transfer MASTER_ONLY               -4006 Support main account only.
transfer NOT_RELATED               -5021 This parent sub have no relation
transfer UNKNOWN_ACCOUNT           -5021 This parent sub have no relation
transfer SAME_ACCOUNT              -4001 Invalid operation.
transfer INVALID_VALUE             -4001 Invalid operation.
transfer ACCOUNT_MAY_NOT_WITHDRAW  -4015 Withdraw is limited.
dust     DUST_NOT_OFFERED          -5001 Don't allow transfer to micro assets.
dust     DUST_ASSET_ITSELF         -5001 Don't allow transfer to micro assets.
dust     NO_PRICE                  -5001 Don't allow transfer to micro assets.
dust     TREASURY_SHORT            -5001 Don't allow transfer to micro assets.
dust     INSUFFICIENT_BALANCE      -5002 You have insufficient balance.
dust     UNKNOWN_ASSET             -5003 You don't have this asset.
dust     DUST_TOO_MUCH             -5004 The residual balances of ETH have exceeded 0.001BTC, Please re-choose.
dust     DUST_TOO_LITTLE           -5005 The residual balances of ETH is too low, Please re-choose.
dust     DUST_TOO_SOON             -5006 Only transfer once in 24 hours.
dust     INVALID_VALUE             -1130 Data sent for paramter 'asset' is not valid.
dust     TOO_MANY                  -1130 Data sent for paramter 'asset' is not valid.
`;

const DUST_WORDS = { assets: "ETH", limit: "0.001BTC", pauseMs: 86_400_000 };

test("the error of a conversion too soon contains the pause", () => {
  const text = (pauseMs: number): string => protocol.dustError("DUST_TOO_SOON", { ...DUST_WORDS, pauseMs }).msg;
  assert.equal(text(86_400_000), "Only transfer once in 24 hours.", "the parent's own");
  assert.equal(text(60_000), "Only transfer once in 1 minute.", "the demo's");
  assert.deepEqual([3_600_000, 90_000, 1000, 1500].map(text), [
    "Only transfer once in 1 hour.",
    "Only transfer once in 90 seconds.",
    "Only transfer once in 1 second.",
    "Only transfer once in 1500 milliseconds.",
  ]);
});

const WALLET_ERRORS: Readonly<Record<string, (reason: RejectReason) => ApiError>> = {
  withdraw: (reason) => protocol.withdrawalError(reason, { min: "0.01", step: "0.001" }),
  transfer: protocol.transferError,
  dust: (reason) => protocol.dustError(reason, DUST_WORDS),
};

test("every rejection of wallet commands, with codes of the table only", () => {
  const codes = new Set(ERROR_KINDS.map(({ code }) => code));
  for (const row of WALLET_REJECTS.trim().split("\n")) {
    const [, context = "", reason, code, msg] = /^(\S+)\s+(\S+)\s+(\S+) (.*)$/.exec(row) ?? [];
    const error = WALLET_ERRORS[context]?.(reason as RejectReason);
    assert.deepEqual(error, { code: Number(code), msg, status: 400 }, row);
    assert.ok(codes.has(Number(code)), row);
  }
});

test("during maintenance requests are rejected with 503, and the wallet family has its own text", () => {
  for (const error of [
    rejectError("MAINTENANCE", "place"),
    ...Object.values(WALLET_ERRORS).map((of) => of("MAINTENANCE")),
  ]) {
    assert.deepEqual(error, { code: -1016, msg: "This service is no longer available.", status: 503 });
    assert.deepEqual(errorBody(error, "wapi"), { success: false, msg: "system maintenance", code: -1016 });
    assert.deepEqual(errorBody(error, "sapi"), { code: -1016, msg: "This service is no longer available." });
  }
});

test("texts that only the wallet family has", () => {
  const said = (error: ApiError): string => errorBody(error, "wapi").msg;
  assert.equal(said(protocol.UNAUTHORIZED), "You don't have permission.");
  assert.equal(said(protocol.WITHDRAWAL_SUSPENDED), "The current currency is not open for withdrawal");
  assert.equal(said(protocol.transferError("INSUFFICIENT_BALANCE")), "The user has insufficient balance available");
});

test("the error names an order type that the symbol does not support", () => {
  const texts = ORDER_TYPES.map((type) => rejectError("ORDER_TYPE_NOT_SUPPORTED", "place", type).msg);
  assert.deepEqual(
    texts.map((text) => text.replace(" orders are not supported for this symbol.", "")),
    ["Limit", "Market", "Limit maker", "Stop loss", "Stop loss limit", "Take profit", "Take profit limit"],
  );
  assert.equal(rejectError("ORDER_TYPE_NOT_SUPPORTED", "place", "MARKET").code, -2010);
});
