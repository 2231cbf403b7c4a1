/** Sockets from outside: what they receive, and what they may do. Interface S.14, 10.1, 10.2. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { suite, test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { WebSocket } from "ws";
import { DEFAULT_LIMITS } from "../../../../src/api/edge/rate-limit-rules.ts";
import { STREAM_LIMITS } from "../../../../src/api/edge/limits.ts";
import { SocketVenue } from "../../streams/socket-venue.ts";
import type { TestSocket } from "../../streams/socket-venue.ts";

const TRADES = "btcusdt@trade";
/** All streams of a trade, which fill the buffer of a client that does not read soonest. */
const ALL_OF_A_TRADE = `/stream?streams=${TRADES}/btcusdt@aggTrade/btcusdt@bookTicker`;
const UNKNOWN_KEY = "k".repeat(64);

suite("streams", () => {
  test("raw, several raw, combined: each in its form", async () => {
    const venue = await SocketVenue.start();
    const raw = await venue.dial(`/ws/${TRADES}`);
    const two = await venue.dial(`/ws/${TRADES}/btcusdt@aggTrade`);
    const combined = await venue.dial(`/stream?streams=${TRADES}`);
    venue.trade();
    await Promise.all([raw.until(1), two.until(2), combined.until(1)]);
    assert.deepEqual([raw.messages[0]?.["e"], raw.messages[0]?.["t"]], ["trade", 1]);
    assert.deepEqual(two.messages.map(({ e }) => e).sort(), ["aggTrade", "trade"]);
    assert.deepEqual(combined.messages, [{ stream: TRADES, data: raw.messages[0] }]);
  });

  test("a later subscriber to an unchanged book gets it, too", async () => {
    const venue = await SocketVenue.start();
    venue.trade();
    for (let n = 0; n < 3; n++) {
      const socket = await venue.dial("/ws/btcusdt@depth5@100ms");
      await socket.until(1);
      assert.equal(socket.messages[0]?.["lastUpdateId"], 2);
    }
  });

  for (const path of [
    `/ws?streams=${TRADES}`,
    `/ws/0?stream=${TRADES}`,
    `/stream?stream=${TRADES}`,
    `/stream?streams=btcusdt@depth&streams=${TRADES}`,
  ]) {
    test(`${path} has the streams in its address`, async () => {
      const venue = await SocketVenue.start();
      const socket = await venue.dial(path);
      const { result } = await socket.ask({ method: "LIST_SUBSCRIPTIONS", id: 1 });
      assert.ok((result as string[]).includes(TRADES));
      venue.trade();
      await socket.until(2);
      const [, event] = socket.messages;
      assert.equal((path.startsWith("/stream") ? event?.["data"] : event)?.e, "trade");
    });
  }

  test("SUBSCRIBE and UNSUBSCRIBE without an id are carried out, and answered with the id null", async () => {
    const venue = await SocketVenue.start();
    const socket = await venue.dial("/ws");
    const done = { result: null, id: null };
    assert.deepEqual(await socket.ask({ method: "SUBSCRIBE", params: [TRADES, "btcusdt@depth"] }), done);
    assert.deepEqual(await socket.ask({ method: "UNSUBSCRIBE", params: [TRADES] }), done);
    const listed = await socket.ask({ method: "LIST_SUBSCRIPTIONS", id: 1 });
    assert.deepEqual(listed["result"], ["btcusdt@depth"]);
    const bad = await socket.ask({ method: "SUBSCRIBE", params: ["nothing"] });
    assert.deepEqual(bad, { code: 2, msg: "Invalid request: no such stream: nothing", id: null });
  });

  for (const path of ["/ws", "/ws/0", "/ws/17", "/stream", "/stream?streams="]) {
    test(`${path} stays open and waits for SUBSCRIBE`, async () => {
      const venue = await SocketVenue.start();
      const socket = await venue.dial(path);
      assert.deepEqual(await socket.ask({ method: "LIST_SUBSCRIPTIONS", id: 1 }), { result: [], id: 1 });
      assert.deepEqual(await socket.ask({ method: "SUBSCRIBE", params: [TRADES, TRADES, UNKNOWN_KEY], id: "a" }), {
        result: null,
        id: "a",
      });
      venue.trade();
      await socket.until(3);
      const event = socket.messages[2];
      assert.equal((path.startsWith("/stream") ? event?.["data"] : event)?.e, "trade");
      assert.deepEqual(await socket.ask({ method: "LIST_SUBSCRIPTIONS", id: null }), {
        result: [TRADES, UNKNOWN_KEY],
        id: null,
      });
      await socket.ask({ method: "UNSUBSCRIBE", params: [TRADES, "never@subscribed"], id: 4 });
      venue.trade();
      await sleep(20);
      assert.equal(socket.messages.length, 5);
    });
  }

  test("the property 'combined' starts as the address says, and changes the form of later messages", async () => {
    const venue = await SocketVenue.start();
    const socket = await venue.dial(`/ws/${TRADES}`);
    assert.deepEqual(await socket.ask({ method: "GET_PROPERTY", params: ["combined"], id: 1 }), {
      result: false,
      id: 1,
    });
    assert.deepEqual(await socket.ask({ method: "SET_PROPERTY", params: ["combined", true], id: 2 }), {
      result: null,
      id: 2,
    });
    venue.trade();
    await socket.until(3);
    assert.equal(socket.messages[2]?.["stream"], TRADES);
    const combined = await venue.dial("/stream");
    assert.equal((await combined.ask({ method: "GET_PROPERTY", params: ["combined"], id: 1 }))["result"], true);
  });

  test("a listen key is a stream name like others; the connection closes with its stream", async () => {
    const venue = await SocketVenue.start();
    const key = await venue.openListenKey();
    const alone = await venue.dial(`/ws/${key}`);
    const among = await venue.dial(`/stream?streams=${key}/${TRADES}`);
    venue.trade();
    await alone.until(3);
    assert.equal(alone.messages[0]?.["e"], "executionReport");
    await until("the key's event in its envelope", () => among.messages.some(({ stream }) => stream === key));
    await venue.send("DELETE", "/api/v3/userDataStream", {
      query: `listenKey=${key}`,
      headers: { "x-mbx-apikey": venue.trader.apiKey },
    });
    assert.match(await alone.closed, /^1000 /);
    assert.equal(alone.messages.at(-1)?.["e"], "listenKeyExpired");
    assert.deepEqual((await among.ask({ method: "LIST_SUBSCRIPTIONS", id: 1 }))["result"], [TRADES]);
  });

  test("an unknown listen key: closed with a reason in an address, silent as a name", async () => {
    const venue = await SocketVenue.start();
    for (const path of [`/ws/${UNKNOWN_KEY}`, `/stream?streams=${TRADES}/${UNKNOWN_KEY}`]) {
      assert.equal(await (await venue.dial(path)).closed, "1008 This listenKey does not exist.");
    }
    const open = await venue.dial("/ws");
    assert.deepEqual(await open.ask({ method: "SUBSCRIBE", params: [UNKNOWN_KEY], id: 1 }), { result: null, id: 1 });
  });

  test("a name that can never have a message is rejected, with the whole request", async () => {
    const venue = await SocketVenue.start();
    const names = [
      "btcusdt@nothing",
      "BTCUSDT@trade",
      "dogeusdt@trade",
      "btcusdt@kline_2s",
      "btcusdt@depth7",
      "!trade",
      "trade",
      "0",
      "",
      "k".repeat(63),
    ];
    for (const name of names) {
      const open = await venue.dial("/stream");
      assert.deepEqual(await open.ask({ method: "SUBSCRIBE", params: [TRADES, name], id: 1 }), {
        code: 2,
        msg: `Invalid request: ${name === "" ? "no such stream" : `no such stream: ${name}`}`,
        id: 1,
      });
      assert.deepEqual((await open.ask({ method: "LIST_SUBSCRIPTIONS", id: 2 }))["result"], []);
      open.ws.terminate();
      if (name === "" || name === "0") continue;
      for (const path of [`/ws/${name}`, `/ws/${TRADES}/${name}`, `/stream?streams=${name}/${TRADES}`]) {
        assert.equal(await (await venue.dial(path)).closed, `1008 no such stream: ${name}`);
      }
    }
    for (const name of ["x".repeat(129), "\u{1f600}".repeat(40), "a\nb", "x".repeat(101)]) {
      const closed = await (await venue.dial(`/ws/${encodeURIComponent(name)}`)).closed;
      assert.equal(closed, "1008 no such stream", "what is no plain name is not repeated");
    }
  });

  test("a time unit that does not exist is rejected, not ignored", async () => {
    const venue = await SocketVenue.start();
    for (const path of [`/ws/${TRADES}?timeUnit=SECOND`, "/stream?timeUnit=us", "/ws-api/v3?timeUnit=ns"]) {
      const { closed } = await venue.dial(path);
      assert.equal(await closed, "1008 Invalid value for time unit; expected either MICROSECOND or MILLISECOND.");
    }
    const socket = await venue.dial(`/ws/${TRADES}?timeUnit=millisecond`);
    assert.deepEqual((await socket.ask({ method: "LIST_SUBSCRIPTIONS", id: 1 }))["result"], [TRADES]);
  });

  test("a closed socket gets no messages", async () => {
    const venue = await SocketVenue.start();
    const [first, second] = [await venue.dial(`/ws/${TRADES}`), await venue.dial(`/ws/${TRADES}`)];
    first.ws.terminate();
    await until("one socket is open", () => venue.streams.sockets.open === 1);
    venue.trade();
    await second.until(1);
    assert.equal(venue.streams.sockets.messagesSent, 1);
  });
});

