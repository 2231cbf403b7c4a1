/** Times in microseconds: in requests, told from milliseconds by their size, and in answers and events that ask for them. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertRefused, START_MS, TestVenue } from "@pricetime/testkit/gateway-venue";
import { LongText } from "../../src/api/answers/long-text.ts";
import { ApiVenue } from "./ws/api-venue.ts";
import { SocketVenue } from "./streams/socket-venue.ts";

const MICROSECOND = { "x-mbx-time-unit": "MICROSECOND" };
const FIRST_TIME = 1e12;
const AFTER_TIMES = 1e13;

/** The same value with each time in microseconds, told by its size. */
function expected(value: unknown): unknown {
  if (typeof value === "number") return value >= FIRST_TIME && value < AFTER_TIMES ? value * 1000 : value;
  if (Array.isArray(value)) return value.map(expected);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, expected(of)]));
}

async function traded(): Promise<TestVenue> {
  const venue = new TestVenue();
  await venue.order({ side: "SELL", price: "100", quantity: "2" }, { key: venue.maker });
  venue.nowMs += 1234;
  await venue.order({ price: "100", quantity: "1" });
  await venue.order({ type: "STOP_LOSS_LIMIT", stopPrice: "110", price: "120", quantity: "1" });
  venue.nowMs += 4321;
  return venue;
}

