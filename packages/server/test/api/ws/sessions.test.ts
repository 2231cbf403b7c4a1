/** Logon, Ed25519, and account events. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { VENUE_INTERFACES } from "@pricetime/protocol";
import { DEFAULT_LIMITS } from "../../../src/api/edge/rate-limit-rules.ts";
import { MAX_SUBSCRIPTION_IDS, MAX_SUBSCRIPTIONS, Session } from "../../../src/api/edge/session.ts";
import { hmacKey, payloadOf, type SigningKey } from "@pricetime/testkit/client";
import type { TestVenue } from "@pricetime/testkit/gateway-venue";
import { type Answer, type ApiClient, ApiVenue } from "./api-venue.ts";

const ALL = ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA"] as const;
const ORDER = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "9000", quantity: "0.01" };

let venue: ApiVenue;
let key: ReturnType<TestVenue["ed25519Key"]>;
before(async () => {
  venue = new ApiVenue();
  await venue.listen();
  key = venue.venue.ed25519Key(venue.venue.trader.accountId, ALL);
});
after(() => venue.close());

async function loggedOn(by: SigningKey = key): Promise<ApiClient> {
  const client = await venue.connect();
  assert.equal((await client.signed("session.logon", by)).status, 200);
  return client;
}

const now = (): { timestamp: number } => ({ timestamp: venue.venue.nowMs });

test("an Ed25519 key signs single requests, here and over HTTP", async () => {
  const client = await venue.connect();
  const { status, result } = await client.signed("order.place", key, ORDER);
  assert.deepEqual([status, result.status], [200, "NEW"]);
  const query = `timestamp=${venue.venue.nowMs}`;
  const rest = (signature: string): Promise<{ status: number }> =>
    venue.venue.send("GET", "/api/v3/account", {
      query: `${query}&signature=${encodeURIComponent(signature)}`,
      headers: { "x-mbx-apikey": key.apiKey },
    });
  assert.equal((await rest(key.sign(query))).status, 200);
  assert.equal((await rest(key.sign(`${query}1`))).status, 400);
});

test("signatures of another key, in hex, or damaged are rejected; HMAC keys accept no Ed25519 signature", async () => {
  const client = await venue.connect();
  const other = venue.venue.ed25519Key(venue.venue.maker.accountId, ALL);
  const hmac = hmacKey(venue.venue.trader);
  for (const forged of [
    { ...key, sign: other.sign },
    { ...key, sign: () => "0".repeat(64) },
    { ...key, sign: () => `${"A".repeat(86)}==` },
    { ...hmac, sign: key.sign },
  ]) {
    assert.equal((await client.signed("account.status", forged)).error.code, -1022);
  }
  assert.equal((await client.signed("account.status", { ...key, sign: () => "A".repeat(88) })).error.code, -1100);
});

test("once logged on, requests need only a timestamp", async () => {
  const client = await venue.connect();
  const before = await client.call("session.status");
  assert.deepEqual(before.result, {
    apiKey: null,
    authorizedSince: null,
    connectedSince: venue.venue.nowMs,
    returnRateLimits: true,
    serverTime: venue.venue.nowMs,
    userDataStream: false,
  });
  venue.venue.nowMs += 1000;
  const { result } = await client.signed("session.logon", key);
  assert.deepEqual([result.apiKey, result.authorizedSince], [key.apiKey, venue.venue.nowMs]);
  assert.deepEqual((await client.call("session.status")).result, result);

  const placed = await client.call("order.place", { ...ORDER, ...now() });
  assert.equal(placed.result.status, "NEW");
  assert.deepEqual(
    placed.rateLimits.map((limit: { rateLimitType: string }) => limit.rateLimitType),
    ["REQUEST_WEIGHT", "ORDERS", "ORDERS"],
  );
  const canceled = await client.call("order.cancel", { symbol: "BTCUSDT", orderId: placed.result.orderId, ...now() });
  assert.equal(canceled.result.status, "CANCELED");
  assert.equal((await client.call("account.status")).error.code, -1102, "timestamp is mandatory");
  assert.equal((await client.call("account.status", { timestamp: 1 })).error.code, -1021);
  assert.equal((await client.call("account.status", { foreign: 1, ...now() })).error.code, -1104);
  assert.equal((await client.call("userDataStream.start")).status, 200);

  const out = await client.call("session.logout");
  assert.deepEqual([out.status, out.result.apiKey, out.result.authorizedSince], [200, null, null]);
  assert.equal((await client.call("account.status", now())).error.code, -2014);
});

test("only Ed25519 keys log on, with a valid signature; another key may still sign on its own", async () => {
  const client = await venue.connect();
  const hmac = hmacKey(venue.venue.maker);
  assert.deepEqual((await client.signed("session.logon", hmac)).error, {
    code: -4056,
    msg: "HMAC_SHA256 API key is not supported.",
  });
  const forged = await client.signed("session.logon", { ...key, sign: hmac.sign });
  assert.equal(forged.error.code, -1022);
  assert.equal((await client.call("session.logon", { apiKey: key.apiKey, ...now() })).error.code, -1102);
  assert.equal((await client.call("session.status")).result.apiKey, null);

  await client.signed("session.logon", key);
  const placed = await client.signed("order.place", hmac, ORDER);
  assert.equal(placed.status, 200);
  const byMaker = { symbol: "BTCUSDT", orderId: placed.result.orderId };
  assert.equal((await client.call("order.status", { ...byMaker, ...now() })).error.code, -2013, "the trader's own");
  assert.equal((await client.signed("order.status", hmac, byMaker)).status, 200);
  assert.equal(
    (await client.call("order.status", { ...byMaker, ...now(), apiKey: hmac.apiKey })).error.code,
    -1102,
    "a key that is named must sign",
  );
});

test("a signed logon or subscription is valid on one connection, however its signature is written", async () => {
  const [owner, thief] = [await venue.connect(), await venue.connect()];
  const { trader } = venue.venue;
  for (const [method, by] of [
    ["session.logon", key],
    ["userDataStream.subscribe.signature", key],
    ["userDataStream.subscribe.signature", hmacKey(trader)],
  ] as const) {
    const params = { apiKey: by.apiKey, recvWindow: 60_000, ...now() };
    const signature = by.sign(payloadOf(params));
    assert.equal((await owner.call(method, { ...params, signature })).status, 200, method);
    assert.equal(
      (await owner.call(method, { ...params, signature })).status,
      200,
      "the same connection may say it again",
    );
    const respelled = by === key ? signature.replace(/=+$/, "") : signature.toUpperCase();
    for (const written of [signature, respelled]) {
      const replayed = await thief.call(method, { ...params, signature: written });
      assert.ok([-1022, -1100].includes(replayed.error?.code), JSON.stringify(replayed));
    }
    assert.deepEqual((await thief.call(method, { ...params, signature })).error, {
      code: -1022,
      msg: "Signature for this request is not valid.",
    });
  }
  assert.equal((await thief.call("session.status")).result.apiKey, null);
  assert.deepEqual((await thief.call("session.subscriptions")).result, []);
  assert.equal((await thief.signed("session.logon", key)).status, 200, "another signature is another matter");
});

test("a key's permissions apply after logon", async () => {
  const reader = venue.venue.ed25519Key(venue.venue.trader.accountId, ["USER_DATA"]);
  const client = await loggedOn(reader);
  assert.equal((await client.call("account.status", now())).status, 200);
  assert.deepEqual((await client.call("order.place", { ...ORDER, ...now() })).error.code, -2015);
  assert.equal((await client.call("userDataStream.subscribe")).error.code, -2015);
  assert.equal((await client.call("session.logon", { apiKey: "short", ...now(), signature: "x" })).error.code, -2014);
});

test("subscriptions: by session and by signature, several accounts, each event with its id", async () => {
  const { trader, maker } = venue.venue;
  const client = await loggedOn();
  const first = await client.call("userDataStream.subscribe");
  assert.deepEqual(first.result, { subscriptionId: 0 });
  assert.deepEqual((await client.call("userDataStream.subscribe")).result, { subscriptionId: 0 }, "one an account");
  const second = await client.signed("userDataStream.subscribe.signature", hmacKey(maker));
  assert.deepEqual(second.result, { subscriptionId: 1 });
  const all = await client.call("session.subscriptions");
  assert.deepEqual(all.result, [{ subscriptionId: 0 }, { subscriptionId: 1 }]);
  assert.equal((await client.call("session.status")).result.userDataStream, true);

  venue.users.emit(trader.accountId, { e: "one" });
  venue.users.emit(maker.accountId, { e: "two" });
  await client.call("ping");
  assert.deepEqual(client.events, [
    { subscriptionId: 0, event: { e: "one" } },
    { subscriptionId: 1, event: { e: "two" } },
  ]);

  await client.call("session.logout");
  venue.users.emit(trader.accountId, { e: "three" });
  venue.users.emit(maker.accountId, { e: "four" });
  await client.call("ping");
  assert.deepEqual(client.events.slice(2), [
    { subscriptionId: 0, event: { e: "eventStreamTerminated", E: venue.venue.nowMs } },
    { subscriptionId: 1, event: { e: "four" } },
  ]);

  assert.deepEqual((await client.call("userDataStream.unsubscribe", { subscriptionId: 7 })).result, {});
  assert.equal((await client.call("session.status")).result.userDataStream, true);
  assert.deepEqual((await client.call("userDataStream.unsubscribe", { subscriptionId: 1 })).result, {});
  assert.equal((await client.call("session.status")).result.userDataStream, false);
  const third = await client.signed("userDataStream.subscribe.signature", hmacKey(maker));
  assert.deepEqual(third.result, { subscriptionId: 2 }, "ids are not used again");
  await client.call("userDataStream.unsubscribe");
  assert.deepEqual((await client.call("session.subscriptions")).result, []);
});

test("a key without logon or signature cannot subscribe", async () => {
  const client = await venue.connect();
  const { apiKey } = venue.venue.maker;
  assert.equal((await client.call("userDataStream.subscribe")).error.code, -2014);
  assert.equal((await client.call("userDataStream.subscribe", { apiKey })).error.code, -2015);
  assert.equal((await client.call("userDataStream.subscribe.signature", { apiKey, ...now() })).error.code, -1102);
  const trader = await loggedOn();
  assert.equal((await trader.call("userDataStream.subscribe", { apiKey })).error.code, -2015);
});

test("a deleted key is logged out and gets no more events", async () => {
  const { accountId } = venue.venue.maker;
  const short = venue.venue.ed25519Key(accountId, ALL);
  const client = await loggedOn(short);
  await client.call("userDataStream.subscribe");
  venue.venue.act({ type: "deleteApiKey", by: "test", apiKey: short.apiKey });
  venue.api.forgetApiKey(short.apiKey);
  venue.users.emit(accountId, { e: "secret" });
  assert.equal((await client.call("session.status")).result.apiKey, null);
  assert.deepEqual(client.events, [{ subscriptionId: 0, event: { e: "eventStreamTerminated", E: venue.venue.nowMs } }]);
  assert.equal((await client.call("account.status", now())).error.code, -2014);

  const signer = venue.venue.key(accountId);
  assert.equal((await client.signed("userDataStream.subscribe.signature", hmacKey(signer))).status, 200);
  venue.api.forgetApiKey(venue.venue.trader.apiKey);
  venue.users.emit(accountId, { e: "still heard" });
  venue.api.forgetApiKey(signer.apiKey);
  venue.users.emit(accountId, { e: "secret" });
  assert.deepEqual((await client.call("session.subscriptions")).result, []);
  assert.deepEqual(
    client.events.slice(1).map(({ event }) => event.e),
    ["still heard", "eventStreamTerminated"],
  );
});

test("a subscription that the client ends sends its last event", async () => {
  const { accountId } = venue.venue.trader;
  const client = await loggedOn();
  const last = (subscriptionId: number) => ({
    subscriptionId,
    event: { e: "eventStreamTerminated", E: venue.venue.nowMs },
  });
  await client.call("userDataStream.subscribe");
  await client.call("userDataStream.unsubscribe", { subscriptionId: 7 });
  assert.deepEqual(client.events, [], "there is no such subscription");
  await client.call("userDataStream.unsubscribe", { subscriptionId: 0 });
  await client.call("userDataStream.subscribe");
  await client.call("session.logout");
  venue.users.emit(accountId, { e: "secret" });
  await client.call("session.status");
  assert.deepEqual(client.events, [last(0), last(1)]);
});

test("a closed connection leaves nothing behind", async () => {
  const client = await loggedOn();
  await client.call("userDataStream.subscribe");
  const { accountId } = venue.venue.trader;
  const before = venue.users.sinks.get(accountId)?.size ?? 0;
  const open = venue.api.openConnections;
  client.socket.send(JSON.stringify({ id: 1, method: "order.place", params: { ...ORDER, ...now() } }));
  client.socket.close();
  await once(client.socket, "close");
  for (let i = 0; i < 20 && venue.api.openConnections === open; i++) await turn();
  assert.equal(venue.api.openConnections, open - 1);
  assert.equal(venue.users.sinks.get(accountId)?.size, before - 1);
});

test("subscriptions per connection are bounded", async () => {
  const client = await venue.connect();
  for (let i = 0; i <= MAX_SUBSCRIPTIONS; i++) {
    const by = hmacKey(venue.venue.open(`${i}@example.org`));
    const { status, error } = await client.signed("userDataStream.subscribe.signature", by);
    if (i < MAX_SUBSCRIPTIONS) assert.equal(status, 200);
    else assert.deepEqual([status, error.code], [400, -1191]);
  }
});

test("today's interface counts subscriptions and announces the limit of connections", async (t) => {
  const { limits: rules } = VENUE_INTERFACES.today;
  const limits = { ...DEFAULT_LIMITS, rules };
  const today = new ApiVenue(limits, undefined, VENUE_INTERFACES.today);
  await today.listen();
  t.after(() => today.close());
  const by = hmacKey(today.venue.trader);
  const client = await today.connect();
  const errorOf = ({ status, error }: Answer) => `${status} ${error?.code} ${error?.msg}`;
  assert.deepEqual((await client.signed("userDataStream.subscribe.signature", by)).result, { subscriptionId: 0 });
  const again = await client.signed("userDataStream.subscribe.signature", by);
  assert.equal(errorOf(again), "400 -2035 User Data Stream subscription already active.");
  const unknown = await client.call("userDataStream.unsubscribe", { subscriptionId: 7 });
  assert.equal(errorOf(unknown), "400 -2036 User Data Stream subscription not active.");
  assert.deepEqual((await client.call("userDataStream.unsubscribe")).result, {});
  assert.deepEqual((await client.call("userDataStream.unsubscribe")).result, {}, "all of none");
  assert.deepEqual((await client.signed("userDataStream.subscribe.signature", by)).result, { subscriptionId: 1 });

  const { accountId } = today.venue.maker;
  const short = today.venue.ed25519Key(accountId, ALL);
  assert.equal((await client.signed("session.logon", short)).status, 200);
  today.venue.act({ type: "deleteApiKey", by: "test", apiKey: short.apiKey });
  today.api.forgetApiKey(short.apiKey);
  const { rateLimits: _, ...revoked } = await client.raw('{"id":77,"method":"time"}');
  const error = { code: -2015, msg: "Invalid API-key, IP, or permissions for action." };
  assert.deepEqual(revoked, { id: null, status: 401, error });
  assert.equal((await client.call("session.status")).result.apiKey, null);

  const used = async (): Promise<number> => (await client.call("ping")).rateLimits[0].count;
  const before = await used();
  await today.connect();
  assert.equal(await used(), before + 2 + 1, "opening a connection weighs 2");

  const announced = [
    ...rules.slice(0, 3),
    { rateLimitType: "CONNECTIONS", interval: "MINUTE", intervalNum: 5, limit: 300 },
  ];
  assert.deepEqual((await client.call("exchangeInfo")).result.rateLimits, announced);
  assert.deepEqual((await client.call("exchangeInfo", { symbol: "BTCUSDT" })).result.rateLimits, announced);
  assert.deepEqual((await today.venue.public("/api/v3/exchangeInfo")).json.rateLimits, rules);
});

test("today's interface has 65,535 subscription ids for a connection", () => {
  const users = { subscribe: () => () => undefined };
  const session = new Session({ users, send: () => undefined, connectedMs: 0, returnRateLimits: true });
  const { today, "2019": in2019 } = VENUE_INTERFACES;
  for (let id = 0; id < MAX_SUBSCRIPTION_IDS; id++) {
    assert.equal(session.subscribe({ ...key, accountId: 1 } as never, false, today), id);
    session.unsubscribe(id, 0, today);
  }
  assert.throws(
    () => session.subscribe({ accountId: 1 } as never, false, today),
    ({ error }: { error: { code: number; msg: string } }) =>
      `${error.code} ${error.msg}` === "-2042 Maximum subscription ID reached for this connection.",
  );
  assert.equal(session.subscribe({ accountId: 1 } as never, false, in2019), MAX_SUBSCRIPTION_IDS);
});

test("the engine accepts only Ed25519 public keys, without a secret", () => {
  const { accountId } = venue.venue.trader;
  const der = { format: "der", type: "spki" } as const;
  const ed = generateKeyPairSync("ed25519").publicKey.export(der).toString("base64");
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export(der).toString("base64");
  const create = (publicKey: string, sealedSecret: string): string => {
    const fields = { by: "t", accountId, apiKey: "Q".repeat(64), permissions: ALL, ipAllowList: [], label: "" };
    const [event] = venue.venue.apply({ type: "createApiKey", ...fields, publicKey, sealedSecret }).events;
    return event?.type === "rejected" ? event.reason : "created";
  };
  assert.equal(create(ec, ""), "INVALID_VALUE");
  assert.equal(create(`${ed}\n`, ""), "INVALID_VALUE");
  assert.equal(create(ed, "s1.secret"), "INVALID_VALUE");
  assert.equal(create(ed, ""), "created");
});
