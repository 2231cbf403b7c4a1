/** Which of many requests a fault strikes, and what is rejected. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { tryToOperate } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { MAX_FAULTS, MAX_STRUCK_TOLD } from "../../../src/lab/faults/fault.ts";
import { answered, type Listed, LabNode } from "./lab-node.ts";

const lab = await LabNode.start();
afterEach(() => lab.clear());

const WHERE = { endpoint: "ping" };
const FAIL = { fault: "fail-before", where: WHERE } as const;

/** The answers to so many pings: `x` where the fault struck, `.` where it did not. */
async function pings(count: number, of = lab): Promise<string> {
  const call = await of.send("GET", "/api/v3/ping", "");
  let marks = "";
  for (let i = 0; i < count; i++) {
    if (i > 0) await of.send("GET", "/api/v3/ping", "", { on: call });
    marks += (await call.answer()).status === 200 ? "." : "x";
  }
  call.close();
  return marks;
}

for (const [choice, marks] of [
  [{}, "xxxxxxxxxx"],
  [{ count: 2 }, "xx........"],
  [{ skip: 3 }, "...xxxxxxx"],
  [{ skip: 2, count: 3 }, "..xxx....."],
  [{ every: 3 }, "..x..x..x."],
  [{ every: 3, skip: 1, count: 2 }, "...x..x..."],
  [{ probability: 1 }, "xxxxxxxxxx"],
] as const) {
  test(`${JSON.stringify(choice)} strikes ${marks}`, async () => {
    const id = await lab.fault({ ...FAIL, ...choice });
    assert.equal(await pings(10), marks);
    const { met, struck, strikes } = await lab.listed(id);
    assert.deepEqual([struck, strikes.length], [marks.length - marks.replaceAll("x", "").length, struck]);
    assert.ok(met <= 10 && met >= struck);
  });
}

test("by chance: the same seed strikes the same, another seed others", async () => {
  const marks: string[] = [];
  for (const seed of [1, 1, 2]) {
    const { node, lab: twin } = await LabNode.startToStop({ lab: true, clock: "manual", seed });
    await twin.fault({ ...FAIL, probability: 0.3 });
    marks.push(await pings(100, twin));
    await node.stop();
  }
  const [one, same, other] = marks;
  assert.equal(one, same);
  assert.notEqual(one, other);
  const struck = one?.replaceAll(".", "").length ?? 0;
  assert.ok(struck > 12 && struck < 50, `${struck} of 100`);
});

test("in its time, and not before or after it", async () => {
  await lab.fault({ ...FAIL, fromMs: lab.nowMs + 1000, toMs: lab.nowMs + 2000 });
  let marks = "";
  for (const ms of [0, 999, 1, 999, 1, 1000]) {
    await lab.advance(ms);
    marks += await pings(1);
  }
  assert.equal(marks, "..xx..");
});

