/**
 * Clients that send many requests and do not read: others are served, and unread bytes are bounded in size and time.
 */
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { until } from "@pricetime/testkit/waiting";
import type { HttpEdge } from "../../../src/api/edge/http/edge.ts";
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "../../../src/api/edge/limits.ts";
import type { GatewayRequest, Replier } from "../../../src/api/edge/request.ts";
import { Dice } from "@pricetime/testkit/dice";
import { EchoSink, get, HUGE_BYTES, post, startEdge } from "@pricetime/testkit/echo-edge";
import { converse } from "./raw-socket.ts";

/** With this header, an otherwise ordinary request is read by `node:http` from the start. */
const LANES: readonly (readonly [lane: string, headers: string])[] = [
  ["read directly", ""],
  ["read by node", "TE: x\r\n"],
];

interface Running {
  readonly edge: HttpEdge;
  readonly port: number;
}

async function start(t: TestContext, sink: EchoSink, limits: Partial<HttpLimits> = {}): Promise<Running> {
  const edge = startEdge(sink, { ...DEFAULT_HTTP_LIMITS, ...limits });
  t.after(() => edge.close());
  return { edge, port: await edge.listen("127.0.0.1", 0) };
}

/** Does not read unless told to. */
function dial(t: TestContext, port: number, bytes: string): Socket & { isGone?: boolean } {
  const socket: Socket & { isGone?: boolean } = connect(port, "127.0.0.1").pause();
  socket.on("error", () => {}).on("close", () => (socket.isGone = true));
  socket.write(bytes, "latin1");
  t.after(() => socket.destroy());
  return socket;
}

/** Counts turns of the event loop, and in which of them each request was carried out. */
class TurnSink extends EchoSink {
  readonly turns: number[] = [];
  #turn = 0;
  #isCounting = true;

