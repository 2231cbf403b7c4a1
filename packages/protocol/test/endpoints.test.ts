/** The endpoint table: rows, weights, routing. Interface 4. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINTS, findEndpoint, integerOf, limitOf, methodsOf, symbolsOf, weightOf } from "@pricetime/protocol";
import { endpointOf } from "./endpoint.ts";

/** Method, path, security, then the weights of some requests. */
const TABLE = `
GET    /api/v3/ping                        NONE        1
GET    /api/v1/ping                        NONE        1
GET    /api/v3/time                        NONE        1
GET    /api/v1/time                        NONE        1
GET    /api/v3/exchangeInfo                NONE        1
GET    /api/v1/exchangeInfo                NONE        1
GET    /api/v3/depth                       NONE        symbol=A:1 symbol=A&limit=5:1 symbol=A&limit=100:1 symbol=A&limit=500:5 symbol=A&limit=1000:10 limit=5000&symbol=A:50 limit=7:1
GET    /api/v1/depth                       NONE        limit=%35000:50
GET    /api/v3/trades                      NONE        1
GET    /api/v1/trades                      NONE        1
GET    /api/v3/historicalTrades            MARKET_DATA 5
GET    /api/v1/historicalTrades            MARKET_DATA 5
GET    /api/v3/historicalBlockTrades       NONE        1
GET    /api/v3/executionRules              NONE        symbol=A:2 symbols=["A","B"]:4 :40
GET    /api/v3/referencePrice              NONE        2
GET    /api/v3/referencePrice/calculation  NONE        2
GET    /api/v3/aggTrades                   NONE        1
GET    /api/v1/aggTrades                   NONE        1
GET    /api/v3/klines                      NONE        1 interval=1m:1 interval=1s:5 interval=1s&limit=1:5 timeZone=8:5 timeZone=-00:00:1 timeZone=x:1
GET    /api/v1/klines                      NONE        1 interval=1s:5
GET    /api/v3/uiKlines                    NONE        1 interval=1s:5
GET    /api/v3/avgPrice                    NONE        1
GET    /api/v3/ticker/24hr                 NONE        symbol=A:1 x=1:40 symbols=["A","B","C"]:3
GET    /api/v1/ticker/24hr                 NONE        :40
GET    /api/v3/ticker/tradingDay           NONE        symbol=A:4 symbols=["A","B","C"]:12
GET    /api/v3/ticker                      NONE        symbol=A&windowSize=7d:4 symbols=["A","B"]:8
GET    /api/v3/ticker/price                NONE        symbol=A:1 :2 symbols=["A","B","C"]:2
GET    /api/v1/ticker/price                NONE        :2
GET    /api/v3/ticker/bookTicker           NONE        symbol=A:1 :2
GET    /api/v1/ticker/bookTicker           NONE        :2
GET    /api/v1/ticker/allPrices            NONE        2
GET    /api/v1/ticker/allBookTickers       NONE        2
POST   /api/v3/order                       TRADE       1
POST   /api/v3/order/test                  TRADE       1
GET    /api/v3/order                       USER_DATA   1
DELETE /api/v3/order                       TRADE       1
GET    /api/v3/openOrders                  USER_DATA   symbol=A:1 timestamp=1:40
DELETE /api/v3/openOrders                  TRADE       1
GET    /api/v3/allOrders                   USER_DATA   5
POST   /api/v3/order/cancelReplace         TRADE       1
PUT    /api/v3/order/amend/keepPriority    TRADE       4
GET    /api/v3/order/amendments            USER_DATA   4
POST   /api/v3/order/oco                   TRADE       1
POST   /api/v3/orderList/oco               TRADE       1
POST   /api/v3/orderList/oto               TRADE       1
POST   /api/v3/orderList/otoco             TRADE       1
POST   /api/v3/orderList/opo               TRADE       1
POST   /api/v3/orderList/opoco             TRADE       1
DELETE /api/v3/orderList                   TRADE       1
GET    /api/v3/orderList                   USER_DATA   1
GET    /api/v3/allOrderList                USER_DATA   10
GET    /api/v3/openOrderList               USER_DATA   2
GET    /api/v3/account                     USER_DATA   5
GET    /api/v3/account/commission          USER_DATA   5
GET    /api/v3/rateLimit/order             USER_DATA   5
GET    /api/v3/myFilters                   USER_DATA   5
GET    /api/v3/myTrades                    USER_DATA   5
GET    /api/v3/myPreventedMatches          USER_DATA   preventedMatchId=1:1 orderId=1:5
POST   /api/v3/userDataStream              USER_STREAM 1
PUT    /api/v3/userDataStream              USER_STREAM 1
DELETE /api/v3/userDataStream              USER_STREAM 1
POST   /api/v1/userDataStream              USER_STREAM 1
PUT    /api/v1/userDataStream              USER_STREAM 1
DELETE /api/v1/userDataStream              USER_STREAM 1
POST   /wapi/v3/withdraw.html              TRADE       1
GET    /wapi/v3/depositHistory.html        USER_DATA   1
GET    /wapi/v3/withdrawHistory.html       USER_DATA   1
GET    /wapi/v3/depositAddress.html        USER_DATA   1
GET    /wapi/v3/accountStatus.html         USER_DATA   1
GET    /wapi/v3/systemStatus.html          NONE        1
GET    /wapi/v3/apiTradingStatus.html      USER_DATA   1
GET    /wapi/v3/userAssetDribbletLog.html  USER_DATA   1
GET    /wapi/v3/tradeFee.html              USER_DATA   1
GET    /wapi/v3/assetDetail.html           USER_DATA   1
GET    /wapi/v3/sub-account/list.html      USER_DATA   1
GET    /wapi/v3/sub-account/transfer/history.html USER_DATA 1
POST   /wapi/v3/sub-account/transfer.html  USER_DATA   1
GET    /wapi/v3/sub-account/assets.html    USER_DATA   1
POST   /sapi/v1/capital/withdraw/apply     USER_DATA   1
GET    /sapi/v1/capital/withdraw/history   USER_DATA   1
GET    /sapi/v1/capital/deposit/hisrec     USER_DATA   1
GET    /sapi/v1/capital/deposit/address    USER_DATA   1
GET    /sapi/v1/asset/assetDetail          USER_DATA   1
POST   /sapi/v1/asset/dust                 USER_DATA   1
GET    /sapi/v1/asset/dribblet             USER_DATA   1
GET    /sapi/v1/bnbBurn                    USER_DATA   1
POST   /sapi/v1/bnbBurn                    USER_DATA   100
GET    /sapi/v1/asset/assetDividend        USER_DATA   1
GET    /sapi/v1/account/status             USER_DATA   1
GET    /sapi/v1/account/apiTradingStatus   USER_DATA   1
GET    /sapi/v1/account/apiRestrictions    USER_DATA   1
GET    /sapi/v1/accountSnapshot            USER_DATA   1
GET    /sapi/v1/sub-account/list           USER_DATA   1
GET    /sapi/v1/sub-account/sub/transfer/history USER_DATA 1
POST   /sapi/v1/sub-account/universalTransfer USER_DATA 1
GET    /sapi/v1/sub-account/universalTransfer USER_DATA 1
GET    /sapi/v3/sub-account/assets         USER_DATA   1
GET    /sapi/v4/sub-account/assets         USER_DATA   1
GET    /sapi/v1/capital/config/getall      USER_DATA   1
GET    /sapi/v1/asset/tradeFee             USER_DATA   1
GET    /sapi/v1/system/status              NONE        1
GET    /sapi/v1/margin/allPairs            NONE        1
GET    /sapi/v1/margin/isolated/allPairs   NONE        1
GET    /fapi/v1/exchangeInfo               NONE        1
GET    /dapi/v1/exchangeInfo               NONE        1
`;

