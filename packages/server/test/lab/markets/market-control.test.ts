import assert from "node:assert/strict";
import { test } from "node:test";
import { type HeldVenue, heldVenue, type Trade } from "./market-venue.ts";

const SYMBOLS = ["BTCUSDT", "ETHBTC", "DOGEBTC"];
/** Two steps of the bots at their longest. */
const TWO_STEPS_MS = 700;
const MINUTE_MS = 60_000;

async function withVenue(
  run: (venue: HeldVenue) => Promise<void>,
  symbols: readonly string[] = SYMBOLS,
): Promise<void> {
  const venue = await heldVenue({ symbols });
  try {
    await venue.market.advance(20_000);
    await run(venue);
    assert.deepEqual(venue.market.errors, []);
    venue.market.engine.checkInvariants();
  } finally {
    await venue.market.stop();
  }
}

const near = (value: number, wanted: number, part: number): void =>
  assert.ok(Math.abs(value / wanted - 1) <= part, `${value} is not ${wanted}`);
const depthOf = (
  { market }: HeldVenue,
  symbol: string,
  side: "bids" | "asks",
  within = Number.POSITIVE_INFINITY,
): number => {
  const view = market.engine.marketBySymbol(symbol) ?? assert.fail();
  const levels = view[side](1000);
  const best = levels[0]?.[0] ?? 0;
  return levels.filter(([ticks]) => Math.abs(ticks / best - 1) < within).reduce((sum, [, lots]) => sum + lots, 0);
};

test("a fair price shows in trades within two steps, up or down, on a lively symbol and on slow ones", async () => {
  await withVenue(async ({ market, trades, ask }) => {
    for (const factor of [0.8, 1.5, 1.001, 0.5]) {
      for (const symbol of SYMBOLS) {
        const before = market.lastPrice(symbol);
        const asked = await ask("POST", `/${symbol}`, { fairPrice: before * factor });
        assert.equal(asked.driver, "bots");
      }
      const wanted = new Map(SYMBOLS.map((symbol) => [symbol, market.lastPrice(symbol) * factor]));
      const seen = trades.length;
      await market.advance(TWO_STEPS_MS);
      for (const [symbol, price] of wanted) {
        const last = trades.slice(seen).findLast((trade) => trade.symbol === symbol);
        // A tick of DOGEBTC is two thirds of a percent.
        near(last?.price ?? 0, price, symbol === "DOGEBTC" ? 0.02 : 0.002);
        const { holds, price: value } = await ask("GET", `/${symbol}`);
        assert.ok(holds !== null);
        near(value ?? 0, price, 0.002);
      }
      await market.advance(10_000);
    }
    assert.deepEqual(market.refused, []);
  });
});

test("a fair price given as the text of a decimal holds, and goes on walking from there", async () => {
  await withVenue(async ({ market, ask, trades }) => {
    await ask("POST", "/BTCUSDT", { fairPrice: "61234.5" });
    await market.advance(10 * MINUTE_MS);
    const prices = trades.filter(({ symbol }) => symbol === "BTCUSDT").map(({ price }) => price);
    near(prices.at(-1) ?? 0, 61_234.5, 0.01);
    assert.ok(new Set(prices.slice(-100)).size > 20, "it lives");
  });
});

test("a path is followed, straight or geometric, from where the price is, and left at its last point", async () => {
  for (const between of ["straight", "geometric"] as const) {
    await withVenue(async ({ market, ask }) => {
      const from = (await ask("POST", "/BTCUSDT", { fairPrice: 60_000 })).symbol;
      await market.advance(TWO_STEPS_MS);
      const path = [
        { inMs: MINUTE_MS, price: 66_000 },
        { inMs: 2 * MINUTE_MS, price: "50000" },
      ];
      await ask("POST", `/${from}`, { path, between });
      await market.advance(MINUTE_MS / 2);
      near(market.lastPrice("BTCUSDT"), between === "straight" ? 63_000 : Math.sqrt(60_000 * 66_000), 0.002);
      await market.advance(MINUTE_MS / 2);
      near(market.lastPrice("BTCUSDT"), 66_000, 0.003);
      await market.advance(MINUTE_MS / 2);
      near(market.lastPrice("BTCUSDT"), between === "straight" ? 58_000 : Math.sqrt(66_000 * 50_000), 0.004);
      await market.advance(MINUTE_MS);
      near(market.lastPrice("BTCUSDT"), 50_000, 0.003);
      const { holds } = await ask("GET", "/BTCUSDT");
      assert.equal(holds?.["path"], null);
    });
  }
});

