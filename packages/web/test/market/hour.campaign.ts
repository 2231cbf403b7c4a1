/** The memory of a page after an hour of market data equals that after minutes. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { heapPartsOfProcess } from "@pricetime/testkit/heap-parts";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import type { Exchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { CandlePages } from "../../src/chart/candles.ts";
import { Feed } from "../../src/market/feed.ts";
import { Rest } from "../../src/wire/rest.ts";
import { Streams } from "../../src/wire/streams.ts";
import type { World } from "../../src/wire/world.ts";
import { clientOf } from "../account/signed-in.ts";
import { startQuietNode, streamAddress, watchedWorld } from "../venue.ts";

const SYMBOL = "BTCUSDT";
const STEP_MS = 100;
const STEPS_A_MINUTE = 600;
const STEPS_AN_HOUR = 60 * STEPS_A_MINUTE;
/** Later measurements are compared with the one at this time. */
const COMPARED_STEP = 20 * STEPS_A_MINUTE;
/** The number of levels of a side that change in a step; the price moves within this number of levels. */
const CHANGES = 5;
const LEVELS = 500;
/** One object stored per step would double this; Node's own memory varies by up to a third of it. */
const MOST_GROWTH_BYTES = 600_000;

let node: Exchange;
before(async () => {
  node = await startQuietNode({ dataFolder: temporaryFolder() });
  const bob = clientOf(node, "bob");
  const order = { symbol: SYMBOL, type: "LIMIT", timeInForce: "GTC", quantity: "0.01" };
  for (const [side, price] of [
    ["BUY", "10000"],
    ["SELL", "30000"],
  ] as const) {
    assert.equal((await bob.signed("POST", "/api/v3/order", { ...order, side, price })).status, 200);
  }
  bob.close();
});
after(() => node.kill());

interface FastWorld extends World {
  readonly sockets: readonly WebSocket[];
  /** Advances the clock and runs the timers that are due, once all responses have arrived. */
  pass(spanMs: number): Promise<void>;
}

/** An hour of this clock takes as long as its messages take. */
function fastWorld(): FastWorld {
  const watched = watchedWorld();
  const began = Date.now();
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>();
  let elapsedMs = 0;
  const asked = new Set<string>();
  let lastAsked = 0;
  return {
    ...watched,
    nowMs: () => began + elapsedMs,
    elapsedMs: () => elapsedMs,
    after(delayMs, run) {
      const timer = { atMs: elapsedMs + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async fetch(address, request) {
      const name = `${++lastAsked}`;
      asked.add(name);
      // Node keeps the abort signals of requests for a while; this waits for all of them.
      const response = await fetch(address, { ...request, signal: null });
      const text = await response.text();
      // Reads the response before the clock advances.
      setImmediate(() => asked.delete(name));
      return new Response(text, response);
    },
    async pass(spanMs) {
      while (asked.size > 0) await new Promise((done) => setImmediate(done));
      elapsedMs += spanMs;
      for (const timer of [...timers]) {
        if (timer.atMs > elapsedMs || !timers.delete(timer)) continue;
        timer.run();
      }
    },
  };
}

async function dataBytes(): Promise<number> {
  // Node's list of completed requests, which has a maximum length.
  performance.clearResourceTimings();
  return (await heapPartsOfProcess()).dataBytes;
}

/** The messages of a busy node for one market in one step. */
function* messages(step: number, lastId: number): Generator<{ readonly stream: string; readonly data: unknown }> {
  const name = SYMBOL.toLowerCase();
  const timeMs = Date.now() + step * STEP_MS;
  // Changes of one side of the book, from the price `from` in the direction `way`.
  const side = (from: number, way: 1 | -1): [string, string][] =>
    Array.from({ length: CHANGES }, (_, at) => {
      const place = (step * 7 + at * 101) % LEVELS;
      const quantity = (step + at) % 3 === 0 ? "0" : ((1 + (step % 997)) / 1000).toFixed(6);
      return [(from + (way * place) / 100).toFixed(2), quantity];
    });
  const [b, a] = [side(19_999, -1), side(20_001, 1)];
  yield { stream: `${name}@depth@100ms`, data: { e: "depthUpdate", U: lastId + 1, u: lastId + 1, b, a } };
  const p = (20_000 + (step % 100) / 100).toFixed(2);
  yield { stream: `${name}@trade`, data: { e: "trade", t: step, p, q: "0.010000", T: timeMs, m: step % 2 === 0 } };
  if (step % 10 !== 0) return;
  const figures = { o: "20000.00", h: "20001.00", l: "19999.00", v: String(step), q: String(step * 20_000) };
  yield { stream: "!miniTicker@arr", data: [{ e: "24hrMiniTicker", E: timeMs, s: SYMBOL, c: p, ...figures }] };
  const t = Math.floor(timeMs / 60_000) * 60_000;
  yield { stream: `${name}@kline_1m`, data: { k: { t, ...figures, c: p } } };
}

test("an hour of a busy market uses no more memory than its first minutes", { timeout: 120_000 }, async () => {
  const world = fastWorld();
  const streams = new Streams(streamAddress(node), world);
  const feed = new Feed({ rest: new Rest(node.rest, world), streams, world, symbol: SYMBOL });
  await until("the market is there", async () => {
    await world.pass(STEP_MS);
    return feed.book.value.freshness === "live" && feed.market.value?.symbol === SYMBOL;
  });
  let drawn = 0;
  const pages = new CandlePages(feed.candles(SYMBOL, "1m"), "1m", () => drawn++);
  await until("candles are there", () => pages.state.value.step === "ready");
  const [socket] = world.sockets;
  let lastId = feed.book.value.lastUpdateId;
  // The first heap measurement also counts its own code.
  let comparedBytes = await dataBytes();
  for (let step = 1; step <= STEPS_AN_HOUR; step++) {
    for (const message of messages(step, lastId)) {
      socket?.onmessage?.call(socket, new MessageEvent("message", { data: JSON.stringify(message) }));
    }
    lastId++;
    await world.pass(STEP_MS);
    if (step === COMPARED_STEP) comparedBytes = await dataBytes();
  }
  assert.equal(feed.book.value.lastUpdateId, lastId, "all of it was followed");
  assert.ok(feed.book.value.bids.length > LEVELS / 2 && feed.book.value.bids.length <= LEVELS + 1);
  assert.equal(feed.prints.value[0]?.tradeId, STEPS_AN_HOUR);
  assert.ok(pages.candles.length >= 60 && drawn > 3600, `${pages.candles.length} candles`);
  const growth = (await dataBytes()) - comparedBytes;
  process.stdout.write(`# ${growth} bytes more than after 20 minutes\n`);
  assert.ok(growth < MOST_GROWTH_BYTES, `${growth} bytes more than after 20 minutes`);
  pages.close();
  feed.close();
  streams.close();
});