test("paths have rows with the security and weight of the interface", () => {
  const rows = TABLE.trim().split("\n");
  for (const row of rows) {
    const [method = "", path = "", security, ...weights] = row.split(/\s+/);
    const endpoint = endpointOf(method, path);
    assert.equal(endpoint.security, security, row);
    for (const weight of weights) {
      const [, query = "", expected = ""] = /^(?:(.*):)?(\d+)$/.exec(weight) ?? [];
      assert.equal(weightOf(endpoint, query, "symbol=A&limit=5"), Number(expected), row);
    }
  }
  assert.equal(
    ENDPOINTS.reduce((count, { paths }) => count + paths.length, 0),
    rows.length,
  );
});

test("unknown paths and wrong methods are distinguished, and names of object members are no paths", () => {
  assert.equal(findEndpoint("POST", "/api/v3/ping"), "wrong method");
  assert.equal(findEndpoint("get", "/api/v3/ping"), "wrong method");
  assert.equal(findEndpoint("constructor", "/api/v3/ping"), "wrong method");
  for (const path of [
    "",
    "/",
    "/api/v3/ping/",
    "/API/v3/ping",
    "/api/v1/order",
    "__proto__",
    "constructor",
    "toString",
  ]) {
    assert.equal(findEndpoint("GET", path), "unknown", path);
  }
  assert.deepEqual(methodsOf("/api/v3/order"), ["POST", "GET", "DELETE"]);
  assert.deepEqual(methodsOf("/nothing"), []);
});

