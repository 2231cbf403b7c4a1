/** Connections start on the plain socket and may continue with `node:http`, which clients cannot notice. */
import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after, before, test, type TestContext } from "node:test";
import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";
import { DirectConnection, type DirectOwner } from "../../../src/api/edge/http/direct-connection.ts";
import { OrdinaryRequests } from "../../../src/api/edge/http/ordinary-request.ts";
import type { HttpEdge } from "../../../src/api/edge/http/edge.ts";
import { DEFAULT_HTTP_LIMITS } from "../../../src/api/edge/limits.ts";
import { Packer } from "../../../src/api/answers/long-text.ts";
import type { Replier } from "../../../src/api/edge/request.ts";
import { EchoSink, get, post, startEdge } from "@pricetime/testkit/echo-edge";
import { heapUsed } from "./heap.ts";
import { converse, type RawAnswer } from "./raw-socket.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { until } from "@pricetime/testkit/waiting";
import { SendQueue } from "../../../src/api/edge/send-queue.ts";

/** For tests that do not concern timeouts: a busy machine may take long to send a request. */
const PATIENT = { ...DEFAULT_HTTP_LIMITS, timeoutCheckMs: 50 };
const SHORT_TIMEOUTS = {
  ...DEFAULT_HTTP_LIMITS,
  headersTimeoutMs: 300,
  requestTimeoutMs: 400,
  timeoutCheckMs: 50,
  keepAliveTimeoutMs: 1500,
};
/** With this header, an otherwise ordinary request is read by `node:http`. */
const ODD = "TE: x\r\n";

const sink = new EchoSink();
let edge: HttpEdge;
let port = 0;
let hasty: HttpEdge;
let hastyPort = 0;
/** The servers' sockets, by the port of the client. */
const accepted = new Map<number | undefined, Socket>();
const onAccepted = (message: unknown): void => {
  const { socket } = message as { readonly socket: Socket };
  accepted.set(socket.remotePort, socket);
};
before(async () => {
  subscribe("net.server.socket", onAccepted);
  edge = startEdge(sink, PATIENT);
  port = await edge.listen("127.0.0.1", 0);
  hasty = startEdge(sink, SHORT_TIMEOUTS);
  hastyPort = await hasty.listen("127.0.0.1", 0);
});
after(async () => {
  unsubscribe("net.server.socket", onAccepted);
  await edge.close();
  await hasty.close();
});

/** Sends each piece after the response to the previous one, and returns the responses. */
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

