import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Allowance } from "../../../src/lab/demo/bots/bot-accounts.ts";
import { Arrivals, Intentions, planSweep, planTake } from "../../../src/lab/demo/bots/taker.ts";
import { AssetValues } from "../../../src/lab/demo/bots/asset-values.ts";
import { STEP_MS, walkingAssets } from "../../../src/lab/demo/bots/traders.ts";
import {
  cellsOf,
  type Grid,
  gridOf,
  lotsFor,
  priceText,
  quantityText,
  roundedLots,
} from "../../../src/lab/demo/bots/orders.ts";
import {
  binOf,
  inTheWay,
  ladderOf,
  type MakerView,
  NEAR_LEVELS,
  planQuotes,
} from "../../../src/lab/demo/bots/maker.ts";
import { Random } from "../../../src/lab/demo/bots/random.ts";
import { TopOfBook } from "../../../src/lab/demo/bots/near-maker.ts";
import { volumeFactor } from "../../../src/lab/demo/bots/volatility.ts";
import { DEMO_MARKETS, usualOrder } from "../../../src/lab/demo/markets.ts";
import { NOTHING_SAVED } from "../../../src/platform/world/port.ts";

const NOON_MS = Date.parse("2026-01-14T12:00:00Z");
const DAY_STEPS = 86_400_000 / STEP_MS;
const valuesOf = (seed: number): AssetValues => new AssetValues(walkingAssets(), seed, STEP_MS, NOTHING_SAVED);
const markets = DEMO_MARKETS.map((market) => {
  const { baseAsset, quoteAsset } = market.spec;
  const mid = valuesOf(1).price(baseAsset, quoteAsset);
  const grid = gridOf(market.spec) ?? assert.fail();
  const meanNotional = usualOrder(market);
  const sizes = { depth: market.dailyVolume * 0.004, meanNotional, minNotional: 0 };
  return { ...market, grid, mid, ladder: ladderOf(grid, mid, market.isDense), sizes };
});
const btcusdt = markets[0] ?? assert.fail();
/** A spread of a tick. */
const TICK = { usual: 0, times: 1, least: 0 };
const anyMarket = fc.constantFrom(...markets);
const anySeed = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

test("chance is the same for the same seed and name, another for others", () => {
  const draw = (seed: number, name: string): number[] => {
    const random = new Random(seed, name, NOTHING_SAVED);
    return Array.from({ length: 20 }, () => random.next());
  };
  assert.deepEqual(draw(1, "a"), draw(1, "a"));
  assert.notDeepEqual(draw(1, "a"), draw(2, "a"));
  assert.notDeepEqual(draw(1, "a"), draw(1, "b"));
  assert.notDeepEqual(draw(1, "a"), draw(1 + 2 ** 32, "a"));
});

test("chance is even between 0 and 1, and normal where it should be", () => {
  const random = new Random(7, "x", NOTHING_SAVED);
  const drawn = Array.from({ length: 20_000 }, () => random.next());
  assert.ok(drawn.every((value) => value >= 0 && value < 1));
  assert.ok(Math.abs(drawn.reduce((sum, value) => sum + value, 0) / drawn.length - 0.5) < 0.01);
  const normal = Array.from({ length: 20_000 }, () => random.normal());
  const mean = normal.reduce((sum, value) => sum + value, 0) / normal.length;
  const variance = normal.reduce((sum, value) => sum + (value - mean) ** 2, 0) / normal.length;
  assert.ok(Math.abs(mean) < 0.03 && Math.abs(variance - 1) < 0.05, `${mean} ${variance}`);
});

test("values live but stay near where they began, for two months", () => {
  const stepMs = 10_000;
  const values = new AssetValues(walkingAssets(), 5, stepMs, NOTHING_SAVED);
  const start = values.price("BTC", "USDT");
  let [low, high] = [start, start];
  for (let ms = 0; ms < 60 * 86_400_000; ms += stepMs) {
    values.step(NOON_MS + ms);
    const price = values.price("BTC", "USDT");
    low = Math.min(low, price);
    high = Math.max(high, price);
  }
  assert.ok(low < start * 0.98 && high > start * 1.02, `it hardly moved: ${low} to ${high}`);
  assert.ok(low > start * 0.8 && high < start * 1.25, `it ran away: ${low} to ${high}`);
});

