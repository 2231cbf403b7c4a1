/** All responses of the edge are counted, rejected for banned addresses, and bounded per address. */
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { HttpEdge } from "../../../src/api/edge/http/edge.ts";
import { TrustedProxies } from "../../../src/api/edge/client-address.ts";
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "../../../src/api/edge/limits.ts";
import { DEFAULT_LIMITS } from "../../../src/api/edge/rate-limit-rules.ts";
import { EchoSink, get, post } from "@pricetime/testkit/echo-edge";
import { converse } from "./raw-socket.ts";
import { TestVenue } from "@pricetime/testkit/gateway-venue";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { SendQueue } from "../../../src/api/edge/send-queue.ts";

const OPTIONS = "OPTIONS /api/v3/order HTTP/1.1\r\nHost: x\r\nOrigin: http://a\r\n";
const BAN = { status: 418, headers: ["Retry-After", "120"], body: '{"code":-1003,"msg":"banned"}' };

interface Running {
  readonly sink: EchoSink;
  readonly edge: HttpEdge;
  readonly port: number;
}

async function start(
  t: TestContext,
  limits: Partial<HttpLimits> = {},
  proxies: readonly string[] = [],
): Promise<Running> {
  const sink = new EchoSink();
  const edge = new HttpEdge(sink, {
    world: MACHINE,
    sendQueue: new SendQueue(),
    limits: { ...DEFAULT_HTTP_LIMITS, timeoutCheckMs: 50, ...limits },
    trustedProxies: new TrustedProxies(proxies),
    exposedHeaders: "X-Echo",
    allowedHeaders: "",
  });
  edge.handUpgradesTo({
    upgrade: (_request, socket, _head, accepted) => {
      accepted();
      socket
        .on("error", () => {})
        .on("end", () => socket.end())
        .write("upgraded");
    },
  });
  t.after(() => edge.close());
  return { sink, edge, port: await edge.listen("127.0.0.1", 0) };
}

