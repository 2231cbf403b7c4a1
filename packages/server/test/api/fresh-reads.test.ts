/**
 * Read consistency on a node of a cluster: responses include everything any node has answered before, or report their
 * age.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test, type TestContext } from "node:test";
import { assertRefused, sealed, type TestAnswer, TestVenue } from "@pricetime/testkit/gateway-venue";
import { encodeSigned, hmacKey } from "@pricetime/testkit/client";
import { createApiKey } from "@pricetime/testkit/commands";
import { until } from "@pricetime/testkit/waiting";
import type { Freshness } from "../../src/cluster/port.ts";
import { ApiVenue } from "./ws/api-venue.ts";
import { NotAccepted } from "../../src/journal/sequencer/port.ts";

const MAX_STALE_MS = 1000;

/** A node that receives updates only when the test says so. */
class ManualFreshness implements Freshness {
  seq = 0;
  stale = 0;
  questions = 0;
  readonly #waiting: PromiseWithResolvers<number>[] = [];

  staleMs(): number {
    return this.stale;
  }

  latest(): Promise<number> {
    this.questions++;
    const answered = Promise.withResolvers<number>();
    this.#waiting.push(answered);
    return answered.promise;
  }

  answer(seq = this.seq): void {
    this.seq = seq;
    for (const { resolve } of this.#waiting.splice(0)) resolve(this.stale);
  }

  fail(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(new NotAccepted("too late"));
  }
}

interface Bench {
  readonly freshness: ManualFreshness;
  readonly venue: TestVenue;
}

function bench(isLinearizable = true): Bench {
  const freshness = new ManualFreshness();
  const venue = new TestVenue({ fresh: { freshness, isLinearizable, maxStaleMs: MAX_STALE_MS } });
  freshness.seq = venue.engine.seq;
  return { freshness, venue };
}

/** Whether it has been answered after some turns. */
async function isAnswered(answer: Promise<unknown>): Promise<boolean> {
  let answered = false;
  void answer.then(() => (answered = true));
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  return answered;
}

/** A signed GET of the account that requires an entry. */
function accountAt(venue: TestVenue, seq: string): Promise<TestAnswer> {
  const query = encodeSigned({ timestamp: venue.nowMs }, venue.trader.secretKey);
  return venue.send("GET", "/api/v3/account", {
    query,
    headers: { "x-mbx-apikey": venue.trader.apiKey, "x-pricetime-seq": seq },
  });
}

test("a signed read waits for entries answered by other nodes; a write and public data do not", async () => {
  const { freshness, venue } = bench();
  const account = venue.signed("GET", "/api/v3/account");
  assert.equal(await isAnswered(account), false);
  assert.equal((await venue.public("/api/v3/depth", { symbol: "BTCUSDT" })).status, 200);
  assert.equal((await venue.order({ quantity: "1", price: "100" })).status, 200);
  assert.equal(freshness.questions, 1);
  freshness.answer(venue.engine.seq);
  const { status, headers } = await account;
  assert.deepEqual([status, headers.get("x-pricetime-seq")], [200, String(venue.engine.seq)]);
});

test("a test order waits like a read, because it is checked against the state", async () => {
  const { freshness, venue } = bench();
  const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "1", price: "100" };
  const tried = venue.signed("POST", "/api/v3/order/test", order);
  assert.equal(await isAnswered(tried), false);
  freshness.answer(venue.engine.seq);
  assert.equal((await tried).status, 200);

  freshness.stale = MAX_STALE_MS + 1;
  const old = venue.signed("POST", "/api/v3/order/test", order);
  freshness.answer();
  assert.equal((await old).status, 503);
});