test("a step never moves a value so far that quotes cannot follow, and coins move together", () => {
  const values = valuesOf(3);
  const pairs: [number, number][] = [];
  let [btc, eth] = [values.price("BTC", "USDT"), values.price("ETH", "USDT")];
  for (let step = 0; step < DAY_STEPS / 2; step++) {
    values.step(NOON_MS);
    const [nextBtc, nextEth] = [values.price("BTC", "USDT"), values.price("ETH", "USDT")];
    assert.ok(Math.abs(nextBtc / btc - 1) < 0.005, `${btc} to ${nextBtc}`);
    pairs.push([Math.log(nextBtc / btc), Math.log(nextEth / eth)]);
    [btc, eth] = [nextBtc, nextEth];
  }
  const sum = (of: (pair: readonly [number, number]) => number): number =>
    pairs.reduce((total, pair) => total + of(pair), 0);
  const together = sum(([x, y]) => x * y) / Math.sqrt(sum(([x]) => x * x) * sum(([, y]) => y * y));
  assert.ok(together > 0.65 && together < 0.9, `${together}`);
});

test("cross rates agree, and a restart goes on from the last prices", () => {
  const values = valuesOf(5);
  values.anchor("BTC", "BTC", "USDT", 61_000);
  values.anchor("ETH", "ETH", "BTC", 0.049);
  values.anchor("IDR", "BTC", "IDR", 970_000_000);
  const near = (value: number, wanted: number): void => assert.ok(Math.abs(value / wanted - 1) < 1e-9, `${value}`);
  near(values.price("BTC", "USDT"), 61_000);
  near(values.price("ETH", "USDT"), 61_000 * 0.049);
  near(values.price("BTC", "IDR"), 970_000_000);
  values.anchor("BTC", "BTC", "USDT", 1);
  assert.ok(values.price("BTC", "USDT") > 40_000, "a last price out of the world was believed");
});

test("a day is busiest when New York opens, and a week on Monday", () => {
  const at = (time: string): number => volumeFactor(Date.parse(time));
  const hours = Array.from({ length: 24 }, (_, hour) => at(`2026-01-14T${String(hour).padStart(2, "0")}:30:00Z`));
  assert.equal(hours.indexOf(Math.max(...hours)), 14);
  assert.equal(hours.indexOf(Math.min(...hours)), 5);
  assert.ok(at("2026-01-12T12:30:00Z") > at("2026-01-17T12:30:00Z") * 2);
  let sum = 0;
  for (let hour = 0; hour < 7 * 24; hour++) sum += volumeFactor(NOON_MS + hour * 3_600_000);
  assert.ok(Math.abs(sum / (7 * 24) - 1) < 0.02, `the average is ${sum / (7 * 24)}`);
});

test("takers come in bursts, as many as they should on average", () => {
  const arrivals = new Arrivals({ seed: 1, name: "a", perStep: 0.5, most: 8, stepMs: STEP_MS, saved: NOTHING_SAVED });
  const counts = Array.from({ length: 80_000 }, () => arrivals.next(1));
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  assert.ok(mean > 0.4 && mean < 0.6, `${mean}`);
  const tens = Array.from({ length: counts.length / 40 }, (_, i) =>
    counts.slice(i * 40, i * 40 + 40).reduce((sum, count) => sum + count, 0),
  );
  const variance = tens.reduce((sum, count) => sum + (count - mean * 40) ** 2, 0) / tens.length;
  assert.ok(variance > 3 * mean * 40, `${variance} of ${mean * 40} is no more than chance`);
  assert.ok(Math.max(...counts) <= 8);
});

test("a buy is followed by buys, and both sides come", () => {
  const intentions = new Intentions(1, "i", NOTHING_SAVED);
  const sides = Array.from({ length: 20_000 }, () => (intentions.next() === "BUY" ? 1 : -1));
  const acf = (lag: number): number =>
    sides.slice(lag).reduce<number>((sum, side, index) => sum + side * (sides[index] ?? 0), 0) / sides.length;
  assert.ok(acf(1) > 0.3 && acf(10) > 0.1 && acf(1) > acf(10), `${acf(1)} ${acf(10)}`);
  assert.ok(Math.abs(sides.reduce<number>((sum, side) => sum + side, 0)) < sides.length * 0.25);
});

test("bins grow with their distance, and each holds a tick", () => {
  for (const { ladder, spec, isDense } of markets) {
    assert.ok(isDense ? ladder.levels > NEAR_LEVELS : ladder.levels === NEAR_LEVELS, spec.symbol);
    for (let bin = 0; bin < ladder.levels; bin++) {
      const [from = 0, to = 0] = ladder.bounds.slice(bin, bin + 2);
      assert.ok(from >= 1 && to > from, `${spec.symbol} ${from} ${to}`);
      assert.deepEqual([binOf(ladder, from), binOf(ladder, to - 1), binOf(ladder, to)], [bin, bin, bin + 1]);
    }
    assert.equal(binOf(ladder, 0), -1);
  }
});

