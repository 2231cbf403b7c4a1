/** How pages and the live candle are combined, in any order of arrival. The test controls the feed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import { CandlePages, CANDLES_MAX, type Change } from "../../src/chart/candles.ts";
import { PAGE_CANDLES } from "../../src/market/port.ts";
import type { Candle } from "../../src/market/port.ts";
import { DAY_START_MS, flatCandle, flatCandles, MINUTE_MS } from "./candles.ts";

/** A request that waits for its response. */
interface Asked {
  readonly beforeMs: number | null;
  answer(page: readonly Candle[]): Promise<void>;
  fail(message: string): Promise<void>;
}

function open() {
  const asked: Asked[] = [];
  const newest = signal<Candle | null>(null);
  const reset = signal(0);
  let closed = 0;
  const feed = {
    newest,
    reset,
    before(beforeMs: number | null): Promise<readonly Candle[]> {
      const { promise, resolve, reject } = Promise.withResolvers<readonly Candle[]>();
      const settled = (): Promise<void> => new Promise((done) => setImmediate(done));
      asked.push({
        beforeMs,
        async answer(page) {
          resolve(page);
          await settled();
        },
        async fail(message) {
          reject(new Error(message));
          await settled();
        },
      });
      return promise;
    },
    close: () => void (closed += 1),
  };
  const changes: Change[] = [];
  const pages = new CandlePages(feed, "1m", (change) => changes.push(change));
  const ask = (at: number): Asked => asked[at] as Asked;
  return { pages, asked, ask, newest, reset, changes, closed: () => closed };
}

const END_MS = DAY_START_MS + PAGE_CANDLES * MINUTE_MS;
const page = flatCandles(PAGE_CANDLES, DAY_START_MS);

test("the first page is joined to a live candle that arrived before it", async () => {
  const { pages, ask, newest, changes } = open();
  assert.deepEqual(pages.state.value, { step: "loading" });
  newest.value = flatCandle(END_MS, 5);
  assert.equal(changes.length, 0);
  await ask(0).answer(page);
  assert.equal(pages.candles.length, PAGE_CANDLES + 1);
  assert.deepEqual(pages.state.value, { step: "ready", older: "idle" });
  assert.deepEqual(
    changes.map(({ kind }) => kind),
    ["all"],
  );
});

test("a failure is shown with its reason, never as an empty chart, and can be retried", async () => {
  const { pages, ask, changes } = open();
  await ask(0).fail("Too many requests.");
  assert.deepEqual(pages.state.value, { step: "failed", reason: "Too many requests." });
  assert.equal(changes.length, 0);
  pages.reload();
  assert.deepEqual(pages.state.value, { step: "loading" });
  await ask(1).answer(page);
  assert.equal(pages.candles.length, PAGE_CANDLES);
});

test("older pages are requested one at a time, and scrolling does not repeat a failed request", async () => {
  const { pages, asked, ask } = open();
  await ask(0).answer(page);
  pages.loadOlder();
  pages.loadOlder();
  assert.equal(asked.length, 2);
  assert.equal(ask(1).beforeMs, DAY_START_MS);
  await ask(1).fail("cut off");
  assert.deepEqual(pages.state.value, { step: "ready", older: { failed: "cut off" } });
  pages.loadOlder();
  assert.equal(asked.length, 2);
  pages.loadOlder({ isAgain: true });
  await ask(2).answer(flatCandles(10, DAY_START_MS - 10 * MINUTE_MS));
  assert.equal(pages.candles.length, PAGE_CANDLES + 10);
  assert.deepEqual(pages.state.value, { step: "ready", older: "whole" });
  pages.loadOlder();
  assert.equal(asked.length, 3);
});

test("no page is requested beyond the limit", async () => {
  const { pages, asked, ask } = open();
  await ask(0).answer(page);
  for (let at = 1; at < CANDLES_MAX / PAGE_CANDLES; at++) {
    pages.loadOlder();
    await ask(at).answer(flatCandles(PAGE_CANDLES, DAY_START_MS - at * PAGE_CANDLES * MINUTE_MS));
  }
  assert.equal(pages.candles.length, CANDLES_MAX);
  assert.deepEqual(pages.state.value, { step: "ready", older: "full" });
  const before = asked.length;
  pages.loadOlder();
  assert.equal(asked.length, before);
});

