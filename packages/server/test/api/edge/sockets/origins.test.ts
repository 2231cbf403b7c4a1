/** Which web pages may open sockets that carry account data: by their Origin, and over real sockets. */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { WebSocket } from "ws";
import { TrustedProxies } from "../../../../src/api/edge/client-address.ts";
import { Origins, type OriginRules } from "../../../../src/api/edge/sockets/sockets.ts";
import { SocketVenue, TestSocket } from "../../streams/socket-venue.ts";

const RULES: OriginRules = { allowedOrigins: [], publicUrl: null, isDemo: false };
const PROXY = "10.0.0.1";

function isForeign(
  rules: Partial<OriginRules>,
  headers: Record<string, string | string[]>,
  peer = "10.9.9.9",
): boolean {
  return new Origins({ ...RULES, ...rules }, new TrustedProxies([PROXY])).isForeign({ headers, peer });
}

test("programs, which send no Origin, are allowed", () => {
  assert.equal(isForeign({}, { host: "a" }), false);
  assert.equal(isForeign({}, {}), false);
});

test("the node's own pages are those of the requested host", () => {
  const own: readonly (readonly [host: string, origin: string])[] = [
    ["127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["exchange.example.com", "https://exchange.example.com"],
    ["exchange.example.com:443", "https://exchange.example.com"],
    ["Exchange.Example.com", "https://exchange.example.com"],
    ["[::1]:8080", "http://[::1]:8080"],
  ];
  for (const [host, origin] of own) assert.equal(isForeign({}, { host, origin }), false, `${origin} at ${host}`);
  const others: readonly (readonly [host: string, origin: string])[] = [
    ["127.0.0.1:8080", "http://127.0.0.1:3000"],
    ["127.0.0.1:8080", "http://localhost:8080"],
    ["exchange.example.com", "https://exchange.example.com.evil.example"],
    ["exchange.example.com", "https://evil.example/?exchange.example.com"],
    ["exchange.example.com", "https://exchange.example.com@evil.example"],
    ["exchange.example.com", "null"],
    ["exchange.example.com", ""],
    ["exchange.example.com", "exchange.example.com"],
    ["", "file://"],
    ["null", "null"],
    ["exchange.example.com/", "https://evil.example"],
    ["evil.example/@exchange.example.com", "https://exchange.example.com"],
  ];
  for (const [host, origin] of others) assert.equal(isForeign({}, { host, origin }), true, `${origin} at ${host}`);
  assert.equal(isForeign({}, { host: "a", origin: ["http://a", "http://b"] }), true);
  assert.equal(isForeign({}, { origin: "http://a" }), true, "no Host");
});

test("the host name reported by a trusted proxy counts", () => {
  const headers = {
    host: "127.0.0.1:8080",
    "x-forwarded-host": "exchange.example.com",
    origin: "https://exchange.example.com",
  };
  assert.equal(isForeign({}, headers, PROXY), false);
  assert.equal(isForeign({}, headers), true);
});

test("pages of the public URL and of allowed origins may", () => {
  const headers = { host: "10.0.0.5", origin: "https://exchange.example.com" };
  assert.equal(isForeign({ publicUrl: "https://exchange.example.com/api/" }, headers), false);
  assert.equal(isForeign({ publicUrl: "https://other.example.com" }, headers), true);
  assert.equal(isForeign({ allowedOrigins: ["https://Exchange.example.com"] }, headers), false);
  assert.equal(isForeign({ allowedOrigins: ["https://exchange.example.com:8443"] }, headers), true);
  assert.equal(isForeign({ allowedOrigins: ["*"] }, headers), false);
  assert.equal(isForeign({ allowedOrigins: ["null"] }, { host: "a", origin: "null" }), false);
});

test("in a demo, pages of any port of the same machine may, and no others", () => {
  for (const origin of ["http://localhost:3000", "http://127.0.0.1", "https://[::1]:5173"])
    assert.equal(isForeign({ isDemo: true }, { host: "127.0.0.1:8080", origin }), false, origin);
  for (const origin of ["http://localhost.evil.example", "http://evil.example:3000", "null"])
    assert.equal(isForeign({ isDemo: true }, { host: "127.0.0.1:8080", origin }), true, origin);
});

const EVIL = "https://evil.example";

/** The response to a handshake that was rejected. */
async function refusal(venue: SocketVenue, path: string, origin: string): Promise<{ status: number; body: string }> {
  const ws = new WebSocket(venue.ws + path, { origin });
  ws.on("error", () => {});
  const [, answer] = (await once(ws, "unexpected-response")) as [unknown, IncomingMessage];
  let body = "";
  for await (const chunk of answer) body += String(chunk);
  return { status: answer.statusCode ?? 0, body };
}

async function dial(venue: SocketVenue, path: string, origin: string): Promise<TestSocket> {
  const ws = new WebSocket(venue.ws + path, { origin });
  const socket = new TestSocket(ws);
  await once(ws, "open");
  return socket;
}

test("a page of another site cannot open a socket that carries account data", async () => {
  const venue = await SocketVenue.start();
  const key = await venue.openListenKey();
  for (const path of [`/ws/${key}`, `/stream?streams=btcusdt@trade/${key}`, "/ws-api/v3"]) {
    const { status, body } = await refusal(venue, path, EVIL);
    assert.equal(status, 403, path);
    assert.equal((JSON.parse(body) as { code: number }).code, -1002, path);
    for (const origin of [`http://127.0.0.1:${venue.port}`]) (await dial(venue, path, origin)).ws.close();
    (await venue.dial(path)).ws.close();
  }
});

test("pages of every site receive public streams; a listen key is not a stream for them", async () => {
  const venue = await SocketVenue.start();
  const key = await venue.openListenKey();
  const socket = await dial(venue, "/ws/btcusdt@trade", EVIL);
  venue.trade();
  await socket.until(1);
  const answer = await socket.ask({ method: "SUBSCRIBE", params: [key], id: 1 });
  assert.ok(!("result" in answer), JSON.stringify(answer));
  await venue.order({ quantity: 1, price: 40_000 });
  venue.trade();
  await socket.until(3);
  assert.deepEqual([...new Set(socket.messages.flatMap(({ e }) => e ?? []))], ["trade"]);
  socket.ws.close();
});

test("an allowed origin receives account events of its users", async () => {
  const venue = await SocketVenue.start({ allowedOrigins: [EVIL] });
  const socket = await dial(venue, "/ws", EVIL);
  const key = await venue.openListenKey();
  assert.deepEqual(await socket.ask({ method: "SUBSCRIBE", params: [key], id: 1 }), { result: null, id: 1 });
  (await dial(venue, "/ws-api/v3", EVIL)).ws.close();
  socket.ws.close();
});
