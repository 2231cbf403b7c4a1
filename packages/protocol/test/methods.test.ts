/** Methods of the WebSocket API: the same rows, found by name, with values that are already parsed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ENDPOINTS,
  findMethod,
  isApiError,
  type KnownEndpoint,
  METHODS,
  needsKey,
  needsSignature,
  parseRequest,
  parseValues,
  weightOf,
  weightOfValues,
} from "@pricetime/protocol";

/** Each method with the conditions besides its parameters. */
const TABLE = `
ping                              -
time                              -
exchangeInfo                      -
depth                             -
trades.recent                     -
trades.historical                 -
blockTrades.historical            -
trades.aggregate                  -
klines                            -
uiKlines                          -
avgPrice                          -
executionRules                    -
referencePrice                    -
referencePrice.calculation        -
ticker.24hr                       -
ticker.tradingDay                 -
ticker                            -
ticker.price                      -
ticker.book                       -
order.place                       signature
order.test                        signature
order.status                      signature
order.cancel                      signature
order.cancelReplace               signature
order.amend.keepPriority          signature
order.amendments                  signature
openOrders.status                 signature
openOrders.cancelAll              signature
allOrders                         signature
orderList.place                   signature
orderList.place.oco               signature
orderList.place.oto               signature
orderList.place.otoco             signature
orderList.place.opo               signature
orderList.place.opoco             signature
orderList.cancel                  signature
orderList.status                  signature
allOrderLists                     signature
openOrderLists.status             signature
account.status                    signature
account.commission                signature
account.rateLimits.orders         signature
myFilters                         signature
myTrades                          signature
myPreventedMatches                signature
userDataStream.start              key
userDataStream.ping               key
userDataStream.stop               key
session.logon                     signature
session.status                    -
session.logout                    -
session.subscriptions             -
userDataStream.subscribe          key
userDataStream.subscribe.signature signature
userDataStream.unsubscribe        -
`;

function asks(endpoint: KnownEndpoint): string {
  if (needsSignature(endpoint)) return "signature";
  return needsKey(endpoint) ? "key" : "-";
}

test("methods have the names of later versions of the interface", () => {
  const rows = TABLE.trim()
    .split("\n")
    .map((row) => row.split(/\s+/));
  assert.deepEqual(
    METHODS.map((endpoint) => [endpoint.id, asks(endpoint)]),
    rows,
  );
  for (const endpoint of METHODS) {
    assert.equal(findMethod(endpoint.id), endpoint);
    assert.equal(findMethod(`v3/${endpoint.id}`), endpoint);
    assert.ok(!needsSignature(endpoint) || needsKey(endpoint));
  }
  for (const name of ["", "v3/", "v3/v3/ping", "v1/ping", "PING", "capital.coins", "toString", "__proto__"]) {
    assert.equal(findMethod(name), undefined, name);
  }
});

const values = (text: string): Map<string, string> => new Map(new URLSearchParams(text));

/** The text that is signed differs for each. */
const UNSIGNED = { payload: "", encodedParts: [] };

test("parsed values are checked and weighted like those of a query", () => {
  const texts = [
    "",
    "symbol=BTCUSDT",
    "symbol=bad symbol",
    "symbol=BTCUSDT&limit=5000",
    "symbol=BTCUSDT&limit=0&orderId=x",
    "symbol=&timestamp=1",
    'symbols=["A","B"]',
    "symbol=BTCUSDT&orderId=1&timestamp=2&recvWindow=3",
    `symbol=BTCUSDT&orderId=1&timestamp=2&signature=${"a".repeat(64)}`,
    `symbol=BTCUSDT&orderId=1&timestamp=2&signature=${"a".repeat(64)}&foreign=1`,
    `timestamp=2&signature=${"A".repeat(86)}%3D%3D`,
  ];
  for (const endpoint of ENDPOINTS) {
    for (const text of texts) {
      const request = { values: values(text), payload: "", isLoggedOn: false };
      const encoded = new URLSearchParams(text).toString();
      const byQuery = parseRequest(endpoint, encoded, "");
      const byValues = parseValues(endpoint, request);
      if (isApiError(byQuery) || isApiError(byValues)) assert.deepEqual(byValues, byQuery, `${endpoint.id} ${text}`);
      else assert.deepEqual({ ...byValues, ...UNSIGNED }, { ...byQuery, ...UNSIGNED }, `${endpoint.id} ${text}`);
      assert.equal(weightOfValues(endpoint, request.values), weightOf(endpoint, encoded, ""), `${endpoint.id} ${text}`);
    }
  }
});

test("after logon a request needs no signature, and cannot have one", () => {
  const endpoint = findMethod("order.status");
  assert.ok(endpoint !== undefined);
  const request = { values: values("symbol=BTCUSDT&orderId=1&timestamp=2"), payload: "p" };
  const unsigned = parseValues(endpoint, { ...request, isLoggedOn: false });
  assert.ok(isApiError(unsigned) && unsigned.code === -1102);
  const read = parseValues(endpoint, { ...request, isLoggedOn: true });
  assert.ok(!isApiError(read));
  assert.deepEqual([read.timestampMs, read.signature, read.unread], [2, "", null]);
  const untimed = parseValues(endpoint, { ...request, values: values("symbol=BTCUSDT&orderId=1"), isLoggedOn: true });
  assert.ok(isApiError(untimed) && untimed.msg.includes("'timestamp'"));
});
