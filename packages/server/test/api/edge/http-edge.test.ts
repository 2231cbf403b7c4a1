/** The HTTP edge against raw sockets: for any input, the response is bounded, JSON and in order. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { until } from "@pricetime/testkit/waiting";
import type { HttpEdge } from "../../../src/api/edge/http/edge.ts";
import { DEFAULT_HTTP_LIMITS } from "../../../src/api/edge/limits.ts";
import { acceptsGzip } from "../../../src/api/edge/http/headers.ts";
import type { HttpLimits } from "../../../src/api/edge/limits.ts";
import { EchoSink, get, post, startEdge } from "@pricetime/testkit/echo-edge";
import { heapUsed } from "./heap.ts";
import { converse } from "./raw-socket.ts";
import type { Conversation } from "./raw-socket.ts";

const LIMITS: HttpLimits = {
  ...DEFAULT_HTTP_LIMITS,
  timeoutCheckMs: 50,
  maxBodyBytes: 1000,
  maxDiscardedBytes: 5000,
  drainTimeoutMs: 10_000,
};

/** For tests of timeouts. Elsewhere, a busy machine may take long to send a request. */
const SHORT_TIMEOUTS: HttpLimits = { ...LIMITS, headersTimeoutMs: 300, requestTimeoutMs: 300 };

/** Much more than the 300 ms, and much less than the other limits. */
const GIVEN_UP_MS = 8000;

const sink = new EchoSink();
let edge: HttpEdge;
let port = 0;
let hasty: HttpEdge;
let hastyPort = 0;

before(async () => {
  edge = startEdge(sink, LIMITS);
  port = await edge.listen("127.0.0.1", 0);
  hasty = startEdge(sink, SHORT_TIMEOUTS);
  hastyPort = await hasty.listen("127.0.0.1", 0);
});
after(async () => {
  await edge.close();
  await hasty.close();
});

function assertJsonError(conversation: Conversation, status: number, what: string): void {
  assert.equal(conversation.answers.length, 1, `${what}: one answer`);
  const [answer] = conversation.answers;
  assert.equal(answer?.status, status, what);
  assert.equal(answer?.headers.get("content-type"), "application/json;charset=UTF-8", what);
  const body = JSON.parse(answer?.body ?? "") as { code?: unknown; msg?: unknown };
  assert.ok(Number.isInteger(body.code) && typeof body.msg === "string", `${what}: ${answer?.body}`);
}

test("a request arrives as it was sent, byte for byte", async () => {
  const body = "a=%20+b&c=\xe9\xff";
  const { answers } = await converse(port, post("/p?x=%zz&y=1?2", `Content-Length: ${body.length}\r\n`, body), {
    answers: 1,
  });
  assert.deepEqual(sink.seen.at(-1)?.body, body);
  assert.equal(sink.seen.at(-1)?.path, "/p");
  assert.equal(sink.seen.at(-1)?.query, "x=%zz&y=1?2");
  assert.equal(sink.seen.at(-1)?.ip, "127.0.0.1");
  const headers = answers[0]?.headers;
  assert.equal(headers?.get("x-echo"), "yes");
  assert.equal(headers?.get("cache-control"), "no-cache, no-store, must-revalidate");
  assert.equal(headers?.get("access-control-allow-origin"), "*");
  assert.equal(headers?.get("x-content-type-options"), "nosniff");
});

test("chunked bodies are assembled", async () => {
  const chunked = "5\r\nab=cd\r\n3\r\n&ef\r\n0\r\n\r\n";
  await converse(port, post("/p", "Transfer-Encoding: chunked\r\n", chunked), { answers: 1 });
  assert.equal(sink.seen.at(-1)?.body, "ab=cd&ef");
});

