/** A connection begins on the bare socket and may go on with `node:http`: its client never sees which. */
import assert from "node:assert/strict";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { until } from "@pricetime/testkit/waiting";
import { DirectConnection, type DirectOwner } from "../../src/gateway/http/direct/direct-connection.ts";
import { OrdinaryRequests } from "../../src/gateway/http/direct/ordinary-request.ts";
import type { HttpEdge } from "../../src/gateway/http/edge.ts";
import { DEFAULT_HTTP_LIMITS } from "../../src/gateway/http/limits.ts";
import { Packer } from "../../src/gateway/long/packer.ts";
import type { Replier } from "../../src/gateway/request.ts";
import { EchoSink, get, post, startEdge } from "./echo-edge.ts";
import { converse, type RawAnswer } from "./raw-socket.ts";

const LIMITS = { ...DEFAULT_HTTP_LIMITS, headersTimeoutMs: 300, timeoutCheckMs: 50, keepAliveTimeoutMs: 1500 };
/** An ordinary request but for this is node's. */
const ODD = "TE: x\r\n";

const sink = new EchoSink();
let edge: HttpEdge;
let port = 0;
before(async () => {
  edge = startEdge(sink, LIMITS);
  port = await edge.listen("127.0.0.1", 0);
});
after(() => edge.close());

/** Sends each piece once the one before is answered; what came back, piece by piece. */
async function byTurns(pieces: readonly string[]): Promise<string[]> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  let isClosed = false;
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.on("error", () => {}).on("close", () => (isClosed = true));
  const answers: string[] = [];
  for (const piece of pieces) {
    socket.write(piece, "latin1");
    await until("an answer, or its end", () => isClosed || /"ip":"[0-9.]+"\}$/.test(received));
    answers.push(received.replace(/Date: .*/, "Date: now"));
    received = "";
  }
  socket.destroy();
  return answers;
}

test("both answer with the same bytes", async () => {
  for (const request of [
    (more: string) => get("/p?a=%c3%a9", more),
    (more: string) => get("/p", `Origin: http://x\r\n${more}`),
    (more: string) => post("/p", `${more}Content-Length: 3\r\n`, "a=1"),
  ]) {
    const [direct, ofNode] = await byTurns([request(""), request(ODD)]);
    assert.ok(direct?.startsWith("HTTP/1.1 200 OK\r\n"), direct);
    assert.deepEqual(direct?.split("\r\n").sort(), ofNode?.split("\r\n").sort());
  }
});

test("a connection that is handed over goes on, with what had come and what comes", async () => {
  const chunked = post("/chunked", "Transfer-Encoding: chunked\r\n", "3\r\na=1\r\n0\r\n\r\n");
  const answers = await byTurns([get("/a"), chunked, get("/b"), get("/c", ODD), get("/d")]);
  const paths = answers.map((answer) => /"path":"([^"]*)"/.exec(answer)?.[1]);
  assert.deepEqual(paths, ["/a", "/chunked", "/b", "/c", "/d"]);
});

test("a request in pieces is put together, wherever it is cut", async () => {
  const whole = post("/cut", "Content-Length: 7\r\n", "a=1&b=2");
  for (let at = 1; at < whole.length; at += 3) {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
    socket.write(get("/first"));
    await until("an answer", () => received.endsWith("}"));
    received = "";
    socket.setNoDelay(true).write(whole.slice(0, at));
    await pause(2);
    socket.write(whole.slice(at));
    await until("an answer", () => received.endsWith("}"));
    assert.match(received, /"body":"a=1&b=2"/);
    socket.destroy();
  }
});

test("requests that come before the answer are answered after it, in order", async () => {
  for (const cut of [0, 10]) {
    sink.held.length = 0;
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
    socket.setNoDelay(true).write(get("/held"));
    await until("it is in flight", () => sink.held.length === 1);
    const before = sink.seen.length;
    const more = get("/second") + get("/third");
    socket.write(more.slice(0, cut));
    await pause(20);
    socket.write(more.slice(cut));
    await pause(50);
    assert.equal(sink.seen.length, before, "one at a time");
    sink.held[0]?.();
    await until("the third answer", () => received.includes("/third"));
    const paths = [...received.matchAll(/"path":"([^"]*)"/g)].map(([, path]) => path);
    assert.deepEqual(paths, ["/held", "/second", "/third"]);
    socket.destroy();
  }
});