test("a path of a market that was never touched begins at its price", async () => {
  await withVenue(async ({ market, ask }) => {
    const from = market.lastPrice("BTCUSDT");
    await ask("POST", "/BTCUSDT", { path: [{ inMs: MINUTE_MS, price: from * 1.2 }] });
    await market.advance(MINUTE_MS / 2);
    near(market.lastPrice("BTCUSDT"), from * 1.1, 0.003);
  });
});

test("a crash goes down over its time, comes back over another, or stays; it lies over a path", async () => {
  await withVenue(async ({ market, ask }) => {
    const before = market.lastPrice("BTCUSDT");
    await ask("POST", "/BTCUSDT", { crash: { percent: 20, overMs: MINUTE_MS, recoverMs: MINUTE_MS } });
    await market.advance(MINUTE_MS + TWO_STEPS_MS);
    near(market.lastPrice("BTCUSDT"), before * 0.8, 0.01);
    await market.advance(MINUTE_MS);
    near(market.lastPrice("BTCUSDT"), before, 0.01);
    await ask("POST", "/BTCUSDT", { spike: { percent: 10, overMs: 0 } });
    await market.advance(5 * MINUTE_MS);
    near(market.lastPrice("BTCUSDT"), before * 1.1, 0.015);
    await ask("POST", "/BTCUSDT", {
      path: [
        { inMs: 0, price: 40_000 },
        { inMs: 10 * MINUTE_MS, price: 40_000 },
      ],
    });
    await ask("POST", "/BTCUSDT", { crash: { percent: 50, overMs: 1000 } });
    await market.advance(3000);
    near(market.lastPrice("BTCUSDT"), 20_000, 0.002);
    await market.advance(10 * MINUTE_MS);
    near(market.lastPrice("BTCUSDT"), 20_000, 0.02);
    await ask("POST", "/BTCUSDT", { reset: true });
    await market.advance(TWO_STEPS_MS);
    near(market.lastPrice("BTCUSDT"), before, 0.02);
  });
});

test("drift and volatility change how the price goes", async () => {
  await withVenue(async ({ market, ask }) => {
    const before = market.lastPrice("BTCUSDT");
    await ask("POST", "/BTCUSDT", { volatility: 0, drift: { percent: 10, perMs: 10 * MINUTE_MS } });
    await market.advance(10 * MINUTE_MS);
    near(market.lastPrice("BTCUSDT"), before * 1.1, 0.001);
    await ask("POST", "/BTCUSDT", { drift: { percent: 0 } });
    await market.advance(TWO_STEPS_MS);
    const still = market.lastPrice("BTCUSDT");
    await market.advance(10 * MINUTE_MS);
    near(market.lastPrice("BTCUSDT"), still, 0.0005);
  });
  const movesOf = async (volatility: number): Promise<number> => {
    let sum = 0;
    await withVenue(
      async ({ market, ask }) => {
        await ask("POST", "/BTCUSDT", { volatility });
        let last = (await ask("GET", "/BTCUSDT")).price ?? market.lastPrice("BTCUSDT");
        for (let second = 0; second < 120; second++) {
          await market.advance(1000);
          const { price } = await ask("GET", "/BTCUSDT");
          sum += Math.abs(Math.log((price ?? 0) / last));
          last = price ?? 0;
        }
      },
      ["BTCUSDT"],
    );
    return sum;
  };
  const [usual, wild] = [await movesOf(1), await movesOf(10)];
  assert.ok(wild / usual > 9 && wild / usual < 11, `${wild} of ${usual}`);
});

