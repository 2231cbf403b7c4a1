/** Each fault of streams: what a listener receives, what others receive, and what is listed about the strike. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { hmacKey, payloadOf } from "@pricetime/testkit/client";
import { type DemoAccount, metric } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { answered, type Ear, LabNode, restingOrder } from "./lab-node.ts";

const lab = await LabNode.start();
const ears: Ear[] = [];
afterEach(async () => {
  await lab.clear();
  for (const ear of ears.splice(0)) {
    ear.close();
    await ear.untilClosed();
  }
  // The node has noticed the disconnection, too.
  await until("no listener is left", async () => (await metric(lab.demo, "pricetime_sockets_open")) === 0);
});

let orders = 0;

/** Accepted when it resolves. */
async function place(symbol = "BTCUSDT", key = lab.alice): Promise<string> {
  const id = `stream-${++orders}`;
  const price = symbol === "BTCUSDT" ? String(20_000 + orders) : String(1000 + orders);
  const quantity = symbol === "BTCUSDT" ? "0.001" : "0.02";
  const { status, body } = await answered(lab.order(id, { key }, { symbol, price, quantity }));
  assert.equal(status, 200, body.toString());
  return id;
}

async function hear(path: string): Promise<Ear> {
  const ear = await lab.dial(path);
  ears.push(ear);
  return ear;
}

async function listenKey(key: DemoAccount): Promise<string> {
  const { body } = await answered(lab.send("POST", "/api/v3/userDataStream", "", { key }));
  return (JSON.parse(body.toString()) as { listenKey: string }).listenKey;
}

/** A socket of the WebSocket API that receives the account's events. */
async function subscribed(key: DemoAccount): Promise<Ear> {
  const ear = await hear("/ws-api/v3?returnRateLimits=false");
  ask(ear, "subscribe", "userDataStream.subscribe.signature", key, {});
  await ear.until(1);
  assert.equal(ear.messages[0].status, 200, ear.texts[0]);
  ear.texts.length = 0;
  return ear;
}

function ask(ear: Ear, id: string, method: string, key: DemoAccount, values: object): void {
  const { apiKey, sign } = hmacKey(key);
  const params = { ...values, apiKey, timestamp: lab.nowMs };
  ear.ws.send(JSON.stringify({ id, method, params: { ...params, signature: sign(payloadOf(params)) } }));
}

const kinds = (ear: Ear): string[] =>
  ear.messages.map((message) => message.e ?? message.event?.e ?? `answer ${message.id}`);
const USUAL = ["executionReport", "outboundAccountInfo", "outboundAccountPosition"];

