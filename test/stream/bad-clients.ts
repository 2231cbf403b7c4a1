/** Clients that do what they should not, each seeing that it gets what it deserves. As a thread: again and again. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { WebSocket } from "ws";
import { until } from "@pricetime/testkit/waiting";

const VARIANTS = "`SUBSCRIBE`, `UNSUBSCRIBE`, `LIST_SUBSCRIPTIONS`, `SET_PROPERTY`, `GET_PROPERTY`";
const PAUSE_MS = 50;

async function open(address: string): Promise<WebSocket> {
  const socket = new WebSocket(address);
  socket.on("error", () => {});
  await once(socket, "open");
  return socket;
}

async function closed(socket: WebSocket): Promise<string> {
  const [code, reason] = (await once(socket, "close")) as [number, Buffer];
  return `${code} ${String(reason)}`;
}

async function answer(socket: WebSocket, message: string): Promise<unknown> {
  socket.send(message);
  const [text] = (await once(socket, "message")) as [Buffer];
  return JSON.parse(String(text));
}

/** The exchange, without limits of rates. */
export interface Abused {
  readonly ws: string;
  readonly admin: string;
}

/** How many clients were dropped because they did not read. */
async function dropped(admin: string): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  return Number(/^pricetime_sockets_dropped_total(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1]);
}

export const ABUSES: Readonly<Record<string, (abused: Abused) => Promise<void>>> = {
  binary: async ({ ws }) => {
    const socket = await open(`${ws}/ws`);
    const end = closed(socket);
    socket.send(Buffer.alloc(1000));
    assert.equal(await end, "1003 messages are text");
  },
  huge: async ({ ws }) => {
    const socket = await open(`${ws}/stream`);
    const end = closed(socket);
    socket.send("x".repeat(1_000_000));
    assert.match(await end, /^1009/);
  },
  "not JSON": async ({ ws }) => {
    const socket = await open(`${ws}/ws`);
    for (let n = 0; n < 20; n++) {
      assert.deepEqual(await answer(socket, "{oops"), {
        code: 3,
        msg: "Invalid JSON: expected value at line 1 column 2",
      });
    }
    socket.terminate();
  },
  "unknown methods": async ({ ws }) => {
    const socket = await open(`${ws}/ws`);
    assert.deepEqual(await answer(socket, '{"method":"RUN","id":1}'), {
      code: 2,
      msg: `Invalid request: unknown variant RUN, expected one of ${VARIANTS} at line 1 column 15`,
    });
    socket.terminate();
  },
  "9,500 subscriptions, some at a time": async ({ ws }) => {
    const socket = await open(`${ws}/ws`);
    const tooMany: unknown[] = [];
    for (let n = 0; n < 10; n++) {
      // As many that could be listen keys as a message holds.
      const params = Array.from({ length: 950 }, (_, name) => `${n * 950 + name}`.padStart(64, "k"));
      const said = (await answer(socket, JSON.stringify({ method: "SUBSCRIBE", params, id: n }))) as { code?: number };
      if (said.code !== undefined) tooMany.push(said);
    }
    assert.equal(tooMany.length, 9);
    assert.deepEqual(tooMany[0], { code: 2, msg: "Invalid request: at most 1024 streams on a connection", id: 1 });
    socket.terminate();
  },
  "10,000 subscriptions at once": async ({ ws }) => {
    const socket = await open(`${ws}/ws`);
    const end = closed(socket);
    const params = Array.from({ length: 10_000 }, (_, n) => `symbol${n}@trade`);
    socket.send(JSON.stringify({ method: "SUBSCRIBE", params, id: 1 }));
    assert.match(await end, /^1009/);
  },
  "one that never reads": async ({ ws, admin }) => {
    const socket = await open(`${ws}/ws`);
    const params = Array.from({ length: 1000 }, (_, n) => `${n}`.padStart(64, "k"));
    for (const half of [params.slice(0, 500), params.slice(500)]) {
      await answer(socket, JSON.stringify({ method: "SUBSCRIBE", params: half, id: 1 }));
    }
    const before = await dropped(admin);
    const end = closed(socket);
    socket.pause();
    // Answers of 64 KiB that nobody takes, until the kernel's buffers are full and then ours.
    await until("it is dropped", async () => {
      for (let n = 0; n < 100; n++) socket.send('{"method":"LIST_SUBSCRIPTIONS","id":1}');
      return (await dropped(admin)) > before;
    });
    socket.resume();
    // On a machine that is so busy that it reads no further within 5 s, it is cut off without a word.
    assert.match(await end, /^1008 too slow: messages were not read$|^1006 $/);
  },
};

if (!isMainThread) {
  const abused = workerData as Abused;
  const end = Promise.withResolvers<void>();
  parentPort?.once("message", () => end.resolve());
  let isOver = false;
  void end.promise.then(() => (isOver = true));
  const times: Record<string, number> = {};
  const again = async (name: string, abuse: (abused: Abused) => Promise<void>): Promise<void> => {
    await abuse(abused);
    times[name] = (times[name] ?? 0) + 1;
    await sleep(PAUSE_MS);
    if (!isOver) await again(name, abuse);
  };
  await Promise.all(Object.entries(ABUSES).map(([name, abuse]) => again(name, abuse)));
  parentPort?.postMessage(times);
}