describe("answers", () => {
  const open = ["time", "exchangeInfo", "ticker/24hr"];
  const ofSymbol = ["trades", "historicalTrades", "aggTrades", "avgPrice", "ticker", "ticker/tradingDay", "depth"];
  const ofAccount = ["allOrders", "openOrders", "myTrades", "account", "allOrderList", "rateLimit/order"];

  test("every time of every list", async () => {
    const venue = await traded();
    for (const name of [...open, ...ofSymbol]) {
      const query = open.includes(name) ? "" : "symbol=BTCUSDT";
      const path = `/api/v3/${name}`;
      const inMilliseconds = await venue.send("GET", path, { query });
      const answer = await venue.send("GET", path, { query, headers: MICROSECOND });
      assert.equal(answer.status, 200, name);
      assert.deepEqual(answer.json, expected(inMilliseconds.json), name);
    }
    for (const name of ofAccount) {
      const of = ofAccount.indexOf(name) < 3 ? { symbol: "BTCUSDT" } : {};
      const path = `/api/v3/${name}`;
      const inMilliseconds = await venue.signed("GET", path, of);
      const answer = await venue.signed("GET", path, of, { headers: MICROSECOND });
      assert.equal(answer.status, 200, name);
      assert.deepEqual(answer.json, expected(inMilliseconds.json), name);
    }
    assert.deepEqual(venue.bugs, []);
  });

  test("a waiting order's time stays -1, and amounts in other units stay", async () => {
    const venue = await traded();
    const { json } = await venue.signed("GET", "/api/v3/openOrders", {}, { headers: MICROSECOND });
    assert.deepEqual(
      json.map(({ workingTime, time }: { workingTime: number; time: number }) => [workingTime, time]),
      [[-1, (START_MS + 1234) * 1000]],
    );
  });

  test("a kline closes with its last microsecond", async () => {
    const venue = await traded();
    const query = "symbol=BTCUSDT&interval=1m";
    const [row] = (await venue.send("GET", "/api/v3/klines", { query, headers: MICROSECOND })).json;
    const [inMilliseconds] = (await venue.send("GET", "/api/v3/klines", { query })).json;
    assert.equal(row[0], inMilliseconds[0] * 1000);
    assert.equal(row[6], inMilliseconds[6] * 1000 + 999);
    assert.deepEqual(
      [...row.slice(1, 6), ...row.slice(7)],
      [...inMilliseconds.slice(1, 6), ...inMilliseconds.slice(7)],
    );
  });

  test("both parts of a failed cancelReplace, and a client's own ids", async () => {
    const venue = await traded();
    const replace = { cancelReplaceMode: "STOP_ON_FAILURE", cancelOrigClientOrderId: "kept:1" };
    const placed = { symbol: "BTCUSDT", side: "BUY", price: "90", quantity: "1", newClientOrderId: "kept:1" };
    await venue.order(placed, { headers: MICROSECOND });
    const parameters = { ...placed, ...replace, type: "LIMIT", timeInForce: "GTC" };
    const path = "/api/v3/order/cancelReplace";
    const { status, json } = await venue.signed(
      "POST",
      path,
      { ...parameters, price: "900000", newClientOrderId: "time:1" },
      { headers: MICROSECOND },
    );
    assert.equal(status, 409);
    assert.equal(json.data.cancelResponse.transactTime, venue.nowMs * 1000);
    assert.equal(json.data.cancelResponse.origClientOrderId, "kept:1");
  });

  test("the unit's name in any case; another one is rejected", async () => {
    const venue = new TestVenue();
    const time = (unit: string) => venue.send("GET", "/api/v3/time", { headers: { "x-mbx-time-unit": unit } });
    for (const unit of ["MICROSECOND", "microsecond"])
      assert.equal((await time(unit)).body, `{"serverTime":${START_MS}000}`);
    for (const unit of ["MILLISECOND", "millisecond", ""])
      assert.equal((await time(unit)).body, `{"serverTime":${START_MS}}`);
    const msg = "Invalid value for time unit; expected either MICROSECOND or MILLISECOND.";
    for (const unit of ["s", "SECOND"]) assertRefused(await time(unit), 400, -1194, msg);
  });

  test("a long text is converted once for all who ask", async () => {
    const venue = new TestVenue();
    for (let i = 0; i < 20; i++)
      venue.listSymbol(`${i % 2 === 0 ? "ETH" : "BTC"}/USDT`, undefined, { symbol: `S${i}` });
    const ask = async (headers: Record<string, string>) =>
      new Promise<{ body: unknown }>((resolve) => {
        const request = { method: "GET", path: "/api/v3/exchangeInfo", query: "", body: "", headers, ip: "1.1.1.1" };
        venue.gateway.process(request, { reply: resolve });
      });
    const texts = (await Promise.all([ask(MICROSECOND), ask(MICROSECOND), ask({})])).map(({ body }) => {
      assert(typeof body === "object" && body !== null && "text" in body);
      return body.text;
    });
    assert.equal(texts[0], texts[1]);
    assert.notEqual(texts[0], texts[2]);
  });

  test("a long text is converted in turns of the event loop, one for each piece", async () => {
    const venue = new TestVenue();
    for (let i = 0; i < 100; i++) venue.listSymbol("ETH/USDT", undefined, { symbol: `S${i}` });
    const request = { method: "GET", path: "/api/v3/exchangeInfo", query: "", body: "", ip: "1.1.1.1" };
    const ask = async (headers: Record<string, string>): Promise<[turns: number, pieces: number]> => {
      let turns = 0;
      let isDone = false;
      const count = (): void => {
        if (isDone) return;
        turns++;
        setImmediate(count);
      };
      setImmediate(count);
      const { body } = await new Promise<{ body: unknown }>((resolve) => {
        venue.gateway.process({ ...request, headers }, { reply: resolve });
      });
      isDone = true;
      assert(typeof body === "object" && body !== null && "text" in body && body.text instanceof LongText);
      return [turns, body.text.pieces.length];
    };
    const [, pieces] = await ask({});
    assert.ok(pieces > 4);
    assert.deepEqual(await ask({}), [0, pieces], "the text is stored");
    const [turns] = await ask(MICROSECOND);
    assert.ok(turns >= pieces - 1, `${turns} turns for ${pieces} pieces`);
    assert.deepEqual(await ask(MICROSECOND), [0, pieces], "the converted text is stored too");
  });
});

