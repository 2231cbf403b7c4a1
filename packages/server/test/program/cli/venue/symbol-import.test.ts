import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { folderOf, runIn, type Said } from "../command-line.ts";
import { type RunningAdmin, startAdmin } from "../../../people/admin/running.ts";

let admin: RunningAdmin;
let folder = "";
beforeEach(async () => {
  admin = await startAdmin();
  folder = folderOf(admin.url);
});
afterEach(async () => {
  await admin.close();
  rmSync(folder, { recursive: true });
});

/** An answer of exchangeInfo in its current form. */
const symbol = (base: string, quote: string, more: object = {}): Record<string, unknown> => ({
  symbol: `${base}${quote}`,
  status: "TRADING",
  ...{ baseAsset: base, baseAssetPrecision: 8, quoteAsset: quote, quotePrecision: 8, quoteAssetPrecision: 8 },
  orderTypes: ["LIMIT", "LIMIT_MAKER", "MARKET", "STOP_LOSS_LIMIT", "TAKE_PROFIT_LIMIT"],
  ...{ icebergAllowed: true, ocoAllowed: true, otoAllowed: true, quoteOrderQtyMarketAllowed: true },
  ...{ isSpotTradingAllowed: true, permissions: [], permissionSets: [["SPOT"]] },
  filters: [
    { filterType: "PRICE_FILTER", minPrice: "0.01000000", maxPrice: "1000000.00000000", tickSize: "0.01000000" },
    { filterType: "LOT_SIZE", minQty: "0.00001000", maxQty: "9000.00000000", stepSize: "0.00001000" },
    { filterType: "MARKET_LOT_SIZE", minQty: "0.00000000", maxQty: "92.13671875", stepSize: "0.00000000" },
    { filterType: "T_PLUS_SELL", endTime: 0 },
    { filterType: "NOTIONAL", minNotional: "5.00000000", applyMinToMarket: true, avgPriceMins: 5 },
    { filterType: "MAX_NUM_ORDERS", maxNumOrders: 200 },
  ],
  ...more,
});

function importing(document: unknown, ...flags: readonly string[]): Promise<Said> {
  const file = join(folder, "info.json");
  writeFileSync(file, JSON.stringify(document));
  return runIn(folder, ["symbol", "import", file, ...flags]);
}

test("symbols of an exchangeInfo answer are listed with assets and filters, with a report of each", async () => {
  const odd = symbol("ODD", "USDT", { status: "ASLEEP" });
  const fine = symbol("FINE", "USDT", { baseAssetPrecision: 2 });
  const margin = symbol("MAR", "GIN", { isSpotTradingAllowed: false });
  const info = {
    symbols: [symbol("BTC", "USDT"), symbol("ETH", "BTC", { orderTypes: ["LIMIT", "PEGGED"] }), odd, fine, margin],
  };
  const dry = await importing(info, "--dry-run");
  assert.equal(admin.engine.markets().length, 0);
  assert.match(dry.out, /Would list 2 symbols and 4 assets\. Already listed: 0\. Skipped: 3\./);

  const { code, out, err } = await importing(info);
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /^symbol +outcome +why\nBTCUSDT +listed\nETHBTC +listed\n/);
  assert.match(out, /ODDUSDT +skipped +status: one of PRE_TRADING, TRADING, /);
  assert.match(out, /FINEUSDT +skipped +A value is out of range/);
  assert.match(out, /MARGIN +skipped +not a spot symbol/);
  assert.match(out, /Listed 2 symbols and 4 assets\. Already listed: 0\. Skipped: 3\./);
  assert.match(out, /^without T_PLUS_SELL: BTCUSDT, ETHBTC$/m);
  assert.match(out, /^without orders of type PEGGED: ETHBTC$/m);
  const { spec } = admin.engine.marketBySymbol("BTCUSDT") ?? assert.fail("not listed");
  assert.deepEqual(spec.filters, {
    priceFilter: { minPrice: "0.01000000", maxPrice: "1000000.00000000", tickSize: "0.01000000" },
    lotSize: { minQty: "0.00001000", maxQty: "9000.00000000", stepSize: "0.00001000" },
    marketLotSize: { minQty: "0.00000000", maxQty: "92.13671", stepSize: "0.00000000" },
    notional: {
      ...{ minNotional: "5.00000000", applyMinToMarket: true, maxNotional: "0", applyMaxToMarket: false },
      avgPriceMins: 5,
    },
    maxNumOrders: { limit: 200 },
  });
  assert.deepEqual(
    admin.engine.assets().map(({ spec: asset }) => asset.asset),
    ["BTC", "USDT", "ETH", "FINE"],
  );

  assert.match((await importing(info)).out, /Listed 0 symbols and 0 assets\. Already listed: 2\./);
});