test("after an order, a fill, a price, a deposit, and the strike of another fault", async () => {
  let orders = 0;
  const place = async (parameters: Record<string, string>, key = lab.alice): Promise<void> => {
    const { status, body } = await answered(lab.order(`after-${++orders}`, { key }, parameters));
    assert.equal(status, 200, body.toString());
  };
  const last = "2500.00";
  const eth = { symbol: "ETHUSDT", quantity: "0.1", price: last };
  const trade = async (): Promise<void> => {
    await place({ ...eth, side: "SELL" }, lab.bob);
    await place({ ...eth, side: "BUY" }, lab.alice);
  };
  const other = await lab.fault({ fault: "fail-before", where: { endpoint: "time" } });
  const time = async (): Promise<void> => {
    assert.equal((await answered(lab.send("GET", "/api/v3/time", ""))).status, 504);
  };
  const credit = async (): Promise<void> => {
    const asked = { account: lab.bob.email, asset: "LTC", amount: "1" };
    await tryToOperate(lab.demo, "POST", "/v1/networks/LTC/sandbox/faucet", asked);
    for (let i = 0; i < 4; i++) {
      await tryToOperate(lab.demo, "POST", "/v1/networks/LTC/sandbox/mine", { blocks: 10 });
      await lab.advance(2000);
    }
  };
  const { email } = lab.alice;
  for (const [after, happen, isIt] of [
    [{ order: { symbol: "ETHUSDT" } }, () => place({ price: "21000" }), false],
    [{ order: { account: email, symbol: "ETHUSDT" } }, () => place({ ...eth, price: "1000" }), true],
    [{ fill: { symbol: "BTCUSDT" } }, trade, false],
    [{ fill: { account: lab.bob.email } }, trade, true],
    [{ price: { symbol: "ETHUSDT", atLeast: (Number(last) + 1).toFixed(2) } }, trade, false],
    [{ price: { symbol: "ETHUSDT", atMost: last } }, trade, true],
    [{ deposit: { account: email } }, credit, false],
    [{ deposit: { coin: "LTC" } }, credit, true],
    [{ fault: other }, time, true],
  ] as const) {
    const id = await lab.fault({ ...FAIL, after });
    assert.equal((await lab.listed(id)).armed, false);
    assert.equal(await pings(1), ".", JSON.stringify(after));
    await happen();
    assert.equal((await lab.listed(id)).armed, isIt, JSON.stringify(after));
    assert.equal(await pings(1), isIt ? "x" : ".", JSON.stringify(after));
    await tryToOperate(lab.demo, "DELETE", `/v1/lab/faults/${id}`);
  }
});

test("what a fault is not meant for passes: endpoint, path, account, symbol, method, over", async () => {
  const struckBy = async (where: object): Promise<string> => {
    const id = await lab.fault({ fault: "fail-before", where });
    const calls = [
      await lab.send("GET", "/api/v3/ping", ""),
      await lab.send("GET", "/api/v3/depth", "symbol=BTCUSDT"),
      await lab.send("GET", "/api/v1/depth", "symbol=ETHUSDT"),
      await lab.send("GET", "/api/v3/ticker/price", "symbols=%5B%22ETHUSDT%22,%22BTCUSDT%22%5D"),
      await lab.signed("GET", "/api/v3/order", { symbol: "BTCUSDT", orderId: 1 }),
      await lab.signed("POST", "/api/v3/order/test", { symbol: "BTCUSDT" }),
      await lab.signed("GET", "/api/v3/account", {}, { key: lab.bob }),
      await lab.send("GET", "/", ""),
      await lab.send("GET", "/api/v3/nothing", ""),
    ];
    let marks = "";
    for (const call of calls) {
      marks += (await call.answer()).status === 504 ? "x" : ".";
      call.close();
    }
    await tryToOperate(lab.demo, "DELETE", `/v1/lab/faults/${id}`);
    return marks;
  };
  for (const [where, marks] of [
    [{}, "xxxxxxx.."],
    [{ endpoint: "depth" }, ".xx......"],
    [{ endpoint: "/api/v1/depth" }, ".xx......"],
    [{ endpoint: "/api/v3/order" }, "....x...."],
    [{ endpoint: "/api/v3/order", method: "POST" }, "........."],
    [{ symbol: "ETHUSDT" }, "..xx....."],
    [{ symbol: "BTCUSDT" }, ".x.xxx..."],
    [{ account: lab.alice.email }, "....xx..."],
    [{ account: lab.bob.email }, "......x.."],
    [{ method: "POST" }, ".....x..."],
    [{ over: "websocket" }, "........."],
    [{ over: "rest", method: "GET", symbol: "BTCUSDT" }, ".x.xx...."],
  ] as const) {
    assert.equal(await struckBy(where), marks, JSON.stringify(where));
  }
});

