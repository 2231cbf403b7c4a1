/**
 * Rejected upgrades of clients that read nothing: the response stays buffered, and the connection is closed in time.
 */
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { EchoSink, get, HUGE_BYTES, startEdge } from "@pricetime/testkit/echo-edge";
import { until } from "@pricetime/testkit/waiting";
import { endWith } from "../../../src/api/edge/http/own-answers.ts";
import type { HttpEdge, UpgradeTaker } from "../../../src/api/edge/http/edge.ts";
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "../../../src/api/edge/limits.ts";
import { SocketVenue } from "../streams/socket-venue.ts";
import { collect } from "./heap.ts";
import { converse } from "./raw-socket.ts";

/** With this header, an otherwise ordinary request is read by `node:http` from the start. */
const LANES: readonly (readonly [lane: string, headers: string])[] = [
  ["read directly", ""],
  ["read by node", "TE: x\r\n"],
];

const SHORT_TIMEOUTS = { readTimeoutMs: 400, timeoutCheckMs: 50 };
const UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
const KEY = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";

/** More than the system buffers for a client that does not read. */
const HUGE = "x".repeat(HUGE_BYTES);

const REFUSES: UpgradeTaker = {
  upgrade: (_request, socket) => {
    socket.on("error", () => {});
    endWith(socket, HUGE);
  },
};

interface Running {
  readonly edge: HttpEdge;
  readonly port: number;
  /** Sends, and reads nothing. */
  readonly dial: (bytes: string) => Socket;
}

function dialer(t: TestContext, port: () => number): Running["dial"] {
  const sockets: Socket[] = [];
  t.after(() => sockets.forEach((socket) => socket.destroy()));
  return (bytes) => {
    const socket = connect(port(), "127.0.0.1").pause();
    sockets.push(socket);
    socket.on("error", () => {}).write(bytes, "latin1");
    return socket;
  };
}

async function start(t: TestContext, limits: Partial<HttpLimits>): Promise<Running> {
  const edge = startEdge(new EchoSink(), { ...DEFAULT_HTTP_LIMITS, ...limits });
  let port = 0;
  const dial = dialer(t, () => port);
  t.after(() => edge.close());
  edge.handUpgradesTo(REFUSES);
  port = await edge.listen("127.0.0.1", 0);
  return { edge, port, dial };
}

for (const [lane, odd] of LANES) {
  test(`a client that does not read the rejection of its upgrade is disconnected: ${lane}`, async (t) => {
    const { edge, dial } = await start(t, SHORT_TIMEOUTS);
    dial(get("/p", odd) + get("/ws", UPGRADE));
    await until("it is closed", () => edge.slowDropped === 1 && edge.openConnections === 0);
    assert.equal(edge.unreadBytes, 0);
  });

  test(`a rejected upgrade counts as a connection until it is closed, and its response counts as unread: ${lane}`, async (t) => {
    const { edge, port, dial } = await start(t, { timeoutCheckMs: 50, maxConnectionsPerIp: 1 });
    const socket = dial(get("/p", odd) + get("/ws", UPGRADE));
    await until("the refusal waits", () => edge.unreadBytes > 0);
    assert.equal((await converse(port, "")).answers[0]?.status, 429);
    socket.destroy();
    await until("it is gone", () => edge.openConnections === 0);
    assert.deepEqual(
      [(await converse(port, get("/p"), { answers: 1 })).answers[0]?.status, edge.unreadBytes],
      [200, 0],
    );
  });

  for (const [what, path] of [
    ["a refusal that cannot leave", "/p"],
    ["an upgrade behind an answer that cannot leave", "/huge"],
  ] as const) {
    test(`a shutdown does not wait for ${what}: ${lane}`, async (t) => {
      const { edge, dial } = await start(t, { timeoutCheckMs: 50, drainTimeoutMs: 50 });
      dial(get(path, odd) + get("/ws", UPGRADE));
      await until("it waits", () => edge.unreadBytes > 0);
      let isClosed = false;
      void edge.close().then(() => (isClosed = true));
      await until("the edge is closed", () => isClosed);
    });
  }
}

test("a rejected connection is closed; an accepted one has the limits of WebSockets", async (t) => {
  const venue = await SocketVenue.start({ http: SHORT_TIMEOUTS });
  venue.gateway.handUpgradesTo({
    upgrade: (request, socket, head, accepted) => {
      socket.write(HUGE);
      venue.streams.upgrade(request, socket, head, accepted);
    },
  });
  const dial = dialer(t, () => venue.port);
  const version = "Sec-WebSocket-Version: 13\r\n";
  dial(get("/ws", UPGRADE + KEY + version));
  await until("it is accepted", () => venue.streams.sockets.open === 1);
  const refused: Readonly<Record<string, string>> = {
    "by the address": get("/nothing", UPGRADE + KEY + version),
    "by `ws`, for its version": get("/ws", `${UPGRADE}${KEY}Sec-WebSocket-Version: 7\r\n`),
    "by `ws`, for its key": get("/ws", UPGRADE + version),
  };
  for (const [n, [by, bytes]] of Object.entries(refused).entries()) {
    dial(bytes);
    await until(`it is closed, refused ${by}`, () => venue.gateway.edge.slowDropped === n + 1);
    await until("it is gone", () => venue.gateway.edge.openConnections === 1);
  }
  assert.equal(venue.streams.sockets.open, 1);
});

test("an open WebSocket retains neither its request nor the bytes that came with it", async (t) => {
  const { edge, dial } = await start(t, {});
  const requests: WeakRef<object>[] = [];
  const kept: (() => void)[] = [];
  edge.handUpgradesTo({
    upgrade: (request, socket, _head, accepted) => {
      requests.push(new WeakRef(request));
      socket.on("end", () => socket.destroy()).on("error", () => {});
      accepted();
      // As a WebSocket retains its callback.
      kept.push(accepted);
    },
  });
  for (let n = 0; n < 3; n++) dial(get("/ws", UPGRADE));
  await until("they are open", () => requests.length === 3);
  await until("the requests are gone", () => {
    collect();
    return requests.every((request) => request.deref() === undefined);
  });
  assert.deepEqual([edge.openConnections, kept.length], [3, 3]);
});