test("spread, depth and the rate of trades are multiples, and take hold at once", async () => {
  await withVenue(async (venue) => {
    const { market, ask, trades } = venue;
    const spread = (): number => {
      const view = market.engine.marketBySymbol("BTCUSDT") ?? assert.fail();
      return view.bestLevel("SELL")[0] - view.bestLevel("BUY")[0];
    };
    await ask("POST", "/BTCUSDT", { spreadBps: 20 });
    await market.advance(TWO_STEPS_MS);
    near(spread() / 100, market.lastPrice("BTCUSDT") * 0.002, 0.1);
    await ask("POST", "/BTCUSDT", { spreadBps: 0, spread: 50 });
    await market.advance(TWO_STEPS_MS);
    assert.ok(spread() >= 50, `${spread()}`);
    await ask("POST", "/BTCUSDT", { reset: true });
    await market.advance(30_000);
    const usual = depthOf(venue, "BTCUSDT", "bids");
    await ask("POST", "/BTCUSDT", { depth: 0.1 });
    await market.advance(TWO_STEPS_MS);
    near(depthOf(venue, "BTCUSDT", "bids"), usual * 0.1, 0.5);
    await ask("POST", "/BTCUSDT", { depth: 3 });
    await market.advance(TWO_STEPS_MS);
    near(depthOf(venue, "BTCUSDT", "bids"), usual * 3, 0.5);
    const count = async (): Promise<number> => {
      const from = trades.length;
      await market.advance(2 * MINUTE_MS);
      return trades.slice(from).filter(({ symbol }) => symbol === "ETHBTC").length;
    };
    const before = await count();
    await ask("POST", "/ETHBTC", { tradeRate: 10 });
    // Orders draw others after them for a minute.
    await market.advance(2 * MINUTE_MS);
    const busy = await count();
    assert.ok(busy > 4 * before, `${busy} of ${before}`);
    await ask("POST", "/ETHBTC", { tradeRate: 0, volatility: 0 });
    await market.advance(MINUTE_MS);
    const calm = await count();
    assert.ok(calm * 4 < before, `${calm} of ${before}`);
  });
});

test("a side dries up, near and far, for its time, and comes back at once", async () => {
  await withVenue(async (venue) => {
    const { market, ask } = venue;
    for (const [side, gone, stays] of [
      ["BUY", "bids", "asks"],
      ["SELL", "asks", "bids"],
    ] as const) {
      await ask("POST", "/BTCUSDT", { dryUp: { side, forMs: MINUTE_MS } });
      await market.advance(TWO_STEPS_MS);
      assert.equal(depthOf(venue, "BTCUSDT", gone), 0);
      await market.advance(MINUTE_MS / 2);
      assert.equal(depthOf(venue, "BTCUSDT", gone), 0);
      assert.ok(depthOf(venue, "BTCUSDT", stays) > 0);
      await market.advance(MINUTE_MS / 2 + TWO_STEPS_MS);
      const view = market.engine.marketBySymbol("BTCUSDT") ?? assert.fail();
      assert.ok(view[gone](1000).length > 20, `${view[gone](1000).length}`);
    }
  });
});

test("a halt stops a symbol and its bots, and a resume lets them go on; each is journaled with its actor", async () => {
  await withVenue(async ({ market, ask, trades }) => {
    assert.equal((await ask("POST", "/BTCUSDT", { halt: true })).status, "HALT");
    const { seq } = market.engine;
    const from = trades.length;
    await market.advance(10_000);
    assert.ok(market.engine.seq > seq, "others go on");
    assert.ok(trades.slice(from).every(({ symbol }) => symbol !== "BTCUSDT"));
    assert.equal((await ask("POST", "/BTCUSDT", { resume: true, inMs: 5000 })).status, "HALT");
    await market.advance(5000 + TWO_STEPS_MS);
    assert.equal((await ask("GET", "/BTCUSDT")).status, "TRADING");
    await market.advance(10_000);
    assert.ok(trades.slice(from).some(({ symbol }) => symbol === "BTCUSDT"));
  });
});