/** The status for each kind of bytes while the address is not banned. */
const UNREADABLE: Readonly<Record<string, readonly [bytes: string, status: number]>> = {
  "no HTTP": ["hello\r\n\r\n", 400],
  "headers too large": [get("/p", `X-Big: ${"a".repeat(20_000)}\r\n`), 431],
  "headers that never end": ["GET /p HTTP/1.1\r\nHost: x\r\nX-A: ", 408],
  "a body that never comes": [post("/p", "Content-Length: 10\r\n", "abc"), 408],
  "nothing at all": ["", 408],
  "doubtful lengths": [post("/p", "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400],
};

test("unreadable bytes are counted each time; a banned address gets 418", async (t) => {
  const { sink, port } = await start(t, { headersTimeoutMs: 200, requestTimeoutMs: 200 });
  for (const [what, [bytes, status]] of Object.entries(UNREADABLE)) {
    sink.charged.length = 0;
    const { answers, closed } = await converse(port, bytes);
    assert.deepEqual([answers.map((answer) => answer.status), closed], [[status], true], what);
    assert.deepEqual(sink.charged, ["127.0.0.1"], `${what}: counted`);
    sink.refusal = BAN;
    const refused = await converse(port, bytes);
    const [answer] = refused.answers;
    assert.deepEqual([answer?.status, answer?.headers.get("retry-after"), refused.closed], [418, "120", true], what);
    sink.refusal = null;
  }
});

test("unreadable bytes from a trusted proxy are not counted against its clients", async (t) => {
  const { sink, port } = await start(t, {}, ["127.0.0.1"]);
  assert.equal((await converse(port, "hello\r\n\r\n")).answers[0]?.status, 400);
  assert.deepEqual(sink.charged, []);
  await converse(port, `${OPTIONS}X-Forwarded-For: 203.0.113.7\r\n\r\n`, { answers: 1 });
  assert.deepEqual(sink.charged, ["203.0.113.7"]);
});

test("a preflight is counted and rejected for banned addresses, also with a body", async (t) => {
  const { sink, port } = await start(t);
  for (const bytes of [`${OPTIONS}\r\n`, `${OPTIONS}Content-Length: 3\r\n\r\nabc`]) {
    sink.charged.length = 0;
    assert.equal((await converse(port, bytes, { answers: 1 })).answers[0]?.status, 204);
    assert.deepEqual(sink.charged, ["127.0.0.1"]);
    sink.refusal = BAN;
    const [answer] = (await converse(port, bytes, { answers: 1 })).answers;
    assert.deepEqual([answer?.status, answer?.headers.get("retry-after")], [418, "120"]);
    assert.equal(answer?.headers.get("access-control-allow-origin"), "*", "the page may read why");
    sink.refusal = null;
  }
  assert.equal(sink.seen.length, 0);
});

test("requests rejected because too many are in flight are counted", async (t) => {
  const { sink, port } = await start(t, { maxRequestsInFlight: 0 });
  for (const odd of ["", "TE: x\r\n"]) {
    assert.equal((await converse(port, get("/p", odd), { answers: 1 })).answers[0]?.status, 503);
  }
  assert.equal(sink.charged.length, 2);
});

function dial(t: TestContext, port: number, bytes = ""): Socket & { received?: string } {
  const socket: Socket & { received?: string } = connect(port, "127.0.0.1", () => socket.write(bytes, "latin1"));
  socket.received = "";
  socket.on("error", () => {}).on("data", (chunk: Buffer) => (socket.received += chunk.toString("latin1")));
  t.after(() => socket.destroy());
  return socket;
}

test("connections per address are bounded; closed ones are released, and WebSockets do not count", async (t) => {
  const most = 20;
  const { edge, port } = await start(t, { maxConnectionsPerIp: most });
  const idle = Array.from({ length: most }, () => dial(t, port));
  await until("they are open", () => edge.openConnections === most);
  for (let n = 0; n < 10; n++) {
    const { answers, closed } = await converse(port, "");
    assert.deepEqual([answers[0]?.status, answers[0]?.headers.get("retry-after"), closed], [429, "60", true]);
    assert.match(answers[0]?.body ?? "", /"code":-1003/);
  }
  for (const socket of idle.splice(0, 5)) socket.destroy();
  await until("their places are free", () => edge.openConnections === most - 5);
  assert.equal((await converse(port, get("/p"), { answers: 1 })).answers[0]?.status, 200);
  const upgrade = get("/ws", "Connection: Upgrade\r\nUpgrade: websocket\r\n");
  const sockets = Array.from({ length: 5 }, () => dial(t, port, upgrade));
  await until("they are upgraded", () => sockets.every(({ received }) => received === "upgraded"));
  assert.equal((await converse(port, get("/p"), { answers: 1 })).answers[0]?.status, 200);
  for (const socket of [...sockets, ...idle]) socket.destroy();
  await until("all are gone", () => edge.openConnections === 0);
  const again = Array.from({ length: most }, () => dial(t, port));
  await until("they are open", () => edge.openConnections === most);
  assert.equal((await converse(port, "")).answers[0]?.status, 429, "none was given back twice");
  for (const socket of again) socket.destroy();
});

test("a trusted proxy may have more connections", async (t) => {
  const { edge, port } = await start(t, { maxConnectionsPerIp: 2 }, ["127.0.0.1"]);
  for (let n = 0; n < 5; n++) dial(t, port);
  await until("all are open", () => edge.openConnections === 5);
  assert.equal((await converse(port, get("/p"), { answers: 1 })).answers[0]?.status, 200);
});

test("rejections requested by edges count, report the weight, and lead to bans", async () => {
  const rules = [{ rateLimitType: "REQUEST_WEIGHT", interval: "MINUTE", intervalNum: 1, limit: 10 }] as const;
  const { gateway } = new TestVenue({ limits: { ...DEFAULT_LIMITS, rules } });
  const ip = "9.9.9.9";
  const statuses = Array.from({ length: 16 }, () => gateway.charge(ip)?.status);
  assert.deepEqual(statuses, [...Array.from({ length: 10 }), 429, 429, 429, 429, 418, 418]);
  const ban = gateway.ban(ip);
  assert.equal(ban?.status, 418);
  assert.deepEqual(ban?.headers, ["x-mbx-used-weight", "15", "x-mbx-used-weight-1m", "15", "Retry-After", "120"]);
  assert.equal(gateway.ban("8.8.8.8"), null);
});