test("a client that takes no answers is not read for ever", async () => {
  const socket: Socket = connect(port, "127.0.0.1").pause();
  socket.on("error", () => {});
  const before = sink.seen.length;
  const flood = setInterval(() => socket.write(get("/large").repeat(20)), 1);
  let seen = -1;
  while (seen !== sink.seen.length) {
    seen = sink.seen.length;
    await pause(400);
  }
  clearInterval(flood);
  assert.ok(seen - before < 2_000, `${seen - before} answers of 100 kB wait`);
  socket.destroy();
});

test("nor when it asks for one thing at a time", async () => {
  const socket: Socket = connect(port, "127.0.0.1").pause().setNoDelay(true);
  socket.on("error", () => {});
  const before = sink.seen.length;
  for (let i = 0; i < 300; i++) {
    const { length } = sink.seen;
    socket.write(get("/large"));
    // Alone in what arrives, unless the server has stopped reading.
    for (let tries = 0; tries < 20 && sink.seen.length === length; tries++) await pause(1);
  }
  assert.ok(sink.seen.length - before < 150, `${sink.seen.length - before} answers of 100 kB wait`);
  socket.destroy();
});

test("a connection that never asks is told what it missed; one that has asked may be idle for longer", async () => {
  const silent = await converse(port, "");
  assert.deepEqual([silent.closed, silent.answers[0]?.status], [true, 408]);
  const startMs = performance.now();
  const idle = await converse(port, get("/p"));
  assert.deepEqual([idle.closed, idle.answers.map(({ status }: RawAnswer) => status)], [true, [200]]);
  assert.ok(performance.now() - startMs >= LIMITS.keepAliveTimeoutMs - 50, "too early");
});

test("who ends its side is answered first, and the connection is over then", async (t) => {
  const patient = startEdge(new EchoSink(), DEFAULT_HTTP_LIMITS);
  t.after(() => patient.close());
  const { answers, closed } = await converse(await patient.listen("127.0.0.1", 0), get("/slow"), { halfClose: true });
  assert.deepEqual([answers[0]?.status, closed], [200, true]);
});

test("a connection that is gone is not handed over, whatever it had sent", async (t) => {
  const repliers: Replier[] = [];
  const done: string[] = [];
  const owner: DirectOwner = {
    limits: LIMITS,
    encoding: { packer: new Packer(), gzipFromBytes: LIMITS.gzipFromBytes },
    requests: new OrdinaryRequests(LIMITS.maxHeaderCount),
    exposedHeaders: "",
    isStopping: false,
    serve: (_request, peer, replier) => {
      repliers.push(replier);
      return peer;
    },
    unread: () => {},
    wordsFor: () => "",
    exchangeDone: () => void done.push("answered"),
    handOver: () => void done.push("handed over"),
    closed: () => void done.push("closed"),
  };
  const server = createServer((socket) => new DirectConnection(owner, socket));
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(get("/held"));
  await until("it is carried out", () => repliers.length === 1);
  socket.write(get("/more"));
  await pause(50);
  socket.resetAndDestroy();
  await until("it is closed", () => done.includes("closed"));
  repliers[0]?.reply({ status: 200, headers: [], body: "{}" });
  await pause(20);
  assert.deepEqual(done, ["closed", "answered"]);
});

test("all connections are counted, and none is left", async () => {
  await until("all are gone", () => edge.openConnections === 0);
  const sockets = [get("/p"), get("/p", ODD), ""].map((bytes) => {
    const socket = connect(port, "127.0.0.1");
    socket.write(bytes);
    return socket;
  });
  await until("three are open", () => edge.openConnections === 3);
  for (const socket of sockets) socket.destroy();
  await until("all are gone", () => edge.openConnections === 0);
  assert.equal(edge.inFlight, 0);
});