test("drop: an executionReport is lost, and the order is there", async () => {
  const [alices, bobs] = [
    await hear(`/ws/${await listenKey(lab.alice)}`),
    await hear(`/ws/${await listenKey(lab.bob)}`),
  ];
  const where = { stream: "executionReport", account: lab.alice.email, symbol: "BTCUSDT" };
  const id = await lab.fault({ fault: "drop", where, count: 1 });
  const own = await place();
  await place("BTCUSDT", lab.bob);
  await alices.until(2);
  await bobs.until(3);
  assert.deepEqual([kinds(alices), kinds(bobs)], [USUAL.slice(1), USUAL]);
  assert.ok(await lab.hasOrder(own));
  const { struck, strikes } = await lab.listed(id);
  const [{ message, ...about } = { message: "" }] = strikes;
  assert.equal(struck, 1);
  const account = await lab.accountId(lab.alice.email);
  assert.deepEqual(about, { atMs: lab.nowMs, stream: "user", account });
  assert.match(String(message), /^\{"e":"executionReport",.*"s":"BTCUSDT"/);
  await place();
  await alices.until(5);
  assert.deepEqual(kinds(alices).slice(2), USUAL, "the next is told again");
});

test("drop: of a symbol alone, and of a kind of stream alone", async () => {
  const ear = await hear("/stream?streams=btcusdt@depth@100ms/ethusdt@depth@100ms/btcusdt@bookTicker");
  await lab.fault({ fault: "drop", where: { stream: "depth", symbol: "BTCUSDT" } });
  await place("BTCUSDT");
  await place("ETHUSDT");
  await lab.advance(200);
  await until("the other symbol's", () => ear.messages.some(({ stream }) => stream === "ethusdt@depth@100ms"));
  assert.ok(!ear.messages.some(({ stream }) => stream === "btcusdt@depth@100ms"));
});

test("drop: the averages and the windows of a symbol, which have kinds of their own", async () => {
  const ear = await hear("/stream?streams=btcusdt@avgPrice/btcusdt@ticker_1h/btcusdt@ticker");
  const ids = [];
  for (const stream of ["avgPrice", "windowTicker"]) ids.push(await lab.fault({ fault: "drop", where: { stream } }));
  await place();
  await answered(lab.order("sells", { key: lab.bob }, { side: "SELL" }));
  await lab.advance(1000);
  for (const id of ids) await lab.untilStruck(id);
  await until("the other kind's", () => ear.messages.length > 0);
  assert.deepEqual([...new Set(ear.messages.map(({ stream }) => stream))], ["btcusdt@ticker"]);
});

test("hold: what was to come comes later, and what follows it waits behind it", async () => {
  const ear = await hear(`/ws/${await listenKey(lab.alice)}`);
  const other = await hear(`/ws/${await listenKey(lab.bob)}`);
  const where = { stream: "executionReport", account: lab.alice.email };
  const id = await lab.fault({ fault: "hold", ms: 250, where, count: 1 });
  await place();
  await place();
  await place("BTCUSDT", lab.bob);
  await other.until(3);
  assert.deepEqual(ear.texts, []);
  await lab.advance(249);
  assert.deepEqual(ear.texts, []);
  await lab.advance(1);
  await ear.until(6);
  assert.deepEqual(kinds(ear), [...USUAL, ...USUAL]);
  assert.equal((await lab.listed(id)).strikes[0]?.["ms"], 250);
});

test("late: the event comes after the answer, and without the fault before it", async () => {
  const ear = await subscribed(lab.alice);
  const order = (): object => restingOrder(`late-${++orders}`);
  ask(ear, "first", "order.place", lab.alice, order());
  await ear.until(4);
  assert.deepEqual(kinds(ear), [...USUAL, "answer first"]);
  await lab.fault({ fault: "late", where: { account: lab.alice.email } });
  ask(ear, "second", "order.place", lab.alice, order());
  await ear.until(8);
  assert.deepEqual(kinds(ear).slice(4), ["answer second", ...USUAL], "no time has passed");
});

test("late, over REST: the event is sent after the answer, without the fault before it; by hold it waits for the clock", async () => {
  const ear = await hear(`/ws/${await listenKey(lab.alice)}`);
  for (const lane of ["direct", "node"] as const) {
    const first = async (): Promise<string> => {
      const heardBefore = ear.texts.length;
      const order: string[] = [];
      const call = await lab.send("GET", "/api/v3/ping", "", { lane });
      await call.answer();
      ear.ws.once("message", () => order.push("event"));
      call.socket.once("data", () => order.push("answer"));
      await lab.order(`late-${++orders}`, { on: call, lane });
      await until("both", () => order.length === 2 && ear.texts.length === heardBefore + USUAL.length);
      call.close();
      return order[0] ?? "";
    };
    // Two connections: on one machine, the system keeps the order in which they were written.
    for (let round = 0; round < 5; round++) {
      assert.equal(await first(), "event", `${lane}, without the fault`);
      const id = await lab.fault({ fault: "late", where: { account: lab.alice.email } });
      assert.equal(await first(), "answer", `${lane}, with the fault`);
      assert.equal((await lab.listed(id)).struck, USUAL.length);
      await lab.clear();
    }
  }
  const heardBefore = ear.texts.length;
  await lab.fault({ fault: "hold", ms: 1, where: { account: lab.alice.email } });
  await place();
  await lab.advance(0);
  assert.equal(ear.texts.length, heardBefore);
  await lab.advance(1);
  await ear.until(heardBefore + USUAL.length);
});

test("duplicate: the same message again", async () => {
  const ear = await hear("/ws/btcusdt@depth@100ms");
  await lab.fault({ fault: "duplicate", where: { stream: "btcusdt@depth@100ms" }, count: 1 });
  await lab.fault({ fault: "duplicate", copies: 2, where: { stream: "btcusdt@depth@100ms" }, skip: 1, count: 1 });
  await place();
  await lab.advance(100);
  await ear.until(2);
  await place();
  await lab.advance(100);
  await ear.until(5);
  const [first, second, third, ...rest] = ear.texts;
  assert.equal(first, second);
  assert.notEqual(second, third);
  assert.deepEqual(rest, [third, third]);
});

test("gap: a hole in the numbers of a book, and in no other stream", async () => {
  const ear = await hear("/stream?streams=btcusdt@depth@100ms/ethusdt@depth@100ms/btcusdt@depth5@100ms");
  const id = await lab.fault({ fault: "gap", where: { symbol: "BTCUSDT" }, skip: 1, count: 1 });
  const ofBtc = (): { U: number; u: number }[] =>
    ear.messages.filter(({ stream }) => stream === "btcusdt@depth@100ms").map(({ data }) => data);
  for (let i = 0; i < 3; i++) {
    await place("BTCUSDT");
    await place("ETHUSDT");
    await lab.advance(100);
  }
  await until("two of three", () => ofBtc().length === 2);
  const [before, behind] = ofBtc();
  assert.ok(before !== undefined && behind !== undefined);
  assert.equal(behind.U, before.u + 2, "one change is missing");
  const eth = ear.messages.filter(({ stream }) => stream === "ethusdt@depth@100ms").map(({ data }) => data);
  for (let i = 1; i < eth.length; i++) assert.equal(eth[i].U, eth[i - 1].u + 1);
  assert.ok(ear.messages.some(({ stream }) => stream === "btcusdt@depth5@100ms"));
  assert.equal((await lab.listed(id)).strikes[0]?.["stream"], "btcusdt@depth@100ms");
});

test("cut: without a word, with a code, on both kinds of sockets; others stay", async () => {
  const depth = await hear("/ws/btcusdt@depth@100ms");
  const other = await hear("/ws/ethusdt@depth@100ms");
  await lab.fault({ fault: "cut", where: { stream: "depth", symbol: "BTCUSDT" }, count: 1 });
  await place("BTCUSDT");
  await place("ETHUSDT");
  await lab.advance(100);
  assert.equal(await depth.untilClosed(), 1006);
  assert.deepEqual(depth.texts, []);
  await other.until(1);

  const user = await hear(`/ws/${await listenKey(lab.alice)}`);
  await lab.fault({ fault: "cut", code: 1001, where: { account: lab.alice.email }, count: 1 });
  await place();
  assert.equal(await user.untilClosed(), 1001);

  const api = await subscribed(lab.alice);
  await lab.fault({ fault: "cut", where: { account: lab.alice.email }, count: 1 });
  const own = await place();
  assert.equal(await api.untilClosed(), 1006);
  assert.ok(await lab.hasOrder(own));
  assert.deepEqual([other.closed, kinds(other)], [undefined, ["depthUpdate"]]);
});

test("a listen key that is over before its time", async () => {
  const key = await listenKey(lab.alice);
  const [alices, bobs] = [await hear(`/ws/${key}`), await hear(`/ws/${await listenKey(lab.bob)}`)];
  const seq = await lab.seq();
  const id = await lab.fault({ fault: "listen-key-expires", where: { account: lab.alice.email } });
  assert.equal(await alices.untilClosed(), 1000);
  assert.deepEqual(kinds(alices), ["listenKeyExpired"]);
  assert.equal(await lab.seq(), seq + 1, "the journal holds it");
  const { status, body } = await answered(
    lab.send("PUT", "/api/v3/userDataStream", `listenKey=${key}`, { key: lab.alice }),
  );
  assert.match(`${status} ${body}`, /^400 \{"code":-1125,/);
  assert.equal(bobs.closed, undefined);
  assert.equal((await lab.listed(id)).struck, 1);
  assert.match(
    await lab.refusal({ fault: "listen-key-expires", where: { account: lab.alice.email } }),
    /^409 NOT_POSSIBLE The account .* has no open listen key\.$/,
  );
});

test("a listen key that is over at a time, and after an order", async () => {
  for (const [moment, pass] of [
    [{ fromMs: lab.nowMs + 5000 }, () => lab.advance(5000)],
    [{ after: { order: { account: lab.bob.email } } }, () => place("BTCUSDT", lab.bob)],
  ] as const) {
    const ear = await hear(`/ws/${await listenKey(lab.alice)}`);
    const id = await lab.fault({ fault: "listen-key-expires", where: { account: lab.alice.email }, ...moment });
    await lab.advance(0);
    assert.equal((await lab.listed(id)).struck, 0);
    await pass();
    assert.equal(await ear.untilClosed(), 1000);
    await lab.untilStruck(id);
    await lab.clear();
  }
});
