/** Each fault over the WebSocket API: what a client sees, what the journal contains, and that others are not struck. */
import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { hmacKey, payloadOf } from "@pricetime/testkit/client";
import { until } from "@pricetime/testkit/waiting";
import { isRequestFault } from "../../../src/lab/faults/fault.ts";
import { answered, type Ear, kindsThat, LabNode, restingOrder } from "./lab-node.ts";

const PATH = "/ws-api/v3?returnRateLimits=false";
const lab = await LabNode.start();
afterEach(() => lab.clear());
const ears: Ear[] = [];
after(() => ears.forEach((ear) => ear.close()));

interface Case {
  readonly fault: { readonly fault: string } & Readonly<Record<string, unknown>>;
  /** The answer, the code with which the socket closes (RST: and its error), or silence. */
  readonly sees: RegExp | number | "RST" | "silence" | "no JSON";
  readonly isExecuted: boolean;
  readonly afterMs?: number;
}

const ACCEPTED = /^\{"id":1,"status":200,"result":\{"symbol":"BTCUSDT","orderId":/;
const UNKNOWN = /^\{"id":1,"status":504,"error":\{"code":-1007,"msg":"Timeout waiting/;

const CASES: Readonly<Record<string, Case>> = {
  "delay before": { fault: { fault: "delay", ms: 300 }, sees: ACCEPTED, isExecuted: true, afterMs: 300 },
  "delay after": { fault: { fault: "delay", ms: 300, when: "after" }, sees: ACCEPTED, isExecuted: true, afterMs: 300 },
  "fail-before": { fault: { fault: "fail-before" }, sees: UNKNOWN, isExecuted: false },
  "fail-after": { fault: { fault: "fail-after" }, sees: UNKNOWN, isExecuted: true },
  "disconnect before": { fault: { fault: "disconnect" }, sees: 1006, isExecuted: false },
  "disconnect after": { fault: { fault: "disconnect", when: "after" }, sees: 1006, isExecuted: true },
  "reset before": { fault: { fault: "reset" }, sees: "RST", isExecuted: false },
  "reset after": { fault: { fault: "reset", when: "after" }, sees: "RST", isExecuted: true },
  "hang before": { fault: { fault: "hang" }, sees: "silence", isExecuted: false },
  "hang after": { fault: { fault: "hang", when: "after" }, sees: "silence", isExecuted: true },
  "429 with the time of the next attempt": {
    fault: { fault: "reply", code: -1003, headers: { "Retry-After": "3" } },
    sees: /^\{"id":1,"status":429,"error":\{"code":-1003,"msg":".*","data":\{"serverTime":\d+,"retryAfter":\d+\}\}/,
    isExecuted: false,
  },
  "-2010": {
    fault: { fault: "reply", code: -2010 },
    sees: /^\{"id":1,"status":400,"error":\{"code":-2010,/,
    isExecuted: false,
  },
  dribble: { fault: { fault: "dribble", chunks: 5, ms: 500 }, sees: ACCEPTED, isExecuted: true, afterMs: 500 },
  bandwidth: { fault: { fault: "bandwidth", kbps: 1 }, sees: ACCEPTED, isExecuted: true, afterMs: 60_000 },
  truncate: { fault: { fault: "truncate", bytes: 30 }, sees: 1006, isExecuted: true },
  garble: { fault: { fault: "garble" }, sees: "no JSON", isExecuted: true },
  skew: {
    fault: { fault: "skew", ms: -5000 },
    sees: /^\{"id":1,"status":400,"error":\{"code":-1021,/,
    isExecuted: false,
  },
};

test("no kind of fault that strikes requests is missing here", () => {
  const kinds = Object.values(CASES).map(({ fault }) => fault.fault);
  assert.deepEqual([...new Set(kinds)].toSorted(), kindsThat(isRequestFault));
});

let orders = 0;

function order(ear: Ear, id: number, clientOrderId: string, key = lab.alice): void {
  const { apiKey, sign } = hmacKey(key);
  const params = { ...restingOrder(clientOrderId), apiKey, timestamp: lab.nowMs };
  const signature = sign(payloadOf(params));
  ear.ws.send(JSON.stringify({ id, method: "order.place", params: { ...params, signature } }));
}

async function dial(): Promise<Ear> {
  const ear = await lab.dial(PATH);
  ears.push(ear);
  return ear;
}

for (const [name, { fault, sees, isExecuted, afterMs }] of Object.entries(CASES)) {
  test(name, async () => {
    const own = `socket-${++orders}`;
    const where = { endpoint: "order.place", account: lab.alice.email, over: "websocket" };
    const id = await lab.fault({ ...fault, where });
    const seqBefore = await lab.seq();
    const [ear, other] = [await dial(), await dial()];
    order(ear, 1, own);
    const { strikes } = await lab.untilStruck(id);

    // Others are not struck: another account, another method, the same endpoint over REST.
    order(other, 2, `bob-${own}`, lab.bob);
    other.ws.send(JSON.stringify({ id: 3, method: "ping" }));
    await other.until(2);
    assert.deepEqual(
      other.messages.map((message) => message.status),
      [200, 200],
    );
    assert.equal((await answered(lab.order(`rest-${own}`))).status, 200);

    if (afterMs !== undefined) {
      await lab.advance(1);
      assert.deepEqual(ear.texts, [], "the answer waits for the clock");
      await lab.advance(afterMs);
    }
    if (sees === "silence") {
      assert.deepEqual([ear.texts, ear.closed], [[], undefined]);
    } else if (sees === "RST" || typeof sees === "number") {
      assert.equal(await ear.untilClosed(), 1006);
      assert.equal(ear.error.includes("ECONNRESET"), sees === "RST", ear.error);
      assert.deepEqual(ear.texts, []);
    } else {
      await ear.until(1);
      if (sees === "no JSON") assert.throws(() => ear.messages);
      else assert.match(ear.texts[0] ?? "", sees);
    }
    if (isExecuted) await until("the order is there", () => lab.hasOrder(own));
    else assert.equal(await lab.hasOrder(own), false);
    const orderIds = [`bob-${own}`, `rest-${own}`, ...(isExecuted ? [own] : [])];
    assert.deepEqual(
      lab.commandsSince(seqBefore),
      orderIds.map((orderId) => `placeOrder ${orderId}`),
      "the journal holds the others' orders, this one once if executed, and nothing else",
    );
    if (ear.closed === undefined) {
      ear.ws.send(JSON.stringify({ id: 9, method: "ping" }));
      await until("the socket goes on", () => ear.texts.at(-1)?.startsWith('{"id":9,"status":200') === true);
    }

    const [strike] = strikes;
    const account = await lab.accountId(lab.alice.email);
    const { atMs: _at, sent, ms: _ms, ...about } = strike ?? {};
    assert.deepEqual(about, { over: "websocket", method: "order.place", endpoint: "order.place", account });
    assert.match(String(sent), new RegExp(`newClientOrderId=${own}`));
    assert.doesNotMatch(String(sent), /signature|apiKey/);
    assert.equal((await lab.listed(id)).struck, 1);
    await lab.clear();
  });
}

test("answers and pings wait behind one that is sent bit by bit, or pass between its parts", async () => {
  const ear = await dial();
  const id = await lab.fault({ fault: "dribble", chunks: 3, ms: 300, where: { endpoint: "time" }, count: 1 });
  ear.ws.send(JSON.stringify({ id: 1, method: "time" }));
  await lab.untilStruck(id);
  ear.ws.send(JSON.stringify({ id: 2, method: "ping" }));
  ear.ws.send(JSON.stringify({ id: 3, method: "time" }));
  await lab.advance(100);
  let pongs = 0;
  ear.ws.on("pong", () => pongs++);
  ear.ws.ping();
  await until("a pong between two parts", () => pongs === 1);
  assert.deepEqual(ear.texts, []);
  await lab.advance(200);
  await ear.until(3);
  assert.deepEqual(
    ear.messages.map((message) => [message.id, message.status]),
    [
      [1, 200],
      [2, 200],
      [3, 200],
    ],
  );
  await lab.clear();
});