  constructor() {
    super();
    const count = (): void => {
      this.#turn++;
      if (this.#isCounting) setImmediate(count);
    };
    count();
  }

  override process(request: GatewayRequest, replier: Replier): void {
    this.turns.push(this.#turn);
    super.process(request, replier);
  }

  stop(): void {
    this.#isCounting = false;
  }
}

for (const [lane, odd] of LANES) {
  test(`requests in one chunk are carried out in separate turns, in order: ${lane}`, async (t) => {
    const sink = new TurnSink();
    t.after(() => sink.stop());
    const { port } = await start(t, sink);
    const count = 300;
    const bytes = Array.from({ length: count }, (_, n) => get(`/p?n=${n}`, odd)).join("");
    const { answers } = await converse(port, bytes, { answers: count });
    assert.deepEqual(
      answers.map(({ body }) => (JSON.parse(body) as { query: string }).query),
      Array.from({ length: count }, (_, n) => `n=${n}`),
    );
    assert.deepEqual([sink.turns.length, new Set(sink.turns).size], [count, count], "more than one in a turn");
  });

  test(`bodies and following requests in one chunk: ${lane}`, async (t) => {
    const { port } = await start(t, new EchoSink());
    const body = "a=1&b=2".padEnd(9000, "x");
    const one = post("/p", `${odd}Content-Length: ${body.length}\r\n`, body);
    const chunked = post("/p", `${odd}Transfer-Encoding: chunked\r\n`, "3\r\na=1\r\n0\r\n\r\n");
    const { answers } = await converse(port, one + one + chunked + get("/p", odd) + one, { answers: 5 });
    const bodies = answers.map((answer) => (JSON.parse(answer.body) as { body: string }).body);
    assert.deepEqual(
      bodies.map(({ length }) => length),
      [body, body, "a=1", "", body].map(({ length }) => length),
    );
    assert.ok(bodies.every((each) => body.startsWith(each)));
  });

  test(`a client that does not read is not served further: ${lane}`, async (t) => {
    const sink = new EchoSink();
    const { edge, port } = await start(t, sink);
    const socket = dial(t, port, get("/huge", odd) + get("/p", odd).repeat(2000));
    await until("an answer waits", () => edge.unreadBytes > 0);
    socket.write(get("/p", odd).repeat(2000));
    await pause(200);
    assert.equal(sink.seen.length, 1, "the next was carried out before the answer was read");
    assert.ok(edge.unreadBytes <= HUGE_BYTES + 1000);
    socket.resume();
    await until("all are answered", () => sink.seen.length === 4001);
    await until("all is read", () => edge.inFlight === 0);
  });

  test(`a client that does not read in time, or reads slowly, is disconnected: ${lane}`, async (t) => {
    const sink = new EchoSink();
    const { edge, port } = await start(t, sink, { readTimeoutMs: 400, timeoutCheckMs: 50 });
    const never = dial(t, port, get("/huge", odd));
    const byDrops = dial(t, port, get("/huge", odd));
    const drops = setInterval(() => byDrops.read(1), 20);
    t.after(() => clearInterval(drops));
    const steady = dial(t, port, "").resume();
    const asks = setInterval(() => steady.write(get("/large", odd)), 20);
    t.after(() => clearInterval(asks));
    // Not by the number of open connections, which is also 1 while they connect.
    await until("both are closed", () => edge.slowDropped === 2 && edge.openConnections === 1);
    assert.ok(never.destroyed === false && !steady.isGone, "who reads goes on");
    await until("what waited is given up", () => edge.unreadBytes < HUGE_BYTES);
  });

  test(`above an address's limit, the connection that has waited longest is closed: ${lane}`, async (t) => {
    const most = 2.5 * HUGE_BYTES;
    const sink = new EchoSink();
    const { edge, port } = await start(t, sink, { maxSendBufferBytesPerIp: most });
    for (let n = 1; n <= 5; n++) {
      dial(t, port, get("/huge", odd));
      await until("it is answered", () => sink.seen.length === n && edge.inFlight === 0);
      await pause(20);
      assert.ok(edge.unreadBytes <= most, `${edge.unreadBytes} bytes wait`);
    }
    assert.ok(edge.slowDropped >= 2, `${edge.slowDropped} were dropped`);
  });
}

/** Responds at random times. */
class RandomSink extends EchoSink {
  readonly #random: () => number;

  constructor(random: () => number) {
    super();
    this.#random = random;
  }

  override process(request: GatewayRequest, replier: Replier): void {
    const mood = this.#random();
    if (mood < 0.5) super.process(request, replier);
    else if (mood < 0.8) setImmediate(() => super.process(request, replier));
    else setTimeout(() => super.process(request, replier), mood * 4);
  }
}

test("however requests are cut and whenever they are answered: each once, in order", async (t) => {
  for (let seed = 1; seed <= 60; seed++) {
    const dice = new Dice(seed);
    const random = (): number => dice.next();
    const sink = new RandomSink(random);
    const { edge, port } = await start(t, sink);
    const count = 1 + Math.floor(random() * 40);
    const bytes = Array.from({ length: count }, (_, n) => {
      const body = "b".repeat(Math.floor(random() * 5000));
      const kinds = [
        get(`/${n}`),
        get(`/${n}`, "TE: x\r\n"),
        post(`/${n}`, `Content-Length: ${body.length}\r\n`, body),
        post(`/${n}`, "Transfer-Encoding: chunked\r\n", `3\r\na=1\r\n0\r\n\r\n`),
      ];
      return kinds[Math.floor(random() * kinds.length)] as string;
    }).join("");
    const socket = dial(t, port, "").resume().setNoDelay(true);
    for (let at = 0; at < bytes.length; ) {
      const end = at + 1 + Math.floor(random() ** 3 * 20_000);
      socket.write(bytes.slice(at, end), "latin1");
      at = end;
      if (random() < 0.5) await pause(random() * 3);
    }
    await until(`all are seen (seed ${seed})`, () => sink.seen.length >= count && edge.inFlight === 0);
    await pause(2);
    assert.deepEqual(
      sink.seen.map(({ path }) => path),
      Array.from({ length: count }, (_, n) => `/${n}`),
      `seed ${seed}`,
    );
    socket.destroy();
    await edge.close();
  }
});

test("an upgrade after requests waits for their responses", async (t) => {
  const sink = new EchoSink();
  const { port } = await start(t, sink);
  const upgrade = get("/ws", "Connection: Upgrade\r\nUpgrade: websocket\r\n");
  const { answers, closed } = await converse(port, get("/slow") + get("/p") + upgrade + get("/never"));
  assert.deepEqual([answers.map(({ status }) => status), closed], [[200, 200, 404], true]);
  assert.deepEqual(
    sink.seen.map(({ path }) => path),
    ["/slow", "/p"],
  );
});

test("a connection reset while its upgrade waits affects nothing else", async (t) => {
  const sink = new EchoSink();
  const { edge, port } = await start(t, sink);
  const upgrade = get("/ws", "Connection: Upgrade\r\nUpgrade: websocket\r\n");
  const socket = dial(t, port, get("/held") + upgrade);
  await until("the first is in flight", () => sink.held.length === 1);
  // Node has read the upgrade, too, and no longer listens to the socket.
  await pause(50);
  socket.resetAndDestroy();
  await until("it is gone", () => edge.openConnections === 0);
  for (const answer of sink.held) answer();
  await until("the first is answered", () => edge.inFlight === 0);
  assert.equal((await converse(port, get("/p"), { answers: 1 })).answers[0]?.status, 200);
});

test("requests in flight per address are bounded", async (t) => {
  const sink = new EchoSink();
  const { edge, port } = await start(t, sink, { maxRequestsInFlightPerIp: 2 });
  for (const [, odd] of LANES) dial(t, port, get("/held", odd));
  await until("two are in flight", () => sink.held.length === 2);
  for (const [lane, odd] of LANES) {
    const { answers } = await converse(port, get("/p", odd), { answers: 1 });
    assert.deepEqual([answers[0]?.status, answers[0]?.headers.get("retry-after")], [429, "1"], lane);
    assert.match(answers[0]?.body ?? "", /"code":-1003/);
  }
  for (const answer of sink.held) answer();
  await until("they are answered", () => edge.inFlight === 0);
  assert.equal((await converse(port, get("/p"), { answers: 1 })).answers[0]?.status, 200);
});