test("what is refused, and why", async () => {
  const { email } = lab.alice;
  const over = `${lab.nowMs}`;
  for (const [fault, why] of [
    [undefined, /^400 BAD_REQUEST fault: is missing$/],
    [[], /^400 BAD_REQUEST/],
    [{}, /^400 BAD_REQUEST fault: is missing$/],
    [{ fault: "explode" }, /^400 BAD_REQUEST fault: one of delay, fail-before, .*listen-key-expires$/],
    [{ fault: "delay" }, /^400 BAD_REQUEST ms: is missing, or medianMs and sigma$/],
    [{ fault: "delay", ms: -1 }, /^400 BAD_REQUEST ms: must be at least 1$/],
    [{ fault: "delay", ms: 1.5 }, /^400 BAD_REQUEST ms: must be a whole number$/],
    [{ fault: "delay", ms: "5" }, /^400 BAD_REQUEST ms: must be a number$/],
    [{ fault: "delay", ms: 90_000_000 }, /^400 BAD_REQUEST ms: must be at most 86400000$/],
    [{ fault: "delay", ms: 5, medianMs: 5 }, /^400 BAD_REQUEST ms: not together with medianMs and sigma$/],
    [{ fault: "delay", ms: 5, when: "during" }, /^400 BAD_REQUEST when: one of before, after$/],
    [{ fault: "delay", ms: 5, wehn: "after" }, /^400 BAD_REQUEST unknown key wehn; did you mean when\?$/],
    [{ fault: "delay", ms: 5, where: { stream: "trade" } }, /unknown key where\.stream; it belongs to another kind$/],
    [{ fault: "drop", where: { endpoint: "ping" } }, /unknown key where\.endpoint; it belongs to another kind$/],
    [
      { ...FAIL, where: { endpoint: "order.plac" } },
      /^400 UNKNOWN_ENDPOINT There is no endpoint order\.plac\..*order\.place/,
    ],
    [{ ...FAIL, where: { endpoint: "/api/v3/ordr" } }, /^400 UNKNOWN_ENDPOINT There is no endpoint \/api\/v3\/ordr\./],
    [{ ...FAIL, where: { symbol: "BTCUSD" } }, /^400 UNKNOWN_SYMBOL There is no symbol BTCUSD\./],
    [{ ...FAIL, where: { account: "nobody@example.com" } }, /^404 UNKNOWN_ACCOUNT/],
    [{ ...FAIL, where: { method: "PATCH" } }, /^400 BAD_REQUEST where\.method: one of GET, POST, PUT, DELETE$/],
    [{ ...FAIL, status: 404 }, /^400 BAD_REQUEST status: must be at least 500$/],
    [{ ...FAIL, count: 0 }, /^400 BAD_REQUEST count: must be at least 1$/],
    [{ ...FAIL, probability: 0 }, /^400 BAD_REQUEST probability: must be more than 0$/],
    [{ ...FAIL, probability: 2 }, /^400 BAD_REQUEST probability: must be at most 1$/],
    [{ ...FAIL, every: 2, probability: 0.5 }, /^400 BAD_REQUEST probability: not together with every$/],
    [{ ...FAIL, fromMs: 9e12, toMs: 8e12 }, /^400 BAD_REQUEST toMs: must be more than fromMs$/],
    [{ ...FAIL, toMs: Number(over) }, new RegExp(`^400 BAD_REQUEST toMs: is over: the clock shows ${over}$`)],
    [{ ...FAIL, after: {} }, /^400 BAD_REQUEST after: one of order, fill, price, deposit, fault$/],
    [{ ...FAIL, after: { fill: {}, order: {} } }, /^400 BAD_REQUEST after: one of/],
    [{ ...FAIL, after: { fill: { symbol: "X" } } }, /^400 UNKNOWN_SYMBOL/],
    [{ ...FAIL, after: { price: { symbol: "BTCUSDT" } } }, /^400 BAD_REQUEST after\.price: one of atLeast, atMost$/],
    [{ ...FAIL, after: { fault: 4711 } }, /^400 BAD_REQUEST after\.fault: there is no fault 4711$/],
    [{ fault: "reply" }, /^400 BAD_REQUEST code: is missing, or a body$/],
    [{ fault: "reply", code: -4444 }, /^400 BAD_REQUEST msg: is missing: -4444 has no text here$/],
    [{ fault: "reply", code: -4444, msg: "x" }, /^400 BAD_REQUEST status: is missing/],
    [{ fault: "reply", body: "x" }, /^400 BAD_REQUEST status: is missing$/],
    [{ fault: "reply", body: "x", status: 204 }, /^400 BAD_REQUEST status: 204 has no body$/],
    [{ fault: "reply", body: "x", status: 99 }, /^400 BAD_REQUEST status: must be at least 200$/],
    [
      { fault: "reply", code: -1001, headers: { "Content-Length": "1" } },
      /^400 BAD_REQUEST headers: Content-Length is/,
    ],
    [{ fault: "reply", code: -1001, headers: { A: "1\r\nB: 2" } }, /^400 BAD_REQUEST headers/],
    [{ fault: "reply", code: -1001, headers: { "A\r\nB": "1" } }, /^400 BAD_REQUEST headers/],
    [{ fault: "dribble", chunks: 1, ms: 5 }, /^400 BAD_REQUEST chunks: must be at least 2$/],
    [{ fault: "bandwidth", kbps: 0 }, /^400 BAD_REQUEST kbps: must be at least 1$/],
    [{ fault: "truncate", bytes: -1 }, /^400 BAD_REQUEST bytes: must be at least 0$/],
    [{ fault: "skew", ms: 0 }, /^400 BAD_REQUEST ms: must not be 0$/],
    [{ fault: "drop", where: { stream: "trades" } }, /^400 UNKNOWN_STREAM There is no stream trades\./],
    [{ fault: "drop", where: { stream: "nosuch@trade" } }, /^400 UNKNOWN_SYMBOL/],
    [{ fault: "gap", where: { stream: "trade" } }, /^400 BAD_REQUEST where\.stream: gap is for changes of the book/],
    [{ fault: "late", where: { stream: "depth" } }, /^400 BAD_REQUEST where\.stream: late is for events of an account/],
    [{ fault: "cut", code: 999 }, /^400 BAD_REQUEST code: must be at least 1000$/],
    [{ fault: "deposit-stuck", where: { coin: "GOLD" } }, /^400 UNKNOWN_COIN There is no coin GOLD\./],
    [{ fault: "deposit-stuck", where: { network: "MOON" } }, /^400 UNKNOWN_NETWORK There is no network MOON\./],
    [{ fault: "reorg" }, /^400 BAD_REQUEST depth: is missing$/],
    [{ fault: "reorg", depth: 1 }, /^400 BAD_REQUEST where\.network: is missing\. Available: /],
    [
      { fault: "reorg", depth: 1, where: { network: "MOON" } },
      /^400 UNKNOWN_NETWORK There is no sandbox network MOON\./,
    ],
    [
      { fault: "reorg", depth: 1, where: { network: "LTC" }, count: 2 },
      /unknown key count; it belongs to another kind$/,
    ],
    [{ fault: "listen-key-expires" }, /^400 BAD_REQUEST where: is missing$/],
    [
      { fault: "listen-key-expires", where: { account: email }, fromMs: 9e12, after: { fill: {} } },
      /^400 BAD_REQUEST after: not together with fromMs$/,
    ],
  ] as const) {
    assert.match(await lab.refusal(fault), why, JSON.stringify(fault));
  }
  assert.deepEqual(await lab.get("faults"), [], "nothing half done");
});