test("ids are unique, enumerations have words, and no parameter is duplicated", () => {
  assert.equal(new Set(ENDPOINTS.map(({ id }) => id)).size, ENDPOINTS.length);
  for (const { id, parameters, either = [], exclusive = [] } of ENDPOINTS) {
    const names = parameters.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, id);
    for (const { kind, words } of parameters) assert.equal(kind !== "enum" || (words?.length ?? 0) > 0, true, id);
    for (const name of [...either, ...exclusive.flat()]) assert.ok(names.includes(name), `${id} ${name}`);
  }
});

test("parsed numbers and lists", () => {
  const values = new Map([
    ["limit", "1000"],
    ["fromId", "007"],
    ["endTime", "9".repeat(20)],
  ]);
  assert.equal(integerOf(values, "fromId"), 7);
  assert.equal(integerOf(values, "endTime"), Number.MAX_SAFE_INTEGER);
  assert.equal(integerOf(values, "startTime"), undefined);
  const trades = endpointOf("GET", "/api/v3/trades");
  assert.equal(limitOf(trades, new Map()), 500);
  assert.equal(limitOf(trades, values), 1000);
  assert.equal(limitOf(trades, new Map([["limit", "1001"]])), 1000);
  assert.equal(limitOf(trades, new Map([["limit", "9".repeat(20)]])), 1000);
  assert.equal(limitOf(endpointOf("GET", "/api/v3/depth"), new Map()), 100);
  const pages = new Map([...values, ["page", "3"]]);
  assert.equal(limitOf(endpointOf("GET", "/wapi/v3/sub-account/list.html"), pages), 500, "a page is no limit");
  assert.throws(() => limitOf(endpointOf("GET", "/api/v3/ping"), values), /has no limit/);
  assert.deepEqual(symbolsOf('["A"]'), ["A"]);
  assert.deepEqual(symbolsOf('["BTCUSDT","A.B-C_D"]'), ["BTCUSDT", "A.B-C_D"]);
  assert.deepEqual(symbolsOf("[]"), []);
});

/** Interface S.18, 5.4: reading rights are not enough to move money. */
test("only endpoints that move money need an additional permission", () => {
  const asked = ENDPOINTS.filter(({ permission }) => permission !== undefined);
  assert.deepEqual(
    asked.map(({ paths, permission }) => `${paths[0]} ${permission}`),
    [
      "/wapi/v3/withdraw.html WITHDRAW",
      "/wapi/v3/sub-account/transfer.html TRADE",
      "/sapi/v1/asset/dust TRADE",
      "/sapi/v1/bnbBurn TRADE",
      "/sapi/v1/capital/withdraw/apply WITHDRAW",
      "/sapi/v1/sub-account/universalTransfer TRADE",
    ],
  );
});