test("a signed read by the WebSocket API waits like one by REST; a write does not", async (t) => {
  const freshness = new ManualFreshness();
  const api = new ApiVenue(undefined, { freshness, isLinearizable: true, maxStaleMs: MAX_STALE_MS });
  t.after(() => api.close());
  const { trader, engine } = api.venue;
  const key = hmacKey(trader);
  freshness.seq = engine.seq;
  await api.listen();
  const [reader, writer] = [await api.connect(), await api.connect()];
  const account = reader.signed("account.status", key) as Promise<{ status: number }>;
  await until("the log is asked", () => freshness.questions === 1);
  const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "1", price: "100" };
  assert.equal((await writer.signed("order.place", key, order)).status, 200);
  assert.equal((await writer.call("depth", { symbol: "BTCUSDT" })).status, 200);
  assert.equal(await isAnswered(account), false);
  assert.equal(freshness.questions, 1);
  freshness.answer(engine.seq);
  assert.equal((await account).status, 200);

  freshness.stale = MAX_STALE_MS + 1;
  const old = reader.signed("account.status", key) as Promise<{ status: number }>;
  await until("the log is asked again", () => freshness.questions === 2);
  freshness.answer();
  assert.equal((await old).status, 503);
});

test("a subscription whose connection closes while it waits never starts", async (t) => {
  const freshness = new ManualFreshness();
  const api = new ApiVenue(undefined, { freshness, isLinearizable: false, maxStaleMs: MAX_STALE_MS });
  t.after(() => api.close());
  const { venue } = api;
  freshness.seq = venue.engine.seq;
  await api.listen();
  const { accountId } = venue.trader;
  const key = { accountId, apiKey: "n".repeat(64), secretKey: "s".repeat(64) };
  const stays = await api.connect();
  const goes = await api.connect();
  const heard = stays.signed("userDataStream.subscribe.signature", hmacKey(key)) as Promise<{ status: number }>;
  void goes.signed("userDataStream.subscribe.signature", hmacKey(key));
  await until("the log is asked for both", () => freshness.questions === 2);
  goes.socket.terminate();
  await until("one is gone", () => api.api.openConnections === 1);
  const sealedSecret = sealed(key.secretKey);
  venue.act(createApiKey(accountId, key.apiKey, { sealedSecret, permissions: ["USER_STREAM"] }));
  freshness.answer(venue.engine.seq);
  assert.equal((await heard).status, 200);
  assert.equal(api.users.sinks.get(accountId)?.size, 1, "the one that stays");
});

test("local reads do not ask other nodes", async () => {
  const { freshness, venue } = bench(false);
  assert.equal((await venue.signed("GET", "/api/v3/account")).status, 200);
  assert.equal(freshness.questions, 0);
});

test("a request that requires an entry waits for it, whether it reads or writes", async () => {
  const { freshness, venue } = bench(false);
  const seq = venue.engine.seq;
  assert.equal((await accountAt(venue, String(seq))).status, 200);
  assert.equal(freshness.questions, 0);
  const later = accountAt(venue, String(seq + 2));
  const headers = { "x-pricetime-seq": String(seq + 2) };
  const ping = venue.send("GET", "/api/v3/ping", { headers });
  assert.deepEqual([await isAnswered(later), await isAnswered(ping)], [false, false]);
  freshness.answer(seq + 2);
  assert.deepEqual([(await later).status, (await ping).status], [200, 200]);
});

test("an entry that does not exist is rejected as soon as that is known, and an invalid one at once", async () => {
  const { freshness, venue } = bench();
  const answer = accountAt(venue, "999999999999999");
  assert.equal(await isAnswered(answer), false);
  freshness.answer();
  assert.equal((await answer).status, 503);
  assert.equal((await answer).headers.get("retry-after"), "1");
  for (const wrong of ["-1", "x", "1".repeat(16), ""]) assertRefused(await accountAt(venue, wrong), 400, -1100);
  const late = accountAt(venue, "999999999999999");
  await isAnswered(late);
  freshness.fail();
  assert.equal((await late).status, 503);
});

test("an unknown key is looked up again before it is rejected", async () => {
  const { freshness, venue } = bench(false);
  const stranger = { ...venue.trader, apiKey: "x".repeat(64) };
  const answer = venue.order({ quantity: "1", price: "100" }, { key: stranger });
  assert.equal(await isAnswered(answer), false);
  freshness.answer();
  assertRefused(await answer, 401, -2015);
});

