/** The demo's market has the figures of a real one, within bounds, and comes the same of a seed. Longer: `npm run market-figures`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Figure, figuresOf, outside } from "../../bench/demo-market/figures.ts";
import { type Recording, record, type SymbolRecording } from "../../bench/demo-market/recording.ts";
import * as statistics from "../../bench/demo-market/statistics.ts";
import { DEMO_MARKETS } from "@pricetime/server/demo";
import { Dice } from "@pricetime/testkit/dice";

const MINUTE_MS = 60_000;
/** A Wednesday afternoon in New York's morning. */
const START_MS = Date.parse("2026-01-14T13:00:00Z");

const ALL = DEMO_MARKETS.map(({ spec }) => spec.symbol);
const run = (minutes: number, symbols: readonly string[], seed = 1): Promise<Recording> =>
  record({ seed, symbols, way: "gateway", startMs: START_MS, warmUpMs: 20_000, durationMs: minutes * MINUTE_MS });

const marketOf = ({ symbols }: Recording, symbol: string): SymbolRecording =>
  symbols.get(symbol) ?? assert.fail(symbol);

test("the statistics tell what is known of series that were made for it", () => {
  const random = new Dice(1);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const noise = Array.from({ length: 20_000 }, normal);
  assert.ok(Math.abs(statistics.excessKurtosis(noise)) < 0.2);
  assert.ok(Math.abs(statistics.autocorrelation(noise, 1)) < 0.03);
  const drawn = noise.map((value, index) => value + (noise[index - 1] ?? 0));
  assert.ok(Math.abs(statistics.autocorrelation(drawn, 1) - 0.5) < 0.03);
  const tail = Array.from({ length: 50_000 }, () => (1 - random.next()) ** (-1 / 3));
  assert.ok(Math.abs(statistics.tailExponent(tail, 0.02) - 3) < 0.3);
  assert.deepEqual(statistics.countsPer([0, 5, 10, 11, 99], 0, 30, 10), [2, 2, 0]);
  assert.deepEqual(statistics.countsPer([0, 5, 10, 11, 99], 0, 30, 10, [1, 2, 3, 4, 5]), [3, 7, 0]);
  assert.ok(Math.abs(statistics.slope([1, 2, 4], [5, 3, -1]) + 2) < 1e-9);
  assert.deepEqual([statistics.median([3, 1, 2]), statistics.quantile([1, 2, 3, 4], 0.99)], [2, 4]);
});

test("ten minutes of BTCUSDT: its trades, books and returns lie where those of a real market do", async (t) => {
  const recording = await run(10, ["BTCUSDT"]);
  assert.deepEqual([recording.refused, recording.errors], [[], []]);
  const figures = new Map(figuresOf(recording, marketOf(recording, "BTCUSDT")).map((each) => [each.name, each]));
  const judged = [...figures.values()].filter(({ leastHours }) => leastHours === 0);
  assert.deepEqual(outside(judged), []);
  assert.ok(judged.length > 15, `${judged.length} rows`);
  const depths = [1, 5, 10, 25, 50, 100].map((bps) => figures.get(`depth within ${bps} bps, millions`)?.value ?? 0);
  assert.ok((depths[0] ?? 0) > 0.05, "a best price that holds nothing");
  assert.deepEqual(
    depths,
    depths.toSorted((a, b) => a - b),
  );
  t.diagnostic([...figures.values()].map(textOf).join("; "));
});

const textOf = ({ name, value }: Figure): string => `${name}: ${value.toFixed(3)}`;

test("all symbols live side by side: the busiest first, prices agree, nothing is refused, the same of a seed", async () => {
  const [first, again] = [await run(1, ALL), await run(1, ALL)];
  const other = await run(0.1, ALL, 2);
  assert.deepEqual([first.refused, first.errors], [[], []]);
  for (const { symbol } of first.symbols.values()) {
    assert.deepEqual(marketOf(again, symbol), marketOf(first, symbol));
  }
  assert.notDeepEqual(marketOf(other, "BTCUSDT").prices[0], marketOf(first, "BTCUSDT").prices[0]);
  const trades = (symbol: string): number => marketOf(first, symbol).taken.fills.length;
  assert.ok(trades("BTCUSDT") > trades("ETHUSDT") && trades("ETHUSDT") > trades("TRXBTC"));
  for (const { symbol, taken, spreads } of first.symbols.values()) {
    assert.ok(taken.fills.length >= 1, `${symbol} ${taken.fills.length}`);
    assert.ok(
      spreads.every((spread) => spread > 0),
      symbol,
    );
  }
  // Nobody earns by going around: within two ticks of the coarsest price and a fee.
  const last = (symbol: string): number => marketOf(first, symbol).prices.at(-1) ?? 0;
  const around = (last("BTCUSDT") * last("ETHBTC")) / last("ETHUSDT");
  assert.ok(Math.abs(around - 1) < 2 * (0.00001 / last("ETHBTC")) + 0.001, `${around}`);
});
