/** The commands that show what the console shows. */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { placeOrder } from "@pricetime/testkit/commands";
import { folderOf, runIn } from "../command-line.ts";
import { AdminVenue } from "../../../people/admin/admin-venue.ts";

let venue: AdminVenue;
let folder = "";
beforeEach(async () => {
  venue = await AdminVenue.open();
  folder = folderOf(venue.admin.url);
});
afterEach(async () => {
  await venue.close();
  rmSync(folder, { recursive: true });
});

async function said(...words: readonly string[]): Promise<string> {
  const { code, out, err } = await runIn(folder, words);
  assert.equal(code, 0, `${words.join(" ")}: ${err}`);
  return out;
}

test("overview, search and an account's timeline", async () => {
  const id = await venue.withdraw("6");
  venue.admin.hour.sample();
  const overview = await said("overview");
  assert.match(overview, /^ready +yes$/m);
  assert.match(overview, /^awaiting approval 1|awaiting approval 1/m);
  assert.match(overview, /^commitP99 /m);
  assert.equal((JSON.parse(await said("overview", "--json")) as { figures: object[] }).figures.length, 12);
  assert.match(await said("search", "a@example.com"), /account +100 +100 +a@example\.com/);
  assert.match(await said("search", id), new RegExp(`withdrawal +${id}`));
  const line = await said("account", "timeline", "a@example.com", "--limit", "2");
  assert.match(line, new RegExp(`money +withdrawal +${id}`));
  const [, place] = /^Next page: --before (\S+)$/m.exec(line) ?? [];
  assert.match(await said("account", "timeline", "100", "--before", String(place)), /openAccount/);
  assert.doesNotMatch(await said("account", "timeline", "100", "--kind", "money"), /openAccount/);
  assert.match(await said("withdrawal", "risks"), /NEW_ADDRESS, FIRST_WITHDRAWAL, YOUNG_ACCOUNT/);
  const { code, err } = await runIn(folder, ["account", "timeline", "100", "--kind", "none"]);
  assert.equal(code, 1);
  assert.match(err, /one or several of order,trade,money,key,access,act/);
});

test("filters are previewed before they are set", async () => {
  await venue.wanted(201, "POST", "/v1/assets", { asset: "CASH", name: "Cash" });
  await venue.wanted(201, "POST", "/v1/symbols", {
    symbol: "COINCASH",
    baseAsset: "COIN",
    quoteAsset: "CASH",
    acceptRounding: true,
  });
  const order = {
    accountId: 100,
    symbolId: 0,
    priceTicks: 123_456_789,
    quantityLots: 100_000_000,
    clientOrderId: "mine",
  };
  await venue.run(placeOrder({ ...order, side: "SELL" }));
  const file = join(folder, "filters.json");
  writeFileSync(file, '{ "priceFilter": { "minPrice": "0.01", "maxPrice": "10", "tickSize": "0.01" } }');
  assert.match(await said("symbol", "preview-filters", "COINCASH", file), /^refused +1$[^]*mine[^]*PRICE_FILTER/m);
  assert.deepEqual((await venue.wanted(200, "GET", "/v1/symbols/COINCASH"))["filters"], {});
  // Without the symbol, orders with the same id could not be told apart.
  assert.match(await said("search", "mine"), /order +1 +COINCASH +100 /);
});
