/** Frames: invalid requests, ids, signatures, limits. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { type ApiError, TOO_MANY_QUEUED } from "@pricetime/protocol";
import { DEFAULT_LIMITS } from "../../../src/api/edge/rate-limit-rules.ts";
import type { Replier } from "../../../src/api/edge/request.ts";
import {
  MAX_REQUESTS_IN_FLIGHT_PER_IP,
  MAX_REQUESTS_WAITING,
  WebSocketApi,
  type WebSocketApiOptions,
} from "../../../src/api/ws-api.ts";
import { readFrame } from "../../../src/api/ws-frame.ts";
import { hmacKey, payloadOf } from "@pricetime/testkit/client";
import { type Answer, type ApiClient, ApiVenue } from "./api-venue.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { SendQueue } from "../../../src/api/edge/send-queue.ts";

let venue: ApiVenue;
before(async () => {
  venue = new ApiVenue();
  await venue.listen();
});
after(() => venue.close());

const ID = "Invalid 'id' in JSON request; expected an integer, a string matching '^[a-zA-Z0-9-_]{1,36}$', or null.";

test("invalid requests are answered with their error, and the connection stays open", async () => {
  const client = await venue.connect();
  const bad: readonly (readonly [frame: string, id: unknown, msg: string])[] = [
    ["", null, "Invalid JSON request."],
    ["{", null, "Invalid JSON request."],
    ["null", null, "Invalid JSON request."],
    ["7", null, "Invalid JSON request."],
    ["[1]", null, "Invalid JSON request."],
    ["[".repeat(16_000), null, "Invalid JSON request."],
    [`${"[".repeat(8000)}${"]".repeat(8000)}`, null, "Invalid JSON request."],
    ['{"method":"ping"}', null, ID],
    ['{"id":1.5,"method":"ping"}', null, ID],
    ['{"id":"","method":"ping"}', null, ID],
    [`{"id":"${"a".repeat(37)}","method":"ping"}`, null, ID],
    ['{"id":"a\\"b","method":"ping"}', null, ID],
    ['{"id":{},"method":"ping"}', null, ID],
    ['{"id":1}', 1, "Invalid 'method' in JSON request; expected a string."],
    ['{"id":1,"method":1}', 1, "Invalid 'method' in JSON request; expected a string."],
    ['{"id":1,"method":"ping","params":[]}', 1, "Invalid 'params' in JSON request; expected an object."],
    ['{"id":1,"method":"ping","params":1}', 1, "Invalid 'params' in JSON request; expected an object."],
  ];
  for (const [frame, id, msg] of bad) {
    const answer = await client.raw(frame);
    assert.deepEqual([answer.id, answer.status, answer.error], [id, 400, { code: -1135, msg }], frame.slice(0, 80));
    assert.equal(answer.rateLimits[0].rateLimitType, "REQUEST_WEIGHT");
  }
  assert.equal((await client.raw(Buffer.from('{"id":1,"method":"ping"}'))).error.code, -1135);
  const long = await client.raw(`{"id":1,"method":"ping","params":{"a":[${"1,".repeat(9000)}1]}}`);
  assert.deepEqual([long.status, long.error], [413, { code: -1013, msg: "The body is too large." }]);
  assert.deepEqual((await client.call("ping")).result, {});
});

test("unknown methods are answered like unknown paths", async () => {
  const client = await venue.connect();
  for (const method of ["", "nothing", "capital.coins", "ticker.allPrices", "__proto__", "v3/nothing", "constructor"]) {
    const { status, error } = await client.call(method);
    assert.deepEqual([status, error.code], [404, -1099], method);
  }
  assert.deepEqual((await client.call("v3/ping")).result, {});
});

test("ids are echoed as they were sent", async () => {
  const client = await venue.connect();
  for (const id of ["1", "-7", '"1"', '"e2a85d9f-07a5-4f94-8d5f-789dc3deb097"', "null", "0", "9007199254740991"]) {
    assert.deepEqual((await client.raw(`{"id":${id},"method":"ping"}`)).id, JSON.parse(id));
  }
  client.socket.send('{"id":1234567890123456789,"method":"ping"}');
  const [data] = await once(client.socket, "message");
  assert.match(String(data), /^\{"id":1234567890123456789,"status":200,"result":\{\},/);
});

test("rateLimits are included unless the request or the address disables them", async () => {
  const client = await venue.connect();
  const { rateLimits } = await client.call("time", { returnRateLimits: true });
  const [{ count, ...rule }] = rateLimits;
  assert.deepEqual(rule, { rateLimitType: "REQUEST_WEIGHT", interval: "MINUTE", intervalNum: 1, limit: 1200 });
  assert.equal((await client.call("depth", { symbol: "BTCUSDT", limit: 500 })).rateLimits[0].count, count + 5);
  assert.ok(!("rateLimits" in (await client.call("time", { returnRateLimits: false }))));
  const quiet = await venue.connect("?returnRateLimits=false");
  assert.ok(!("rateLimits" in (await quiet.call("time"))));
  assert.ok("rateLimits" in (await quiet.call("time", { returnRateLimits: true })));
});

test("values are signed as they were written", () => {
  const frame = readFrame(
    '{"id":1,"method":"m","params":{"z":1.50,"a":"x y&=é","n":1e-7,"B":true,"l":["A","B"],"big":12345678901234567890,"signature":"s","o":null}}',
  );
  assert.ok(!("error" in frame));
  const payload = Buffer.from(frame.payload, "latin1").toString("utf8");
  assert.equal(payload, 'B=true&a=x y&=é&big=12345678901234567890&l=["A","B"]&n=1e-7&z=1.50');
  const withNulls = Buffer.from(frame.payloadWithNulls ?? "", "latin1").toString("utf8");
  assert.equal(withNulls, 'B=true&a=x y&=é&big=12345678901234567890&l=["A","B"]&n=1e-7&o=null&z=1.50');
  assert.equal(frame.values.get("z"), "1.50");
  assert.equal(frame.values.get("signature"), "s");
});

test("numbers and strings are both accepted for amounts, and signatures cover them as sent", async () => {
  const client = await venue.connect();
  const key = hmacKey(venue.venue.trader);
  const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC" };
  const byText = await client.signed("order.test", key, { ...order, price: "9000.10", quantity: "0.50" });
  assert.deepEqual([byText.status, byText.result], [200, {}]);
  const byNumber = await client.signed("order.test", key, { ...order, price: 9000.1, quantity: 0.5, recvWindow: 5000 });
  assert.equal(byNumber.status, 200);
  const params = `"apiKey":"${key.apiKey}","price":9000.10,"quantity":1.0,"side":"BUY","symbol":"BTCUSDT","timeInForce":"GTC","timestamp":${venue.venue.nowMs},"type":"LIMIT"`;
  const payload = params.replaceAll('"', "").replaceAll(":", "=").replaceAll(",", "&");
  const python = await client.raw(
    `{"id":1,"method":"order.test","params":{${params},"signature":"${key.sign(payload)}"}}`,
  );
  assert.equal(python.status, 200, "digits that JavaScript would drop are signed");
  const tooSmall = await client.signed("order.test", key, { ...order, price: 1e-7, quantity: 1 });
  assert.equal(tooSmall.error.msg.slice(0, 48), "Illegal characters found in parameter 'price'; l");
});

test("errors are those of HTTP", async () => {
  const client = await venue.connect();
  const key = hmacKey(venue.venue.trader);
  const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "9000", quantity: "1" };
  const cases: readonly (readonly [ask: () => Promise<Answer>, status: number, code: number])[] = [
    [() => client.call("depth"), 400, -1102],
    [() => client.call("depth", { symbol: "btcusdt" }), 400, -1100],
    [() => client.call("depth", { symbol: { a: 1 } }), 400, -1100],
    [() => client.call("depth", { symbol: "NOSUCH" }), 400, -1121],
    [() => client.call("account.status"), 401, -2014],
    [() => client.call("account.status", { apiKey: key.apiKey }), 400, -1102],
    [() => client.signed("account.status", { ...key, apiKey: "A".repeat(64) }), 401, -2015],
    [() => client.signed("account.status", { ...key, sign: () => "0".repeat(64) }), 400, -1022],
    [() => client.signed("account.status", { ...key, sign: () => "x" }), 400, -1100],
    [() => client.signed("account.status", key, { timestamp: 1 }), 400, -1021],
    [() => client.signed("account.status", key, { recvWindow: 60001 }), 400, -1131],
    [() => client.signed("account.status", key, { foreign: 1 }), 400, -1104],
    [() => client.signed("order.place", key, { ...order, quantity: "1000000" }), 400, -1013],
    [() => client.signed("order.place", key, { ...order, quantity: "8000" }), 400, -2010],
    [() => client.signed("order.cancel", key, { symbol: "BTCUSDT", orderId: 999_999 }), 400, -2011],
    [() => client.signed("order.status", key, { symbol: "BTCUSDT", orderId: 999_999 }), 400, -2013],
    [() => client.call("userDataStream.ping", { apiKey: key.apiKey, listenKey: "x" }), 400, -1125],
  ];
  for (const [ask, status, code] of cases) {
    const { error, ...rest } = await ask();
    assert.deepEqual([rest.status, error.code], [status, code], JSON.stringify(error));
    assert.ok(error.msg.length > 5 && !("result" in rest));
  }
});

test("a partly failed cancelReplace reports both parts", async () => {
  const client = await venue.connect();
  const key = hmacKey(venue.venue.trader);
  const { status, error } = await client.signed("order.cancelReplace", key, {
    symbol: "BTCUSDT",
    side: "BUY",
    type: "LIMIT",
    timeInForce: "GTC",
    price: "9000",
    quantity: "0.01",
    cancelReplaceMode: "ALLOW_FAILURE",
    cancelOrderId: 999_999,
  });
  assert.deepEqual([status, error.code, error.data.cancelResult], [409, -2021, "FAILURE"]);
  assert.equal(error.data.newOrderResponse.status, "NEW");
});

test("the error of a cancelReplace over the limit of orders has both parts and when to come back", async (context) => {
  const rules = [{ rateLimitType: "ORDERS", interval: "DAY", intervalNum: 1, limit: 1 }] as const;
  const limited = new ApiVenue({ ...DEFAULT_LIMITS, enabled: true, rules });
  context.after(() => limited.close());
  await limited.listen();
  const client = await limited.connect();
  const key = hmacKey(limited.venue.trader);
  const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "9000", quantity: "0.01" };
  const placed = await client.signed("order.place", key, order);
  const how = { cancelReplaceMode: "STOP_ON_FAILURE", orderRateLimitExceededMode: "CANCEL_ONLY" };
  const replace = { ...order, ...how, cancelOrderId: placed.result.orderId };
  const { status, error } = await client.signed("order.cancelReplace", key, replace);
  const { cancelResult, newOrderResponse, serverTime, retryAfter } = error.data;
  assert.deepEqual([status, cancelResult, newOrderResponse.code], [429, "SUCCESS", -1015]);
  assert.ok(retryAfter > serverTime);
});

test("responses are sent as they are ready, not in the order of requests", async () => {
  const client = await venue.connect();
  const key = hmacKey(venue.venue.trader);
  const params = { apiKey: key.apiKey, symbol: "BTCUSDT", orderId: 999_999, timestamp: venue.venue.nowMs };
  const cancel = { method: "order.cancel", params: { ...params, signature: key.sign(payloadOf(params)) } };
  client.socket.send(JSON.stringify({ id: "late", ...cancel }));
  client.socket.send('{"id":"soon","method":"ping"}');
  assert.deepEqual([(await client.next()).id, (await client.next()).id], ["soon", "late"]);
});

/** An API whose requests wait for their answers. */
function unanswering() {
  const waiting: Replier[] = [];
  const turnedAway: ApiError[] = [];
  const sink: WebSocketApiOptions["sink"] = {
    charge: () => null,
    processMethod: (_, replier) => waiting.push(replier),
    turnAway: (_ip, _path, error) => turnedAway.push(error),
  };
  const { users } = venue;
  const api = new WebSocketApi({ sink, users, limits: DEFAULT_LIMITS, world: MACHINE, sendQueue: new SendQueue() });
  return { api, waiting, turnedAway };
}