describe("requests", () => {
  test("timestamp, startTime and endTime in microseconds", async () => {
    const venue = await traded();
    const asked = async (startTime: string, endTime: string) => {
      const parameters = { symbol: "BTCUSDT", startTime, endTime };
      return (await venue.public("/api/v3/aggTrades", parameters)).json.length as number;
    };
    const tradedMs = START_MS + 1234;
    assert.equal(await asked(`${tradedMs}`, `${tradedMs}`), 1);
    assert.equal(await asked(`${tradedMs}000`, `${tradedMs}000`), 1);
    assert.equal(await asked(`${tradedMs - 1}001`, `${tradedMs}999`), 1);
    assert.equal(await asked(`${tradedMs}001`, `${tradedMs}999`), 0);
    assert.equal(await asked(`${tradedMs - 1}001`, `${tradedMs - 1}999`), 0);
    const account = (timestamp: string, recvWindow = "5000") =>
      venue.signed("GET", "/api/v3/account", { recvWindow, timestamp });
    const micros = (differenceMs: number): string => `${venue.nowMs + differenceMs}500`;
    assert.equal((await account(micros(0))).status, 200);
    assert.equal((await account(micros(-5000))).status, 200);
    assertRefused(await account(micros(-5001)), 400, -1021, "Timestamp for this request is outside of the recvWindow.");
    assertRefused(
      await account(micros(1000)),
      400,
      -1021,
      "Timestamp for this request was 1000ms ahead of the server's time.",
    );
  });

  test("recvWindow with up to three decimals", async () => {
    const venue = new TestVenue();
    const account = (recvWindow: string, lateMs = 0) =>
      venue.signed("GET", "/api/v3/account", { recvWindow }, { timestampMs: venue.nowMs - lateMs });
    assert.equal((await account("2.5", 2)).status, 200);
    assertRefused(await account("2.5", 3), 400, -1021);
    assert.equal((await account("0.001")).status, 200);
    assert.equal((await account("60000.000")).status, 200);
    assertRefused(await account("60000.001"), 400, -1131, "recvWindow must be less than 60000");
    for (const recvWindow of ["1.2345", ".5", "1.", "-1"]) {
      const msg =
        "Illegal characters found in parameter 'recvWindow'; legal range is '^([0-9]{1,20})(\\.[0-9]{1,3})?$'.";
      assertRefused(await account(recvWindow), 400, -1100, msg);
    }
  });
});

describe("the WebSocket API", () => {
  const exchange = new ApiVenue();
  before(() => exchange.listen());
  after(() => exchange.close());

  test("responses and events", async () => {
    const client = await exchange.connect("?timeUnit=microsecond");
    const { nowMs } = exchange.venue;
    assert.deepEqual((await client.call("time")).result, { serverTime: nowMs * 1000 });
    const key = exchange.venue.ed25519Key(exchange.venue.trader.accountId, ["USER_DATA", "TRADE", "USER_STREAM"]);
    const { result } = await client.signed("session.logon", key);
    assert.deepEqual([result.authorizedSince, result.connectedSince], [nowMs * 1000, nowMs * 1000]);
    await client.call("userDataStream.subscribe");
    exchange.users.emit(exchange.venue.trader.accountId, { e: "outboundAccountPosition", E: nowMs, u: nowMs, B: [] });
    await client.call("userDataStream.unsubscribe", { subscriptionId: 0 });
    assert.deepEqual(client.events, [
      { subscriptionId: 0, event: { e: "outboundAccountPosition", E: nowMs * 1000, u: nowMs * 1000, B: [] } },
      { subscriptionId: 0, event: { e: "eventStreamTerminated", E: nowMs * 1000 } },
    ]);
    const other = await exchange.connect();
    assert.deepEqual((await other.call("time")).result, { serverTime: nowMs });
    for (let i = 0; i < 200; i++) await exchange.venue.order({ price: "50", quantity: "1", newClientOrderId: `o${i}` });
    const [converted, plain] = [
      await client.signed("openOrders.status", key),
      await other.signed("openOrders.status", key),
    ];
    assert.equal(converted.result.length, 200);
    assert.deepEqual(converted.result, expected(plain.result));
  });
});

describe("streams", () => {
  test("each message in the unit of its socket, raw and combined", async () => {
    const venue = await SocketVenue.start();
    const names = ["btcusdt@trade", "btcusdt@aggTrade", await venue.openListenKey()];
    const list = names.join("/");
    const plain = await venue.dial(`/stream?streams=${list}`);
    const combined = await venue.dial(`/stream?streams=${list}&timeUnit=MICROSECOND`);
    const raw = await venue.dial(`/ws/${list}?timeUnit=microsecond`);
    venue.trade();
    const count = 2 + 4;
    for (const socket of [plain, combined, raw]) await socket.until(count);
    assert.deepEqual(combined.messages, expected(plain.messages));
    assert.deepEqual(
      raw.messages,
      combined.messages.map(({ data }) => data),
    );
    assert(combined.messages.some(({ data }) => data.e === "executionReport" && data.W === data.T));
  });
});
