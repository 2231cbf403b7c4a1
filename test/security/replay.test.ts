/** What a signature protects and what it does not: SECURITY.md says it, this shows it. */
import assert from "node:assert/strict";
import { after, before, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { encode, type Parameters, sign } from "@pricetime/testkit/client";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { clientOf } from "./rig.ts";

const LIMIT = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "20000", quantity: "0.001" };

let exchange: Exchange;
before(async () => {
  exchange = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
});
after(() => exchange.kill());

/** As captured on its way. */
interface Captured {
  readonly method: string;
  readonly path: string;
  readonly text: string;
}

function capture(method: string, path: string, parameters: Parameters): Captured {
  const payload = encode({ ...parameters, timestamp: Date.now() });
  return { method, path, text: `${payload}&signature=${sign(exchange.accounts[0]!.secretKey, payload)}` };
}

interface Sent {
  readonly status: number;
  readonly json: { readonly code?: number; readonly msg?: string; readonly orderId?: number };
}

function send(t: TestContext, { method, path, text }: Captured, body?: string): Promise<Sent> {
  const headers = { "X-MBX-APIKEY": exchange.accounts[0]!.apiKey };
  return clientOf(t, exchange).send(method, path, { query: text, headers, ...(body === undefined ? {} : { body }) });
}

test("not prevented: within its window a request without an id of its own can be sent again", async (t) => {
  const order = capture("POST", "/api/v3/order", LIMIT);
  const [first, second] = [await send(t, order), await send(t, order)];
  assert.deepEqual([first.status, second.status], [200, 200]);
  assert.notEqual(first.json.orderId, second.json.orderId, "two orders of one signature");
  const read = capture("GET", "/api/v3/account", {});
  assert.deepEqual([(await send(t, read)).status, (await send(t, read)).status], [200, 200]);
});

test("prevented: a replay with the client order id of an open order is refused", async (t) => {
  const order = capture("POST", "/api/v3/order", { ...LIMIT, newClientOrderId: "mine" });
  assert.equal((await send(t, order)).status, 200);
  const { status, json } = await send(t, order);
  assert.deepEqual([status, json], [400, { code: -2010, msg: "Duplicate order sent." }]);
});

test("not prevented: once that order is gone, within the window, its id is free again", async (t) => {
  const order = capture("POST", "/api/v3/order", { ...LIMIT, newClientOrderId: "gone" });
  assert.equal((await send(t, order)).status, 200);
  const cancel = capture("DELETE", "/api/v3/order", { symbol: "BTCUSDT", origClientOrderId: "gone" });
  assert.equal((await send(t, cancel)).status, 200);
  assert.equal((await send(t, order)).status, 200);
});

test("prevented: a replay after recvWindow, and a window of more than a minute", async (t) => {
  const order = capture("POST", "/api/v3/order", { ...LIMIT, recvWindow: 1 });
  await sleep(10);
  assert.equal((await send(t, order)).json.code, -1021);
  assert.equal((await send(t, capture("POST", "/api/v3/order", { ...LIMIT, recvWindow: 60_001 }))).json.code, -1131);
});

test("prevented: any change of what was signed, in value, name, order or case", async (t) => {
  const { text, ...rest } = capture("POST", "/api/v3/order", { ...LIMIT, newClientOrderId: "changed" });
  for (const changed of [
    text.replace("price=20000", "price=20001"),
    text.replace("quantity=0.001", "quantity=0.0010"),
    text.replace("side=BUY&type=LIMIT", "type=LIMIT&side=BUY"),
    text.replace("BTCUSDT", "%42TCUSDX"),
    `${text}&icebergQty=0.0005`,
    `&${text}`,
  ]) {
    assert.notEqual(changed, text);
    assert.equal((await send(t, { ...rest, text: changed })).json.code, -1022, changed);
  }
});

test("harmless: what was signed, with escapes on its way, is the same request and no other", async (t) => {
  const { text, ...rest } = capture("POST", "/api/v3/order", { ...LIMIT, newClientOrderId: "escaped" });
  assert.equal((await send(t, { ...rest, text: text.replace("BTCUSDT", "%42TCUSDT") })).status, 200);
  assert.equal((await send(t, { ...rest, text })).json.msg, "Duplicate order sent.");
});

test("prevented: a parameter said twice, wherever and however it is written", async (t) => {
  const { text, ...rest } = capture("POST", "/api/v3/order", { ...LIMIT, newClientOrderId: "twice" });
  for (const more of ["symbol=ETHUSDT", "%73ymbol=ETHUSDT", "signature=00", "%73ignature=00", "timestamp=1"]) {
    for (const doubled of [`${text}&${more}`, `${more}&${text}`]) {
      const { status, json } = await send(t, { ...rest, text: doubled });
      assert.equal(status, 400, doubled);
      assert.ok(json.code === -1101 || json.code === -1022 || json.code === -1100, `${json.code} ${doubled}`);
    }
  }
});

test("harmless: a second signature in the body is read by nobody and carries nothing", async (t) => {
  const order = capture("POST", "/api/v3/order", { ...LIMIT, newClientOrderId: "body" });
  for (const body of ["signature=00&price=1", "price=1", "&"]) {
    const { json } = await send(t, order, body);
    assert.equal(json.code, -1022, `${body} was let in`);
  }
  const answer = await send(t, order, `signature=${"0".repeat(64)}`);
  assert.equal(answer.status, 200, "what was signed is what it was");
  const open = await clientOf(t, exchange).signed<{ clientOrderId: string; price: string }[]>(
    "GET",
    "/api/v3/openOrders",
  );
  for (const { price } of open.json) assert.equal(price, "20000.00000000");
});
