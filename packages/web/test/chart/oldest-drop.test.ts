/** A chart with too many candles drops its oldest ones, in several tasks. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import type { Time } from "lightweight-charts";
import { BETWEEN_CUTS_MS, type Cuttable, OldestDrop } from "../../src/chart/candles.ts";

type Point = { readonly time: Time };

const HELD = [1, 2, 3, 4, 5];
/** In seconds, as the library's times. */
const KEPT_FROM = 3;
const KEPT = [3, 4, 5];

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

class Drawn implements Cuttable {
  times: number[];
  draws = 0;

  constructor(times = HELD) {
    this.times = [...times];
  }

  data(): readonly Point[] {
    return this.times.map((time) => ({ time: time as Time }));
  }

  setData(data: Point[]): void {
    this.times = data.map(({ time }) => Number(time));
    this.draws++;
  }
}

function open(series: Drawn[]) {
  const held = { isOver: true, keptFromMs: KEPT_FROM * 1000, dropOldest: () => void (held.isOver = false) };
  const told = mock.fn(() => assert.ok(!held.isOver));
  const drop = new OldestDrop(held, () => series, told);
  /** Runs the next task and returns the number of series that it drew. */
  const task = (): number => {
    const before = series.reduce((sum, { draws }) => sum + draws, 0);
    mock.timers.tick(BETWEEN_CUTS_MS);
    return series.reduce((sum, { draws }) => sum + draws, 0) - before;
  };
  return { held, drop, task, tellings: () => told.mock.callCount() };
}

test("each task draws one series, and the last one also drops the stored candles", () => {
  const series = [new Drawn(), new Drawn(), new Drawn()];
  const { held, drop, task, tellings } = open(series);
  drop.begin();
  assert.equal(series[0]?.draws, 0, "not in the task that brought the candle");
  for (const one of series) {
    assert.ok(held.isOver);
    assert.equal(tellings(), 0);
    drop.begin();
    assert.equal(task(), 1);
    assert.deepEqual(one.times, KEPT);
  }
  assert.ok(!held.isOver);
  assert.equal(tellings(), 1);
  assert.equal(task(), 0);
});

test("nothing is dropped below the limit", () => {
  const { held, drop, task } = open([new Drawn()]);
  held.isOver = false;
  drop.begin();
  drop.again();
  assert.equal(task(), 0);
});

test("a candle that arrives meanwhile stays, and a line that is added meanwhile is cut as well", () => {
  const series = [new Drawn(), new Drawn()];
  const { held, drop, task } = open(series);
  drop.begin();
  task();
  for (const one of series) one.times.push(6);
  series.splice(1, 0, new Drawn([1, 6]));
  task();
  assert.ok(held.isOver);
  task();
  assert.deepEqual(
    series.map(({ times }) => times),
    [[...KEPT, 6], [6], [...KEPT, 6]],
  );
  assert.ok(!held.isOver);
});

test("series that are redrawn meanwhile are cut again", () => {
  const series = [new Drawn(), new Drawn()];
  const { held, drop, task } = open(series);
  drop.begin();
  task();
  series[0]?.setData(new Drawn().data() as Point[]);
  drop.again();
  task();
  assert.ok(held.isOver);
  task();
  assert.ok(!held.isOver);
  assert.deepEqual(series[0]?.times, KEPT);
});

test("nothing happens to a closed chart", () => {
  const { held, drop, task } = open([new Drawn()]);
  drop.begin();
  drop.close();
  assert.equal(task(), 0);
  assert.ok(held.isOver);
});
