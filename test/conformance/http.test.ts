/** Interface 1, S.3: what holds for every address, whatever is asked. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { Client } from "@pricetime/testkit/client";
import { type Market, openMarket } from "./market.ts";
import { assertShape } from "./shape.ts";
import { ERROR } from "./shapes.ts";

let market: Market;
let client: Client;
before(async () => {
  market = await openMarket();
  client = new Client(market.exchange.rest);
});
after(async () => {
  client.close();
  await market.close();
});

test("unknown paths are 404 with a JSON body, never HTML", async () => {
  for (const path of ["/", "/api/v3/nosuch", "/api/v9/ping", "/api/v1/order", "/wapi/v3/nosuch.html", "/sapi/v1/no"]) {
    const answer = await client.send<Record<string, unknown>>("GET", path);
    assert.equal(answer.status, 404, path);
    assert.match(String(answer.headers["content-type"]), /^application\/json/, path);
    if (!path.startsWith("/wapi")) assertShape(answer.json, ERROR);
    else assert.equal(answer.json.success, false);
  }
});

test("a known path with another method is 405", async () => {
  const answer = await client.send("PUT", "/api/v3/ping");
  assert.equal(answer.status, 405);
  assertShape(answer.json, ERROR);
});

test("a body that is too large is 413", async () => {
  const answer = await client
    .send("POST", "/api/v3/order", { body: `symbol=${"A".repeat(2_000_000)}` })
    .catch(() => null);
  // The server may close the connection before a client has sent it all; if it answers, then like this.
  if (answer !== null) {
    assert.equal(answer.status, 413);
    assertShape(answer.json, ERROR);
  }
});

test("what a firewall would refuse is 403", async () => {
  for (const path of ["/api/v3/../../etc/passwd", "/api/v3/%2e%2e/%2e%2e/secret"]) {
    const answer = await client.send("GET", path);
    assert.equal(answer.status, 403, path);
    assertShape(answer.json, ERROR);
  }
});

test("garbage on the socket neither hangs nor harms", async () => {
  const { hostname, port } = new URL(market.exchange.rest);
  for (const garbage of ["NOT HTTP AT ALL\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\0\0\0\0\r\n\r\n"]) {
    const said = await new Promise<string>((done) => {
      let text = "";
      const socket = connect(Number(port), hostname, () => socket.write(garbage));
      socket.on("data", (chunk) => (text += chunk.toString()));
      socket.on("error", () => done(text));
      socket.on("close", () => done(text));
    });
    assert.match(said, /^HTTP\/1\.1 4\d\d /, JSON.stringify(garbage));
  }
  assert.equal((await client.public("/api/v3/ping")).status, 200);
});

test("CORS: any origin, methods and headers named, headers of ours exposed", async () => {
  const answer = await client.send("GET", "/api/v3/ping", { headers: { origin: "https://example.org" } });
  assert.equal(answer.headers["access-control-allow-origin"], "*");
  const preflight = await client.send("OPTIONS", "/api/v3/order", {
    headers: {
      origin: "https://example.org",
      "access-control-request-method": "POST",
      "access-control-request-headers": "x-mbx-apikey",
    },
  });
  assert.ok(preflight.status === 200 || preflight.status === 204);
  assert.match(String(preflight.headers["access-control-allow-methods"]), /DELETE/);
  assert.match(String(preflight.headers["access-control-allow-headers"]), /x-mbx-apikey/i);
});

test("gzip for large answers to those who take it, and only to them", async () => {
  const zipped = await client.send<object>("GET", "/api/v3/exchangeInfo", { headers: { "accept-encoding": "gzip" } });
  assert.equal(zipped.headers["content-encoding"], "gzip");
  assertShape(Object.keys(zipped.json), ["string"]);
  const plain = await client.send<object>("GET", "/api/v3/exchangeInfo");
  assert.equal(plain.headers["content-encoding"], undefined);
  assert.deepEqual(Object.keys(zipped.json), Object.keys(plain.json));
  const small = await client.send("GET", "/api/v3/ping", { headers: { "accept-encoding": "gzip" } });
  assert.equal(small.headers["content-encoding"], undefined);
});

test("answers are not to be cached", async () => {
  assert.match(String((await client.public("/api/v3/time")).headers["cache-control"]), /no-store/);
});

test("margin and futures: there are none", async () => {
  for (const path of ["/sapi/v1/margin/allPairs", "/sapi/v1/margin/isolated/allPairs"]) {
    assert.deepEqual((await market.taker.signed("GET", path)).json, [], path);
  }
  for (const path of ["/fapi/v1/exchangeInfo", "/dapi/v1/exchangeInfo"]) {
    const answer = await client.public<{ symbols: unknown[] }>(path);
    assert.deepEqual(answer.json.symbols, [], path);
  }
});

test("what a public endpoint does not know is not read", async () => {
  assert.equal((await client.public("/api/v3/ping", { _: 1 })).status, 200);
  assert.equal((await client.public("/api/v3/depth", { symbol: "BTCUSDT", _: 1 })).status, 200);
});
