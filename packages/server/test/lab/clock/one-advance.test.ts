/**
 * One advance of an hour with limits on: everything due happens at its time, and is sent before time advances further.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { operate } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { type Call, type Ear, LabNode } from "../faults/lab-node.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** The default limit. */
const ORDERS_A_SECOND = 10;

const lab = await LabNode.start({ lab: true, clock: "manual", limits: "on" });
const { alice, bob } = lab;
/** When the first trade is a day old, an hourly candle is also complete. */
const dayOverMs = lab.nowMs + 24 * HOUR_MS;
/** Half an hour before that, and twenty seconds into a minute. */
const fromMs = dayOverMs - 30 * MINUTE_MS + 20 * SECOND_MS;

async function told<T>(sent: Promise<Call>): Promise<{ status: number; head: string; json: T }> {
  const call = await sent;
  const { status, head, body } = await call.answer();
  call.close();
  return { status, head, json: JSON.parse(body.toString()) as T };
}

async function trade(price: string): Promise<void> {
  for (const [key, side] of [
    [alice, "BUY"],
    [bob, "SELL"],
  ] as const) {
    assert.equal((await told(lab.order(`${key.name}-${price}`, { key }, { side, price }))).status, 200);
  }
}

async function listenKey(key: typeof alice): Promise<string> {
  return (await told<{ listenKey: string }>(lab.send("POST", "/api/v3/userDataStream", "", { key }))).json.listenKey;
}

/** What was received so far: the answer follows it. */
async function heardBy(ear: Ear): Promise<Ear["messages"]> {
  ear.ws.send('{"method":"LIST_SUBSCRIPTIONS","id":1}');
  await until("the answer", () => ear.texts.at(-1)?.startsWith('{"result":') === true);
  return ear.messages.slice(0, -1).map(({ data }) => data);
}

const deepBook = (): ReturnType<typeof told> => told(lab.send("GET", "/api/v3/depth", "symbol=BTCUSDT&limit=5000"));