suite("limits", () => {
  test("a sixth message in a second closes the connection, counting pings and pongs", async () => {
    const venue = await SocketVenue.start();
    const ends: ((socket: TestSocket, n: number) => void)[] = [
      (socket, n) => socket.say({ method: "LIST_SUBSCRIPTIONS", id: n }),
      (socket) => socket.ws.ping(),
      (socket) => socket.ws.pong(),
      (socket) => socket.say("not even JSON"),
    ];
    for (const say of ends) {
      const socket = await venue.dial("/ws");
      // A second may end in between: twelve messages are too many for any two seconds.
      for (let n = 0; n < 12; n++) say(socket, n);
      assert.equal(await socket.closed, "1008 too many messages in a second");
    }
  });

  test("with limits off, messages are unlimited", async () => {
    const venue = await SocketVenue.start({ limitsRates: false });
    const socket = await venue.dial("/ws");
    for (let n = 0; n < 200; n++) socket.say({ method: "LIST_SUBSCRIPTIONS", id: n });
    await socket.until(200);
  });

  test("1024 streams per connection: one more changes nothing", async () => {
    const venue = await SocketVenue.start();
    const socket = await venue.dial(`/ws/${TRADES}`);
    // Names in the form of listen keys; all of them in one message would be too long.
    const names = Array.from({ length: 1023 }, (_, n) => `${n}`.padStart(64, "k"));
    const halves = [names.slice(0, 500), [...names.slice(500), TRADES]];
    for (const params of halves)
      assert.equal((await socket.ask({ method: "SUBSCRIBE", params, id: 1 }))["result"], null);
    assert.deepEqual(await socket.ask({ method: "SUBSCRIBE", params: ["btcusdt@depth"], id: 2 }), {
      code: 2,
      msg: "Invalid request: at most 1024 streams on a connection",
      id: 2,
    });
    assert.equal((await socket.ask({ method: "LIST_SUBSCRIPTIONS", id: 3 }))["result"].length, 1024);
  });

  test("connection attempts of an address are counted, whatever they request", async () => {
    const venue = await SocketVenue.start({ limits: { maxAttempts: 3 } });
    for (const path of ["/ws", "/stream", "/ws"]) await venue.dial(path);
    const [response] = await once(
      new WebSocket(`${venue.ws}/ws`).on("error", () => {}),
      "unexpected-response",
    ).then(([, incoming]) => [incoming]);
    assert.deepEqual([response.statusCode, Number(response.headers["retry-after"]) > 0], [429, true]);
    response.destroy();
  });

  test("open connections of an address are bounded", async () => {
    const venue = await SocketVenue.start({ limits: { maxConnectionsPerIp: 2 }, limitsRates: false });
    const first = await venue.dial("/ws");
    await venue.dial("/ws-api/v3");
    for (const path of ["/stream", "/ws-api/v3"]) {
      const refused = new WebSocket(venue.ws + path).on("error", () => {});
      const [, response] = (await once(refused, "unexpected-response")) as [unknown, IncomingMessage];
      const chunks = (await response.toArray()) as Buffer[];
      assert.deepEqual([response.statusCode, Number(response.headers["retry-after"]) > 0], [429, true]);
      assert.equal(JSON.parse(Buffer.concat(chunks).toString()).code, -1003);
    }
    first.ws.close();
    await until("one is gone", () => venue.streams.sockets.open === 1);
    await venue.dial("/ws");
  });

  test("a banned address cannot open sockets, and is told until when", async () => {
    const venue = await SocketVenue.start({ requestLimits: DEFAULT_LIMITS });
    await venue.dial("/ws");
    while (venue.gateway.ban("127.0.0.1") === null) venue.gateway.charge("127.0.0.1");
    for (const path of ["/ws", `/ws/${TRADES}`, "/stream", "/ws-api/v3", "/nowhere"]) {
      const refused = new WebSocket(venue.ws + path).on("error", () => {});
      const [, response] = (await once(refused, "unexpected-response")) as [unknown, IncomingMessage];
      const chunks = (await response.toArray()) as Buffer[];
      assert.deepEqual([response.statusCode, response.headers["retry-after"]], [418, "120"], path);
      assert.equal(JSON.parse(Buffer.concat(chunks).toString()).code, -1003);
    }
    venue.nowMs += 121_000;
    await venue.dial("/ws");
  });

  test("a connection gets one frame per turn, however many it sends at once", async () => {
    const venue = await SocketVenue.start({ limitsRates: false });
    const raw = await venue.rawSocket("/ws");
    await until("it is there", () => venue.streams.sockets.open === 1);
    const text = Buffer.from('{"method":"LIST_SUBSCRIPTIONS","id":1}');
    const frame = Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]);
    const { sockets } = venue.streams;
    raw.write(Buffer.concat(Array.from({ length: 200 }, () => frame)));
    let most = 0;
    for (let before = 0; before < 200; before = sockets.messagesSent) {
      await turn();
      most = Math.max(most, sockets.messagesSent - before);
    }
    assert.equal(most, 1);
    raw.destroy();
  });

  test("binary and oversized frames close the connection with their codes; others are not affected", async () => {
    const venue = await SocketVenue.start();
    const other = await venue.dial(`/ws/${TRADES}`);
    const binary = await venue.dial("/ws");
    binary.ws.send(Buffer.from("{}"));
    assert.match(await binary.closed, /^1003 /);
    const huge = await venue.dial("/ws");
    huge.say(`"${"x".repeat(64 * 1024)}"`);
    assert.match(await huge.closed, /^1009/);
    const broken = await venue.rawSocket("/ws");
    await once(broken, "data");
    broken.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    await once(broken, "close");
    venue.trade();
    await other.until(1);
  });

  test("an endless message uses only its own bytes: in many frames, or a frame in many chunks", async () => {
    const venue = await SocketVenue.start();
    const { maxMessageParts } = STREAM_LIMITS;
    const part = (opcode: number): Buffer => Buffer.from([opcode, 0x81, 0, 0, 0, 0, 0x20]);
    const inFrames = (await venue.rawSocket("/ws")).resume();
    inFrames.write(Buffer.concat([part(1), ...Array.from({ length: maxMessageParts - 1 }, () => part(0))]));
    await sleep(100);
    assert.equal(venue.streams.sockets.open, 1);
    inFrames.write(part(0));
    await once(inFrames, "close");
    const inPieces = (await venue.rawSocket("/ws")).setNoDelay(true).resume();
    inPieces.write(Buffer.from([0x81, 0xfe, 0xff, 0xff, 0, 0, 0, 0]));
    const gone = once(inPieces, "close").then(() => true);
    const one = async (): Promise<boolean> => {
      inPieces.write(" ");
      await sleep(1);
      return false;
    };
    let isGone = false;
    for (let sent = 0; sent < 20 * maxMessageParts && !isGone; sent++) isGone = await Promise.race([gone, one()]);
    assert.ok(isGone, "it goes on");
    await venue.dial("/ws");
  });

  test("a client that reads is not disconnected because of a burst", async () => {
    const venue = await SocketVenue.start({ limits: { maxBufferedBytes: 1000 } });
    const raw = await venue.dial(`/ws/${TRADES}`);
    const combined = await venue.dial(ALL_OF_A_TRADE);
    for (let n = 0; n < 4_000; n++) venue.trade();
    await raw.until(4_000);
    await combined.until(12_000);
  });

  test("a client that pings and does not read the pongs is disconnected, limits or not", async () => {
    const venue = await SocketVenue.start({ limitsRates: false });
    const silent = await venue.rawSocket("/ws");
    const ping = Buffer.concat([Buffer.from([0x89, 0xfd, 0, 0, 0, 0]), Buffer.alloc(125)]);
    const pings = Buffer.concat(Array.from({ length: 1000 }, () => ping));
    await until("it is there", () => venue.streams.sockets.open === 1);
    silent.pause();
    await until("it is cut off", () => {
      silent.write(pings);
      return venue.streams.sockets.open === 0;
    });
    silent.destroy();
  });

  test("a client that does not read in time is disconnected, however little is unread", async () => {
    const venue = await SocketVenue.start({
      limits: { readTimeoutMs: 400, sweepEveryMs: 20, maxBufferedBytes: 1024 ** 3 },
    });
    const silent = await venue.rawSocket(ALL_OF_A_TRADE);
    const reading = await venue.dial(`/ws/${TRADES}`);
    await until("two are there", () => venue.streams.sockets.open === 2);
    while (venue.streams.sockets.unreadBytes === 0) {
      for (let n = 0; n < 20; n++) venue.trade();
      await turn();
    }
    await until("the silent one is cut off", () => venue.streams.sockets.open === 1);
    assert.deepEqual([venue.streams.sockets.slowDropped, venue.streams.sockets.unreadBytes], [1, 0]);
    const { length } = reading.messages;
    venue.trade();
    await reading.until(length + 1);
    silent.destroy();
  });

  test("all connections of an address share a limit", async () => {
    const most = 1024 * 1024;
    const venue = await SocketVenue.start({ limits: { maxSendBufferBytesPerIp: most, maxBufferedBytes: 1024 ** 3 } });
    const silent = await Promise.all(Array.from({ length: 5 }, () => venue.rawSocket(ALL_OF_A_TRADE)));
    await until("five are there", () => venue.streams.sockets.open === 5);
    while (venue.streams.sockets.slowDropped < 4) {
      for (let n = 0; n < 50; n++) venue.trade();
      await turn();
      assert.ok(venue.streams.sockets.unreadBytes <= most, `${venue.streams.sockets.unreadBytes} bytes wait`);
    }
    for (const socket of silent) socket.destroy();
  });

  test("a client that does not read is disconnected with a code, and only that client", async () => {
    const venue = await SocketVenue.start({ limits: { maxBufferedBytes: 256 * 1024, closeTimeoutMs: 60_000 } });
    const slow = await venue.dial(ALL_OF_A_TRADE);
    const silent = await venue.rawSocket(ALL_OF_A_TRADE);
    const reading = await venue.dial(`/ws/${TRADES}`);
    await until("three are there", () => venue.streams.sockets.open === 3);
    slow.ws.pause();
    let trades = 0;
    while (venue.streams.sockets.slowDropped < 2) {
      for (let n = 0; n < 500; n++) venue.trade();
      trades += 500;
      assert.ok(trades < 200_000, "nobody is dropped");
      await sleep(1);
    }
    // A client that resumes reading learns the reason.
    slow.ws.resume();
    assert.equal(await slow.closed, "1008 too slow: messages were not read");
    silent.destroy();
    await until("both are gone", () => venue.streams.sockets.open === 1);
    await reading.until(trades);
    assert.deepEqual(
      reading.messages.map(({ t }) => t),
      Array.from({ length: trades }, (_, n) => n + 1),
    );
    assert.equal(venue.streams.sockets.slowDropped, 2);
  });
});

test("unknown paths, and requests that are not WebSockets, get their HTTP errors", async () => {
  const venue = await SocketVenue.start();
  const socket = new WebSocket(`${venue.ws}/nowhere`);
  const [error] = (await once(socket, "error").catch((reason) => [reason])) as [Error];
  assert.match(error.message, /404/);
  const ask = (path: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const outgoing = request({ port: venue.port, path, headers }, (incoming) => {
        incoming.resume();
        resolve(incoming.statusCode ?? 0);
      });
      outgoing.on("error", reject);
      outgoing.end();
    });
  assert.equal(await ask("/ws", {}), 404);
  assert.equal(await ask("/ws", { upgrade: "websocket", connection: "upgrade" }), 400);
  assert.equal(await ask("/api/v3/ping", {}), 200);
});
