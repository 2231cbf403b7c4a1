/** Pasts of a demo whose symbols an operator has listed with other settings. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, Engine } from "@pricetime/engine";
import { demoListing, giveDemoPast, liveMarkets } from "../../../src/lab/demo/listing.ts";
import type { DemoNode } from "../../../src/lab/demo/operator.ts";

const BY = "test";

test("a symbol that is listed too finely for a past does without, and the others have theirs", async () => {
  const engine = new Engine();
  const timeMs = Date.UTC(2026, 10, 22, 10, 31, 7);
  const run = (command: Command) => {
    const seq = engine.seq + 1;
    return Promise.resolve({ seq, timeMs, events: [...engine.apply({ seq, timeMs, command })] });
  };
  const { assets, symbols } = demoListing({ assets: [], symbols: [] });
  for (const asset of assets) await run({ type: "listAsset", by: BY, asset });
  for (const symbol of symbols) {
    const { marketLotSize: _, ...filters } = symbol.filters;
    const fine = { ...filters, lotSize: { minQty: "0.01", maxQty: "900000000", stepSize: "0.01" } };
    await run({
      type: "listSymbol",
      by: BY,
      symbol: symbol.symbol === "SHIBUSDT" ? { ...symbol, filters: fine } : symbol,
    });
  }
  const node = { view: engine, sequencer: { run, nowMs: () => timeMs } } as unknown as DemoNode;
  assert.deepEqual(await giveDemoPast(node, liveMarkets(engine), 1), ["SHIBUSDT"]);
  const without = engine.markets().filter(({ past }) => past === null);
  assert.deepEqual(
    without.map(({ spec }) => spec.symbol),
    ["SHIBUSDT"],
  );
});
