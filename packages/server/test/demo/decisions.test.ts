import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AssetValues } from "../../src/demo/bots/asset-values.ts";
import {
  DEPTH_LEVELS,
  type Grid,
  gridOf,
  lotsFor,
  priceText,
  quantityText,
  quotePrices,
} from "../../src/demo/bots/grid.ts";
import { planQuotes } from "../../src/demo/bots/maker.ts";
import { Random } from "../../src/demo/bots/random.ts";
import { planTake } from "../../src/demo/bots/taker.ts";
import { DEMO_ASSETS } from "../../src/demo/assets.ts";
import { DEMO_MARKETS } from "../../src/demo/markets.ts";

const assets = DEMO_ASSETS.map(({ spec, startValue, volatilityBps }) => ({
  asset: spec.asset,
  startValue,
  volatilityBps,
}));
const markets = DEMO_MARKETS.map((market) => {
  const { baseAsset, quoteAsset } = market.spec;
  const mid = new AssetValues(assets, 1).price(baseAsset, quoteAsset);
  return { ...market, grid: gridOf(market.spec, mid) ?? assert.fail(), mid };
});
const anyMarket = fc.constantFrom(...markets);
const anySeed = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

test("chance is the same for the same seed and name, another for others", () => {
  const draw = (seed: number, name: string): number[] => {
    const random = new Random(seed, name);
    return Array.from({ length: 20 }, () => random.next());
  };
  assert.deepEqual(draw(1, "a"), draw(1, "a"));
  assert.notDeepEqual(draw(1, "a"), draw(2, "a"));
  assert.notDeepEqual(draw(1, "a"), draw(1, "b"));
  assert.notDeepEqual(draw(1, "a"), draw(1 + 2 ** 32, "a"));
});

test("chance is even between 0 and 1, and normal where it should be", () => {
  const random = new Random(7, "x");
  const drawn = Array.from({ length: 20_000 }, () => random.next());
  assert.ok(drawn.every((value) => value >= 0 && value < 1));
  assert.ok(Math.abs(drawn.reduce((sum, value) => sum + value, 0) / drawn.length - 0.5) < 0.01);
  const normal = Array.from({ length: 20_000 }, () => random.normal());
  const mean = normal.reduce((sum, value) => sum + value, 0) / normal.length;
  const variance = normal.reduce((sum, value) => sum + (value - mean) ** 2, 0) / normal.length;
  assert.ok(Math.abs(mean) < 0.03 && Math.abs(variance - 1) < 0.05, `${mean} ${variance}`);
});

test("values live but stay near where they began, for a week", () => {
  const values = new AssetValues(assets, 5);
  const start = values.price("BTC", "USDT");
  let [low, high] = [start, start];
  for (let step = 0; step < 7 * 86_400 * 2; step++) {
    values.step();
    const price = values.price("BTC", "USDT");
    low = Math.min(low, price);
    high = Math.max(high, price);
  }
  assert.ok(low < start * 0.99 && high > start * 1.01, "it hardly moved");
  assert.ok(low > start * 0.9 && high < start * 1.1, `it ran away: ${low} to ${high}`);
});

test("cross rates agree, and a restart goes on from the last prices", () => {
  const values = new AssetValues(assets, 5);
  values.anchor("BTC", "BTC", "USDT", 61_000);
  values.anchor("ETH", "ETH", "BTC", 0.049);
  values.anchor("IDR", "BTC", "IDR", 970_000_000);
  const near = (value: number, wanted: number): void => assert.ok(Math.abs(value / wanted - 1) < 1e-9, `${value}`);
  near(values.price("BTC", "USDT"), 61_000);
  near(values.price("ETH", "USDT"), 61_000 * 0.049);
  near(values.price("BTC", "IDR"), 970_000_000);
  values.anchor("BTC", "BTC", "USDT", 1);
  assert.ok(values.price("BTC", "USDT") > 50_000, "a last price out of the world was believed");
});

test("quotes stand on both sides of the mid, on the tick, apart, best first, and near", () => {
  fc.assert(
    fc.property(anyMarket, fc.double({ min: 0.9, max: 1.1, noNaN: true }), ({ grid, mid }, factor) => {
      const price = mid * factor;
      const at = (ticks: number): number => ticks / 10 ** grid.priceDecimals;
      const bids = quotePrices(grid, price, "BUY");
      const asks = quotePrices(grid, price, "SELL");
      for (const side of [bids, asks]) {
        assert.equal(side.length, DEPTH_LEVELS);
        for (const ticks of side) assert.equal(ticks % grid.tick, 0);
      }
      for (let i = 1; i < DEPTH_LEVELS; i++) {
        assert.ok((bids[i] ?? 0) < (bids[i - 1] ?? 0) && (asks[i] ?? 0) > (asks[i - 1] ?? 0));
      }
      const [bid, ask] = [at(bids[0] ?? 0), at(asks[0] ?? 0)];
      assert.ok(bid < price && ask > price);
      // A gap around the mid, and on each side at most the distance of two levels: a gap and its jitter.
      const widest = 4.4 * at(grid.gap * grid.tick);
      assert.ok(ask - bid <= widest, `spread ${ask - bid} at ${price}`);
      assert.ok(widest < price * 0.001 || grid.gap === 1, "not liquid");
    }),
    { numRuns: 2000 },
  );
});

