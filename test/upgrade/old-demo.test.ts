/** A demo's folder of version 0.1.0, opened as a demo: it gets what the demo lists today, and a book that is as deep. */
import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Client } from "@pricetime/testkit/client";
import { allIn, symbolsOf } from "./all-in.ts";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ROOT, startExchange } from "@pricetime/testkit/venue";

interface Symbol {
  readonly symbol: string;
  readonly filters: readonly { readonly filterType: string; readonly maxQty?: string }[];
}
interface Coin {
  readonly coin: string;
  readonly networkList: readonly { readonly network: string }[];
}

async function checkListing(client: Client): Promise<void> {
  const { symbols } = (await client.public<{ symbols: Symbol[] }>("/api/v3/exchangeInfo")).json;
  const names = symbols.map(({ symbol }) => symbol);
  for (const added of ["BNBBTC", "LTCUSDT", "TRXBTC"]) assert.ok(names.includes(added), added);
  const filter = symbols
    .find(({ symbol }) => symbol === "BTCUSDT")
    ?.filters.find(({ filterType }) => filterType === "MARKET_LOT_SIZE");
  assert.equal(Number(filter?.maxQty), 20_000);
  const { json: coins } = await client.signed<Coin[]>("GET", "/sapi/v1/capital/config/getall");
  const usdt = coins.find(({ coin }) => coin === "USDT");
  assert.deepEqual(
    usdt?.networkList.map(({ network }) => network),
    ["ETH", "TRX"],
  );
}

test("it gets the new symbols, networks and limits, and orders of all that an account owns are filled", async () => {
  const dataFolder = temporaryFolder();
  try {
    cpSync(join(ROOT, "test/golden-data/0.1.0/data"), dataFolder, { recursive: true });
    const exchange = await startExchange({ dataFolder, args: ["--limits", "off"] });
    const client = new Client(exchange.rest, exchange.accounts[0]);
    try {
      await checkListing(client);
      for (const listed of await symbolsOf(client)) {
        const { json, text } = await allIn(client, listed, "SELL");
        // What was sold for another symbol is gone.
        if (json.status !== "FILLED") assert.match(text, /Invalid quantity/, listed.symbol);
      }
      for (const symbol of ["BTCUSDT", "BNBBTC"]) {
        const listed = (await symbolsOf(client)).find((known) => known.symbol === symbol) ?? assert.fail();
        assert.equal((await allIn(client, listed, "BUY")).json.status, "FILLED", symbol);
      }
      assert.doesNotMatch(exchange.output(), /differs from its listing/);
    } finally {
      client.close();
      assert.equal(await exchange.stop(), 0);
    }
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
