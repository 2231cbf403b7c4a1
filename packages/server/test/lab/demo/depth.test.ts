import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DEMO_ASSETS } from "../../../src/lab/demo/assets.ts";
import { DEMO_ACCOUNTS } from "../../../src/lab/demo/accounts.ts";
import { AssetValues } from "../../../src/lab/demo/bots/asset-values.ts";
import { STEP_MS, walkingAssets } from "../../../src/lab/demo/bots/traders.ts";
import { anchorOf, FAR_LEVELS, farQuotes, isAdrift, planDepth } from "../../../src/lab/demo/bots/depth-maker.ts";
import { cellsOf, gridOf, type OpenQuote } from "../../../src/lab/demo/bots/orders.ts";
import { Random } from "../../../src/lab/demo/bots/random.ts";
import { DEMO_MARKETS } from "../../../src/lab/demo/markets.ts";
import { NOTHING_SAVED } from "../../../src/platform/world/port.ts";

const values = new AssetValues(walkingAssets(), 1, STEP_MS, NOTHING_SAVED);
const markets = DEMO_MARKETS.map(({ spec }) => {
  const mid = values.price(spec.baseAsset, spec.quoteAsset);
  const baseWorth = values.price(spec.baseAsset, "USDT");
  return { spec, mid, baseWorth, grid: gridOf(spec) ?? assert.fail() };
});
const anyMarket = fc.constantFrom(...markets);
const sides = ["BUY", "SELL"] as const;
const btcusdt = markets[0] ?? assert.fail();

/** Wealth of all demo accounts together, in USDT. */
const allWealth =
  DEMO_ACCOUNTS.length *
  DEMO_ASSETS.reduce((sum, { spec, grant }) => sum + Number(grant) * values.price(spec.asset, "USDT"), 0);

test("each side of each book holds more than all demo accounts own, most of it far away, in orders that filters allow", () => {
  for (const { grid, mid, baseWorth, spec } of markets) {
    for (const side of sides) {
      const quotes = [...farQuotes(grid, mid, baseWorth, side)];
      const worth = quotes.map(([, lots]) => (lots / 10 ** grid.quantityDecimals) * baseWorth);
      const total = worth.reduce((sum, each) => sum + each, 0);
      // Each may be placed 15 percent smaller, and counts as whole down to 70 percent.
      assert.ok(total * 0.85 > allWealth, `${spec.symbol} ${total} of ${allWealth}`);
      assert.deepEqual(
        worth.toSorted((a, b) => b - a),
        worth,
      );
      const distances = quotes.map(([ticks]) => Math.abs(ticks / 10 ** grid.priceDecimals / mid - 1));
      assert.ok(Math.max(...distances) < 0.12, spec.symbol);
      const within = worth.filter((_, at) => (distances[at] ?? 0) < 0.015).reduce((sum, each) => sum + each, 0);
      assert.ok(within < total * 0.02, `${spec.symbol} is thick near the mid: ${within}`);
      for (const [ticks, lots] of quotes) {
        assert.ok(ticks % grid.tick === 0 && lots % grid.step === 0 && lots * 1.15 < grid.maxLots, spec.symbol);
      }
    }
  }
});

test("an order of all that an account owns passes MARKET_LOT_SIZE", () => {
  for (const { spec, baseWorth } of markets) {
    const most = Number(spec.filters.marketLotSize?.maxQty);
    assert.ok(most * baseWorth > allWealth / DEMO_ACCOUNTS.length, spec.symbol);
    assert.ok(most <= Number(spec.filters.lotSize?.maxQty), spec.symbol);
  }
});

test("far quotes never meet near ones, wherever the mid goes before they follow", () => {
  const start = fc.double({ min: 0.9, max: 1.1, noNaN: true });
  const moves = fc.array(fc.double({ min: -0.002, max: 0.002, noNaN: true }), { maxLength: 30 });
  fc.assert(
    fc.property(anyMarket, start, moves, ({ grid, mid, baseWorth }, factor, steps) => {
      let price = mid * factor;
      let anchor = anchorOf(price, undefined);
      for (const step of [0, ...steps]) {
        price *= 1 + step;
        anchor = anchorOf(price, anchor);
        const farBid = Math.max(...farQuotes(grid, anchor, baseWorth, "BUY").keys());
        const farAsk = Math.min(...farQuotes(grid, anchor, baseWorth, "SELL").keys());
        // Near quotes stay on their own side of the tick that contains the price.
        const cell = Math.floor(cellsOf(grid, price)) * grid.tick;
        assert.ok(farBid <= cell && farAsk > cell && farBid < farAsk, `${farBid} ${cell} ${farAsk}`);
      }
    }),
    { numRuns: 1000 },
  );
});

