/** Events and sessions over the WebSocket API of the real program, by a bare client. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { untilAnswer } from "@pricetime/testkit/waiting";
import { limit, type Market, openMarket, place, SYMBOL } from "../conformance/market.ts";
import { ed25519Key, hmacKey, type SigningKey } from "@pricetime/testkit/client";
import { ApiClient, type UserEvent } from "@pricetime/testkit/ws-client";
import { registerEd25519, removeKey } from "@pricetime/testkit/venue";

let market: Market;
let maker: SigningKey;
let taker: SigningKey;
before(async () => {
  market = await openMarket();
  const [first, second] = market.exchange.accounts;
  assert.ok(first && second);
  maker = hmacKey(first);
  taker = hmacKey(second);
});
after(() => market.close());

const open = (query?: string): Promise<ApiClient> => ApiClient.open(market.exchange.ws, query);

async function eventsUntil(
  client: ApiClient,
  isEnough: (events: readonly UserEvent[]) => boolean,
): Promise<UserEvent[]> {
  return untilAnswer("all events", () => client.events, isEnough);
}

const reports = (events: readonly UserEvent[]): string[] =>
  events.filter(({ event }) => event.e === "executionReport").map(({ event }) => `${event.x} ${event.X} ${event.i}`);

test("an order's life arrives as events with the subscription's id and no id of a request", async () => {
  const client = await open();
  const { result } = await client.signed("userDataStream.subscribe.signature", maker);
  assert.deepEqual(result, { subscriptionId: 0 });
  const { orderId } = await place(market.maker, limit("SELL", "0.5", "50000"));
  await place(market.taker, limit("BUY", "0.2", "50000"));
  const canceled = await client.signed("order.cancel", maker, { symbol: SYMBOL, orderId });
  assert.equal(canceled.status, 200);
  const events = await eventsUntil(client, (seen) => reports(seen).length >= 3);
  assert.deepEqual(reports(events), [
    `NEW NEW ${orderId}`,
    `TRADE PARTIALLY_FILLED ${orderId}`,
    `CANCELED CANCELED ${orderId}`,
  ]);
  for (const event of events) assert.deepEqual(Object.keys(event), ["subscriptionId", "event"]);
  assert.ok(events.some(({ event }) => event.e === "outboundAccountPosition"));
  await client.call("userDataStream.unsubscribe");
  const count = client.events.length;
  await place(market.maker, limit("SELL", "0.5", "51000"));
  await client.call("ping");
  assert.equal(client.events.length, count);
  await client.close();
});

test("an Ed25519 session trades and hears without signing again", async () => {
  const [, second] = market.exchange.accounts;
  const { apiKey, privateKey } = await registerEd25519(market.exchange, second?.email ?? "");
  const key = ed25519Key(apiKey, privateKey);
  const client = await open();
  assert.equal((await client.signed("session.logon", key)).status, 200);
  assert.deepEqual((await client.call("userDataStream.subscribe")).result, { subscriptionId: 0 });
  const timestamp = Date.now();
  const placed = await client.call("order.place", { ...limit("BUY", "0.1", "40000"), timestamp });
  assert.equal(placed.status, 200);
  const canceled = await client.call("openOrders.cancelAll", { symbol: SYMBOL, timestamp });
  assert.equal(canceled.status, 200);
  const events = await eventsUntil(client, (seen) => reports(seen).length >= 2);
  assert.deepEqual(reports(events), [`NEW NEW ${placed.result.orderId}`, `CANCELED CANCELED ${placed.result.orderId}`]);

  await removeKey(market.exchange, apiKey);
  await place(market.taker, limit("BUY", "0.1", "40000"));
  const ended = await eventsUntil(client, (seen) => seen.some(({ event }) => event.e === "eventStreamTerminated"));
  assert.equal(reports(ended).length, 2, "nothing is told in the name of a deleted key");
  assert.equal((await client.call("account.status", { timestamp })).status, 401);
  await client.close();
});

test("two accounts on one connection, one account on two", async () => {
  const [one, other] = [await open(), await open()];
  await one.signed("userDataStream.subscribe.signature", maker);
  await one.signed("userDataStream.subscribe.signature", taker);
  // Within one millisecond it would be the same signature, which is good for one connection.
  await sleep(2);
  await other.signed("userDataStream.subscribe.signature", taker);
  await place(market.maker, limit("SELL", "0.1", "49000"));
  await place(market.taker, limit("BUY", "0.1", "49000"));
  const filled = (client: ApiClient, id: number): boolean =>
    client.events.some((seen) => seen.subscriptionId === id && seen.event.X === "FILLED");
  await eventsUntil(one, () => filled(one, 0) && filled(one, 1) && filled(other, 0));
  const ofTaker = one.events.filter(({ subscriptionId }) => subscriptionId === 1).map(({ event }) => event);
  assert.deepEqual(other.events.map(({ event }) => event).slice(0, ofTaker.length), ofTaker);
  await Promise.all([one.close(), other.close()]);
});

test("frames that are no requests get errors, one that is too large the end, and others notice nothing", async () => {
  const [bad, good] = [await open(), await open()];
  for (const frame of ["{", "[]", '{"id":{}}', Buffer.from([1, 2, 3])]) {
    const { status, error } = await bad.raw(frame, null);
    assert.deepEqual([status, error.code], [400, -1135]);
  }
  assert.equal((await bad.call("no.such.method")).status, 404);
  const closed = once(bad.socket, "close");
  bad.socket.send(`{"id":1,"method":"ping","params":{"x":"${"x".repeat(2_000_000)}"}}`);
  assert.equal((await closed)[0], 1009);
  assert.equal((await good.call("ping")).status, 200);
  await good.close();
});

test("many requests on one connection are all answered", async () => {
  const client = await open("?returnRateLimits=false");
  const asked = Array.from({ length: 300 }, (_, i) =>
    client.signed(
      i % 2 === 0 ? "order.place" : "account.status",
      taker,
      i % 2 === 0 ? limit("BUY", "0.001", "30000") : {},
    ),
  );
  for (const { status, rateLimits } of await Promise.all(asked))
    assert.deepEqual([status, rateLimits], [200, undefined]);
  await client.close();
});
