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