test("both readers send the same bytes", async () => {
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

test("a connection that is handed over continues with received and later bytes", async () => {
  const chunked = post("/chunked", "Transfer-Encoding: chunked\r\n", "3\r\na=1\r\n0\r\n\r\n");
  const answers = await byTurns([get("/a"), chunked, get("/b"), get("/c", ODD), get("/d")]);
  const paths = answers.map((answer) => /"path":"([^"]*)"/.exec(answer)?.[1]);
  assert.deepEqual(paths, ["/a", "/chunked", "/b", "/c", "/d"]);
});

/** Waits until everything written was read, and answered if it is a request. Later writes arrive as separate chunks. */
async function allIsRead(sockets: readonly Socket[]): Promise<void> {
  const isRead = (socket: Socket): boolean => {
    const end = accepted.get(socket.localPort);
    return socket.destroyed || end?.destroyed === true || end?.bytesRead === socket.bytesWritten;
  };
  await until("all is read", () => sockets.every(isRead), { everyMs: 1 });
  for (let n = 0; n < 5; n++) await turn();
}

/** Sends the pieces one by one; returns what was received until `isOver`, and the requests of each reader. */
async function inPieces(
  pieces: readonly string[],
  isOver: (received: string) => boolean,
  { everyMs = 0, isHasty = false }: { readonly everyMs?: number; readonly isHasty?: boolean } = {},
): Promise<InPieces> {
  const to = isHasty ? hasty : edge;
  const before = { ...to.requestsByLane };
  const socket = connect(isHasty ? hastyPort : port, "127.0.0.1").setNoDelay(true);
  let received = "";
  let isClosed = false;
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  socket.on("error", () => {}).on("close", () => (isClosed = true));
  await once(socket, "connect");
  for (const piece of pieces) {
    if (isClosed) break;
    socket.write(piece, "latin1");
    await (everyMs === 0 ? allIsRead([socket]) : pause(everyMs));
  }
  await until("the answers", () => isClosed || isOver(received));
  socket.destroy();
  const { direct, node } = to.requestsByLane;
  return { received, isClosed, lanes: { direct: direct - before.direct, node: node - before.node } };
}
interface InPieces {
  readonly received: string;
  readonly isClosed: boolean;
  readonly lanes: HttpEdge["requestsByLane"];
}
const bodiesIn = (received: string): string[] =>
  [...received.matchAll(/"body":"([^"]*)"/g)].map(([, body = ""]) => body);

test("a request in pieces is assembled, wherever it is cut; if it is cut within its body, the connection is not handed over", async () => {
  const whole = post("/cut", "Content-Length: 7\r\n", "a=1&b=2");
  const head = whole.length - 7;
  for (let at = 1; at < whole.length; at += at < head - 4 ? 5 : 1) {
    const { received, lanes } = await inPieces([whole.slice(0, at), whole.slice(at)], (all) => all.endsWith("}"));
    assert.deepEqual(bodiesIn(received), ["a=1&b=2"], `cut at ${at}`);
    assert.deepEqual(lanes, at < head ? { direct: 0, node: 1 } : { direct: 1, node: 0 }, `cut at ${at}`);
  }
});

test("a body may arrive byte by byte, and again on the same connection", async () => {
  const pieces = [
    post("/p", "Content-Length: 7\r\n"),
    ..."a=1&b=2",
    get("/between"),
    post("/p", "Content-Length: 2\r\n"),
    "c=",
  ];
  const { received, lanes } = await inPieces(pieces, (all) => bodiesIn(all).length === 3);
  assert.deepEqual(bodiesIn(received), ["a=1&b=2", "", "c="]);
  assert.deepEqual(lanes, { direct: 3, node: 0 });
});

test("bytes after a body in the same chunk are another request, read by node:http", async () => {
  const next = post("/next", "Content-Length: 3\r\n", "n=1") + get("/last");
  for (const cut of [1, 40, next.length]) {
    const pieces = [post("/p", "Content-Length: 3\r\n", "a"), `=1${next.slice(0, cut)}`, next.slice(cut)];
    const { received, lanes } = await inPieces(pieces, (all) => bodiesIn(all).length === 3);
    assert.deepEqual(bodiesIn(received), ["a=1", "n=1", ""]);
    assert.deepEqual(lanes, { direct: 0, node: 3 });
  }
  const { received, isClosed } = await inPieces([post("/p", "Content-Length: 3\r\n", "a"), "=1 nonsense"], () => false);
  assert.deepEqual([bodiesIn(received), isClosed], [["a=1"], true]);
  assert.match(received, /HTTP\/1\.1 400 Bad Request\r\n[^]*Malformed/);
});

test("other framing of a body is read by node:http from the first chunk on", async () => {
  const expect = await inPieces([post("/p", "Expect: 100-continue\r\nContent-Length: 3\r\n"), "a=1"], (all) =>
    all.endsWith("}"),
  );
  assert.deepEqual([bodiesIn(expect.received), expect.lanes], [["a=1"], { direct: 0, node: 1 }]);
  const tooLong = PATIENT.maxBodyBytes + 1;
  const long = await inPieces([post("/p", `Content-Length: ${tooLong}\r\n`), "a".repeat(tooLong)], (all) =>
    all.endsWith("}"),
  );
  assert.deepEqual([long.received.slice(0, 12), long.lanes], ["HTTP/1.1 413", { direct: 0, node: 1 }]);
});

test("a body has the same timeout as with node:http, however steadily it arrives", async () => {
  for (const odd of ["", ODD]) {
    const { length } = sink.seen;
    const pieces = [post("/late", `${odd}Content-Length: 1000\r\n`), ..."a".repeat(1000)];
    const startMs = performance.now();
    const { received, isClosed } = await inPieces(pieces, () => false, { everyMs: 5, isHasty: true });
    const tookMs = performance.now() - startMs;
    assert.ok(isClosed && tookMs >= SHORT_TIMEOUTS.requestTimeoutMs, `${tookMs} ms`);
    assert.match(received, /^HTTP\/1\.1 408 [^]*"code":-1013,"msg":"The request did not arrive in time\."\}$/);
    assert.equal(sink.seen.length, length, "was handed on");
  }
});

test("an incomplete body is rejected as with node:http, and never handed over", async () => {
  for (const odd of ["", ODD]) {
    const { length } = sink.seen;
    const cut = post("/cut", `${odd}Content-Length: 7\r\n`, "a=1");
    const { answers, closed } = await converse(port, cut, { halfClose: true });
    assert.deepEqual([answers.map(({ status }) => status), closed], [[400], true]);
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    socket.write(cut);
    await pause(30);
    socket.resetAndDestroy();
    await until("the connection is gone", () => edge.openConnections === 0);
    assert.equal(sink.seen.length, length, "was handed on");
  }
});

