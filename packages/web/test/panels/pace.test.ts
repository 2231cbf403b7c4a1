import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { signal } from "@preact/signals";
import { drawPaced } from "../../src/panels/pace.ts";

const FRAME_MS = 16;

/** A browser's clock that the test advances: runs frames and timers that were not canceled. */
class BrowserTime {
  nowMs = 5_000;
  readonly frames = new Map<number, () => void>();
  readonly timers = new Map<number, { readonly atMs: number; readonly run: () => void }>();
  #last = 0;

  askFrame(run: () => void): number {
    this.frames.set(++this.#last, run);
    return this.#last;
  }

  setTimer(run: () => void, afterMs: number): number {
    this.timers.set(++this.#last, { atMs: this.nowMs + afterMs, run });
    return this.#last;
  }

  /** Advances by whole milliseconds. */
  pass(forMs: number): void {
    for (const endMs = this.nowMs + forMs; this.nowMs < endMs; ) {
      this.nowMs++;
      for (const [id, { atMs, run }] of [...this.timers]) if (atMs <= this.nowMs && this.timers.delete(id)) run();
      if (this.nowMs % FRAME_MS !== 0) continue;
      for (const [id, run] of [...this.frames]) if (this.frames.delete(id)) run();
    }
  }

  get isIdle(): boolean {
    return this.frames.size === 0 && this.timers.size === 0;
  }
}

let time: BrowserTime;
beforeEach(() => {
  time = new BrowserTime();
  mock.method(performance, "now", () => time.nowMs);
  mock.method(globalThis, "setTimeout", (run: () => void, afterMs: number) => time.setTimer(run, afterMs));
  mock.method(globalThis, "clearTimeout", (id: number) => time.timers.delete(id));
  Reflect.set(globalThis, "requestAnimationFrame", (run: () => void) => time.askFrame(run));
  Reflect.set(globalThis, "cancelAnimationFrame", (id: number) => time.frames.delete(id));
});
afterEach(() => {
  mock.restoreAll();
  for (const name of ["requestAnimationFrame", "cancelAnimationFrame"]) Reflect.deleteProperty(globalThis, name);
});

interface Draw {
  readonly value: number;
  readonly atMs: number;
}

/** A panel that shows one number, and the numbers that it has drawn. */
function panel(everyMs?: number) {
  let isWatched = false;
  const number = signal(0, { watched: () => (isWatched = true), unwatched: () => (isWatched = false) });
  const draws: Draw[] = [];
  const end = drawPaced(() => draws.push({ value: number.value, atMs: time.nowMs }), everyMs);
  return { number, draws, end, isWatched: () => isWatched };
}

test("the first value is drawn at once, without a frame or a timer", () => {
  const { draws, isWatched } = panel();
  assert.deepEqual(draws, [{ value: 0, atMs: 5_000 }]);
  assert.ok(isWatched(), "changes are heard of");
  assert.ok(time.isIdle, "nothing is planned while nothing changes");
});

test("100 changes in a second are drawn at most ten times and once at first, the newest last", () => {
  const { number, draws } = panel();
  for (let change = 1; change <= 100; change++) {
    time.pass(10);
    number.value = change;
    assert.ok(time.frames.size + time.timers.size <= 1, "one draw is planned, however much has changed");
  }
  time.pass(1_000);
  assert.ok(draws.length <= 11, `${draws.length} draws`);
  assert.ok(draws.length >= 9, `no more than a frame is lost each time: ${draws.length} draws`);
  assert.equal(draws.at(-1)?.value, 100);
  draws.slice(1).forEach(({ atMs }, before) => {
    assert.ok(atMs - (draws[before] as Draw).atMs >= 100, `drawn ${JSON.stringify(draws)}`);
    assert.equal(atMs % FRAME_MS, 0, "in a frame");
  });
  assert.ok(time.isIdle);
});

test("another interval is respected", () => {
  const { number, draws } = panel(500);
  for (let change = 1; change <= 100; change++) {
    time.pass(10);
    number.value = change;
  }
  time.pass(1_000);
  assert.deepEqual(
    draws.map(({ value }) => value),
    [0, 50, 100],
  );
});

test("after a pause a change is drawn with the next frame, and several changes of one frame once", () => {
  const { number, draws } = panel();
  time.pass(1_000);
  for (const value of [1, 2, 3]) number.value = value;
  assert.equal(draws.length, 1, "not within the change");
  time.pass(FRAME_MS);
  assert.deepEqual(
    draws.map(({ value }) => value),
    [0, 3],
  );
});

test("a signal that is first read in a later drawing is followed from then on", () => {
  const isWhole = signal(false);
  const more = signal("a");
  const drawn: string[] = [];
  drawPaced(() => drawn.push(isWhole.value ? more.value : ""));
  more.value = "b";
  assert.ok(time.isIdle, "nobody reads it yet");
  isWhole.value = true;
  time.pass(200);
  more.value = "c";
  time.pass(200);
  assert.deepEqual(drawn, ["", "b", "c"]);
});

const MOMENTS: readonly (readonly [when: string, comesTo: (number: { value: number }) => void])[] = [
  ["nothing is planned", () => undefined],
  ["a timer runs", (number) => (number.value = 1)],
  ["a frame is asked for", (number) => time.pass(1_000) ?? (number.value = 1)],
  [
    "the frame after a timer is asked for",
    (number) => {
      number.value = 1;
      // The timer's millisecond, between two frames.
      time.pass(100);
    },
  ],
];

for (const [when, comesTo] of MOMENTS) {
  test(`stopped while ${when}: no frame, timer or subscription is left`, () => {
    const { number, draws, end, isWatched } = panel();
    comesTo(number);
    const { length } = draws;
    end();
    assert.ok(time.isIdle);
    assert.equal(isWatched(), false);
    number.value = 9;
    assert.ok(time.isIdle, "a later change plans nothing");
    time.pass(1_000);
    assert.equal(draws.length, length);
  });
}
