/** Names that JavaScript gives a meaning of its own, and very many names: parameters, frames, bodies, settings. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ENDPOINTS, MAX_PARAMETERS, parseRequest, TOO_MANY_PARAMETERS } from "@pricetime/protocol";
import WebSocket from "ws";
import { loadConfig, readFrame } from "@pricetime/server/readers";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { admin, clientOf } from "./rig.ts";

const BORN = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "__defineGetter__",
  "then",
];

let exchange: Exchange;
before(async () => {
  exchange = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
});
after(() => exchange.kill());

function assertClean(): void {
  const bare = {} as Record<string, unknown>;
  for (const name of ["polluted", "demo", "enabled", "isAdmin"])
    assert.equal(bare[name], undefined, `Object.prototype.${name}`);
}

test("parameters, in every place of every endpoint", async (t) => {
  const client = clientOf(t, exchange);
  for (const { method, paths } of ENDPOINTS) {
    for (const name of BORN) {
      const query = `${name}=1&${name}[polluted]=1&symbol=${name}`;
      const { status, json } = await client.send<object>(
        method,
        paths[0] ?? "",
        method === "GET" ? { query } : { body: query },
      );
      assert.ok(status < 500, `${method} ${paths[0]}?${query}: ${status}`);
      assert.equal(typeof json, "object");
    }
  }
  assertClean();
});

test("words and paths by those names are unknown, not found on a prototype", async (t) => {
  const client = clientOf(t, exchange);
  for (const name of BORN) {
    assert.equal((await client.send("GET", `/api/v3/${name}`)).status, 404);
    assert.equal((await client.send(name, "/api/v3/ping")).status >= 400, true);
    const klines = await client.public<{ code: number }>("/api/v3/klines", { symbol: "BTCUSDT", interval: name });
    assert.equal(klines.json.code, -1120);
    const order = { side: "BUY", type: name, price: "1", quantity: "1", symbol: "BTCUSDT", timeInForce: "GTC" };
    assert.ok(
      [-1116, -1100].includes((await client.signed<{ code: number }>("POST", "/api/v3/order", order)).json.code),
    );
    const { status } = await admin(exchange, "GET", `/v1/accounts/${name}`);
    assert.equal(status, 404);
  }
});

test("frames of both kinds of socket, and bodies of the admin API", async (t) => {
  const frames = BORN.flatMap((name) => [
    `{"id":1,"method":"ping","${name}":{"polluted":1}}`,
    `{"id":1,"method":"${name}","params":{"polluted":1}}`,
    `{"id":1,"method":"klines","params":{"symbol":"BTCUSDT","interval":"${name}","${name}":{"polluted":1}}}`,
    `{"id":1,"method":"SUBSCRIBE","params":["${name}","btcusdt@${name}"],"${name}":{"polluted":1}}`,
    `{"${name}":{"method":"SUBSCRIBE","polluted":1}}`,
  ]);
  for (const frame of frames) readFrame(frame);
  assertClean();
  for (const path of ["/ws-api/v3", "/ws"]) {
    // A few frames a second are allowed on a stream: a new socket for each few.
    for (let from = 0; from < frames.length; from += 4) {
      const socket = new WebSocket(exchange.ws + path);
      await new Promise((done, failed) => socket.once("open", done).once("error", failed));
      t.after(() => socket.terminate());
      for (const frame of frames.slice(from, from + 4)) {
        const answered = new Promise((done) => socket.once("message", done).once("close", done));
        socket.send(frame);
        const text = String(await answered);
        assert.doesNotMatch(text, /-1000|function|\[native/, `${frame} -> ${text}`);
      }
      socket.terminate();
    }
  }
  for (const name of BORN) {
    const { status } = await admin(
      exchange,
      "POST",
      "/v1/accounts",
      JSON.parse(`{"email":"x","${name}":{"polluted":1}}`),
    );
    assert.equal(status, 400);
  }
  assert.equal((await clientOf(t, exchange).public("/api/v3/ping")).status, 200);
});

test("settings", (t) => {
  const path = join(scratchFolder(t), "a.yaml");
  for (const text of [
    "__proto__: { demo: false }",
    "http: { __proto__: { maxConnections: 5 } }",
    "constructor: { prototype: { polluted: 1 } }",
    "<<: { demo: false }",
  ]) {
    writeFileSync(path, `${text}\n`);
    assert.throws(() => loadConfig({ flags: { config: path } }), /unknown key/);
  }
  assertClean();
});

test("thousands of names are not read: the parser stops behind its bound, whatever their hashes are", async (t) => {
  const body = Array.from({ length: 4_000 }, (_, i) => `${i}=`).join("&");
  const endpoint = ENDPOINTS.find(({ id }) => id === "order.place")!;
  assert.deepEqual(parseRequest(endpoint, "", body), TOO_MANY_PARAMETERS);
  const client = clientOf(t, exchange);
  const sent = body.slice(0, 16_000);
  const { json } = await client.send<{ code: number }>("POST", "/api/v3/order", {
    body: sent,
    headers: { "X-MBX-APIKEY": exchange.accounts[0]!.apiKey },
  });
  assert.equal(json.code, -1101);
  const params = Object.fromEntries(Array.from({ length: MAX_PARAMETERS + 1 }, (_, i) => [`p${i}`, 1]));
  const frame = readFrame(JSON.stringify({ id: 1, method: "ping", params }));
  assert.deepEqual("error" in frame && frame.error, TOO_MANY_PARAMETERS);
});
