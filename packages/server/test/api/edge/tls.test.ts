/**
 * The edge's own TLS: connections are served as without TLS, and failed handshakes cost no more than failed requests.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:https";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { suite, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from "node:tls";
import { Authority, noOpenssl } from "@pricetime/testkit/authority";
import { EchoSink, get, startEdge } from "@pricetime/testkit/echo-edge";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import type { HttpEdge } from "../../../src/api/edge/http/edge.ts";
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "../../../src/api/edge/limits.ts";
import type { CertificatePair } from "../../../src/platform/transport/tls.ts";
import { converse } from "./raw-socket.ts";

const HOST = "127.0.0.1";
/** Long enough for a busy machine. */
const HANDSHAKE_MS = 3_000;

interface Port {
  readonly edge: HttpEdge;
  readonly port: number;
  readonly sink: EchoSink;
  readonly authority: Authority;
  /** Replaces the certificate. */
  readonly show: (pair: CertificatePair) => void;
  readonly dial: (options?: ConnectionOptions) => Promise<TLSSocket>;
}

async function open(t: TestContext, limits: Partial<HttpLimits> = {}): Promise<Port> {
  const authority = new Authority(scratchFolder(t));
  const sink = new EchoSink();
  let show: Port["show"] = () => assert.fail();
  const certificates = {
    follow: (use: Port["show"]): void => {
      show = use;
      use(authority.issue("first"));
    },
  };
  const all = { ...DEFAULT_HTTP_LIMITS, timeoutCheckMs: 50, drainTimeoutMs: 500, ...limits };
  const edge = startEdge(sink, all, { certificates });
  const port = await edge.listen(HOST, 0);
  inTheEnd(t, () => edge.close());
  const dial = async (options: ConnectionOptions = {}): Promise<TLSSocket> => {
    const socket = connectTls({ host: HOST, port, ca: authority.ca, ...options });
    inTheEnd(t, () => socket.destroy());
    await once(socket, "secureConnect");
    return socket;
  };
  return { edge, port, sink, authority, show, dial };
}

/** Sends text on a connection, and reads until the response ends with `end`. */
async function exchange(socket: TLSSocket, text: string, end: string): Promise<string> {
  socket.setEncoding("latin1").write(text, "latin1");
  let heard = "";
  const over = new Promise<never>((_, reject) => {
    socket.once("close", () => reject(new Error(`it has closed after ${JSON.stringify(heard)}`)));
  });
  over.catch(() => {});
  for (; !heard.endsWith(end); ) heard += String((await Promise.race([once(socket, "data"), over]))[0]);
  return heard;
}

/** Resolves when the connection has closed, also by a reset. */
function gone(socket: Socket): Promise<void> {
  socket.resume();
  return socket.closed ? Promise.resolve() : new Promise((resolve) => void socket.once("close", () => resolve()));
}

