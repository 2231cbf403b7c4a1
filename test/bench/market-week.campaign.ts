/** A week of BTCUSDT with its books and orders: what it tells up to an hour lies where real markets do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { figuresOf, isJudged, outside } from "../../bench/demo-market/figures.ts";
import { record } from "../../bench/demo-market/recording.ts";

const WEEK_HOURS = 7 * 24;
const HOUR_MS = 3_600_000;
/** A Monday. */
const FROM_MS = Date.parse("2026-01-12T00:00:00Z");
const WARM_UP_MS = 60_000;
/** Every figure with a band that does not need a month. */
const JUDGED = 57;

test("a week of BTCUSDT at once, as in a lab: what a week can tell lies within its bands", async (t) => {
  const recording = await record({
    ...{ seed: 1, symbols: ["BTCUSDT"], startMs: FROM_MS - WARM_UP_MS, warmUpMs: WARM_UP_MS },
    durationMs: WEEK_HOURS * HOUR_MS,
  });
  assert.deepEqual([recording.refused, recording.errors], [[], []]);
  const market = recording.symbols.get("BTCUSDT") ?? assert.fail("BTCUSDT is of the demo");
  const figures = figuresOf(recording, market).filter(({ leastHours }) => leastHours <= WEEK_HOURS);
  t.diagnostic(figures.map(({ name, value }) => `${name}: ${value.toFixed(3)}`).join("; "));
  assert.deepEqual(outside(figures), []);
  assert.equal(figures.filter(isJudged).length, JUDGED);
  const perSecond = recording.commands / ((recording.toMs - recording.fromMs) / 1000);
  assert.ok(perSecond < 17, `${perSecond} commands a second`);
});
