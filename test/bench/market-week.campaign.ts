/** BTCUSDT over a simulated week: what it tells up to an hour lies where real markets do, or is known not to. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { figuresOf, isJudged, priceFigures } from "../../bench/demo-market/figures.ts";
import { contradictions, judge, type Judged } from "../../bench/demo-market/judge.ts";
import { record } from "../../bench/demo-market/recording.ts";
import { marketValues, quarterOfValues } from "../../bench/demo-market/value-prices.ts";

const SYMBOL = "BTCUSDT";
const WEEK_HOURS = 7 * 24;
const HOUR_MS = 3_600_000;
const HOUR_S = 3600;
/** A Monday. */
const FROM_MS = Date.parse("2026-01-12T00:00:00Z");
const WARM_UP_MS = 60_000;
/** Every figure with a band that does not need a month: of the week, and of the quarter. */
const JUDGED = { ofWeek: 47, ofQuarter: 28 };
/** A price is its value and the noise of a book whose spread is a hundredth of a basis point. */
const MOST_APART_BPS = 1;

const said = (rows: readonly Judged[]): string =>
  rows.map(({ row, value }) => `${row.name}: ${value.toFixed(3)}`).join("; ");
const countOf = (rows: readonly Judged[]): number => rows.filter(({ row }) => isJudged(row)).length;

/**
 * The figures follow from the seed and the code. CI sets MARKET_WEEK=off and checks only the bytes of a market's first
 * minute, so run this file after a change to the market's values or bots.
 */
const skip =
  process.env["MARKET_WEEK"] === "off" && "test/lab/golden-bytes.campaign.ts checks the first minute of the market";

test("a week of BTCUSDT at once, as in a lab: what a week can tell lies within its bands, but for what is known to miss them", {
  skip,
}, async (t) => {
  const recording = await record({
    ...{ seed: 1, symbols: [SYMBOL], startMs: FROM_MS - WARM_UP_MS, warmUpMs: WARM_UP_MS },
    durationMs: WEEK_HOURS * HOUR_MS,
  });
  assert.deepEqual([recording.refused, recording.errors], [[], []]);
  const market = recording.symbols.get(SYMBOL) ?? assert.fail("BTCUSDT is of the demo");
  const values = marketValues(SYMBOL, 1, FROM_MS - WARM_UP_MS, FROM_MS, WEEK_HOURS * HOUR_S);
  const ofQuarter = new Set(
    priceFigures(values, FROM_MS)
      .filter(({ isOfMean }) => isOfMean)
      .map(({ name }) => name),
  );
  const figures = figuresOf(recording, market).filter(({ leastHours }) => leastHours <= WEEK_HOURS);
  const rows = judge([figures.filter(({ name }) => !ofQuarter.has(name))]);
  t.diagnostic(said(rows));
  assert.deepEqual(contradictions(rows), []);
  assert.equal(countOf(rows), JUDGED.ofWeek);
  // So the quarter below tells of this market's prices.
  const apart = values.map((value, second) => Math.abs(Math.log((market.prices[second] ?? 0) / value)));
  const typical = apart.toSorted((a, b) => a - b)[apart.length >> 1] ?? Number.NaN;
  assert.ok(1e4 * typical < MOST_APART_BPS, `${1e4 * typical} basis points`);
  const perSecond = recording.commands / ((recording.toMs - recording.fromMs) / 1000);
  assert.ok(perSecond < 52, `${perSecond} commands a second`);
});

test("thirteen weeks of thirteen seeds, as the value of BTC to which prices keep: returns to an hour lie within their bands, as those of a real quarter", {
  skip,
}, (t) => {
  const rows = judge([priceFigures(quarterOfValues(SYMBOL, FROM_MS), FROM_MS)]);
  t.diagnostic(said(rows));
  assert.deepEqual(contradictions(rows), []);
  assert.equal(countOf(rows), JUDGED.ofQuarter);
});