test("what is scheduled is told, happens in its order at its time, and can be taken back", async () => {
  await withVenue(async ({ market, ask, trades, refusal }) => {
    const nowMs = market.clock.nowMs();
    const at = new Date(nowMs + 20_000).toISOString();
    const { id } = await ask("POST", "/BTCUSDT", { at, fairPrice: 70_000 });
    await ask("POST", "/BTCUSDT", { inMs: 10_000, fairPrice: 50_000 });
    const { id: last } = await ask("POST", "/BTCUSDT", { at: nowMs + 30_000, fairPrice: 10_000 });
    const { scheduled } = await ask("GET", "/BTCUSDT");
    assert.deepEqual(
      scheduled.map(({ atMs }) => atMs - nowMs),
      [10_000, 20_000, 30_000],
    );
    assert.deepEqual(await refusal("DELETE", "/BTCUSDT/77"), [404, "UNKNOWN_MOVE", "No scheduled change has this id."]);
    assert.equal((await ask("DELETE", `/BTCUSDT/${last}`)).scheduled.length, 2);
    const firstAt = (low: number, high: number): number =>
      trades.find((trade: Trade) => trade.symbol === "BTCUSDT" && trade.price > low && trade.price < high)?.timeMs ?? 0;
    await market.advance(40_000);
    const [down, up] = [firstAt(49_900, 50_100), firstAt(69_900, 70_100)];
    assert.ok(down >= nowMs + 10_000 && down <= nowMs + 10_000 + TWO_STEPS_MS, `${down - nowMs}`);
    assert.ok(up >= nowMs + 20_000 && up <= nowMs + 20_000 + TWO_STEPS_MS, `${up - nowMs}`);
    assert.equal((await refusal("DELETE", `/BTCUSDT/${id}`))[0], 404, "it has happened");
    await ask("POST", "/BTCUSDT", { inMs: 10_000, halt: true });
    assert.deepEqual((await ask("DELETE", "/BTCUSDT")).scheduled, []);
    await market.advance(11_000);
    assert.equal((await ask("GET", "/BTCUSDT")).status, "TRADING");
  });
});

test("bots of other symbols do not notice", async () => {
  const run = async (body: unknown): Promise<readonly Trade[]> => {
    let seen: readonly Trade[] = [];
    await withVenue(async ({ market, ask, trades }) => {
      if (body !== undefined) await ask("POST", "/BTCUSDT", body);
      await market.advance(MINUTE_MS);
      seen = trades.filter(({ symbol }) => symbol !== "BTCUSDT");
    });
    return seen;
  };
  assert.deepEqual(await run({ crash: { percent: 30, overMs: 10_000 }, tradeRate: 5 }), await run(undefined));
});

test("a leap beyond PERCENT_PRICE gets there as the average follows, and nothing is refused on the way", async () => {
  await withVenue(
    async ({ market, ask }) => {
      await ask("POST", "/BTCUSDT", { fairPrice: 900_000 });
      await market.advance(TWO_STEPS_MS);
      assert.ok(market.lastPrice("BTCUSDT") > 200_000, `${market.lastPrice("BTCUSDT")}`);
      await market.advance(15 * MINUTE_MS);
      near(market.lastPrice("BTCUSDT"), 869_565, 0.01);
      assert.deepEqual(market.refused, []);
    },
    ["BTCUSDT"],
  );
});

test("a control and bots that go on from what was kept journal the same, byte by byte", async () => {
  const moves: readonly unknown[] = [
    { crash: { percent: 25, overMs: 20_000, recoverMs: 15_000 } },
    {
      inMs: 10_000,
      path: [
        { inMs: 5_000, price: 55_000 },
        { inMs: 12_000, price: 58_000 },
      ],
      between: "geometric",
    },
    { inMs: 12_000, volatility: 4, tradeRate: 3, depth: 2 },
    { inMs: 15_000, dryUp: { side: "BUY", forMs: 5_000 } },
    { inMs: 21_000, halt: true },
    { inMs: 23_000, resume: true },
    { inMs: 26_000, fairPrice: 65_000 },
  ];
  for (const cutMs of [3_333, 16_500, 22_000]) {
    const first = await heldVenue({ symbols: SYMBOLS });
    for (const body of moves) await first.ask("POST", "/BTCUSDT", body);
    // A slow symbol, where one extra trade would show.
    await first.ask("POST", "/DOGEBTC", { volatility: 0.5, tradeRate: 0.1 });
    await first.market.advance(cutMs);
    const second = await heldVenue({ symbols: SYMBOLS, from: first.state });
    await first.market.advance(40_000 - cutMs);
    await second.market.advance(40_000 - cutMs);
    assert.equal(second.market.chainHash, first.market.chainHash, `cut after ${cutMs} ms`);
    assert.deepEqual(second.state.states, first.state.states);
    assert.deepEqual(first.market.errors, []);
    await Promise.all([first.market.stop(), second.market.stop()]);
  }
});

