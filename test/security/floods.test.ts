/** Clients that hold on and let nothing go: slow ones, many of them, and those with too much to say. */
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { type Exchange, metric } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { DEFAULT_HTTP_LIMITS } from "@pricetime/server/parts";
import { clientOf, exchangeBytes, start, statuses } from "./rig.ts";

interface Held {
  readonly socket: Socket;
  received: string;
  closed: boolean;
}

/** `stays`: does not close because the other side does. */
function hold(t: TestContext, { rest }: Exchange, count: number, first: string, stays = false): Held[] {
  const { hostname, port } = new URL(rest);
  return Array.from({ length: count }, () => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: stays });
    const held: Held = { socket, received: "", closed: false };
    socket.on("error", () => {}).on("close", () => (held.closed = true));
    socket.on("data", (text: Buffer) => (held.received += text.toString("latin1")));
    socket.on("connect", () => socket.write(first, "latin1"));
    t.after(() => socket.destroy());
    return held;
  });
}

test("one node", async (t) => {
  const exchange = await start(t);

  await t.test("slowloris: headers and bodies that trickle are given up, others are served meanwhile", async (t) => {
    const headers = hold(t, exchange, 40, "GET /api/v3/ping HTTP/1.1\r\nHost: x\r\n");
    const bodies = hold(t, exchange, 40, "POST /api/v3/order HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n");
    const trickle = setInterval(() => {
      for (const { socket } of headers) if (socket.writable) socket.write("X-A: b\r\n");
      for (const { socket } of bodies) if (socket.writable) socket.write("a");
    }, 200);
    t.after(() => clearInterval(trickle));
    const client = clientOf(t, exchange);
    assert.equal((await client.public("/api/v3/ping")).status, 200);
    await until("all are given up", () => [...headers, ...bodies].every(({ closed }) => closed));
    clearInterval(trickle);
    for (const { received } of [...headers, ...bodies]) assert.match(received, /^HTTP\/1\.1 408 /);
    assert.equal((await client.public("/api/v3/ping")).status, 200);
  });

  await t.test("headers beyond the bound are 431, however they are made up", async (t) => {
    const { maxHeaderBytes } = DEFAULT_HTTP_LIMITS;
    const many = Array.from({ length: maxHeaderBytes / 8 }, (_, i) => `X-${i}: 1\r\n`).join("");
    for (const bomb of [`X-A: ${"b".repeat(maxHeaderBytes)}\r\n`, `X-${"a".repeat(maxHeaderBytes)}: b\r\n`, many]) {
      const received = await exchangeBytes(exchange.rest, [`GET /api/v3/ping HTTP/1.1\r\n${bomb}\r\n`]);
      assert.deepEqual(statuses(received), [431]);
      assert.match(received, /\{"code":-1013,/);
    }
    const line = await exchangeBytes(exchange.rest, [
      `GET /api/v3/ping?${"a".repeat(9_000)} HTTP/1.1\r\nConnection: close\r\n\r\n`,
    ]);
    assert.deepEqual(statuses(line), [403]);
    // Chunks may carry extensions and trailers without end.
    const chunked = "POST /api/v3/order HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (const rest of [`1;${"a".repeat(1 << 20)}`, `0\r\n${"X-A: b\r\n".repeat(1 << 17)}`]) {
      const [status] = statuses(await exchangeBytes(exchange.rest, [chunked + rest]));
      assert.ok(status === undefined || status === 413 || status === 431 || status === 400, `${status}`);
    }
    assert.equal((await clientOf(t, exchange).public("/api/v3/ping")).status, 200);
  });

  await t.test(
    "a refused tunnel or WebSocket is gone once it is refused, whatever its client goes on to do",
    async (t) => {
      const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
      const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
      const openers = [
        "CONNECT x:1 HTTP/1.1\r\n\r\n",
        "CONNECT /api/v3/ping HTTP/1.1\r\n\r\nGET /api/v3/ping HTTP/1.1\r\n\r\n",
        `GET /nowhere HTTP/1.1\r\n${upgrade}${key}\r\n`,
        `GET /nowhere HTTP/1.1\r\n${upgrade}${key}\r\nmore than was asked for`,
        `GET /ws/no-such-stream@nothing@at@all HTTP/1.1\r\n${upgrade}\r\nmore`,
      ];
      const held = openers.flatMap((first) => hold(t, exchange, 3, first, true));
      await until("all are answered", () => held.every(({ received }) => received.includes("\r\n\r\n")));
      for (const { received } of held) assert.match(received, /^HTTP\/1\.1 4\d\d /);
      await until("connections that were refused are gone", async () => {
        return (await metric(exchange, "pricetime_open_connections")) === 0;
      });
      assert.equal(await exchange.stop(), 0, "nothing is left that a stop would wait for");
    },
  );
});

test("more connections than the bound are closed at once, and their places are had again", async (t) => {
  const most = 20;
  const exchange = await start(t, `http: { maxConnections: ${most} }\n`);
  const client = clientOf(t, exchange);
  assert.equal((await client.public("/api/v3/ping")).status, 200);
  const flood = hold(t, exchange, 3 * most, "");
  await until("the rest is closed", () => flood.filter(({ closed }) => closed).length >= 2 * most);
  assert.ok(
    flood.every(({ received }) => received === ""),
    "they were closed late, with an answer",
  );
  assert.equal((await client.public("/api/v3/ping")).status, 200, "who was there before is served");
  for (const { socket } of flood) socket.destroy();
  await until("closed", () => flood.every(({ closed }) => closed));
  const ping = "GET /api/v3/ping HTTP/1.1\r\nConnection: close\r\n\r\n";
  await until("a place is free", async () => statuses(await exchangeBytes(exchange.rest, [ping]))[0] === 200);
});
