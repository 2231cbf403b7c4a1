/** What today's interface answers differently from that of 2019: one table, each row asked in both. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINTS, METHODS, VENUE_INTERFACES, type VenueInterfaceName } from "@pricetime/protocol";
import { SocketVenue } from "./streams/socket-venue.ts";
import { assertRefused, type TestAnswer, TestVenue } from "@pricetime/testkit/gateway-venue";
import { DEFAULT_LIMITS } from "../../src/api/edge/rate-limit-rules.ts";
import { WaitedTooLong } from "../../src/journal/sequencer/port.ts";

const NAMES = ["2019", "today"] as const;

function venueOf(name: VenueInterfaceName): TestVenue {
  const venueInterface = VENUE_INTERFACES[name];
  const { limits: rules } = venueInterface;
  const venue = new TestVenue({
    venueInterface,
    limits: { enabled: true, rules, maxTrackedIps: 1000, walletWeight: 1 },
  });
  return venue;
}

/** The weight that the request used, by the header of its answer. */
async function weighed(venue: TestVenue, ask: (venue: TestVenue) => Promise<TestAnswer>): Promise<number> {
  const used = async (): Promise<number> =>
    Number((await venue.public("/api/v3/ping")).headers.get("x-mbx-used-weight-1m"));
  const before = await used();
  await ask(venue);
  return (await used()) - before - 1;
}

const SYMBOL = { symbol: "BTCUSDT" };
type Ask = (venue: TestVenue) => Promise<TestAnswer>;
const open =
  (path: string, parameters: object = {}): Ask =>
  (venue) =>
    venue.public(`/api/v3/${path}`, parameters as never);
const signed =
  (method: string, path: string, parameters: object = {}): Ask =>
  (venue) =>
    venue.signed(method, `/api/v3/${path}`, parameters as never);

test("weights", async () => {
  const order: Ask = (venue) => venue.order({ price: "100", quantity: "1" });
  const rows: readonly (readonly [Ask, in2019: number, today: number])[] = [
    [open("ping"), 1, 1],
    [open("exchangeInfo"), 1, 20],
    [open("depth", SYMBOL), 1, 5],
    [open("depth", { ...SYMBOL, limit: "100" }), 1, 5],
    [open("depth", { ...SYMBOL, limit: "101" }), 1, 25],
    [open("depth", { ...SYMBOL, limit: "500" }), 5, 25],
    [open("depth", { ...SYMBOL, limit: "1000" }), 10, 50],
    [open("depth", { ...SYMBOL, limit: "5000" }), 50, 250],
    [open("depth", { ...SYMBOL, limit: "9999" }), 1, 250],
    [open("trades", SYMBOL), 1, 25],
    [open("historicalTrades", SYMBOL), 5, 25],
    [open("aggTrades", SYMBOL), 1, 4],
    [open("klines", { ...SYMBOL, interval: "1m" }), 1, 2],
    [open("klines", { ...SYMBOL, interval: "1s" }), 5, 10],
    [open("avgPrice", SYMBOL), 1, 2],
    [open("ticker/24hr", SYMBOL), 1, 2],
    [open("ticker/24hr"), 40, 80],
    [open("ticker/24hr", { symbols: JSON.stringify(Array.from({ length: 21 }, (_, i) => `S${i}`)) }), 21, 40],
    [open("ticker/price", SYMBOL), 1, 2],
    [open("ticker/price"), 2, 4],
    [open("ticker/bookTicker"), 2, 4],
    [signed("GET", "order", { ...SYMBOL, orderId: 1 }), 1, 4],
    [signed("GET", "openOrders", SYMBOL), 1, 6],
    [signed("GET", "openOrders"), 40, 80],
    [signed("GET", "allOrders", SYMBOL), 5, 20],
    [signed("GET", "allOrderList"), 10, 20],
    [signed("GET", "orderList", { orderListId: 1 }), 1, 4],
    [signed("GET", "openOrderList"), 2, 6],
    [signed("GET", "account"), 5, 20],
    [signed("GET", "myTrades", SYMBOL), 5, 20],
    [signed("GET", "myTrades", { ...SYMBOL, orderId: 1 }), 5, 5],
    [order, 1, 0],
    [(venue) => venue.order({ price: "100", quantity: "0" }), 1, 1],
    [signed("DELETE", "openOrders", SYMBOL), 1, 0],
    [signed("DELETE", "openOrders", SYMBOL), 1, 1],
    [signed("GET", "rateLimit/order"), 5, 40],
    [signed("GET", "account/commission", SYMBOL), 5, 20],
    [signed("POST", "order/test", { ...SYMBOL, side: "BUY", type: "MARKET", quantity: "1" }), 1, 1],
  ];
  for (const [i, name] of NAMES.entries()) {
    const venue = venueOf(name);
    const found: number[] = [];
    for (const [ask] of rows) found.push(await weighed(venue, ask));
    assert.deepEqual(
      found,
      rows.map((row) => row[i + 1]),
      name,
    );
  }
});