test("a mid that moves a little leaves most quotes where they are", () => {
  const { grid, mid } = markets[0] ?? assert.fail();
  const before = new Set(quotePrices(grid, mid, "BUY"));
  const after = quotePrices(grid, mid * 1.0001, "BUY");
  assert.ok(after.filter((ticks) => before.has(ticks)).length >= DEPTH_LEVELS - 2);
});

test("quantities are whole steps, big enough for the minimum notional", () => {
  for (const { grid, mid, spec, levelNotional } of markets) {
    const lots = lotsFor(grid, levelNotional * 0.3, mid);
    const quantity = Number(quantityText(grid, lots));
    assert.equal(lots % grid.step, 0);
    assert.ok(quantity * mid > 2 * Number(spec.filters.minNotional?.minNotional), spec.symbol);
    assert.ok(Number(priceText(grid, quotePrices(grid, mid, "BUY")[0] ?? 0)) < mid);
  }
  const tiny = { ...(markets[0] ?? assert.fail()).grid, maxLots: 7 } as Grid;
  assert.equal(lotsFor(tiny, 1e9, 1), 7);
  assert.equal(lotsFor(tiny, 0, 1), tiny.minLots);
});

/** Follows a maker's plans, with nobody else in the market. */
function follow(steps: number, seed: number): { open: Map<number, number>; placed: number[]; plans: string[] } {
  const { grid, mid, levelNotional } = markets[0] ?? assert.fail();
  const random = new Random(seed, "maker");
  const open = new Map<number, number>();
  const plans: string[] = [];
  const placed: number[] = [];
  let nextId = 1;
  for (let step = 0; step < steps; step++) {
    const orders = [...open].map(([orderId, ticks]) => ({ orderId, ticks }));
    const midPrice = mid * (1 + step * 0.00005);
    const plan = planQuotes({ grid, side: "BUY", midPrice, levelNotional, open: orders }, random);
    plans.push(JSON.stringify(plan));
    for (const orderId of plan.cancel) open.delete(orderId);
    for (const { ticks } of plan.place) open.set(nextId++, ticks);
    placed.push(plan.place.length);
  }
  return { open, placed, plans };
}

test("a maker fills its side in a few steps and keeps it full, never at one price twice", () => {
  const { open, placed } = follow(200, 3);
  assert.ok(open.size >= DEPTH_LEVELS - 2 && open.size <= DEPTH_LEVELS + 2, `${open.size}`);
  assert.equal(new Set(open.values()).size, open.size);
  assert.ok(Math.max(...placed.slice(1)) <= 4 && (placed[0] ?? 0) + (placed[1] ?? 0) <= 10);
  const later = placed.slice(10);
  assert.ok(later.reduce((sum, count) => sum + count, 0) / later.length < 2, "too restless");
});

test("a maker takes back first what would trade at once", () => {
  const { grid, mid, levelNotional } = markets[0] ?? assert.fail();
  const wanted = quotePrices(grid, mid, "BUY");
  const stale = Array.from({ length: 12 }, (_, i) => ({ orderId: i + 1, ticks: (wanted[0] ?? 0) + 7 + i }));
  const { cancel } = planQuotes({ grid, side: "BUY", midPrice: mid, levelNotional, open: stale }, new Random(1, "m"));
  assert.deepEqual(cancel, [12, 11, 10, 9, 8, 7, 6, 5]);
});

test("the same seed decides the same", () => {
  assert.deepEqual(follow(50, 3).plans, follow(50, 3).plans);
  assert.notDeepEqual(follow(50, 3).plans, follow(50, 4).plans);
});

test("takers trade now and then, on both sides, within the filters", () => {
  fc.assert(
    fc.property(anyMarket, anySeed, ({ grid, mid, levelNotional, spec }, seed) => {
      const random = new Random(seed, "taker");
      const view = { grid, midPrice: mid, levelNotional, isFirstTrade: false };
      const orders = Array.from({ length: 200 }, () => planTake(view, random)).filter((order) => order !== null);
      assert.ok(orders.length > 20 && orders.length < 90, `${orders.length}`);
      assert.equal(new Set(orders.map(({ side }) => side)).size, 2);
      const most = Number(spec.filters.marketLotSize?.maxQty);
      for (const { lots, limitTicks } of orders) {
        const quantity = Number(quantityText(grid, lots));
        assert.ok(limitTicks > 0 || quantity <= most, `${spec.symbol} ${quantity}`);
      }
    }),
    { numRuns: 30 },
  );
});

test("the first trade of all is a limit that reaches the other side", () => {
  for (const { grid, mid, levelNotional } of markets) {
    for (let seed = 0; seed < 20; seed++) {
      const view = { grid, midPrice: mid, levelNotional, isFirstTrade: true };
      const order = planTake(view, new Random(seed, "t")) ?? assert.fail();
      const other = quotePrices(grid, mid, order.side === "BUY" ? "SELL" : "BUY")[0] ?? 0;
      assert.ok(order.side === "BUY" ? order.limitTicks >= other : order.limitTicks <= other && order.limitTicks > 0);
    }
  }
});
