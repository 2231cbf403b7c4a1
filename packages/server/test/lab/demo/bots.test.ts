import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { DEMO_MARKETS } from "../../../src/lab/demo/markets.ts";
import { type RunningDemo, startDemo, demoFolder } from "./running-demo.ts";

interface Depth {
  readonly bids: readonly (readonly [price: string, quantity: string])[];
  readonly asks: readonly (readonly [price: string, quantity: string])[];
}

/** The time of day affects the bots. */
const NOON_MS = Date.parse("2026-01-14T12:00:00Z");

async function withFolder(run: (path: string) => Promise<void>): Promise<void> {
  const { path, remove } = demoFolder();
  try {
    await run(path);
  } finally {
    remove();
  }
}

/** Nothing was rejected, nothing failed. */
function assertClean({ told, errors }: RunningDemo): void {
  assert.deepEqual(
    told.filter((decision) => decision.startsWith("refused")),
    [],
  );
  assert.deepEqual(errors, []);
}

test("after the first step every symbol has a book with a spread and a trade", async () => {
  await withFolder(async (path) => {
    // From the beginning of a minute: there is one candle of it.
    const startMs = Date.now();
    const demo = await startDemo(path, 1, true, () => NOON_MS + Date.now() - startMs);
    try {
      await demo.bots.start();
      for (const { spec } of DEMO_MARKETS) {
        const query = `symbol=${spec.symbol}`;
        const { bids, asks } = await demo.get<Depth>("/api/v3/depth", query);
        assert.ok(bids.length >= 5 && asks.length >= 5, spec.symbol);
        assert.ok(Number(bids[0]?.[0]) < Number(asks[0]?.[0]), spec.symbol);
        assert.ok((await demo.get<unknown[]>("/api/v3/trades", query)).length >= 1, spec.symbol);
        assert.equal((await demo.get<unknown[]>("/api/v3/klines", `${query}&interval=1m`)).length, 1, spec.symbol);
      }
      assertClean(demo);
      demo.engine.checkInvariants();
    } finally {
      await demo.stop();
    }
  });
});

test("within the limits of one client each, the bots fill every book, near and far, and nothing is refused", async () => {
  await withFolder(async (path) => {
    const demo = await startDemo(path, 1);
    try {
      await demo.bots.start();
      const isFull = async (symbol: string): Promise<boolean> => {
        const { bids, asks } = await demo.get<Depth>("/api/v3/depth", `symbol=${symbol}`);
        // Where the price is few ticks, far levels coincide with near ones.
        return [bids, asks].every((side) => side.length >= 20);
      };
      for (const { spec } of DEMO_MARKETS) {
        await until(`${spec.symbol} is full`, () => isFull(spec.symbol), { everyMs: 200 });
      }
      assertClean(demo);
      demo.engine.checkInvariants();
    } finally {
      await demo.stop();
    }
  });
});

/** The bots' decisions in some steps on a new exchange, for each symbol in order. */
async function story(seed: number, steps: number): Promise<string[]> {
  let told: string[] = [];
  await withFolder(async (path) => {
    const demo = await startDemo(path, seed, false, () => NOON_MS);
    for (let step = 0; step < steps; step++) await demo.bots.step();
    await demo.stop();
    // Order ids are counted over all symbols, whose steps run concurrently.
    told = demo.told.map((decision) => decision.replace(/^(cancel \w+) \d+$/, "$1"));
    assertClean(demo);
  });
  const symbolOf = (decision: string): string => decision.split(" ")[1] ?? "";
  return DEMO_MARKETS.flatMap(({ spec }) => told.filter((decision) => symbolOf(decision) === spec.symbol));
}

test("the same seed decides the same, another otherwise", async () => {
  const first = await story(11, 2);
  assert.ok(first.length > 100);
  assert.deepEqual(await story(11, 2), first);
  assert.notDeepEqual(await story(12, 2), first);
});

test("a restart takes up the orders that stand and goes on near the last prices", async () => {
  await withFolder(async (path) => {
    const first = await startDemo(path, 3);
    await first.bots.start();
    await first.stop();
    const lastPrice = (demo: RunningDemo): number => demo.engine.marketBySymbol("BTCUSDT")?.lastTradeTicks ?? 0;
    const [openBefore, priceBefore] = [first.engine.openOrderCount, lastPrice(first)];
    const second = await startDemo(path, 4);
    assert.equal(second.engine.eventDigest(), first.engine.eventDigest(), "the restart journaled something");
    assert.equal(second.engine.openOrderCount, openBefore);
    await second.bots.start();
    const canceled = second.told.filter((decision) => decision.startsWith("cancel")).length;
    assert.ok(canceled < openBefore / 2, `${canceled} of ${openBefore} orders were canceled`);
    assert.ok(second.engine.openOrderCount > openBefore);
    assert.ok(Math.abs(lastPrice(second) / priceBefore - 1) < 0.002);
    assertClean(second);
    await second.stop();
  });
});

test("the bots begin where others have traded", async () => {
  await withFolder(async (path) => {
    const demo = await startDemo(path, 1);
    await demo.trade("BTCUSDT", 62_000_00, 1_000_000);
    await demo.trade("ETHBTC", 5_100, 1_000);
    assert.equal(demo.engine.marketBySymbol("BTCUSDT")?.lastTradeTicks, 62_000_00);
    await demo.bots.start();
    const near = async (symbol: string, price: number): Promise<void> => {
      const { bids, asks } = await demo.get<Depth>("/api/v3/depth", `symbol=${symbol}`);
      const mid = (Number(bids[0]?.[0]) + Number(asks[0]?.[0])) / 2;
      assert.ok(Math.abs(mid / price - 1) < 0.001, `${symbol} ${mid}`);
    };
    await near("BTCUSDT", 62_000);
    await near("ETHUSDT", 62_000 * 0.051);
    assertClean(demo);
    await demo.stop();
  });
});

test("stopping ends the steps, and what is under way is finished", async () => {
  await withFolder(async (path) => {
    const demo = await startDemo(path, 1);
    void demo.bots.start();
    await demo.bots.stop();
    const { seq } = demo.engine;
    assert.ok(seq > 150, "the first step was cut short");
    await new Promise((done) => setTimeout(done, 700));
    assert.equal(demo.engine.seq, seq);
    assertClean(demo);
    await demo.stop();
  });
});

test("where orders are not taken the bots send none; everywhere else they go on", async () => {
  await withFolder(async (path) => {
    const demo = await startDemo(path, 1, false);
    const decisions = async (steps: number): Promise<Map<string, number>> => {
      const from = demo.told.length;
      for (let step = 0; step < steps; step++) await demo.bots.step();
      const symbols = demo.told.slice(from).map((decision) => decision.split(" ")[1] ?? "");
      return new Map(
        DEMO_MARKETS.map(({ spec }) => [spec.symbol, symbols.filter((one) => one === spec.symbol).length]),
      );
    };
    await decisions(1);
    await demo.setStatus("BTCUSDT", "HALT");
    const halted = await decisions(8);
    assert.equal(halted.get("BTCUSDT"), 0);
    assert.ok((halted.get("ETHUSDT") ?? 0) > 20);
    for (const { spec } of DEMO_MARKETS) await demo.setStatus(spec.symbol, "BREAK");
    const { seq } = demo.engine;
    await decisions(8);
    assert.equal(demo.engine.seq, seq, "a demo that is halted journals nothing");
    await demo.setStatus("BTCUSDT", "TRADING");
    assert.ok(((await decisions(8)).get("BTCUSDT") ?? 0) > 20, "it goes on");
    assertClean(demo);
    await demo.stop();
  });
});