test("unanswered requests per connection are bounded", async () => {
  const sent: Answer[] = [];
  const { api, waiting, turnedAway } = unanswering();
  const send = (text: string): unknown => sent.push(JSON.parse(text));
  const peer = { ip: "127.0.0.1", send, sendParts: assert.fail, close: assert.fail };
  const connection = api.accept(peer, "");
  for (let id = 0; id < MAX_REQUESTS_WAITING + 1; id++) connection.receive(`{"id":${id},"method":"ping"}`);
  assert.equal(waiting.length, MAX_REQUESTS_WAITING);
  assert.deepEqual(turnedAway, [TOO_MANY_QUEUED]);
  waiting[0]?.reply({ status: 200, headers: [], body: "{}" });
  await turn();
  assert.deepEqual(sent, [{ id: 0, status: 200, result: {}, rateLimits: [] }]);
  connection.receive('{"id":9999,"method":"ping"}');
  assert.equal(waiting.length, MAX_REQUESTS_WAITING + 1);
  connection.closed();
  waiting[1]?.reply({ status: 200, headers: [], body: "{}" });
  await turn();
  connection.receive('{"id":9999,"method":"ping"}');
  assert.deepEqual([sent.length, waiting.length], [1, MAX_REQUESTS_WAITING + 1], "nothing once it is closed");
});

