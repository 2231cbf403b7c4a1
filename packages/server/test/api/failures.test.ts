/** What clients see when the exchange fails, and when they exceed limits. Interface S.3, S.4, S.17. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, InvariantBroken } from "@pricetime/engine";
import { DEFAULT_LIMITS } from "../../src/api/edge/rate-limit-rules.ts";
import { HistoryBehind } from "../../src/history/port.ts";
import { NotAccepted, OutcomeUnknown } from "../../src/journal/sequencer/port.ts";
import { assertRefused, START_MS, type TestAnswer, TestVenue } from "@pricetime/testkit/gateway-venue";

const WEBSOCKET = "Please use the websocket for live updates to avoid polling the API.";
const limited = () => new TestVenue({ limits: DEFAULT_LIMITS });

test("not accepted: 503, and the order is released; unknown outcome: 504, and it still counts", async () => {
  const venue = limited();
  venue.failNext = new NotAccepted("full");
  const busy = await venue.order({ price: 10000, quantity: 1 });
  assertRefused(busy, 503, -1008);
  assert.equal(busy.headers.get("retry-after"), "1");
  venue.failNext = new OutcomeUnknown("disk");
  const unknown = "Timeout waiting for response from backend server. Send status unknown; execution status unknown.";
  assertRefused(await venue.order({ price: 10000, quantity: 1 }), 504, -1007, unknown);
  const { headers } = await venue.order({ price: 10000, quantity: 1 });
  assert.equal(headers.get("x-mbx-order-count-1s"), "2");
});

test("history that lags too far is 503", async () => {
  const venue = new TestVenue();
  const history = venue.history();
  history.query = async () => {
    throw new HistoryBehind("still at 3");
  };
  const behind = new TestVenue({ history });
  assertRefused(await behind.public("/api/v3/trades", { symbol: "BTCUSDT" }), 503, -1008);
  assert.deepEqual(behind.bugs, []);
});

test("a bug of ours is a 500 and a log line, and the next request is served", async () => {
  const venue = new TestVenue();
  const history = venue.history();
  history.query = () => {
    throw new TypeError("a bug");
  };
  const buggy = new TestVenue({ history });
  const answer = await buggy.public("/api/v3/trades", { symbol: "BTCUSDT" });
  assertRefused(answer, 500, -1000, "An unknown error occured while processing the request.");
  assert.equal(buggy.bugs.length, 1);
  assert.deepEqual(buggy.fatal, []);
  assert.equal((await buggy.public("/api/v3/ping")).status, 200);
});

test("a broken invariant is answered and reported: the process must exit", async () => {
  class BrokenEngine extends Engine {
    override marketBySymbol(): never {
      throw new InvariantBroken("no order has two places");
    }
  }
  const venue = new TestVenue({ engine: new BrokenEngine() });
  assertRefused(await venue.public("/api/v3/depth", { symbol: "BTCUSDT" }), 500, -1000);
  assert.equal(venue.fatal[0]?.message, "no order has two places");
});

test("weight: headers on every response, 429 above the limit, then 418", async () => {
  const venue = limited();
  const all = (ip: string) => venue.send("GET", "/api/v3/ticker/24hr", { ip });
  for (let i = 1; i <= 30; i++) {
    const { status, headers } = await all("1.1.1.1");
    assert.equal(status, 200);
    assert.equal(headers.get("x-mbx-used-weight"), String(40 * i));
    assert.equal(headers.get("x-mbx-used-weight-1m"), String(40 * i));
  }
  const over = await all("1.1.1.1");
  assertRefused(
    over,
    429,
    -1003,
    `Too much request weight used; current limit is 1200 request weight per 1 MINUTE. ${WEBSOCKET}`,
  );
  assert.equal(over.headers.get("retry-after"), "53");
  assert.equal(over.headers.get("x-mbx-used-weight"), "1240");
  assert.equal((await all("2.2.2.2")).status, 200);
  for (let i = 32; i < 45; i++) assert.equal((await all("1.1.1.1")).status, 429);
  const ban = await all("1.1.1.1");
  const until = START_MS + 120_000;
  const text = `Way too much request weight used; IP banned until ${until}. Please use the websocket for live updates to avoid bans.`;
  assertRefused(ban, 418, -1003, text);
  assert.equal(ban.headers.get("retry-after"), "120");
  venue.nowMs = until - 1;
  assert.equal((await venue.send("GET", "/api/v3/ping", { ip: "1.1.1.1" })).status, 418);
  assert.equal((await venue.send("GET", "/nosuch", { ip: "1.1.1.1" })).status, 418, "limits come first");
  venue.nowMs = until;
  assert.equal((await venue.send("GET", "/api/v3/ping", { ip: "1.1.1.1" })).status, 200);
});

test("too many requests and too much weight are reported differently", async () => {
  const rules = [
    { rateLimitType: "REQUEST_WEIGHT", interval: "MINUTE", intervalNum: 1, limit: 1200 },
    { rateLimitType: "RAW_REQUESTS", interval: "MINUTE", intervalNum: 5, limit: 3 },
  ] as const;
  const venue = new TestVenue({ limits: { ...DEFAULT_LIMITS, rules } });
  for (let i = 0; i < 3; i++) assert.equal((await venue.public("/api/v3/ping")).status, 200);
  const text = `Too many requests; current limit is 3 requests per 5 MINUTE. ${WEBSOCKET}`;
  assertRefused(await venue.public("/api/v3/ping"), 429, -1003, text);
});

test("weights depend on the request", async () => {
  const table: readonly [string, string, number][] = [
    ["/api/v3/depth", "symbol=BTCUSDT", 1],
    ["/api/v3/depth", "symbol=BTCUSDT&limit=500", 5],
    ["/api/v3/depth", "symbol=BTCUSDT&limit=5000", 50],
    ["/api/v3/ticker/24hr", "", 40],
    ["/api/v3/ticker/24hr", "symbol=BTCUSDT", 1],
    ["/api/v3/ticker/price", "", 2],
    ["/api/v3/nosuch", "", 1],
  ];
  for (const [path, query, weight] of table) {
    const { headers } = await new TestVenue().send("GET", path, { query });
    assert.equal(headers.get("x-mbx-used-weight"), String(weight), `${path}?${query}`);
  }
});

const count = ({ headers }: TestAnswer): string | undefined => headers.get("x-mbx-order-count-1s");

test("orders that the engine rejects count: each is a journal entry", async () => {
  const venue = limited();
  const tooSmall = () => venue.order({ price: 10000, quantity: "0.0001" });
  for (let i = 1; i <= 9; i++) {
    const answer = await tooSmall();
    assertRefused(answer, 400, -1013, "Filter failure: MIN_NOTIONAL");
    assert.equal(count(answer), String(i), "and say so");
  }
  assert.equal(count(await venue.order({ price: 10000, quantity: "0.01" })), "10");
  const { seq } = venue.engine;
  assertRefused(await tooSmall(), 429, -1015, "Too many new orders; current limit is 10 orders per SECOND.");
  assert.equal(venue.engine.seq, seq, "nothing is journaled for it");
});

test("requests rejected before the journal count no order: parameters, and test orders", async () => {
  const venue = limited();
  const { seq } = venue.engine;
  for (let i = 0; i < 12; i++) {
    const wrong = await venue.order({ price: 10000, quantity: "0.000000001" });
    assertRefused(wrong, 400, -1111);
    assert.equal(count(wrong), undefined);
    assertRefused(await venue.order({ price: 10000, quantity: 0 }), 400, -1013, "Invalid quantity.");
    const test = {
      symbol: "BTCUSDT",
      side: "BUY",
      type: "LIMIT",
      timeInForce: "GTC",
      price: 10000,
      quantity: "0.0001",
    };
    assertRefused(await venue.signed("POST", "/api/v3/order/test", test), 400, -1013);
  }
  assert.equal(venue.engine.seq, seq, "nothing was journaled");
  assert.equal(count(await venue.order({ price: 10000, quantity: "0.01" })), "1");
});

test("each of several concurrent orders reports the count including itself", async () => {
  const venue = limited();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => venue.order({ price: 10000 + i, quantity: i % 2 === 0 ? "0.01" : "0.0001" })),
  );
  assert.deepEqual(answers.map(count), ["1", "2", "3", "4", "5", "6", "7", "8"]);
});

test("orders: ten a second for each account", async () => {
  const venue = limited();
  for (let i = 1; i <= 10; i++) {
    const { headers } = await venue.order({ price: 10000 + i, quantity: "0.01" });
    assert.equal(headers.get("x-mbx-order-count-1s"), String(i));
    assert.equal(headers.get("x-mbx-order-count-1d"), String(i));
  }
  const { seq } = venue.engine;
  const over = await venue.order({ price: 10000, quantity: 1 });
  assertRefused(over, 429, -1015, "Too many new orders; current limit is 10 orders per SECOND.");
  assert.equal(over.headers.get("retry-after"), "1");
  assert.equal(venue.engine.seq, seq, "nothing is journaled for it");
  assert.equal((await venue.order({ price: 10000, quantity: 1 }, { key: venue.maker })).status, 200);
  assert.equal((await venue.signed("DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" })).status, 200);
  venue.nowMs += 1000;
  const next = await venue.order({ price: 10000, quantity: 1 });
  assert.equal(next.headers.get("x-mbx-order-count-1s"), "1");
  assert.equal(next.headers.get("x-mbx-order-count-1d"), "11");
});

test("concurrent orders cannot exceed the limit", async () => {
  const venue = limited();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => venue.order({ price: 10000 + i, quantity: "0.01" })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 10);
  assert.equal(answers.filter(({ status }) => status === 429).length, 20);
});

test("limits are announced when they are enforced", async () => {
  const limits = async (venue: TestVenue) => (await venue.public("/api/v3/exchangeInfo")).json.rateLimits;
  assert.deepEqual(await limits(limited()), DEFAULT_LIMITS.rules);
  assert.deepEqual(await limits(new TestVenue()), []);
});

test("two nodes of one journal count each other's orders", async () => {
  const one = limited();
  const other = new TestVenue({ limits: DEFAULT_LIMITS, engine: one.engine, sequencer: one.sequencer() });
  const place = (venue: TestVenue): Promise<TestAnswer> =>
    venue.order({ price: 10000, quantity: 1 }, { key: one.trader });
  for (let i = 1; i <= 10; i++) assert.equal(count(await place(i % 3 === 0 ? other : one)), String(i));
  for (const venue of [one, other]) assertRefused(await place(venue), 429, -1015);
  one.nowMs += 1000;
  other.nowMs = one.nowMs;
  assert.equal(count(await place(other)), "1");
  assert.equal(count(await place(one)), "2");
});
