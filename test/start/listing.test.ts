/** The real program: what it says at a start of what the configuration lists. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { startExchange } from "@pricetime/testkit/venue";

const CONFIG = `
assets: [{ asset: AAA, name: A }, { asset: BBB, name: B }]
symbols: [{ symbol: AAABBB, baseAsset: AAA, quoteAsset: BBB, acceptRounding: true }]
`;

test("a configured symbol without LOT_SIZE or PRICE_FILTER is listed with a warning; the demo's symbols have both", async () => {
  const folder = temporaryFolder();
  try {
    const config = join(folder, "pricetime.yaml");
    writeFileSync(config, CONFIG);
    const args = ["--config", config, "--bots", "off"];
    const exchange = await startExchange({ dataFolder: join(folder, "data"), args });
    assert.equal(await exchange.stop(), 0);
    for (const filter of ["LOT_SIZE", "PRICE_FILTER"]) {
      assert.deepEqual(exchange.output().match(new RegExp(`\\w+ has no ${filter}`, "g")), [`AAABBB has no ${filter}`]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const COARSE = `
assets: [{ asset: AAA, name: A }, { asset: EUR, name: Euro, precision: 2 }]
symbols:
  - symbol: AAAEUR
    baseAsset: AAA
    quoteAsset: EUR
    filters:
      priceFilter: { minPrice: "0.01", maxPrice: "10000000", tickSize: "0.01" }
      lotSize: { minQty: "0.00001", maxQty: "1000", stepSize: "0.00001" }
      minNotional: { minNotional: "30", applyToMarket: true, avgPriceMins: 5 }
`;

test("a symbol with coarse rounding is a warning in /readyz, which stays 200; a coarser one ends the start", async () => {
  const folder = temporaryFolder();
  try {
    const config = join(folder, "pricetime.yaml");
    writeFileSync(config, COARSE);
    const args = ["--config", config, "--no-demo"];
    const exchange = await startExchange({ dataFolder: join(folder, "data"), args });
    try {
      const ready = await fetch(`${exchange.admin}/readyz`);
      const { warnings } = (await ready.json()) as { warnings: Record<string, string> };
      assert.equal(ready.status, 200);
      assert.match(
        warnings["symbol AAAEUR"] ?? "",
        /rounded down to 0\.01 EUR, which is 3\.34 bp of the smallest trade/,
      );
      assert.equal(await exchange.stop(), 0);
    } finally {
      await exchange.kill();
    }
    writeFileSync(config, COARSE.replace('"30"', '"10"'));
    await assert.rejects(startExchange({ dataFolder: join(folder, "other"), args }), (error: Error) =>
      /Symbol AAAEUR of the configuration cannot be listed: AAAEUR: .* 10 bp of the smallest trade/.test(error.message),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