test("where a market is dense and its tick is fine, quotes next to the price are small, and others are not", () => {
  const dense = markets.filter(({ isDense }) => isDense);
  assert.deepEqual(
    dense.map(({ spec }) => spec.symbol),
    ["BTCUSDT"],
  );
  for (const { ladder } of markets) assert.equal(ladder.smallLevels > 0, ladder.smallCells > 0);
  const coarse = ladderOf({ ...btcusdt.grid, tick: 100 }, btcusdt.mid, true);
  assert.deepEqual([coarse.levels, coarse.smallCells], [NEAR_LEVELS, 0]);
  const { open, best } = follow(btcusdt, { looks: 200, seed: 3, moveCells: 0 });
  const [small, large] = [true, false].map((wanted) =>
    [...open.values()]
      .filter(({ ticks }) => best - ticks / btcusdt.grid.tick < btcusdt.ladder.smallCells === wanted)
      .map(({ lots }) => lots)
      .toSorted((a, b) => a - b),
  );
  const median = (lots: readonly number[] = []): number => lots[lots.length >> 1] ?? Number.NaN;
  assert.ok((small ?? []).length > 12, `${small?.length}`);
  const average = btcusdt.sizes.meanNotional / btcusdt.mid;
  assert.ok(median(small) / 10 ** btcusdt.grid.quantityDecimals < average / 3, `${median(small)}`);
  assert.ok(median(large) > 10 * median(small), `${median(large)} beside ${median(small)}`);
});

test("makers live within a second's orders and a day's, and keep what they do not use, within bounds", () => {
  for (const [accounts, lookMs] of [
    [1, 2000],
    [1, 1000],
    [4, 500],
    [14, 500],
  ] as const) {
    const allowance = new Allowance(accounts, lookMs, "allowance", NOTHING_SAVED);
    const first = allowance.most("first", Number.MAX_SAFE_INTEGER);
    assert.ok(first >= 4 && first <= 10 * accounts, `${first}`);
    allowance.use(first);
    let placed = first;
    for (let ms = 0; ms < 86_400_000; ms += lookMs) {
      const most = allowance.most("filling", lookMs);
      // However uneven: of steps that are 0.6 times as far apart, a second has no more than an account may place.
      assert.ok(most * Math.ceil(1000 / (0.6 * lookMs)) <= 10 * accounts, `${most} in a look`);
      allowance.use(most);
      placed += most;
    }
    assert.ok(placed > 60_000 * accounts && placed < 90_000 * accounts, `${placed} in a day`);
    for (let ms = 0; ms < 86_400_000; ms += lookMs) allowance.most("standing", lookMs);
    let burst = 0;
    for (let most = 1; most > 0; burst += most) {
      most = allowance.most("standing", 0);
      allowance.use(most);
    }
    assert.ok(burst <= 100 * accounts, `${burst} were kept`);
  }
});

test("the best quotes stand around the value, a tick or a few apart, and follow it at a distance", () => {
  const top = new TopOfBook(1, "t", NOTHING_SAVED);
  const spreads: number[] = [];
  for (let value = 6_000_000.3; value < 6_200_000; value += 100) {
    const { bid, ask } = top.follow(value, 50, TICK);
    spreads.push(ask - bid);
    assert.ok(bid <= value && ask >= value - 12 && ask - bid >= 1 && ask - bid <= 13, `${bid} ${value} ${ask}`);
  }
  assert.ok(spreads.filter((spread) => spread === 1).length > spreads.length * 0.7);
  const { bid, ask } = top.follow(7_000_000.5, 50, TICK);
  assert.deepEqual(top.follow(7_000_040, 50, TICK), { bid, ask }, "it is patient");
  assert.notDeepEqual(top.follow(7_000_060, 50, TICK), { bid, ask });
  const coarse = new TopOfBook(1, "t", NOTHING_SAVED);
  assert.deepEqual(coarse.follow(150.4, 0.1, TICK), { bid: 150, ask: 151 });
  assert.deepEqual(coarse.follow(0.2, 0.1, TICK), { bid: 1, ask: 2 }, "no price is nothing");
});