test("with today's interface, faults are for what it has", async () => {
  const today = await LabNode.start({ lab: true, clock: "manual", interface: "today" });
  for (const [where, why] of [
    [{ endpoint: "/api/v1/depth" }, /^400 UNKNOWN_ENDPOINT There is no endpoint \/api\/v1\/depth\./],
    [{ endpoint: "userDataStream.start" }, /^400 UNKNOWN_ENDPOINT/],
    [{ stream: "!bookTicker" }, /^400 UNKNOWN_STREAM There is no stream !bookTicker\./],
  ] as const) {
    assert.match(await today.refusal({ ...("stream" in where ? { fault: "drop" } : FAIL), where }), why);
  }
  const id = await today.fault({ fault: "fail-before" });
  for (const [path, status] of [
    ["/api/v1/depth", 404],
    ["/api/v3/depth", 504],
  ] as const) {
    assert.equal((await answered(today.send("GET", path, "symbol=BTCUSDT"))).status, status, path);
  }
  assert.equal((await today.listed(id)).struck, 1);
});

test("faults are bounded in number, and what they tell", async () => {
  const id = await lab.fault(FAIL);
  const timesMs: number[] = [];
  for (const count of [1, 5, MAX_STRUCK_TOLD - 1]) {
    timesMs.push(lab.nowMs);
    assert.equal(await pings(count), "x".repeat(count));
    await lab.advance(1);
  }
  const { struck, strikes } = await lab.listed(id);
  assert.deepEqual([struck, strikes.length], [MAX_STRUCK_TOLD + 5, MAX_STRUCK_TOLD]);
  // The first and the latest: the five after the first are left out.
  assert.deepEqual([...new Set(strikes.map(({ atMs }) => atMs))], [timesMs[0], timesMs[2]]);
  for (let i = 1; i < MAX_FAULTS; i++) await lab.fault({ ...FAIL, toMs: lab.nowMs + 1 });
  assert.match(await lab.refusal(FAIL), /^409 TOO_MANY There can be 200 faults/);
});