test("unanswered requests per address, on all connections, are bounded; a /64 is one address", async () => {
  const { api, waiting, turnedAway } = unanswering();
  const open = (ip: string) => api.accept({ ip, send: () => {}, sendParts: () => {}, close: assert.fail }, "");
  const each = MAX_REQUESTS_IN_FLIGHT_PER_IP / 3;
  for (let n = 1; n <= 3; n++) {
    const connection = open(`2001:db8::${n}`);
    for (let id = n === 1 ? 1 : 0; id < each; id++) connection.receive(`{"id":${id},"method":"ping"}`);
  }
  const [other, elsewhere] = [open("2001:db8::9"), open("2001:db8:0:1::1")];
  other.receive('{"id":1,"method":"ping"}');
  assert.deepEqual([waiting.length, turnedAway], [MAX_REQUESTS_IN_FLIGHT_PER_IP, []]);
  other.receive('{"id":2,"method":"ping"}');
  assert.deepEqual([waiting.length, turnedAway], [MAX_REQUESTS_IN_FLIGHT_PER_IP, [TOO_MANY_QUEUED]]);
  elsewhere.receive('{"id":3,"method":"ping"}');
  assert.equal(waiting.length, MAX_REQUESTS_IN_FLIGHT_PER_IP + 1);
  waiting[0]?.reply({ status: 200, headers: [], body: "{}" });
  await turn();
  other.receive('{"id":4,"method":"ping"}');
  assert.equal(waiting.length, MAX_REQUESTS_IN_FLIGHT_PER_IP + 2);
});

