/** Metrics of the last hour: rates, quantiles, gaps, and bounded memory. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Histogram } from "../../../src/platform/observe/histogram.ts";
import { HOUR_LIMITS, LastHour } from "../../../src/platform/observe/last-hour.ts";
import { Metrics } from "../../../src/platform/observe/metrics.ts";

const { periodMs, maxSamples } = HOUR_LIMITS;

class Bench {
  readonly metrics = new Metrics();
  readonly disk: { last: { freeBytes: number } | null; look(): void } = { last: null, look: () => {} };
  nowMs = 0;
  #task = (): void => {};
  #isStopped = false;
  readonly hour: LastHour;

  constructor() {
    const every = (_: number, task: () => void): (() => void) => {
      this.#task = task;
      return () => (this.#isStopped = true);
    };
    const clock = { nowMs: () => 5, steadyMs: () => this.nowMs, every };
    this.hour = new LastHour({ metrics: this.metrics, disk: this.disk, clock });
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  pass(ms = periodMs): void {
    this.nowMs += ms;
    this.#task();
  }

  of(name: string): readonly (number | null)[] {
    const figure = this.hour.figures().find((one) => one.name === name);
    assert.ok(figure !== undefined, name);
    assert.equal(figure.now, figure.hour.at(-1) ?? null);
    return figure.hour;
  }
}

test("rates and quantiles cover the time between two samples", () => {
  const bench = new Bench();
  assert.deepEqual(bench.of("requestsPerSecond"), []);
  for (let n = 0; n < 40; n++) bench.metrics.requestDone(n < 30 ? "order.place" : "depth", n < 20 ? 200 : 400, 1);
  bench.metrics.requestDone("orderList.place.oco", 200, 1);
  bench.metrics.batchCommitted(50, 0.2);
  bench.pass();
  for (let n = 0; n < 100; n++) bench.metrics.batchCommitted(1, n < 98 ? 2 : 400);
  bench.pass(periodMs / 2);
  bench.pass();
  assert.deepEqual(bench.of("requestsPerSecond"), [4.1, 0, 0]);
  assert.deepEqual(bench.of("ordersPerSecond"), [2.1, 0, 0]);
  assert.deepEqual(bench.of("commandsPerSecond"), [5, 20, 0]);
  const [first, second, third] = bench.of("commitP50") as [number, number, null];
  assert.ok(first > 0.1 && first <= 0.25, `${first}`);
  assert.ok(second > 1 && second <= 2.5, `${second}`);
  assert.equal(third, null, "there was no commit");
  const [, slow] = bench.of("commitP99") as number[];
  assert.ok(slow !== undefined && slow > 100 && slow <= 500, `${slow}`);
});

test("gauges of other parts are read when a sample is taken; without a part there is no value", () => {
  const bench = new Bench();
  bench.pass();
  bench.metrics.gauge("pricetime_sockets_open", "h", () => 7);
  bench.disk.last = { freeBytes: 12 };
  bench.pass();
  assert.deepEqual(bench.of("streams"), [null, 7]);
  assert.deepEqual(bench.of("diskFreeBytes"), [null, 12]);
  assert.ok((bench.of("memoryBytes")[0] ?? 0) > 1e6);
  bench.metrics.forgetParts();
  bench.pass();
  assert.deepEqual(bench.of("streams"), [null, 7, null]);
  bench.hour.stop();
  assert.ok(bench.isStopped);
});

test("only an hour is kept, and periods of sleep are gaps", () => {
  const bench = new Bench();
  for (let n = 1; n <= maxSamples + 3; n++) {
    bench.metrics.batchCommitted(n * 10, 1);
    bench.pass();
  }
  const hour = bench.of("commandsPerSecond");
  assert.equal(hour.length, maxSamples);
  assert.deepEqual([hour[0], hour.at(-1)], [4, maxSamples + 3]);
  bench.metrics.batchCommitted(40, 1);
  bench.pass(4 * periodMs);
  assert.deepEqual(bench.of("commandsPerSecond").slice(-5), [maxSamples + 3, null, null, null, 1]);
  bench.pass(1000 * maxSamples * periodMs);
  assert.deepEqual(
    bench.of("commandsPerSecond").filter((sample) => sample !== null),
    [0],
  );
});

test("a quantile lies within the bounds of the observed values", () => {
  const histogram = new Histogram([1, 2, 4]);
  const nothing = histogram.counts();
  assert.ok(Number.isNaN(histogram.quantileSince(nothing, 0.5)));
  for (const value of [0.5, 1.5, 1.5, 3]) histogram.observe(value);
  assert.equal(histogram.quantileSince(nothing, 0.25), 1);
  assert.equal(histogram.quantileSince(nothing, 0.5), 1.5);
  assert.equal(histogram.quantileSince(nothing, 0.75), 2);
  assert.equal(histogram.quantileSince(nothing, 1), 4);
  histogram.observe(100);
  assert.equal(histogram.quantileSince(nothing, 1), 4, "above the last bound nobody knows");
});

test("unavailable memory figures are a gap and do not stop the node", (t) => {
  const bench = new Bench();
  const rss = t.mock.method(process.memoryUsage, "rss", () => {
    throw new Error("EMFILE: too many open files, uv_resident_set_memory");
  });
  bench.pass();
  rss.mock.restore();
  bench.pass();
  const [gap, now] = bench.of("memoryBytes");
  assert.equal(gap, null);
  assert.ok(now !== null && now !== undefined && now > 0);
});