test("incomplete bodies occupy only their own bytes in memory", async () => {
  const sockets = Array.from({ length: 50 }, () =>
    connect(port, "127.0.0.1")
      .setNoDelay(true)
      .on("error", () => {}),
  );
  const begin = post("/p", "Content-Length: 1000\r\n");
  for (const socket of sockets) socket.write(begin);
  await until("the connections are counted", () => edge.openConnections === sockets.length);
  await allIsRead(sockets);
  const before = heapUsed();
  for (let n = 0; n < 60; n++) {
    for (const socket of sockets) socket.write("a");
    await allIsRead(sockets);
  }
  const heldBytes = (heapUsed() - before) / sockets.length;
  for (const socket of sockets) socket.destroy();
  assert.ok(heldBytes < 6000, `${Math.round(heldBytes)} bytes for each connection`);
});

test("requests that arrive before the response are answered after it, in order", async () => {
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

test("a client that does not read responses is not read forever", async () => {
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

test("nor if it sends one request at a time", async () => {
  const socket: Socket = connect(port, "127.0.0.1").pause().setNoDelay(true);
  socket.on("error", () => {});
  const before = sink.seen.length;
  for (let i = 0, unread = 0; i < 300 && unread < 30; i++) {
    const { length } = sink.seen;
    socket.write(get("/large"));
    // Sent alone, unless the server has stopped reading.
    for (let tries = 0; tries < 20 && sink.seen.length === length; tries++) await pause(1);
    unread = sink.seen.length === length ? unread + 1 : 0;
  }
  assert.ok(sink.seen.length - before < 150, `${sink.seen.length - before} answers of 100 kB wait`);
  socket.destroy();
});

test("a connection without any request gets a 408; one with a request may be idle for longer", async () => {
  const silent = await converse(hastyPort, "");
  assert.deepEqual([silent.closed, silent.answers[0]?.status], [true, 408]);
  const startMs = performance.now();
  const idle = await converse(hastyPort, get("/p"));
  assert.deepEqual([idle.closed, idle.answers.map(({ status }: RawAnswer) => status)], [true, [200]]);
  assert.ok(performance.now() - startMs >= SHORT_TIMEOUTS.keepAliveTimeoutMs - 50, "too early");
});

test("a client that closes its side gets its response, then the connection closes", async (t) => {
  const patient = startEdge(new EchoSink(), DEFAULT_HTTP_LIMITS);
  t.after(() => patient.close());
  const { answers, closed } = await converse(await patient.listen("127.0.0.1", 0), get("/slow"), { halfClose: true });
  assert.deepEqual([answers[0]?.status, closed], [200, true]);
});

interface Alone {
  readonly connection: DirectConnection;
  /** The server's socket. */
  readonly socket: Socket;
  readonly client: Socket;
  readonly repliers: Replier[];
  /** Calls of the owner. */
  readonly told: string[];
}

/** A connection without an edge. */
async function connectionAlone(t: TestContext): Promise<Alone> {
  const repliers: Replier[] = [];
  const told: string[] = [];
  const owner: DirectOwner = {
    world: MACHINE,
    sendQueue: new SendQueue(),
    limits: PATIENT,
    encoding: { packer: new Packer(), gzipFromBytes: PATIENT.gzipFromBytes },
    requests: new OrdinaryRequests(PATIENT),
    exposedHeaders: "",
    isStopping: false,
    serve: (_request, peer, replier) => {
      repliers.push(replier);
      return peer;
    },
    unread: () => {},
    rejectionText: (errorCode) => errorCode,
    exchangeDone: () => void told.push("answered"),
    handOver: () => void told.push("handed over"),
    closed: () => void told.push("closed"),
  };
  const accepted: [DirectConnection, Socket][] = [];
  const server = createServer((socket) => accepted.push([new DirectConnection(owner, socket), socket]));
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1").setNoDelay(true);
  client.on("error", () => {}).resume();
  await until("it is connected", () => accepted.length === 1);
  const [[connection, socket]] = accepted as [[DirectConnection, Socket]];
  return { connection, socket, client, repliers, told };
}

test("a closed connection is not handed over, whatever it has sent", async (t) => {
  const { client, repliers, told } = await connectionAlone(t);
  client.write(get("/held"));
  await until("it is carried out", () => repliers.length === 1);
  client.write(get("/more"));
  await pause(50);
  client.resetAndDestroy();
  await until("it is closed", () => told.includes("closed"));
  repliers[0]?.reply({ status: 200, headers: [], body: "{}" });
  await pause(20);
  assert.deepEqual(told, ["closed", "answered"]);
});

test("after a timeout, later bytes are not carried out", async (t) => {
  const { connection, socket, client, repliers, told } = await connectionAlone(t);
  client.write(post("/p", "Content-Length: 3\r\n"));
  await until("the request has begun", () => !connection.isIdle);
  for (let n = 0; n <= PATIENT.requestTimeoutMs / PATIENT.timeoutCheckMs; n++) connection.check();
  // Before the rejection is written and the connection closes.
  for (const late of ["a=1", get("/p")]) socket.emit("data", Buffer.from(late));
  await until("the edge is told", () => told.length > 0);
  assert.deepEqual([repliers.length, told], [0, ["closed"]]);
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