/** Executes plans until nothing is left to do; returns the number of steps. */
function settle(
  open: Map<number, OpenQuote>,
  midPrice: number,
  anchorPrice: number,
  random: Random,
  { grid, baseWorth }: Pick<(typeof markets)[number], "grid" | "baseWorth"> = btcusdt,
): number {
  for (let looks = 0; ; looks++) {
    let done = 0;
    for (const side of sides) {
      const view = { grid, side, anchorPrice, baseWorth, open: [...open.values()] };
      const { cancel, place } = planDepth(view, random);
      assert.ok(place.length <= 5, "more than a second allows with the other side");
      done += cancel.length + place.length;
      for (const orderId of cancel) open.delete(orderId);
      for (const quote of place) {
        const orderId = Math.max(0, ...open.keys()) + 1;
        open.set(orderId, { orderId, side, ...quote });
      }
    }
    if (done === 0) return looks;
    assert.ok(looks < 10, `it never ends at ${midPrice}`);
  }
}

test("a book is made in two looks from the outside in, rests, and is made whole when it was eaten", () => {
  const { grid, mid, baseWorth } = btcusdt;
  const random = new Random(1, "depth", NOTHING_SAVED);
  const open = new Map<number, OpenQuote>();
  const anchor = anchorOf(mid, undefined);
  const first = planDepth({ grid, side: "SELL", anchorPrice: anchor, baseWorth, open: [] }, random);
  const outermost = [...farQuotes(grid, anchor, baseWorth, "SELL").keys()].slice(0, 5);
  assert.deepEqual(
    first.place.map(({ ticks }) => ticks),
    outermost,
  );
  assert.equal(settle(open, mid, anchor, random), 2);
  assert.equal(open.size, 2 * FAR_LEVELS);
  assert.equal(settle(open, mid, anchor, random), 0);
  const [eaten, nibbled, halved] = [...open.values()];
  assert.ok(eaten !== undefined && nibbled !== undefined && halved !== undefined);
  open.delete(eaten.orderId);
  open.set(nibbled.orderId, { ...nibbled, lots: Math.round(nibbled.lots * 0.95) });
  open.set(halved.orderId, { ...halved, lots: Math.round(halved.lots / 2) });
  assert.equal(settle(open, mid, anchor, random), 1);
  assert.equal(open.size, 2 * FAR_LEVELS);
  assert.ok(open.has(nibbled.orderId) && !open.has(halved.orderId));
});

test("where levels fall on one tick and an operator allows smaller orders, a book is made and rests all the same", () => {
  for (const { spec, mid, baseWorth, grid } of markets) {
    for (const maxLots of [
      20 * grid.minLots,
      1000 * grid.minLots,
      Math.round(grid.maxLots / 100 / grid.step) * grid.step,
    ]) {
      for (const tick of [grid.tick, 10 * grid.tick, 40 * grid.tick]) {
        const open = new Map<number, OpenQuote>();
        const looks = settle(open, mid, anchorOf(mid, undefined), new Random(1, "depth", NOTHING_SAVED), {
          ...{ baseWorth, grid: { ...grid, maxLots: Math.max(grid.minLots, maxLots), tick } },
        });
        assert.ok(looks <= 2, `${spec.symbol} with orders of ${maxLots} takes ${looks} looks`);
      }
    }
  }
});

test("levels that the mid has left are looked at, whatever the pause", () => {
  const anchor = anchorOf(60_000, undefined);
  assert.equal(isAdrift(60_000, undefined), false);
  assert.equal(isAdrift(anchor * 1.002, anchor), false);
  assert.equal(isAdrift(anchor * 1.003, anchor), true);
  assert.equal(isAdrift(anchor / 1.003, anchor), true);
});

test("the levels stay until the mid has gone a quarter of a percent, and are found again by a restart", () => {
  const anchor = anchorOf(60_000, undefined);
  assert.ok(Math.abs(anchor / 60_000 - 1) <= 0.0013);
  assert.equal(anchorOf(anchor * 1.002, anchor), anchor);
  assert.equal(anchorOf(anchor * 1.0012, undefined), anchor);
  assert.notEqual(anchorOf(anchor * 1.003, anchor), anchor);
});
