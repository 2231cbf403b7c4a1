import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { signal } from "@preact/signals";
import { afterFirstBook, WITHOUT_BOOK_MS } from "../../src/chart/load-stage.ts";
import type { Book } from "../../src/market/port.ts";

const LOADING: Book = { symbol: "BTCUSDT", lastUpdateId: 0, bids: [], asks: [], freshness: "loading", atMs: 0 };
const LIVE: Book = { ...LOADING, lastUpdateId: 1, freshness: "live" };
const FRAME_MS = 16;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  const requestAnimationFrame = (draw: () => void): unknown => setTimeout(draw, FRAME_MS);
  Object.assign(globalThis, { requestAnimationFrame });
});

function open() {
  const book = signal<Book>(LOADING);
  const run = mock.fn();
  afterFirstBook(book, run);
  return { book, runs: () => run.mock.callCount() };
}

test("the chart waits for the frame that draws the first book", () => {
  const { book, runs } = open();
  mock.timers.tick(WITHOUT_BOOK_MS / 2);
  assert.equal(runs(), 0);
  book.value = LIVE;
  assert.equal(runs(), 0);
  mock.timers.tick(FRAME_MS);
  mock.timers.tick(1);
  assert.equal(runs(), 1);
});

test("the chart loads once, whatever happens to the book", () => {
  const { book, runs } = open();
  book.value = LIVE;
  mock.timers.tick(FRAME_MS);
  book.value = { ...LIVE, lastUpdateId: 2 };
  mock.timers.tick(2 * WITHOUT_BOOK_MS);
  mock.timers.tick(FRAME_MS);
  mock.timers.tick(1);
  assert.equal(runs(), 1);
});

test("the chart loads without a book, too", () => {
  const { runs } = open();
  mock.timers.tick(WITHOUT_BOOK_MS - 1);
  mock.timers.tick(FRAME_MS);
  assert.equal(runs(), 0);
  mock.timers.tick(WITHOUT_BOOK_MS);
  mock.timers.tick(FRAME_MS);
  mock.timers.tick(1);
  assert.equal(runs(), 1);
});