test("quantities are whole steps, and round ones are round", () => {
  for (const { grid, mid, spec, dailyVolume } of markets) {
    const lots = lotsFor(grid, dailyVolume / 100_000, mid);
    assert.equal(lots % grid.step, 0);
    const round = roundedLots(grid, lots, 1);
    assert.equal(round % grid.step, 0);
    assert.match(String(round), /^\d0*$/, spec.symbol);
    assert.ok(Number(priceText(grid, Math.floor(cellsOf(grid, mid)) * grid.tick)) <= mid);
  }
  const tiny = { ...btcusdt.grid, maxLots: 7 } as Grid;
  assert.equal(lotsFor(tiny, 1e9, 1), 7);
  assert.equal(lotsFor(tiny, 0, 1), tiny.minLots);
  assert.equal(roundedLots(tiny, 0.2, 1), tiny.minLots);
});

interface Standing {
  readonly ticks: number;
  readonly lots: number;
}

/** Follows a maker's plans, with nobody else in the market, while the price rises by `moveCells` per step. */
function follow(
  { grid, ladder, mid, sizes }: (typeof markets)[number],
  { looks, seed, moveCells }: { looks: number; seed: number; moveCells: number },
): { open: Map<number, Standing>; best: number; placed: number[]; plans: string[] } {
  const random = new Random(seed, "maker", NOTHING_SAVED);
  const open = new Map<number, Standing>();
  const plans: string[] = [];
  const placed: number[] = [];
  let nextId = 1;
  let best = Math.floor(cellsOf(grid, mid));
  for (let look = 0; look < looks; look++) {
    best += moveCells;
    const orders = [...open].map(([orderId, quote]) => ({ orderId, ...quote }));
    const maxPlaced = open.size === 0 ? 6 : 2;
    const view: MakerView = {
      grid,
      ladder,
      side: "BUY",
      best,
      midPrice: mid,
      ...sizes,
      open: orders,
      maxPlaced,
    };
    const plan = planQuotes(view, random);
    plans.push(JSON.stringify(plan));
    for (const orderId of plan.cancel) assert.ok(open.delete(orderId), "cancelled twice");
    for (const quote of plan.place) {
      assert.ok(quote.ticks <= best * grid.tick && quote.ticks > 0 && quote.ticks % grid.tick === 0);
      open.set(nextId++, quote);
    }
    placed.push(plan.place.length);
  }
  return { open, best, placed, plans };
}

test("a maker fills its side and keeps a best quote", () => {
  for (const market of markets) {
    const { open, best, placed } = follow(market, { looks: 200, seed: 3, moveCells: 0 });
    assert.ok(
      open.size >= market.ladder.levels - 2 && open.size <= 2 * market.ladder.levels + 2,
      `${market.spec.symbol} ${open.size}`,
    );
    assert.ok([...open.values()].some(({ ticks }) => ticks === best * market.grid.tick));
    assert.ok(Math.max(...placed.slice(1)) <= 2 && (placed[0] ?? 0) <= 6);
    const sum = (lots: readonly number[]): number => lots.reduce((total, one) => total + one, 0);
    const later = placed.slice(40);
    assert.ok(sum(later) / later.length < 0.5, "too restless");
  }
});

test("a book is deeper farther out", () => {
  const near: number[] = [];
  const far: number[] = [];
  for (let seed = 0; seed < 10; seed++) {
    const { open, best } = follow(btcusdt, { looks: 100, seed, moveCells: 0 });
    for (const { ticks, lots } of open.values()) {
      (binOf(btcusdt.ladder, best - ticks / btcusdt.grid.tick) < btcusdt.ladder.levels / 2 ? near : far).push(lots);
    }
  }
  const sum = (lots: readonly number[]): number => lots.reduce((total, one) => total + one, 0);
  assert.ok(sum(far) > 5 * sum(near), `${sum(near)} ${sum(far)}`);
  assert.ok(near.length > far.length / 2, "dense near the price");
});

test("a maker follows a price that rises, and leaves nothing too far behind", () => {
  const { open, best } = follow(btcusdt, { looks: 400, seed: 3, moveCells: 500 });
  const distances = [...open.values()].map(({ ticks }) => best - ticks / btcusdt.grid.tick);
  assert.equal(Math.min(...distances), 0);
  assert.ok(Math.max(...distances) <= (btcusdt.ladder.bounds.at(-1) ?? 0) * 1.3);
  assert.ok(open.size >= NEAR_LEVELS / 2, `${open.size}`);
});