/** Parameters of myTrades that today's interface does not combine, and those that it does. */
const MIXED = [
  { fromId: 1, startTime: 1 },
  { fromId: 1, endTime: 1 },
  { orderId: 1, startTime: 1 },
  { orderId: 1, endTime: 1 },
  { orderId: 1, fromId: 1, startTime: 1, endTime: 1 },
];
const SEPARATE = [
  {},
  { fromId: 1 },
  { orderId: 1 },
  { orderId: 1, fromId: 1 },
  { startTime: 1 },
  { endTime: 1 },
  { startTime: 1, endTime: 1 },
];

test("answers and errors", async () => {
  const span = { ...SYMBOL, startTime: "1614830000000", endTime: "1614840000000" };
  const both = { ...SYMBOL, orderId: 1, origClientOrderId: "other" };
  const tooFine = { price: "100", quantity: "0.123456789" };
  const nothing = "404 -1099 Not found, authenticated, or authorized";
  const rows: readonly (readonly [Ask, in2019: string, today: string])[] = [
    [(venue) => venue.order({ price: "100", quantity: "1" }), "200", "200"],
    [open("aggTrades", span), "400 -1127 More than 1 hours between startTime and endTime.", "200"],
    [open("depth", { ...SYMBOL, limit: "7" }), "400 -1130 Data sent for paramter 'limit' is not valid.", "200"],
    [open("depth", { ...SYMBOL, limit: "9999" }), "400 -1130 Data sent for paramter 'limit' is not valid.", "200"],
    [
      open("depth", { ...SYMBOL, limit: "0" }),
      "400 -1130 Data sent for paramter 'limit' is not valid.",
      "400 -1130 Data sent for parameter 'limit' is not valid.",
    ],
    [
      (venue) => venue.send("GET", "/api/v3/historicalTrades", { query: "symbol=BTCUSDT", headers: BAD_KEY }),
      "401 -2015 Invalid API-key, IP, or permissions for action.",
      "200",
    ],
    [
      (venue) => venue.order(tooFine),
      "400 -1111 Precision is over the maximum defined for this asset.",
      "400 -1111 Parameter 'quantity' has too much precision.",
    ],
    [
      signed("GET", "order", both),
      "400 -2013 Order does not exist.",
      "400 -2039 Client order ID is not correct for this order ID.",
    ],
    ...MIXED.map(
      (parameters) =>
        [
          signed("GET", "myTrades", { ...SYMBOL, ...parameters }),
          "200",
          "400 -1128 Combination of optional parameters invalid.",
        ] as const,
    ),
    ...SEPARATE.map((parameters) => [signed("GET", "myTrades", { ...SYMBOL, ...parameters }), "200", "200"] as const),
    [
      signed("GET", "account", { recvWindow: 60_001 }),
      "400 -1131 recvWindow must be less than 60000",
      "400 -1102 'recvWindow' contains unexpected value. Cannot be greater than 60000.",
    ],
    [(venue) => venue.send("POST", "/api/v3/userDataStream", withKey(venue)), "200", nothing],
    [(venue) => venue.send("GET", "/api/v1/ping"), "200", nothing],
    [(venue) => venue.send("GET", "/wapi/v3/systemStatus.html"), "200", nothing],
  ];
  for (const [i, name] of NAMES.entries()) {
    const venue = venueOf(name);
    for (const row of rows) {
      const { status, json } = await row[0](venue);
      assert.equal(status === 200 ? "200" : `${status} ${json.code} ${json.msg}`, row[i + 1], name);
    }
    assert.deepEqual(venue.bugs, []);
  }
});

