/**
 * Each fault, over both HTTP implementations: what a client sees, what the journal contains, what is listed about the
 * strike; and that nobody else is struck.
 */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { metric } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { isRequestFault } from "../../../src/lab/faults/fault.ts";
import { answered, type Call, kindsThat, type Lane, LabNode } from "./lab-node.ts";

const lab = await LabNode.start();
afterEach(() => lab.clear());
/** Only Alice's orders. */
const WHERE = { endpoint: "order.place", account: lab.alice.email, symbol: "BTCUSDT", method: "POST" };

interface Case {
  readonly name: string;
  readonly fault: { readonly fault: string } & Readonly<Record<string, unknown>>;
  /** The status and code or `clientOrderId` of a complete answer, FIN or RST, or silence on an open connection. */
  readonly sees: RegExp | "FIN" | "RST" | "silence";
  readonly isExecuted: boolean;
  /** Nothing is visible before the clock was advanced by this. */
  readonly afterMs?: number;
  /** What is listed besides the request. */
  readonly told?: object;
}

const ACCEPTED = /^200 \{"symbol":"BTCUSDT","orderId":/;
const UNKNOWN = /^504 \{"code":-1007,"msg":"Timeout waiting .* execution status unknown\."\}$/;

const CASES: readonly Case[] = [
  { name: "delay before", fault: { fault: "delay", ms: 500 }, sees: ACCEPTED, isExecuted: true, afterMs: 500 },
  {
    name: "delay after",
    fault: { fault: "delay", ms: 700, when: "after" },
    ...{ sees: ACCEPTED, isExecuted: true, afterMs: 700, told: { ms: 700 } },
  },
  {
    name: "a drawn delay",
    fault: { fault: "delay", medianMs: 100, sigma: 0.5 },
    ...{ sees: ACCEPTED, isExecuted: true, afterMs: 1000 },
  },
  { name: "fail-before", fault: { fault: "fail-before" }, sees: UNKNOWN, isExecuted: false },
  { name: "fail-after", fault: { fault: "fail-after" }, sees: UNKNOWN, isExecuted: true },
  {
    name: "fail-after with a status of its own",
    fault: { fault: "fail-after", status: 502, code: -1001 },
    ...{ sees: /^502 \{"code":-1001,"msg":"Internal error; unable to process/, isExecuted: true },
  },
  { name: "disconnect before", fault: { fault: "disconnect" }, sees: "FIN", isExecuted: false },
  { name: "disconnect after", fault: { fault: "disconnect", when: "after" }, sees: "FIN", isExecuted: true },
  { name: "reset before", fault: { fault: "reset" }, sees: "RST", isExecuted: false },
  { name: "reset after", fault: { fault: "reset", when: "after" }, sees: "RST", isExecuted: true },
  { name: "hang before", fault: { fault: "hang" }, sees: "silence", isExecuted: false },
  { name: "hang after", fault: { fault: "hang", when: "after" }, sees: "silence", isExecuted: true },
  {
    name: "-1001",
    fault: { fault: "reply", code: -1001 },
    ...{ sees: /^503 \{"code":-1001,"msg":"Internal error; unable to process your request/, isExecuted: false },
  },
  {
    name: "429 of a limit",
    fault: { fault: "reply", code: -1003, headers: { "Retry-After": "30" } },
    ...{ sees: /^429 \{"code":-1003,"msg":"Too much request weight used/, isExecuted: false },
  },
  {
    name: "418 of a ban",
    fault: { fault: "reply", code: -1003, status: 418, headers: { "Retry-After": "120" } },
    ...{
      sees: /^418 \{"code":-1003,"msg":"Way too much request weight used; IP banned until \d+\./,
      isExecuted: false,
    },
  },
  {
    name: "-1015",
    fault: { fault: "reply", code: -1015 },
    ...{ sees: /^429 \{"code":-1015,"msg":"Too many new orders; current limit is/, isExecuted: false },
  },
  {
    name: "-2010",
    fault: { fault: "reply", code: -2010 },
    ...{ sees: /^400 \{"code":-2010,"msg":"Account has insufficient balance/, isExecuted: false },
  },
  {
    name: "any code, after the order was executed",
    fault: { fault: "reply", code: -1006, status: 500, msg: "An unexpected response.", when: "after" },
    ...{ sees: /^500 \{"code":-1006,"msg":"An unexpected response\."\}$/, isExecuted: true },
  },
  {
    name: "403 of a firewall",
    fault: { fault: "reply", status: 403, body: "<html>Forbidden</html>" },
    ...{ sees: /^403 <html>Forbidden<\/html>$/, isExecuted: false },
  },
  {
    name: "maintenance",
    fault: { fault: "reply", status: 503, body: '{"msg":"System is under maintenance."}' },
    ...{ sees: /^503 \{"msg":"System is under maintenance\."\}$/, isExecuted: false },
  },
  {
    name: "dribble",
    fault: { fault: "dribble", chunks: 4, ms: 1000 },
    ...{ sees: ACCEPTED, isExecuted: true, afterMs: 1000 },
  },
  {
    name: "bandwidth",
    fault: { fault: "bandwidth", kbps: 1 },
    ...{ sees: ACCEPTED, isExecuted: true, afterMs: 60_000 },
  },
  { name: "truncate", fault: { fault: "truncate", bytes: 20 }, sees: "FIN", isExecuted: true },
  { name: "garble", fault: { fault: "garble" }, sees: /^200 \{"symbol":"BTCUSDT",.*#+$/, isExecuted: true },
  {
    name: "a clock that is behind",
    fault: { fault: "skew", ms: -5000 },
    ...{ sees: /^400 \{"code":-1021,"msg":"Timestamp for this request was 1000ms ahead/, isExecuted: false },
  },
  {
    name: "a clock that is ahead",
    fault: { fault: "skew", ms: 6000 },
    ...{
      sees: /^400 \{"code":-1021,"msg":"Timestamp for this request is outside of the recvWindow/,
      isExecuted: false,
    },
  },
];

test("no kind of fault that strikes requests is missing here", () => {
  assert.deepEqual([...new Set(CASES.map(({ fault }) => fault.fault))].toSorted(), kindsThat(isRequestFault));
});

let orders = 0;

for (const lane of ["direct", "node"] as const) {
  for (const each of CASES) test(`${each.name}, ${lane}`, () => strikeOnce(each, lane));
}

async function strikeOnce({ fault, sees, isExecuted, afterMs, told = {} }: Case, lane: Lane): Promise<void> {
  const [own, others] = [`own-${++orders}`, `others-${orders}`];
  const id = await lab.fault({ ...fault, where: WHERE });
  const seqBefore = await lab.seq();
  const struckAtMs = lab.nowMs;
  const call = await lab.order(own, { lane });
  const { strikes } = await lab.untilStruck(id);

  // Others are not struck: an account, an endpoint.
  const bobs = await lab.order(others, { key: lab.bob, lane });
  assert.equal((await bobs.answer()).status, 200);
  const ping = await lab.send("GET", "/api/v3/ping", "", { on: bobs, lane });
  assert.equal((await ping.answer()).status, 200);

  if (afterMs !== undefined) {
    if (fault["when"] === "after") await until("the order is there", () => lab.hasOrder(own));
    await lab.advance(1);
    assert.equal(call.isWhole, false, "the answer waits for the clock");
    await lab.advance(afterMs);
  }
  if (sees === "silence") {
    assert.deepEqual([call.received.length, call.end], [0, undefined]);
  } else if (typeof sees === "string") {
    assert.equal(await call.ended(), sees);
  } else {
    const { status, body } = await call.answer();
    assert.match(`${status} ${body.toString()}`, sees);
    const again = await lab.send("GET", "/api/v3/ping", "", { on: call, lane });
    assert.equal((await again.answer()).status, 200, "the connection goes on");
  }
  if (isExecuted) await until("the order is there", () => lab.hasOrder(own));
  else assert.equal(await lab.hasOrder(own), false);
  const orderIds = isExecuted ? [others, own] : [others];
  assert.deepEqual(
    lab.commandsSince(seqBefore),
    orderIds.map((orderId) => `placeOrder ${orderId}`),
    "the journal holds Bob's order, this one once if executed, and nothing else",
  );

  const [strike, ...more] = strikes;
  assert.deepEqual(more, []);
  const { sent, ms, ...about } = strike ?? {};
  const account = await lab.accountId(lab.alice.email);
  assert.match(String(sent), new RegExp(`newClientOrderId=${own}&timestamp=${struckAtMs}$`));
  if (told !== undefined && "ms" in told) assert.equal(ms, told.ms);
  const request = { over: "rest", method: "POST", path: "/api/v3/order", endpoint: "order.place" };
  assert.deepEqual(about, { atMs: struckAtMs, ...request, account });
  assert.equal((await lab.listed(id)).struck, 1, "nothing else was struck");
  await lab.clear();
  call.close();
  bobs.close();
}

test("what a truncated answer has brought, and what it had promised", async () => {
  for (const lane of ["direct", "node"] as const) {
    await lab.fault({ fault: "truncate", bytes: 9, where: { endpoint: "exchangeInfo" } });
    const call = await lab.send("GET", "/api/v3/exchangeInfo", "symbol=BTCUSDT", { lane });
    assert.equal(await call.ended(), "FIN");
    assert.equal(call.partial?.status, 200);
    assert.equal(call.partial?.body.length, 9);
    assert.match(call.partial?.head ?? "", /content-length: [0-9]{3,}/i);
    await lab.clear();
  }
});

test("pieces arrive one by one: head first, then as the clock goes", async () => {
  for (const lane of ["direct", "node"] as const) {
    const id = await lab.fault({ fault: "dribble", chunks: 4, ms: 400, where: { endpoint: "time" } });
    const call = await lab.send("GET", "/api/v3/time", "", { lane });
    await lab.untilStruck(id);
    await until("the head", () => call.partial !== undefined);
    assert.equal(call.partial?.body.length, 0);
    for (let piece = 1; piece <= 4; piece++) {
      await lab.advance(100);
      await until("a piece", () => call.partial?.body.length === Math.floor((28 * piece) / 4));
    }
    assert.ok(call.isWhole);
    call.close();
    await lab.clear();
  }
});

test("a compressed body that is broken is no gzip", async () => {
  const headers = "Accept-Encoding: gzip\r\n";
  for (const lane of ["direct", "node"] as const) {
    const path = "/api/v3/exchangeInfo";
    const good = await lab.send("GET", path, "", { headers, lane });
    JSON.parse(gunzipSync((await good.answer()).body).toString());
    await lab.fault({ fault: "garble", where: { endpoint: path } });
    const bad = await lab.send("GET", path, "", { headers, lane });
    const { head, body } = await bad.answer();
    assert.match(head, /content-encoding: gzip/i);
    assert.throws(() => gunzipSync(body));
    await lab.clear();
    good.close();
    bad.close();
  }
});

test("headers are told as they were asked for", async () => {
  await lab.fault({ fault: "reply", code: -1003, headers: { "Retry-After": "30" }, where: { endpoint: "ping" } });
  const call = await lab.send("GET", "/api/v3/ping", "");
  assert.match((await call.answer()).head, /\r\nRetry-After: 30\r\n/);
  await lab.clear();
  // Without headers of their own, they are those of the interface, and texts name the node's limits.
  const ofLimits = [
    [{ code: -1003 }, 60, /limit is 1200 request weight per 1 MINUTE/],
    [{ code: -1003, status: 418 }, 120, /IP banned/],
    [{ code: -1015 }, 1, /limit is 10 orders per SECOND/],
  ] as const;
  for (const [fault, mostSeconds, text] of ofLimits) {
    await lab.fault({ fault: "reply", ...fault, where: { endpoint: "ping" } });
    const limited = await lab.send("GET", "/api/v3/ping", "");
    const { head, body } = await limited.answer();
    assert.match(String(body), text);
    const seconds = Number(/\r\nRetry-After: (\d+)\r\n/.exec(head)?.[1]);
    assert.ok(mostSeconds === 120 ? seconds === mostSeconds : seconds >= 1 && seconds <= mostSeconds, head);
    limited.close();
    await lab.clear();
  }
  await lab.fault({ fault: "reply", status: 403, body: "<html>", where: { endpoint: "ping" } });
  const other = await lab.send("GET", "/api/v3/ping", "");
  assert.match((await other.answer()).head, /\r\nContent-Type: text\/html\r\n/);
  await lab.clear();
  call.close();
  other.close();
});

test("a skewed clock tells its time, too", async () => {
  await lab.fault({ fault: "skew", ms: -60_000, where: { endpoint: "time" } });
  const call = await lab.send("GET", "/api/v3/time", "");
  assert.equal((await call.answer()).body.toString(), `{"serverTime":${lab.nowMs - 60_000}}`);
  await lab.clear();
  call.close();
});

test("several faults strike one request, in the order in which they were made", async () => {
  const where = { endpoint: "order.place" };
  const delay = await lab.fault({ fault: "delay", ms: 100, when: "after", where });
  const failure = await lab.fault({ fault: "fail-after", where });
  const late = await lab.fault({ fault: "fail-before", where });
  const call = await lab.order("both");
  await lab.untilStruck(late);
  await lab.advance(99);
  assert.equal(call.received.length, 0);
  await lab.advance(1);
  assert.equal((await call.answer()).status, 504);
  assert.deepEqual(
    await Promise.all([delay, failure, late].map(async (id) => (await lab.listed(id)).struck)),
    [1, 1, 1],
  );
  assert.equal(await lab.hasOrder("both"), false);
  await lab.clear();
  call.close();
});

test("answers that wait do not keep a fault in the list, and come when they are due", async () => {
  const id = await lab.fault({ fault: "delay", ms: 100, where: { endpoint: "ping" } });
  const call = await lab.send("GET", "/api/v3/ping", "");
  await lab.untilStruck(id);
  await lab.clear();
  assert.deepEqual(await lab.get("faults"), []);
  await lab.advance(100);
  assert.equal((await call.answer()).status, 200);
  call.close();
});

test("a client that has gone is no trouble, whatever was to come", async () => {
  const calls: Call[] = [];
  for (const fault of [
    { fault: "delay", ms: 50 },
    { fault: "dribble", chunks: 3, ms: 90 },
    { fault: "bandwidth", kbps: 1 },
    { fault: "hang" },
  ]) {
    for (const lane of ["direct", "node"] as const) {
      const id = await lab.fault({ ...fault, where: { endpoint: "exchangeInfo" } });
      const call = await lab.send("GET", "/api/v3/exchangeInfo", "", { lane });
      await lab.untilStruck(id);
      call.close();
      calls.push(call);
      await lab.clear();
    }
  }
  await lab.advance(60_000);
  const inFlight = (): Promise<number> => metric(lab.demo, "pricetime_requests_in_flight");
  await until("no request is in flight", async () => (await inFlight()) === 0);
  assert.equal((await answered(lab.send("GET", "/api/v3/ping", ""))).status, 200);
});