test("a move and a step that fall due in one millisecond go in one order, whoever set its timer first", async () => {
  const first = await heldVenue({ symbols: SYMBOLS });
  await first.market.advance(5_000);
  const bots = first.state.states["demo/bots"] as { dueMs: number };
  await first.ask("POST", "/BTCUSDT", { at: bots.dueMs, halt: true });
  await first.ask("POST", "/ETHBTC", { at: bots.dueMs, fairPrice: 0.06 });
  const second = await heldVenue({ symbols: SYMBOLS, from: first.state });
  await first.market.advance(5_000);
  await second.market.advance(5_000);
  assert.equal(second.market.chainHash, first.market.chainHash);
  await Promise.all([first.market.stop(), second.market.stop()]);
});

test("bad input is refused with what is wrong, and changes nothing", async () => {
  await withVenue(async ({ market, ask, refusal }) => {
    const before = await ask("GET", "/BTCUSDT");
    const bad: readonly (readonly [unknown, RegExp])[] = [
      [{}, /requests no change/],
      [{ inMs: 5 }, /requests no change/],
      [{ fairPrice: 0 }, /fairPrice/],
      [{ fairPrice: "1e5" }, /fairPrice/],
      [{ fairPrice: 2_000_000 }, /PRICE_FILTER of BTCUSDT is from 0.01 to 1000000/],
      [{ fairPrice: 1, reset: true }, /exclude each other/],
      [{ at: market.clock.nowMs() + 1, inMs: 1, halt: true }, /exclude each other/],
      [{ at: "tomorrow", halt: true }, /at/],
      [{ halt: true, resume: true }, /exclude each other/],
      [{ path: [] }, /path/],
      [
        {
          path: [
            { inMs: 5, price: 1 },
            { inMs: 5, price: 2 },
          ],
        },
        /points must follow each other in time/,
      ],
      [{ path: [{ at: 1, price: 1 }] }, /a point is before the move/],
      [{ between: "straight", fairPrice: 1 }, /between belongs to a path/],
      [{ crash: { percent: 100, overMs: 1 } }, /percent/],
      [{ crash: { percent: 10 } }, /overMs/],
      [{ dryUp: { side: "bids", forMs: 5 } }, /side/],
      [{ tradeRate: -1 }, /tradeRate/],
      [{ tradeRate: 1000 }, /tradeRate/],
      [{ depth: 0 }, /depth/],
      [{ drift: { percent: -100 } }, /percent/],
      [{ mood: "bad" }, /mood/],
      ["crash", /./],
    ];
    for (const [body, message] of bad) {
      const [status, code, text] = await refusal("POST", "/BTCUSDT", body);
      assert.deepEqual([status, code], [400, "BAD_REQUEST"], JSON.stringify(body));
      assert.match(text, message);
    }
    const [status, code] = await refusal("POST", "/BTCUSDT", { at: market.clock.nowMs() - 1, halt: true });
    assert.deepEqual([status, code], [409, "TIME_GOES_BACK"]);
    assert.deepEqual((await refusal("POST", "/NOPE", { halt: true })).slice(0, 2), [404, "UNKNOWN_SYMBOL"]);
    // Listed, but no bots trade it in this test.
    assert.deepEqual((await refusal("POST", "/LTCUSDT", { fairPrice: 80 })).slice(0, 2), [409, "NOT_DRIVEN"]);
    assert.equal((await ask("POST", "/LTCUSDT", { halt: true })).status, "HALT");
    assert.deepEqual(await ask("GET", "/BTCUSDT"), before);
  });
});