test("bytes that are not HTTP get a JSON error and are never handed on", async () => {
  const table: readonly [string, string, number, { halfClose?: boolean }?][] = [
    ["raw bytes above ASCII in the query", get("/p?symbol=\xe9"), 400],
    ["a blank in the path", get("/p q"), 400],
    ["no HTTP at all", "hello\r\n\r\n", 400],
    ["an unknown method", "BREW /p HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["a header without a name", get("/p", ": x\r\n"), 400],
    ["a blank before the colon", "GET /p HTTP/1.1\r\nHost : x\r\n\r\n", 400],
    ["headers too large", get("/p", `X-Big: ${"a".repeat(20_000)}\r\n`), 431],
    ["two lengths", post("/p", "Content-Length: 3\r\nContent-Length: 4\r\n", "abcd"), 400],
    ["a negative length", post("/p", "Content-Length: -3\r\n", "abc"), 400],
    ["a length that is no number", post("/p", "Content-Length: abc\r\n", "abc"), 400],
    [
      "length and chunks (smuggling)",
      post("/p", "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
      400,
    ],
    [
      "chunks and length (smuggling)",
      post("/p", "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "0\r\n\r\n"),
      400,
    ],
    ["disguised chunks", post("/p", "Transfer-Encoding: xchunked\r\nContent-Length: 3\r\n", "abc"), 400],
    ["a chunk without a length", post("/p", "Transfer-Encoding: chunked\r\n", "zz\r\nab\r\n"), 400],
    ["a truncated body", post("/p", "Content-Length: 10\r\n", "abc"), 400, { halfClose: true }],
  ];
  for (const [what, bytes, status, options] of table) {
    const before = sink.seen.length;
    const conversation = await converse(port, bytes, options);
    assertJsonError(conversation, status, what);
    assert.ok(conversation.closed, `${what}: the connection ends`);
    assert.equal(sink.seen.length, before, `${what}: nothing is handed on`);
  }
});

test("a body longer than its Content-Length: the request is answered, then the rest is rejected", async () => {
  for (const path of ["/p", "/slow"]) {
    const { answers, closed } = await converse(port, post(path, "Content-Length: 3\r\n", "abcDEF\r\n\r\n"));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 400],
      path,
    );
    assert.ok(closed);
  }
});

test("bodies that never arrive and slow headers time out", async () => {
  const startedMs = performance.now();
  const conversations = await Promise.all([
    converse(hastyPort, post("/p", "Content-Length: 10\r\n", "abc")),
    converse(hastyPort, "GET /p HTTP/1.1\r\nHost: x\r\nX-Slow: "),
    converse(hastyPort, "G"),
  ]);
  for (const conversation of conversations) assertJsonError(conversation, 408, "too slow");
  assert.ok(performance.now() - startedMs < GIVEN_UP_MS);
});

test("headers that arrive byte by byte time out", async () => {
  const socket = connect(hastyPort, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write("GET /p HTTP/1.1\r\nHost: x\r\n");
  const drip = setInterval(() => socket.write("X-A: b\r\n"), 50);
  const startedMs = performance.now();
  await new Promise((resolve) => {
    socket.resume();
    socket.on("close", resolve);
  });
  clearInterval(drip);
  assert.ok(performance.now() - startedMs < GIVEN_UP_MS);
});

test("a body that is too large is 413, and the connection continues if it was read to its end", async () => {
  const large = post("/p", "Content-Length: 2000\r\n", "x".repeat(2000));
  const both = await converse(port, large + get("/after"), { answers: 2 });
  assert.deepEqual(
    both.answers.map(({ status }) => status),
    [413, 200],
  );
  const chunks = post("/p", "Transfer-Encoding: chunked\r\n", `7d0\r\n${"x".repeat(2000)}\r\n0\r\n\r\n`);
  assertJsonError(await converse(port, chunks, { answers: 1 }), 413, "in chunks");
});

test("a body that is far too large closes the connection", async () => {
  const huge = await converse(port, post("/p", "Content-Length: 999999999\r\n", "x"));
  assertJsonError(huge, 413, "huge");
  assert.ok(huge.closed);
  const endless = post("/p", "Transfer-Encoding: chunked\r\n", `1770\r\n${"x".repeat(6000)}\r\n`);
  const flood = await converse(port, endless);
  assertJsonError(flood, 413, "endless chunks");
  assert.ok(flood.closed);
});

test("a URL that is too long is 403", async () => {
  assertJsonError(await converse(port, get(`/p?x=${"a".repeat(9000)}`), { answers: 1 }), 403, "URL");
});

test("pipelined requests are answered in order, also slow ones", async () => {
  const { answers } = await converse(port, get("/slow") + get("/p?n=2") + get("/slow") + get("/p?n=4"), { answers: 4 });
  assert.deepEqual(
    answers.map(({ body }) => (JSON.parse(body) as { path: string; query: string }).query),
    ["", "n=2", "", "n=4"],
  );
});

test("HEAD has the headers of GET and no body", async () => {
  const { answers } = await converse(port, `HEAD /p HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  assert.deepEqual(answers, [], "a length is announced, but nothing follows");
  assert.equal(sink.seen.at(-1)?.method, "HEAD");
});

test("a preflight allows the configured headers", async () => {
  const { answers } = await converse(port, "OPTIONS /api/v3/order HTTP/1.1\r\nHost: x\r\nOrigin: http://a\r\n\r\n", {
    answers: 1,
  });
  assert.equal(answers[0]?.status, 204);
  assert.equal(answers[0]?.headers.get("access-control-allow-origin"), "*");
  assert.equal(answers[0]?.headers.get("access-control-allow-methods"), "GET, POST, PUT, DELETE, OPTIONS");
  assert.match(answers[0]?.headers.get("access-control-allow-headers") ?? "", /X-Sent/);
});

test("scripts of other origins may read our headers", async () => {
  const { answers } = await converse(port, get("/p", "Origin: http://a\r\n"), { answers: 1 });
  assert.equal(answers[0]?.headers.get("access-control-expose-headers"), "X-Echo");
});

test("large responses are compressed for clients that accept it", async () => {
  const plain = await converse(port, get("/large"), { answers: 1 });
  assert.equal(plain.answers[0]?.headers.get("content-encoding"), undefined);
  assert.equal(plain.answers[0]?.body.length, 100_002);
  const refused = await converse(port, get("/large", "Accept-Encoding: gzip;q=0, br\r\n"), { answers: 1 });
  assert.equal(refused.answers[0]?.headers.get("content-encoding"), undefined);
  const packed = await converse(port, get("/large", "Accept-Encoding: br, gzip\r\n"), { answers: 1 });
  assert.equal(packed.answers[0]?.headers.get("content-encoding"), "gzip");
  const body = gunzipSync(Buffer.from(packed.answers[0]?.body ?? "", "latin1")).toString();
  assert.equal(body, plain.answers[0]?.body);
  const small = await converse(port, get("/p", "Accept-Encoding: gzip\r\n"), { answers: 1 });
  assert.equal(small.answers[0]?.headers.get("content-encoding"), undefined);
});

test("upgrades without a handler and tunnels get a JSON 404", async () => {
  const upgrade = get("/ws", "Connection: Upgrade\r\nUpgrade: websocket\r\n");
  assertJsonError(await converse(port, upgrade), 404, "upgrade");
  assertJsonError(await converse(port, "CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n"), 404, "tunnel");
  const h2c = await converse(port, get("/p", "Connection: Upgrade\r\nUpgrade: h2c\r\n"), { answers: 1 });
  assert.equal(h2c.answers[0]?.status, 200, "an upgrade that we do not know is an ordinary request");
});

test("above the limit of requests in flight, the response is 503, at once", async () => {
  const busySink = new EchoSink();
  const busy = startEdge(busySink, { ...LIMITS, maxRequestsInFlight: 1 });
  const busyPort = await busy.listen("127.0.0.1", 0);
  const first = converse(busyPort, get("/held"), { answers: 1 });
  await until("it is in flight", () => busySink.held.length > 0);
  assertJsonError(await converse(busyPort, get("/p"), { answers: 1 }), 503, "overload");
  busySink.held[0]?.();
  assert.equal((await first).answers[0]?.status, 200);
  assert.equal((await converse(busyPort, get("/p"), { answers: 1 })).answers[0]?.status, 200);
  await busy.close();
});

test("a shutdown answers requests in flight and accepts nothing new", async () => {
  const stoppingSink = new EchoSink();
  const stopping = startEdge(stoppingSink, LIMITS);
  const stoppingPort = await stopping.listen("127.0.0.1", 0);
  const idle = converse(stoppingPort, get("/p"), { patienceMs: 5000 });
  const held = converse(stoppingPort, get("/held"));
  await until("it is in flight", () => stoppingSink.held.length > 0);
  const closed = stopping.close();
  await assert.rejects(fetch(`http://127.0.0.1:${stoppingPort}/p`));
  await new Promise((resolve) => setTimeout(resolve, 400));
  stoppingSink.held[0]?.();
  const answer = await held;
  assert.equal(answer.answers[0]?.status, 200);
  assert.equal(answer.answers[0]?.headers.get("connection"), "close");
  await closed;
  assert.ok((await idle).closed, "idle connections are closed");
});

test("after draining nothing is accepted, not even requests that had begun to arrive", async () => {
  const drainedSink = new EchoSink();
  const drained = startEdge(drainedSink, { ...LIMITS, requestTimeoutMs: 60_000 });
  const drainedPort = await drained.listen("127.0.0.1", 0);
  const socket = connect(drainedPort, "127.0.0.1");
  socket.on("error", () => undefined);
  let text = "";
  socket.on("data", (chunk) => (text += String(chunk)));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(post("/late", "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 4\r\n"));
  await until("it is open", () => drained.openConnections > 0);
  socket.write("a=");
  // Its headers have been read once another request, sent later, is answered.
  await converse(drainedPort, get("/p"), { answers: 1 });
  await drained.drain();
  socket.write("1&");
  await closed;
  assert.match(text, /^HTTP\/1\.1 503 [^]*Connection: close\r\n[^]*"code":-1016/);
  assert.deepEqual(
    drainedSink.seen.map(({ path }) => path),
    ["/p"],
  );
  await drained.close();
});

test("a body that arrives byte by byte uses only its own bytes, and is complete", async () => {
  const text = Array.from({ length: 900 }, (_, n) => String.fromCharCode(97 + (n % 26))).join("");
  const chunks = [...text].map((letter) => `1\r\n${letter}\r\n`).join("");
  const { answers } = await converse(port, post("/p", "Transfer-Encoding: chunked\r\n", `${chunks}0\r\n\r\n`), {
    answers: 1,
  });
  assert.equal((JSON.parse(answers[0]?.body ?? "") as { body: string }).body, text);

  const roomy = startEdge(new EchoSink(), DEFAULT_HTTP_LIMITS);
  const roomyPort = await roomy.listen("127.0.0.1", 0);
  const unended = post("/p", "Transfer-Encoding: chunked\r\n", "1\r\na\r\n".repeat(DEFAULT_HTTP_LIMITS.maxBodyBytes));
  const heapBefore = heapUsed();
  const sockets = Array.from({ length: 20 }, () => connect(roomyPort, "127.0.0.1").on("error", () => {}));
  await Promise.all(sockets.map((socket) => new Promise((sent) => socket.write(unended, sent))));
  await until("all are open", () => roomy.openConnections === sockets.length);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const heldBytes = (heapUsed() - heapBefore) / sockets.length;
  assert.equal(roomy.openConnections, sockets.length);
  for (const socket of sockets) socket.destroy();
  await roomy.close();
  assert.ok(heldBytes < 500_000, `${Math.round(heldBytes)} bytes for each connection`);
});

test("which clients accept gzip, in time linear in the header", () => {
  for (const accepted of [
    "gzip",
    "br, GZip",
    "*",
    "gzip;q=1",
    "gzip ; q = 0.5",
    "gzip;Q=1.000",
    "gzip;q=.001",
    "x,*;q=0.1",
  ]) {
    assert.equal(acceptsGzip(accepted), true, accepted);
  }
  for (const accepted of [
    "",
    "br",
    "gzip;q=0",
    "*;q=0.000",
    "gzip;q=.",
    "gzip;q=",
    "gzip;q=x",
    "gzip;x=1",
    "gzipped",
  ]) {
    assert.equal(acceptsGzip(accepted), false, accepted);
  }
  const startMs = performance.now();
  for (const long of [`gzip;q=.${"1".repeat(15_000)}x`, `gzip${" ".repeat(15_000)}x`, "gzip;q=.1,".repeat(1500)]) {
    acceptsGzip(long);
  }
  // Trying every way to divide the digits took more than half an hour.
  assert.ok(performance.now() - startMs < 5000, "it takes more than its length");
});

test("a response to a disconnected client does no harm", async () => {
  for (const bytes of [get("/held"), get("/held") + get("/held")]) {
    sink.held.length = 0;
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(bytes);
    await until("it is in flight", () => sink.held.length > 0);
    socket.resetAndDestroy();
    await until("it is gone", () => edge.openConnections === 0);
    for (const answer of sink.held) answer();
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual([edge.inFlight, sink.held.length], [0, 1], "what nobody waits for is not carried out");
  }
});

test("a shutdown does not wait forever", async () => {
  const stuckSink = new EchoSink();
  const stuck = startEdge(stuckSink, { ...LIMITS, drainTimeoutMs: 100 });
  const stuckPort = await stuck.listen("127.0.0.1", 0);
  const held = converse(stuckPort, get("/held"));
  await until("it is in flight", () => stuckSink.held.length > 0);
  await stuck.close();
  assert.deepEqual((await held).answers, []);
});

test("a port in use is an error, not a crash", async () => {
  const second = startEdge(new EchoSink(), LIMITS);
  await assert.rejects(second.listen("127.0.0.1", port), /EADDRINUSE/);
});