test("some symbols, a single one, or a list", async () => {
  const both = { symbols: [symbol("BTC", "USDT"), symbol("ETH", "USDT")] };
  await importing(both, "--only", "ETHUSDT");
  assert.deepEqual(
    admin.engine.markets().map(({ spec }) => spec.symbol),
    ["ETHUSDT"],
  );
  await importing(symbol("LTC", "USDT"));
  await importing([symbol("TRX", "USDT"), symbol("TRX", "BTC")]);
  assert.equal(admin.engine.markets().length, 4);
  const missed = await importing(both, "--only", "ETHUSDT,XRPUSDT");
  assert.deepEqual([missed.code, missed.err], [1, "pricetime: The file has no symbol XRPUSDT."]);
  const odd = await importing(symbol("A-", "B"), "--only", "A-B");
  assert.deepEqual([odd.code, odd.err], [1, "pricetime: Some symbols of --only could not be listed."]);
  for (const nothing of [{}, 5, { symbols: [{}] }, null]) {
    assert.match((await importing(nothing)).err, /has no symbols/);
  }
});

test("a futures file and a truncated file are recognized", async () => {
  const future = { contractType: "PERPETUAL", marginAsset: "USDT", pair: "BTCUSDT" };
  const { code, err } = await importing({ symbols: [symbol("BTC", "USDT", future)] });
  assert.equal(code, 1);
  assert.match(err, /info\.json has futures \(symbols with contractType and marginAsset\)\. Only spot symbols/);
  const mixed = await importing({ symbols: [symbol("BTC", "USDT"), symbol("ETH", "USDT", future)] });
  assert.match(mixed.out, /ETHUSDT +skipped +futures cannot be listed/);
  const whole = JSON.stringify({ symbols: Array.from({ length: 500 }, () => symbol("LTC", "USDT")) });
  for (const length of [whole.length - 5, 300]) {
    const file = join(folder, "cut.json");
    writeFileSync(file, whole.slice(0, length));
    const cut = await runIn(folder, ["symbol", "import", file]);
    assert.match(cut.err, /cut\.json: the JSON is incomplete or invalid: (Unterminated|Unexpected end|Expected)/);
  }
});

test("an answer of 2019, which has fewer fields", async () => {
  const of2019 = {
    ...{ symbol: "ETHBTC", status: "TRADING", baseAsset: "ETH", baseAssetPrecision: 8, quoteAsset: "BTC" },
    ...{ quotePrecision: 8, orderTypes: ["LIMIT", "MARKET"], icebergAllowed: false, filters: [] },
  };
  const { out } = await importing(of2019, "--json", "--accept-rounding");
  const { assets, symbols } = JSON.parse(out) as { assets: string[]; symbols: { warnings: string[] }[] };
  const { warnings, ...listed } = symbols[0] ?? assert.fail("no symbol");
  assert.deepEqual([assets, listed], [["ETH", "BTC"], { symbol: "ETHBTC", outcome: "listed", why: "", notes: [] }]);
  assert.match(warnings.join("\n"), /no LOT_SIZE.*no PRICE_FILTER.*rounded down/s);
  const { spec } = admin.engine.marketBySymbol("ETHBTC") ?? assert.fail("not listed");
  assert.deepEqual([spec.orderTypes, spec.icebergAllowed, spec.ocoAllowed], [["LIMIT", "MARKET"], false, true]);
});

test("more symbols than fit in one request", async () => {
  const many = Array.from({ length: 600 }, (_, at) => symbol(`C${at}`, "USDT"));
  assert.ok(JSON.stringify(many).length > 256 * 1024);
  const { out } = await importing({ symbols: many });
  assert.equal(admin.engine.markets().length, 600);
  assert.match(out, /^\nListed 600 symbols and 601 assets/, "no table of what went well");
});
