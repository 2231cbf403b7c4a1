/** Lifetime and closing of sockets: pings, maximum age, shutdown, and clients that do not close. Interface 10.1. */
import { VENUE_INTERFACES } from "@pricetime/protocol";
import assert from "node:assert/strict";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { WebSocket } from "ws";
import { MACHINE } from "../../../../src/platform/world/machine.ts";
import type { World } from "../../../../src/platform/world/port.ts";
import { SocketVenue } from "../../streams/socket-venue.ts";

const TRADES = "btcusdt@trade";

test("a client that does not close in time is disconnected", async () => {
  const venue = await SocketVenue.start({ limits: { closeTimeoutMs: 300, sweepEveryMs: 20 } });
  const silent = await venue.rawSocket("/ws");
  await until("it is there", () => venue.streams.sockets.open === 1);
  const ping = Buffer.from([0x89, 0x80, 0, 0, 0, 0]);
  silent.write(Buffer.concat(Array.from({ length: 20 }, () => ping)));
  // `ws` would do so itself, after 30 s.
  await until("it is cut off", () => venue.streams.sockets.open === 0, { withinMs: 20_000 });
  silent.destroy();
});

test("after a client has closed, no timer retains its service", async () => {
  const closeTimeoutMs = 61_234;
  let waiting = 0;
  let begun = 0;
  const world: World = {
    ...MACHINE,
    after: (waitMs, task, name) => {
      const cancel = MACHINE.after(waitMs, task, name);
      if (waitMs !== closeTimeoutMs) return cancel;
      begun++;
      waiting++;
      return () => {
        cancel();
        waiting--;
      };
    },
  };
  const venue = await SocketVenue.start({
    limits: { closeTimeoutMs, connectionLifeMs: 100, sweepEveryMs: 20 },
    world,
  });
  for (let n = 1; n <= 3; n++) {
    assert.match(await (await venue.dial(`/ws/${TRADES}`)).closed, /^1001 /);
    await until("it has gone", () => venue.streams.sockets.open === 0);
    assert.deepEqual([begun, waiting], [n, 0]);
  }
});

test("pings are sent, and a client that does not answer is disconnected", async () => {
  const venue = await SocketVenue.start({ limits: { pingEveryMs: 300, pongTimeoutMs: 3000, sweepEveryMs: 20 } });
  const lively = await venue.dial("/ws");
  let pings = 0;
  lively.ws.on("ping", () => pings++);
  const dead = await venue.rawSocket("/ws");
  await until("both are there", () => venue.streams.sockets.open === 2);
  let bytes = Buffer.alloc(0);
  dead.on("data", (data: Buffer) => {
    bytes = Buffer.concat([bytes, data]);
  });
  await until("the dead one is told", () => bytes.includes("no pong"));
  await until("two pings", () => pings >= 2);
  assert.equal(lively.ws.readyState, WebSocket.OPEN);
  dead.destroy();
});

test("pings of clients are answered at once, with their content", async () => {
  const venue = await SocketVenue.start();
  const socket = await venue.dial(`/ws/${TRADES}`);
  const pong = once(socket.ws, "pong");
  socket.ws.ping("are you there");
  assert.equal(String((await pong)[0]), "are you there");
});

test("the idle timeout of HTTP does not apply to sockets", async () => {
  const times = { socketTimeoutMs: 400, keepAliveTimeoutMs: 400, headersTimeoutMs: 400, requestTimeoutMs: 400 };
  const venue = await SocketVenue.start({ http: { ...times, timeoutCheckMs: 20 } });
  const socket = await venue.dial(`/ws/${TRADES}`);
  await sleep(1200);
  venue.trade();
  await socket.until(1);
});

test("a connection has a maximum age", async () => {
  const venue = await SocketVenue.start({ limits: { connectionLifeMs: 100, sweepEveryMs: 20 } });
  assert.match(await (await venue.dial("/ws")).closed, /^1001 /);
});

test("sockets of 2019 get no message that they did not ask for when the exchange stops", async () => {
  const venue = await SocketVenue.start();
  const socket = await venue.dial("/ws");
  await venue.streams.close();
  assert.equal(await socket.closed, "1001 the exchange is stopping");
  assert.deepEqual(socket.messages, []);
});

test("a shutdown closes all with 1001 and accepts none", async () => {
  const venueInterface = VENUE_INTERFACES.today;
  const venue = await SocketVenue.start({ limits: { stopTimeoutMs: 2000 }, venueInterface });
  const sockets = [await venue.dial("/ws"), await venue.dial("/stream")];
  const silent = await venue.rawSocket("/ws");
  await until("all are there", () => venue.streams.sockets.open === 3);
  await venue.streams.close();
  for (const socket of sockets) assert.equal(await socket.closed, "1001 the exchange is stopping");
  const [raw, combined] = sockets.map(({ messages }) => messages.at(-1));
  assert.equal(raw?.["e"], "serverShutdown");
  assert.deepEqual(combined, { stream: "!serverShutdown", data: raw });
  silent.destroy();
  const late = new WebSocket(`${venue.ws}/ws`);
  const [error] = (await once(late, "error").catch((reason) => [reason])) as [Error];
  assert.match(error.message, /503/);
});
