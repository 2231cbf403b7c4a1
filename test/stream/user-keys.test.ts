/** Listen keys on the real program: what opens, what is silent, what closes, and why. Interface 3.7, S.14. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "@pricetime/testkit/client";
import { type DemoAccount, type Exchange, startExchange } from "@pricetime/testkit/venue";
import { type Ended, hearUser, type Message, openListenKey, UserEar } from "./user-ear.ts";

const PATH = "/api/v3/userDataStream";
const UNKNOWN = "A".repeat(64);
const ORDER = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: 0.1, price: 50000 };
const PLACED = ["executionReport", "outboundAccountInfo", "outboundAccountPosition"];

let exchange: Exchange;
let account: DemoAccount;
let client: Client;

before(async () => {
  // The clock of the program leaps when the last test tells it to.
  const { NODE_OPTIONS } = process.env;
  process.env.NODE_OPTIONS = `${NODE_OPTIONS ?? ""} --import ${import.meta.resolve("./leap.ts")}`;
  exchange = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
  if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = NODE_OPTIONS;
  account = exchange.accounts[0] as DemoAccount;
  client = new Client(exchange.rest, account);
});
after(async () => {
  client.close();
  await exchange.stop();
});

const place = () => client.signed("POST", "/api/v3/order", ORDER);
const names = (messages: readonly Message[]): string[] => messages.map(({ e }) => e as string);

async function endOf(ear: UserEar): Promise<Ended> {
  const { code, reason } = await ear.ended;
  return { code, reason };
}

test("an unknown key: closed at once, with a reason", async () => {
  for (const path of [`/ws/${UNKNOWN}`, `/stream?streams=${UNKNOWN}`, `/stream?streams=btcusdt@trade/${UNKNOWN}`]) {
    const ear = await UserEar.open(exchange.ws + path);
    assert.deepEqual(await endOf(ear), { code: 1008, reason: "This listenKey does not exist." }, path);
    assert.deepEqual(ear.messages, []);
  }
});

test("an unknown key that is subscribed to is silent", async () => {
  const ear = await UserEar.open(`${exchange.ws}/ws`);
  ear.send({ method: "SUBSCRIBE", params: [UNKNOWN], id: 1 });
  assert.deepEqual(await ear.until(() => true), { result: null, id: 1 });
  await place();
  ear.send({ method: "LIST_SUBSCRIPTIONS", id: 2 });
  assert.deepEqual((await ear.count(2))[1], { result: [UNKNOWN], id: 2 });
  ear.close();
});

test("all streams of an account get everything; the combined ones with the key's name", async () => {
  const [raw, again] = [await hearUser(exchange, account), await hearUser(exchange, account)];
  const listenKey = await openListenKey(client);
  const combined = await UserEar.open(`${exchange.ws}/stream?streams=${listenKey}/bnbusdt@trade`);
  const other = await hearUser(exchange, exchange.accounts[1] as DemoAccount);
  await place();
  const heard = await raw.count(3);
  assert.deepEqual(names(heard), PLACED);
  assert.deepEqual(await again.count(3), heard);
  const wrapped = await combined.count(3);
  assert.deepEqual(
    wrapped,
    heard.map((data) => ({ stream: listenKey, data })),
  );
  assert.deepEqual(other.messages, []);
  for (const ear of [raw, again, combined, other]) ear.close();
});

test("DELETE: listenKeyExpired, then the end of streams that have nothing else", async () => {
  const raw = await hearUser(exchange, account);
  const listenKey = await openListenKey(client);
  const mixed = await UserEar.open(`${exchange.ws}/stream?streams=${listenKey}/bnbusdt@trade`);
  assert.equal((await client.keyed("DELETE", PATH, { listenKey })).status, 200);
  assert.deepEqual(await endOf(raw), { code: 1000, reason: "the listen key is over" });
  assert.deepEqual(names(raw.messages), ["listenKeyExpired"]);
  await mixed.count(1);
  mixed.send({ method: "LIST_SUBSCRIPTIONS", id: 9 });
  assert.deepEqual((await mixed.count(2))[1], { result: ["bnbusdt@trade"], id: 9 });
  mixed.close();
  assert.equal((await client.keyed("PUT", PATH, { listenKey })).status, 400);
  const late = await UserEar.open(`${exchange.ws}/ws/${listenKey}`);
  assert.equal((await endOf(late)).code, 1008);
});

test("on an idle exchange a key ends an hour after it was last extended", async () => {
  const kept = await hearUser(exchange, account);
  const listenKey = await openListenKey(client);
  const lost = await hearUser(exchange, exchange.accounts[1] as DemoAccount);
  for (const { pid } of exchange.nodes) process.kill(pid, "SIGUSR2");
  const end = await endOf(lost);
  assert.deepEqual(end, { code: 1000, reason: "the listen key is over" });
  assert.deepEqual(names(lost.messages), ["listenKeyExpired"]);
  assert.deepEqual(await endOf(kept), end);
  assert.notEqual(await openListenKey(client), listenKey);
});
