/**
 * The generator of candles. Journals contain only its version, so the output of version 1 never changes; its hash is
 * checked here.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { type GeneratedPast, generatePast, levelsOf, type PastCandle, PastGenerator } from "@pricetime/engine";
import { exponential } from "../../src/generate-past-candles.ts";

const BTCUSDT: GeneratedPast = {
  generator: 1,
  seed: 1,
  symbol: "BTCUSDT",
  endMs: Date.UTC(2026, 10, 22, 9, 30),
  endTicks: 6_000_000,
  tickStep: 1,
  lotStep: 1,
  dayLots: 4_000_000_000,
  dayTrades: 100_000,
  base: { asset: "BTC", dayMoveBps: 230, marketPercent: 80 },
  quote: { asset: "USDT", dayMoveBps: 0, marketPercent: 0 },
  quotePrecision: 8,
  priceDecimals: 2,
  quantityDecimals: 6,
};
const SHIBBTC: GeneratedPast = {
  ...BTCUSDT,
  seed: 2 ** 40 + 7,
  symbol: "SHIBBTC",
  endMs: Date.UTC(2024, 2, 1),
  endTicks: 150,
  tickStep: 5,
  lotStep: 100,
  dayLots: 900_000_000,
  base: { asset: "SHIB", dayMoveBps: 450, marketPercent: 70 },
  quote: { asset: "BTC", dayMoveBps: 230, marketPercent: 80 },
  priceDecimals: 8,
  quantityDecimals: 0,
};

function hashOf(candles: readonly PastCandle[]): string {
  const hash = createHash("sha256");
  for (const candle of candles) hash.update(`${Object.values(candle).join(",")}\n`);
  return hash.digest("hex");
}

test("golden: the output of version 1 never changes", () => {
  const candles = [BTCUSDT, SHIBBTC].map((past) => generatePast(past));
  assert.deepEqual(
    candles.map((of) => [of.length, hashOf(of)]),
    [
      [56_380, "3302a6b6cf1b937e4c3abfafaff1ffc59efe988921c0d76ac68ef3ea755bd46d"],
      [55_810, "c96bb439d1fd758cab93c14768d729f72a018c65bc78fd2120322c90830f7d3a"],
    ],
    "a generator that makes another past is another version of it",
  );
});

test("the generator uses no logarithm of the machine", () => {
  const folder = new URL("../../src/", import.meta.url);
  for (const file of ["generate-past-candles.ts", "add-past-candles.ts"]) {
    const source = readFileSync(new URL(file, folder), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    for (const [, name = ""] of source.matchAll(/Math\.(\w+)/g)) {
      assert.ok(["max", "min", "floor", "round", "sqrt", "abs", "imul"].includes(name), `${file}: Math.${name}`);
    }
    assert.doesNotMatch(source, /\*\* *[a-z(]/i, `${file}: a power`);
  }
});

test("e to the power of x", () => {
  for (let x = -20; x <= 20; x += 0.037) {
    assert.ok(Math.abs(exponential(x) / Math.exp(x) - 1) < 1e-8, `${x}: ${exponential(x)}`);
  }
});

test("a candle does not depend on the generated range", () => {
  const all = generatePast(BTCUSDT);
  const sinceMs = BTCUSDT.endMs - 86_400_000;
  assert.deepEqual(
    generatePast(BTCUSDT, sinceMs),
    all.filter(({ openTimeMs }) => openTimeMs >= sinceMs),
  );
  const generator = new PastGenerator(BTCUSDT);
  const [minutes] = levelsOf(BTCUSDT.endMs);
  assert.ok(minutes !== undefined);
  generator.back(minutes, BTCUSDT.endMs - 3_600_000);
  const copy = generator.copy();
  const [more, same] = [generator, copy].map((each) => each.back(minutes, BTCUSDT.endMs - 7_200_000));
  assert.equal(more?.length, 60);
  assert.deepEqual(more, same);
});

const asset = (name: string): fc.Arbitrary<GeneratedPast["base"]> =>
  fc.record({ asset: fc.constant(name), dayMoveBps: fc.nat(2000), marketPercent: fc.nat(100) });
const anyPast: fc.Arbitrary<GeneratedPast> = fc
  .record({
    seed: fc.nat(Number.MAX_SAFE_INTEGER),
    minute: fc.integer({ min: 1831 * 1440, max: 70 * 366 * 1440 }),
    endSteps: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 10 ** 11 })),
    tickStep: fc.constantFrom(1, 5, 10),
    daySteps: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 2 ** 41 })),
    lotStep: fc.constantFrom(1, 10),
    dayTrades: fc.integer({ min: 1, max: 10 ** 9 }),
    base: asset("BASE"),
    quote: asset("QUOTE"),
  })
  .map(({ minute, endSteps, daySteps, ...past }) => ({
    ...BTCUSDT,
    ...past,
    endMs: minute * 60_000,
    endTicks: endSteps * past.tickStep,
    dayLots: daySteps * past.lotStep,
  }));

test("every history is complete: no gaps, prices on ticks, quantities on steps, consistent numbers", () => {
  fc.assert(
    fc.property(anyPast, (past) => {
      const candles = generatePast(past, past.endMs - 40 * 86_400_000);
      assert.equal(candles.at(-1)?.closeTicks, past.endTicks);
      const fromMs = levelsOf(past.endMs)[0]?.fromMs ?? 0;
      let last: PastCandle | undefined;
      for (const candle of candles) {
        const { openTimeMs, openTicks, highTicks, lowTicks, closeTicks, lots, quote, count } = candle;
        if (last !== undefined) {
          assert.equal(openTimeMs - last.openTimeMs, last.openTimeMs < fromMs ? 3_600_000 : 60_000);
          assert.equal(openTicks, last.closeTicks);
        }
        last = candle;
        const isSound =
          [openTicks, highTicks, lowTicks, closeTicks].every((ticks) => ticks > 0 && ticks % past.tickStep === 0) &&
          lowTicks <= Math.min(openTicks, closeTicks) &&
          highTicks >= Math.max(openTicks, closeTicks) &&
          Number.isSafeInteger(highTicks) &&
          lots > 0n &&
          lots % BigInt(past.lotStep) === 0n &&
          quote >= BigInt(lowTicks) * lots &&
          quote <= BigInt(highTicks) * lots &&
          candle.takerBuyLots <= lots &&
          candle.takerBuyQuote <= quote &&
          count > 0 &&
          BigInt(count) * BigInt(past.lotStep) <= lots;
        assert.ok(
          isSound,
          JSON.stringify(candle, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
        );
      }
    }),
    { numRuns: 6 },
  );
});