test("one is removed by its number, and all at once", async () => {
  const [first, second] = [await lab.fault(FAIL), await lab.fault({ fault: "hang", where: { endpoint: "time" } })];
  const remove = async (path: string): Promise<string> => {
    const { status, text } = await tryToOperate(lab.demo, "DELETE", `/v1/lab/faults${path}`);
    return `${status} ${text.trim()}`;
  };
  assert.equal(await remove(`/${first}`), '200 {"removed":1}');
  assert.equal(await pings(1), ".");
  assert.equal(await remove(`/${first}`), `404 {"error":"UNKNOWN_FAULT","message":"There is no fault ${first}."}`);
  assert.match(await remove("/1e3"), /^404 /);
  assert.ok(second > first);
  assert.equal(await remove(""), '200 {"removed":1}');
  assert.equal(await remove(""), '200 {"removed":0}');
});

test("a checkpoint holds the list with its counts, and its restore what it was; requests that wait are refused", async () => {
  const id = await lab.fault({ ...FAIL, count: 2 });
  assert.equal(await pings(1), "x");
  const saved = await tryToOperate(lab.demo, "POST", "/v1/lab/checkpoints", { name: "once" });
  assert.ok(saved.status < 300, saved.text);
  const later = await lab.fault({ fault: "delay", ms: 60_000, where: { endpoint: "time" } });
  assert.ok(later > id);
  assert.equal(await pings(3), "x..");
  const waits = await lab.send("GET", "/api/v3/time", "");
  await lab.untilStruck(later);
  const restored = await tryToOperate(lab.demo, "POST", "/v1/lab/checkpoints/once/restore", {});
  assert.ok(restored.status < 300, restored.text);
  await until("the request that waited has its end", () => waits.end !== undefined || waits.partial !== undefined);
  assert.notEqual(waits.partial?.status, 200);
  waits.close();
  const [only, ...more] = await lab.get<Listed[]>("faults");
  assert.deepEqual([only?.id, only?.struck, more], [id, 1, []]);
  assert.equal(await pings(3), "x..");
});

test("an answer that waits does not hold up the end of the lab, and is given", async () => {
  const { node, lab: own } = await LabNode.startToStop();
  const before = await own.fault({ fault: "delay", ms: 60_000, where: { endpoint: "ping" } });
  const after = await own.fault({ fault: "delay", ms: 60_000, when: "after", where: { endpoint: "time" } });
  const [ping, time] = [await own.send("GET", "/api/v3/ping", ""), await own.send("GET", "/api/v3/time", "")];
  await own.untilStruck(before);
  await own.untilStruck(after);
  const startMs = performance.now();
  await node.stop();
  assert.ok(performance.now() - startMs < 4000, "less than a drain that waits");
  assert.deepEqual([(await ping.answer()).status, (await time.answer()).status], [503, 200]);
});