test("one advance over an hour: limits, a listen key, candles, a ticker's day, a deposit, a fault and an order under way", async () => {
  await trade("20000");
  // Nothing happens in between.
  ({ nowMs: lab.nowMs } = await operate(lab.demo, "POST", "/v1/lab/clock", { mode: "manual", nowMs: fromMs }));
  const alices = await listenKey(alice);
  const market = "btcusdt@kline_1m/btcusdt@kline_1h/btcusdt@ticker/btcusdt@trade/btcusdt@depth@100ms";
  const ear = await lab.dial(`/stream?streams=${market}/${alices}`);
  const bobs = await lab.dial(`/ws/${await listenKey(bob)}`);
  await trade("21000");

  // Pending: an order of Bob's, the end of his listen key by a fault, and a deposit.
  const delay = {
    fault: "delay",
    ms: 45 * SECOND_MS,
    where: { account: bob.email, endpoint: "order.place" },
    count: 1,
  };
  const delayed = await lab.fault(delay);
  const late = await lab.order("late", { key: bob }, { price: "19000", recvWindow: 60_000 });
  await lab.untilStruck(delayed);
  const endMs = fromMs + 20 * MINUTE_MS;
  const ends = await lab.fault({ fault: "listen-key-expires", where: { account: bob.email }, fromMs: endMs });
  const faucet = { account: alice.email, asset: "LTC", amount: "2" };
  await operate(lab.demo, "POST", "/v1/networks/LTC/sandbox/faucet", faucet);

  // Alice has placed the most orders of a second, and this address has used its weight of a minute.
  for (let n = 2; n <= ORDERS_A_SECOND; n++)
    assert.equal((await told(lab.order(`many-${n}`))).status, 200, `order ${n}`);
  const tooMany = await told<{ code: number }>(lab.order("too-many"));
  assert.deepEqual([tooMany.status, tooMany.json.code], [429, -1015]);
  let refused = await deepBook();
  for (let asked = 1; refused.status === 200 && asked < 200; asked++) refused = await deepBook();
  assert.deepEqual([refused.status, (refused.json as { code: number }).code], [429, -1003]);
  assert.match(refused.head, /\r\nRetry-After: 40\r\n/i);
  assert.equal(late.received.length, 0);

  await lab.advance(61 * MINUTE_MS);
  assert.equal(lab.nowMs, fromMs + 61 * MINUTE_MS);
  assert.equal(ear.closed, undefined);
  const heard = await heardBy(ear);
  const times = heard.map(({ E }) => E as number);
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
    "a moment is told before the next",
  );
  const ofKind = (kind: string): Ear["messages"] => heard.filter(({ e }) => e === kind);

  // A candle is reported complete as soon as it is; the first minute and the hour have the trade.
  const closed = (interval: string): Ear["messages"] => ofKind("kline").filter(({ k }) => k.i === interval && k.x);
  const offsetOf = ({ E }: { readonly E: number }): number => E - fromMs;
  const minutes = Array.from({ length: 61 }, (_, minute) => 40 * SECOND_MS + minute * MINUTE_MS);
  assert.deepEqual(closed("1m").map(offsetOf), minutes);
  assert.deepEqual(closed("1h").map(offsetOf), [dayOverMs - fromMs]);
  for (const { E, k } of [...closed("1m"), ...closed("1h")]) assert.deepEqual([k.T + 1, k.c], [E, "21000.00000000"]);
  assert.deepEqual(
    closed("1m").map(({ k }) => k.n),
    [1, ...Array.from({ length: 60 }, () => 0)],
  );

  // Everything else after the instant at which the clock stood.
  const others = heard.filter((message) => message.e !== "kline" && offsetOf(message) > 0);
  assert.deepEqual(
    others.map((message) => [message.e, offsetOf(message)]),
    [
      ["depthUpdate", 100],
      ["24hrTicker", SECOND_MS],
      ["balanceUpdate", 2 * SECOND_MS],
      ["outboundAccountInfo", 2 * SECOND_MS],
      ["outboundAccountPosition", 2 * SECOND_MS],
      ["depthUpdate", 45 * SECOND_MS + 100],
      ["24hrTicker", dayOverMs - fromMs],
      ["listenKeyExpired", HOUR_MS],
    ],
  );
  const days = ofKind("24hrTicker").map(({ n, o, c, p }) => [n, o, c, p]);
  const [from, to] = ["20000.00000000", "21000.00000000"];
  assert.deepEqual(days, [
    [2, from, to, "1000.00000000"],
    [1, to, to, "0.00000000"],
  ]);
  const credited = others.find(({ e }) => e === "balanceUpdate");
  assert.deepEqual([credited?.a, credited?.d], ["LTC", "2.00000000"]);

  // Bob's order arrived when it was due, and then its answer; then a fault ended his listen key.
  assert.equal(await bobs.untilClosed(), 1000);
  assert.deepEqual(
    bobs.messages.filter((message) => offsetOf(message) > 0).map((message) => [message.e, offsetOf(message)]),
    [
      ...["executionReport", "outboundAccountInfo", "outboundAccountPosition"].map((kind) => [kind, 45 * SECOND_MS]),
      ["listenKeyExpired", 20 * MINUTE_MS],
    ],
  );
  const { status, body } = await late.answer();
  const { clientOrderId, transactTime } = JSON.parse(body.toString()) as Record<string, unknown>;
  assert.deepEqual([status, clientOrderId, transactTime], [200, "late", fromMs + 45 * SECOND_MS]);
  assert.deepEqual([(await lab.listed(delayed)).struck, (await lab.listed(ends)).struck], [1, 1]);

  // The windows of limits are new, and the listen key is gone.
  const book = await deepBook();
  assert.equal(book.status, 200);
  assert.match(book.head, /\r\nX-MBX-USED-WEIGHT-1M: 50\r\n/i);
  const next = await told(lab.order("next"));
  assert.equal(next.status, 200);
  assert.match(next.head, /\r\nX-MBX-ORDER-COUNT-1S: 1\r\n/i);
  const kept = await told<{ code: number }>(
    lab.send("PUT", "/api/v3/userDataStream", `listenKey=${alices}`, { key: alice }),
  );
  assert.deepEqual([kept.status, kept.json.code], [400, -1125]);
  for (const open of [ear, late]) open.close();
});