async function plain(t: TestContext, port: number): Promise<Socket> {
  const socket = connect(port, HOST);
  socket.on("error", () => {});
  inTheEnd(t, () => socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** A response whose source fails after the first piece. */
async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("the first piece");
  await sleep(20);
  throw new Error("no more");
}

const ENDING = '"ip":"127.0.0.1"}';

suite("the edge's own TLS", { skip: noOpenssl }, () => {
  test("requests are read by both parsers, one after the other on a connection, with bodies and large responses", async (t) => {
    const { edge, dial, port, authority } = await open(t);
    const socket = await dial();
    for (const more of ["", "TE: trailers\r\n", ""]) {
      assert.match(await exchange(socket, get("/p?a=1", more), ENDING), /^HTTP\/1\.1 200 [^]*"query":"a=1"/);
    }
    assert.deepEqual(edge.requestsByLane, { direct: 1, node: 2 });
    const large = await new Promise<number>((resolve, reject) => {
      const asked = request({ host: HOST, port, path: "/huge", ca: authority.ca }, (answer) => {
        let bytes = 0;
        answer.on("data", (piece: Buffer) => (bytes += piece.length)).on("end", () => resolve(bytes));
      });
      asked.on("error", reject).end();
    });
    assert.equal(large, 24 * 1024 * 1024);
    assert.deepEqual(edge.handshakes, { done: 2, failed: 0, clear: 0 });
  });

  test("TLS 1.2 and 1.3 are supported; older versions, HTTP/2 and renegotiation are not", async (t) => {
    const { dial } = await open(t);
    for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
      const socket = await dial({ minVersion: version, maxVersion: version, ALPNProtocols: ["h2", "http/1.1"] });
      assert.equal(socket.getProtocol(), version);
      assert.equal(socket.alpnProtocol, "http/1.1");
    }
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" } as const;
    await assert.rejects(dial(old), { code: /ALERT_PROTOCOL_VERSION/ });
    await assert.rejects(dial({ ALPNProtocols: ["h2"] }), { code: /NO_APPLICATION_PROTOCOL/ });
    const socket = await dial({ maxVersion: "TLSv1.2" });
    const refused = await new Promise((resolve) => {
      socket.once("error", resolve).once("close", () => resolve("closed"));
      socket.renegotiate({}, (error) => resolve(error ?? "renegotiated"));
    });
    assert.notEqual(refused, "renegotiated");
  });

  test("plain text and other bytes that are not TLS get an error and are counted against their address", async (t) => {
    const { edge, port, sink } = await open(t);
    for (const bytes of [get("/p"), "PRI * HTTP/2.0\r\n\r\n", "\0\0\0", "x".repeat(100_000)]) {
      const { answers, closed } = await converse(port, bytes);
      assert.equal(closed, true);
      assert.equal(answers[0]?.status, 400);
      assert.deepEqual(JSON.parse(answers[0]?.body ?? ""), {
        code: -1013,
        msg: "This port speaks TLS: ask it by https or wss.",
      });
    }
    assert.equal(sink.charged.length, 4);
    assert.deepEqual(edge.handshakes, { done: 0, failed: 0, clear: 4 });
    await until("all are gone", () => edge.openConnections === 0);
  });

  test("connections without a handshake are counted, and closed in time", async (t) => {
    const { edge, port, dial } = await open(t, { headersTimeoutMs: HANDSHAKE_MS, maxConnectionsPerIp: 6 });
    const whole = Buffer.from("160301020001000001fc0303", "hex");
    const kinds: readonly ((socket: Socket) => void)[] = [
      () => {},
      (socket) => void socket.write(whole.subarray(0, 1)),
      (socket) => void socket.write(whole),
      (socket) => void socket.end(whole),
      (socket) => {
        const drip = setInterval(() => socket.write(Buffer.alloc(1)), 20);
        socket.write(whole);
        socket.once("close", () => clearInterval(drip));
      },
    ];
    const closings: Promise<unknown>[] = [];
    for (const act of kinds) {
      const socket = await plain(t, port);
      closings.push(gone(socket));
      act(socket);
    }
    // One place is left: a valid client gets it, and the next one is rejected without a handshake.
    const honest = await dial();
    assert.match(await exchange(honest, get("/p"), ENDING), /^HTTP\/1\.1 200 /);
    await gone(await plain(t, port));
    assert.ok(edge.openConnections >= 5, "they are still there");
    await Promise.all(closings);
    assert.match(await exchange(honest, get("/p"), ENDING), /^HTTP\/1\.1 200 /);
    await until("they are gone", () => edge.openConnections === 1);
    assert.equal(edge.handshakes.done, 1);
    assert.equal(edge.handshakes.failed, kinds.length);
    // Their places have been released.
    for (let i = 0; i < 5; i++) await dial();
  });

  test("a client that disconnects abruptly leaves nothing behind", async (t) => {
    const { edge, port, dial } = await open(t);
    const silent = await plain(t, port);
    silent.end();
    await gone(silent);
    const broken = await plain(t, port);
    broken.write(Buffer.from("1603010200", "hex"));
    await sleep(20);
    broken.resetAndDestroy();
    const socket = await dial();
    socket.end();
    await gone(socket);
    await until("all are gone", () => edge.openConnections === 0);
    assert.deepEqual(edge.handshakes, { done: 1, failed: 2, clear: 0 });
  });

  test("handshakes per address are limited", async (t) => {
    const { dial } = await open(t, { maxHandshakesPerIp: 3, handshakesWindowMs: 3_600_000 });
    for (let i = 0; i < 3; i++) await dial();
    await assert.rejects(dial(), { code: "ECONNRESET" });
  });

  test("a response that cannot be completed is reset, and a WebSocket releases its place", async (t) => {
    const { edge, sink, dial } = await open(t, { maxConnectionsPerIp: 1 });
    sink.process = (_, replier) => replier.reply({ status: 200, headers: [], body: "", stream: broken() });
    const reader = await dial();
    reader.resume().write(get("/p"));
    assert.match(String(await once(reader, "error")), /ECONNRESET/);
    await until("it is gone", () => edge.openConnections === 0);
    const taken: Duplex[] = [];
    edge.handUpgradesTo({
      upgrade: (_request, socket, _head, accepted) => {
        accepted();
        taken.push(socket);
      },
    });
    for (let i = 0; i < 3; i++) {
      const socket = await dial();
      socket.write(get("/ws", "Connection: Upgrade\r\nUpgrade: websocket\r\n"));
      await until("it is taken", () => taken.length === i + 1);
    }
    taken[0]!.write("what is written there arrives");
    for (const socket of taken) socket.destroy();
  });

  test("a new certificate applies to new connections; open ones continue", async (t) => {
    const { authority, show, dial } = await open(t);
    const old = await dial();
    const session = new Promise<Buffer>((resolve) => old.once("session", resolve));
    await exchange(old, get("/p"), ENDING);
    show(authority.issue("second"));
    assert.match(await exchange(old, get("/p"), ENDING), /^HTTP\/1\.1 200 /);
    assert.equal(old.getPeerCertificate().subject.CN, "first");
    // Also for a client that resumes a session of the old certificate.
    for (const options of [{}, { session: await session }]) {
      const socket = await dial(options);
      assert.equal(socket.isSessionReused(), false);
      assert.equal(socket.getPeerCertificate().subject.CN, "second");
    }
  });

  test("a shutdown waits for responses, but not for handshakes", async (t) => {
    const { edge, port, dial, sink } = await open(t, { drainTimeoutMs: 20_000, headersTimeoutMs: 20_000 });
    const socket = await dial();
    const answer = exchange(socket, get("/held"), ENDING);
    await until("it has arrived", () => sink.held.length === 1);
    const shaking = await plain(t, port);
    const stoppedMs = performance.now();
    const closed = edge.close();
    await gone(shaking);
    assert.ok(performance.now() - stoppedMs < 10_000, "not when its time is over");
    sink.held[0]?.();
    assert.match(await answer, /^HTTP\/1\.1 200 [^]*Connection: close/);
    await closed;
  });
});