const BAD_KEY = { "x-mbx-apikey": "a".repeat(64) };
const withKey = (venue: TestVenue) => ({ headers: { "x-mbx-apikey": venue.trader.apiKey } });

test("texts of filters, accounts and limits", async () => {
  const in2019 = "2019";
  for (const name of NAMES) {
    const venue = venueOf(name);
    for (let i = 1; i <= 5; i++) await venue.order(stop(i));
    const failed = await venue.order(stop(6));
    const algo = name === in2019 ? "MAX_ALGO_ORDERS" : "MAX_NUM_ALGO_ORDERS";
    assert.equal(failed.json.msg, `Filter failure: ${algo}`);
    venue.act({ type: "changeAccount", by: "test", accountId: venue.trader.accountId, canTrade: false });
    const denied =
      name === in2019 ? "This action disabled is on this account." : "This account may not place or cancel orders.";
    assert.equal((await venue.order({ price: "100", quantity: "1" })).json.msg, denied);
    const replace = { ...SYMBOL, side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "100", quantity: "1" };
    const both = await venue.signed("POST", "/api/v3/order/cancelReplace", {
      ...replace,
      ...{ cancelReplaceMode: "ALLOW_FAILURE", cancelOrderId: "1" },
    });
    assert.equal(both.json.data.newOrderResponse.msg, denied, "also within an answer");
  }
});

function stop(i: number): Record<string, string> {
  return {
    ...{ type: "STOP_LOSS_LIMIT", side: "SELL", price: "90", stopPrice: "95", quantity: "1", timeInForce: "GTC" },
    newClientOrderId: `stop${i}`,
  };
}

test("exchangeInfo and the headers name the limits of the interface", async () => {
  for (const name of NAMES) {
    const venue = venueOf(name);
    const info = await venue.public("/api/v3/exchangeInfo");
    assert.deepEqual(info.json.rateLimits, VENUE_INTERFACES[name].limits);
    const placed = await venue.order({ price: "100", quantity: "1" });
    const counts = [...placed.headers].filter(([header]) => header.startsWith("x-mbx-order-count"));
    const first = name === "2019" ? "1s" : "10s";
    assert.deepEqual(counts, [
      [`x-mbx-order-count-${first}`, "1"],
      ["x-mbx-order-count-1d", "1"],
    ]);
  }
});

test("rateLimit/order: the first fill of an order gives places back in today's interface", async () => {
  for (const name of NAMES) {
    const venue = venueOf(name);
    const counts = async (): Promise<number[]> => {
      const { json } = await venue.signed("GET", "/api/v3/rateLimit/order");
      const limits = VENUE_INTERFACES[name].limits.filter(({ rateLimitType }) => rateLimitType === "ORDERS");
      assert.deepEqual(
        json,
        limits.map((limit, i) => ({ ...limit, count: json[i].count })),
      );
      return json.map(({ count }: { readonly count: number }) => count);
    };
    for (let i = 0; i < 7; i++) await venue.order({ price: "100", quantity: "1" });
    assert.deepEqual(await counts(), [7, 7]);
    const sold = await venue.order({ side: "SELL", price: "100", quantity: "0.5" }, { key: venue.maker });
    assert.equal(sold.headers.get("x-mbx-order-count-1d"), "1", "the header shows the count after placing");
    assert.deepEqual(await counts(), name === "2019" ? [7, 7] : [2, 2]);
    const other = await venue.signed("GET", "/api/v3/rateLimit/order", {}, { key: venue.maker });
    assert.equal(other.json[1].count, name === "2019" ? 1 : 0);
  }
});