test("a candle above the limit stays until the oldest are dropped, and is reported like any other", async () => {
  const { pages, ask, newest, changes } = open();
  const fromMs = END_MS - CANDLES_MAX * MINUTE_MS;
  await ask(0).answer(flatCandles(CANDLES_MAX, fromMs));
  assert.equal(pages.isOver, false);
  const candle = flatCandle(END_MS);
  newest.value = candle;
  assert.deepEqual(changes.at(-1), { kind: "newest", candle, isNew: true });
  assert.equal(pages.isOver, true);
  const { keptFromMs } = pages;
  pages.dropOldest();
  assert.equal(pages.isOver, false);
  assert.equal(pages.candles[0]?.openTimeMs, keptFromMs);
  assert.equal(pages.candles.length, CANDLES_MAX + 1 - PAGE_CANDLES);
  assert.deepEqual(pages.state.value, { step: "ready", older: "full" });
});

test("after a connection gap, everything is requested again, and responses to earlier requests are dropped", async () => {
  const { pages, ask, reset } = open();
  await ask(0).answer(page);
  pages.loadOlder();
  reset.value = 1;
  await ask(2).answer(flatCandles(PAGE_CANDLES, DAY_START_MS + 500 * MINUTE_MS));
  assert.equal(pages.candles[0]?.openTimeMs, DAY_START_MS + 500 * MINUTE_MS);
  await ask(1).answer(flatCandles(PAGE_CANDLES, DAY_START_MS - PAGE_CANDLES * MINUTE_MS));
  assert.equal(pages.candles.length, PAGE_CANDLES);
  assert.deepEqual(pages.state.value, { step: "ready", older: "idle" });
});

test("a live candle after a gap causes one new request of the page", async () => {
  const { pages, asked, ask, newest } = open();
  await ask(0).answer(page);
  newest.value = flatCandle(END_MS + 5 * MINUTE_MS);
  assert.equal(asked.length, 2);
  await ask(1).answer(page);
  newest.value = flatCandle(END_MS + 5 * MINUTE_MS, 3);
  assert.equal(asked.length, 2);
  assert.equal(pages.candles.length, PAGE_CANDLES);
});

test("live candles are reported one by one", async () => {
  const { ask, newest, changes } = open();
  await ask(0).answer(page);
  const next = flatCandle(END_MS, 4);
  newest.value = next;
  const again = flatCandle(END_MS, 6);
  newest.value = again;
  assert.deepEqual(changes.slice(1), [
    { kind: "newest", candle: next, isNew: true },
    { kind: "newest", candle: again, isNew: false },
  ]);
});

test("the live candle follows trades in its interval, and keeps its volume", async () => {
  const { pages, ask, changes } = open();
  pages.follow(1, DAY_START_MS);
  await ask(0).answer(page);
  const opened = END_MS - MINUTE_MS;
  pages.follow(PAGE_CANDLES + 5, opened + 10);
  pages.follow(PAGE_CANDLES + 5, opened + 20);
  pages.follow(PAGE_CANDLES - 3, opened + 30);
  pages.follow(7, opened - 1);
  pages.follow(8, END_MS);
  assert.deepEqual(pages.candles.at(-1), {
    ...flatCandle(opened, PAGE_CANDLES),
    ...{ high: PAGE_CANDLES + 5, low: PAGE_CANDLES - 3, close: PAGE_CANDLES - 3 },
  });
  assert.equal(changes.length, 3);
});

test("closing ends the feed once, and nothing is reported afterwards", async () => {
  const { pages, ask, newest, changes, closed } = open();
  pages.close();
  pages.close();
  assert.equal(closed(), 1);
  await ask(0).answer(page);
  newest.value = flatCandle(END_MS);
  assert.equal(changes.length, 0);
  assert.equal(pages.candles.length, 0);
});