test("over the limit is 429 with when to come back; a ban is 418 and ends the connection", {
  timeout: 10_000,
}, async (context) => {
  const rules = [{ rateLimitType: "REQUEST_WEIGHT", interval: "MINUTE", intervalNum: 1, limit: 10 }] as const;
  const limited = new ApiVenue({ ...DEFAULT_LIMITS, enabled: true, rules });
  context.after(() => limited.close());
  await limited.listen();
  const client: ApiClient = await limited.connect();
  const other = await limited.connect();
  for (let i = 0; i < 5; i++) assert.equal((await client.call("ping")).status, 200);
  for (let i = 0; i < 5; i++) assert.equal((await other.raw("{")).status, 400, "what is no request counts");
  const over = await client.call("ping");
  assert.deepEqual([over.status, over.error.code], [429, -1003]);
  const { nowMs } = limited.venue;
  assert.equal(over.error.data.serverTime, nowMs);
  assert.equal(Math.floor(over.error.data.retryAfter / 60_000), Math.floor(nowMs / 60_000) + 1);
  const closed = once(client.socket, "close");
  for (;;) {
    const { status, error } = await client.call("ping");
    if (status === 429) continue;
    assert.deepEqual([status, error.code], [418, -1003]);
    assert.equal(error.data.retryAfter, nowMs + 120_000);
    break;
  }
  assert.equal((await closed)[0], 1008);
});