test("a node that is cut off does not reject unknown keys as invalid", async () => {
  const { freshness, venue } = bench();
  const stranger = { ...venue.trader, apiKey: "x".repeat(64) };
  freshness.stale = MAX_STALE_MS;
  const [order, read] = [
    venue.order({ quantity: "1", price: "100" }, { key: stranger }),
    venue.signed("GET", "/api/v3/account", {}, { key: stranger }),
  ];
  await isAnswered(order);
  freshness.answer();
  assert.deepEqual([(await order).status, (await read).status], [503, 503]);
  const depth = venue.send("GET", "/api/v3/depth", {
    query: "symbol=BTCUSDT",
    headers: { "x-mbx-apikey": stranger.apiKey },
  });
  await isAnswered(depth);
  freshness.answer();
  assert.equal((await depth).status, 200, "public data needs no key");
});

test("a node that is cut off reports the age of its responses, and rejects reads that are too old", async () => {
  const { freshness, venue } = bench();
  freshness.stale = 0.5;
  const fresh = venue.signed("GET", "/api/v3/account");
  await isAnswered(fresh);
  freshness.answer();
  assert.deepEqual([(await fresh).status, (await fresh).headers.get("x-pricetime-stale-ms")], [200, "1"]);
  freshness.stale = MAX_STALE_MS + 1;
  assert.equal((await venue.public("/api/v3/depth", { symbol: "BTCUSDT" })).status, 503);
  assert.equal((await venue.public("/api/v3/ping")).status, 200);
  const old = venue.signed("GET", "/api/v3/account");
  await isAnswered(old);
  freshness.answer();
  assert.equal((await old).status, 503);
  freshness.stale = 0;
  const depth = await venue.public("/api/v3/depth", { symbol: "BTCUSDT" });
  assert.deepEqual([depth.status, depth.headers.get("x-pricetime-stale-ms")], [200, undefined]);
});

/** Sends on a raw connection and returns the text of the response. */
async function raw(t: TestContext, port: number, request: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  t.after(() => socket.destroy());
  socket.write(request);
  const [chunk] = (await once(socket, "data")) as [Buffer];
  return chunk.toString("latin1");
}

test("both readers send the headers, and scripts of other origins may read and send them", async (t) => {
  const { freshness, venue } = bench();
  const port = await venue.gateway.listen("127.0.0.1", 0);
  t.after(() => venue.gateway.close());
  const seq = venue.engine.seq;
  const get = (headers: string): string => `GET /api/v3/ping HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
  const direct = await raw(t, port, get(`X-PRICETIME-SEQ: ${seq}\r\nOrigin: http://a\r\n`));
  assert.match(direct, new RegExp(`X-PRICETIME-SEQ: ${seq}\r\n`));
  assert.match(direct, /Access-Control-Expose-Headers: .*X-PRICETIME-SEQ, X-PRICETIME-STALE-MS/);
  const byNode = await raw(t, port, get("Connection: close\r\n"));
  assert.match(byNode, new RegExp(`X-PRICETIME-SEQ: ${seq}\r\n`));
  assert.deepEqual(venue.gateway.edge.requestsByLane, { direct: 1, node: 1 });
  const preflight = await raw(t, port, "OPTIONS /api/v3/order HTTP/1.1\r\nHost: x\r\n\r\n");
  assert.match(preflight, /Access-Control-Allow-Headers: .*X-PRICETIME-SEQ/);
  const awaited = raw(t, port, get(`X-PRICETIME-SEQ: ${seq + 1}\r\n`));
  assert.equal(await isAnswered(awaited), false);
  while (freshness.questions === 0) await new Promise(setImmediate);
  freshness.answer(seq + 1);
  assert.match(await awaited, new RegExp(`X-PRICETIME-SEQ: ${seq + 1}\r\n`));
});

test("a single node sends no such headers", async () => {
  const venue = new TestVenue();
  const { status, headers } = await venue.signed("GET", "/api/v3/account");
  assert.equal(status, 200);
  assert.deepEqual(
    [...headers.keys()].filter((name) => name.startsWith("x-pricetime")),
    [],
  );
  assert.equal((await accountAt(venue, "999999999999999")).status, 200);
});