test("streams: retired names, order ids of trades, and pings", async () => {
  for (const name of NAMES) {
    const venueInterface = VENUE_INTERFACES[name];
    const venue = await SocketVenue.start({ venueInterface });
    const isOld = name === "2019";
    const { pingEveryMs, pongTimeoutMs } = venue.streams.lasting.limits;
    assert.deepEqual([pingEveryMs, pongTimeoutMs], isOld ? [180_000, 600_000] : [20_000, 60_000]);
    const socket = await venue.dial("/ws/btcusdt@trade");
    const { names } = venue.streams.lasting;
    const known = ["!bookTicker", "!ticker@arr", "!ticker@arr@3000ms", "!miniTicker@arr"].filter((one) =>
      names.isStream(one),
    );
    assert.equal(
      known.join(" "),
      isOld ? "!bookTicker !ticker@arr !ticker@arr@3000ms !miniTicker@arr" : "!miniTicker@arr",
    );
    const { msg } = await socket.ask({ method: "SUBSCRIBE", params: ["!bookTicker"], id: 1 });
    assert.equal(msg, isOld ? undefined : "Invalid request: no such stream: !bookTicker");
    await socket.ask({ method: "UNSUBSCRIBE", params: ["!bookTicker"], id: 2 });
    const count = socket.messages.length;
    venue.trade();
    await socket.until(count + 1);
    const trade = socket.messages[count] ?? {};
    assert.deepEqual([trade["e"], "b" in trade, "a" in trade], ["trade", isOld, isOld]);
    socket.ws.close();
  }
});

test("only what today's interface retired is missing from its tables", () => {
  const { endpoints, methods } = VENUE_INTERFACES.today.endpoints;
  const ids = new Set(endpoints.map(({ id }) => id));
  const missing = ENDPOINTS.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
  const wallet = ENDPOINTS.filter(({ family }) => family === "wapi").map(({ id }) => id);
  const old = ["ticker.allPrices", "ticker.allBookTickers"];
  const keys = ["userDataStream.start", "userDataStream.ping", "userDataStream.stop"];
  assert.deepEqual(missing.toSorted(), [...wallet, ...old, ...keys].toSorted());
  const methodIds = new Set(methods.map(({ id }) => id));
  assert.deepEqual(
    METHODS.filter(({ id }) => !methodIds.has(id)).map(({ id }) => id),
    keys,
  );
  assert.deepEqual(
    endpoints.filter(({ paths }) => paths.length === 0),
    [],
  );
  assert.equal(VENUE_INTERFACES["2019"].endpoints.endpoints, ENDPOINTS, "the interface of 2019 is the table itself");
});

test("/openapi.json describes the interface of the venue", async () => {
  for (const name of NAMES) {
    const { json } = await venueOf(name).public("/openapi.json");
    const weight: unknown = json.paths["/api/v3/trades"].get["x-weight"];
    assert.deepEqual(["/api/v1/depth" in json.paths, weight], name === "2019" ? [true, 1] : [false, 25]);
  }
});

test("today's interface checks the time of a request again before it is carried out", async () => {
  const rules = [{ rateLimitType: "ORDERS", interval: "DAY", intervalNum: 1, limit: 10 }] as const;
  for (const name of NAMES) {
    const heldUntil: (number | undefined)[] = [];
    const venue: TestVenue = new TestVenue({
      venueInterface: VENUE_INTERFACES[name],
      limits: { ...DEFAULT_LIMITS, rules },
      sequencer: {
        nowMs: () => venue.nowMs,
        run: () => Promise.reject(new Error("not used")),
        submit: (_command, settle, untilMs) => {
          heldUntil.push(untilMs);
          settle(new WaitedTooLong("the request waited too long"));
        },
      },
    });
    const answer = await venue.order(
      { price: "100", quantity: "1", recvWindow: "12.5" },
      { timestampMs: venue.nowMs - 2 },
    );
    assert.deepEqual(heldUntil, [name === "today" ? venue.nowMs + 10.5 : undefined]);
    assertRefused(answer, 400, -1021, "Timestamp for this request is outside of the recvWindow.");
    assert.equal(answer.headers.get("x-mbx-order-count-1d"), "1");
    const limits = await venue.signed("GET", "/api/v3/rateLimit/order");
    assert.deepEqual(
      limits.json.map(({ count }: { count: number }) => count),
      [1],
      "it counts as an order",
    );
    assert.deepEqual(venue.bugs, []);
  }
});