test("what stands in the way of the other side goes first, the best first", () => {
  const { grid, ladder, mid, sizes } = btcusdt;
  const best = Math.floor(cellsOf(grid, mid));
  const open = [5, -3, 12, 0].map((beyond, i) => ({ orderId: i + 1, ticks: (best + beyond) * grid.tick, lots: 9 }));
  const view: MakerView = { grid, ladder, side: "BUY", best, midPrice: mid, ...sizes, open, maxPlaced: 2 };
  const stale = inTheWay(open, view).map(({ orderId }) => orderId);
  assert.deepEqual(stale, [3, 1]);
  assert.deepEqual(planQuotes(view, new Random(1, "m", NOTHING_SAVED)).cancel.slice(0, 2), [3, 1]);
  const asks = inTheWay(open, { ...view, side: "SELL" }).map(({ orderId }) => orderId);
  assert.deepEqual(asks, [2]);
});

test("the same seed decides the same", () => {
  const plans = (seed: number): string[] => follow(btcusdt, { looks: 50, seed, moveCells: 40 }).plans;
  assert.deepEqual(plans(3), plans(3));
  assert.notDeepEqual(plans(3), plans(4));
});

test("takers' orders are many small ones and a few large, within the filters", () => {
  fc.assert(
    fc.property(anyMarket, anySeed, fc.constantFrom("BUY", "SELL"), ({ grid, mid, spec, ...market }, seed, side) => {
      const random = new Random(seed, "taker", NOTHING_SAVED);
      const minNotional = 1.2 * Number(spec.filters.minNotional?.minNotional);
      const meanNotional = usualOrder(market);
      const opposite = Math.floor(cellsOf(grid, mid));
      const view = { grid, side, opposite, midPrice: mid, meanNotional, minNotional, isFirstTrade: false } as const;
      const orders = Array.from({ length: 300 }, () => planTake(view, random));
      const most = Number(spec.filters.marketLotSize?.maxQty);
      const worths = orders.map(({ lots }) => Number(quantityText(grid, lots)) * mid).toSorted((a, b) => a - b);
      assert.ok((worths[0] ?? 0) >= minNotional * 0.999, `${spec.symbol} ${worths[0]}`);
      assert.ok((worths[150] ?? 0) * 3 < meanNotional * 2, `${spec.symbol}: half of all are large`);
      assert.ok((worths.at(-1) ?? 0) <= meanNotional * 320, spec.symbol);
      for (const { lots, limitTicks } of orders) {
        assert.ok(limitTicks > 0 || Number(quantityText(grid, lots)) <= most, spec.symbol);
        const reaches = side === "BUY" ? limitTicks >= opposite * grid.tick : limitTicks <= opposite * grid.tick;
        assert.ok(limitTicks === 0 || reaches);
      }
    }),
    { numRuns: 40 },
  );
});

test("the first trade of all is a limit that reaches the other side", () => {
  for (const { grid, mid } of markets) {
    for (const side of ["BUY", "SELL"] as const) {
      const opposite = Math.floor(cellsOf(grid, mid)) + (side === "BUY" ? 1 : 0);
      const view = { grid, side, opposite, midPrice: mid, meanNotional: 1000 * mid, minNotional: 0 };
      const { limitTicks } = planTake({ ...view, isFirstTrade: true }, new Random(1, "t", NOTHING_SAVED));
      assert.ok(
        side === "BUY" ? limitTicks > opposite * grid.tick : limitTicks < opposite * grid.tick && limitTicks > 0,
      );
    }
  }
});

test("a sweep takes whole quotes, the best first, to the price of the last, and no more than it can pay", () => {
  const { grid, mid } = btcusdt;
  const best = Math.floor(cellsOf(grid, mid)) * grid.tick;
  const stale = [0, 1, 2].map((at) => ({ orderId: at + 1, side: "SELL" as const, ticks: best + at, lots: 1000 }));
  const worth = (lots: number): number => (lots / 10 ** grid.quantityDecimals) * mid;
  const seen = new Set<number>();
  for (let seed = 0; seed < 200; seed++) {
    const view = { grid, midPrice: mid, meanNotional: worth(3000), minNotional: worth(500) };
    const sweep = planSweep(stale, view, new Random(seed, "s", NOTHING_SAVED));
    seen.add(sweep?.taken.size ?? 0);
    if (sweep === null) continue;
    const { order, taken } = sweep;
    assert.deepEqual([...taken], [1, 2, 3].slice(0, taken.size));
    assert.deepEqual(order, { side: "BUY", lots: 1000 * taken.size, limitTicks: best + taken.size - 1 });
  }
  assert.deepEqual([...seen].sort(), [0, 1, 2, 3]);
  const nothing = planSweep(
    [],
    { grid, midPrice: mid, meanNotional: 1, minNotional: 0 },
    new Random(1, "s", NOTHING_SAVED),
  );
  assert.equal(nothing, null);
});
