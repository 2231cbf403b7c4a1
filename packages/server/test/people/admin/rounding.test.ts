/** Symbols whose fills would be rounded too coarsely are rejected, accepted with a warning or accepted. */
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { ADOPT_NEWEST_RULES } from "@pricetime/engine";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ROOT } from "@pricetime/testkit/venue";
import { parse } from "yaml";
import { applyListing, checkListing } from "../../../src/people/admin/listing.ts";
import { coarseSymbols, listingWarnings } from "../../../src/platform/config/listing-warnings.ts";
import { writeAdminFile } from "../../../src/platform/config/admin-file.ts";
import { assetSchema, symbolSchema } from "../../../src/platform/config/listing-schema.ts";
import { fileSchema } from "../../../src/platform/config/schema.ts";
import { runIn } from "../../program/cli/command-line.ts";
import { type RunningAdmin, startAdmin, startEngine, TOKEN } from "./running.ts";

const PAIR = { symbol: "BTCEUR", baseAsset: "BTC", quoteAsset: "EUR" };
const filtersWith = (minNotional: string) => ({
  priceFilter: { minPrice: "0.01", maxPrice: "10000000", tickSize: "0.01" },
  lotSize: { minQty: "0.00001", maxQty: "1000", stepSize: "0.00001" },
  minNotional: { minNotional, applyToMarket: true, avgPriceMins: 5 },
});
/** The guide's venue, with euros of two decimals. */
const GUIDE = { ...PAIR, filters: filtersWith("10") };
const FIGURE = /BTCEUR: fills are rounded down to 0\.01 EUR, which is 10 bp of the smallest trade/;
const REMEDY = /more digits, raise minNotional to 100\.00 EUR \(applyToMarket: true\), or set acceptRounding: true/;

let admin: RunningAdmin;
beforeEach(async () => {
  admin = await startAdmin();
  await admin.call("POST", "/v1/assets", { asset: "BTC", name: "Bitcoin" });
  await admin.call("POST", "/v1/assets", { asset: "EUR", name: "Euro", precision: 2 });
});
afterEach(() => admin.close());

test("the admin API rejects it with figure and remedy, and lists it if an operator accepts it", async () => {
  const { error, message } = await admin.wanted(400, "POST", "/v1/symbols", GUIDE);
  assert.equal(error, "ROUNDING_TOO_COARSE");
  assert.match(String(message), FIGURE);
  assert.match(String(message), REMEDY);
  const listed = await admin.wanted(201, "POST", "/v1/symbols", { ...GUIDE, acceptRounding: true });
  assert.equal(listed["acceptRounding"], true);
  const [warning] = listed["warnings"] as string[];
  assert.match(warning ?? "", FIGURE);
  assert.doesNotMatch(warning ?? "", /acceptRounding/);
  assert.deepEqual((await admin.wanted(200, "GET", "/v1/symbols/BTCEUR"))["warnings"], listed["warnings"]);
});

test("between one and five basis points it is listed with a warning, also in /readyz", async () => {
  const listed = await admin.wanted(201, "POST", "/v1/symbols", { ...PAIR, filters: filtersWith("30") });
  assert.match(String((listed["warnings"] as string[])[0]), /which is 3\.34 bp of the smallest trade/);
  const said = coarseSymbols(admin.engine);
  assert.deepEqual(Object.keys(said), ["symbol BTCEUR"]);
  await admin.wanted(200, "PUT", "/v1/symbols/BTCEUR/filters", { ...filtersWith("30"), acceptRounding: true });
  assert.deepEqual(coarseSymbols(admin.engine), {}, "what is accepted is not repeated");
});

test("a change of filters is checked too, and its preview warns", async () => {
  await admin.wanted(201, "POST", "/v1/symbols", { ...PAIR, filters: filtersWith("100") });
  const { minNotional: _, ...without } = filtersWith("100");
  const preview = await admin.wanted(200, "POST", "/v1/symbols/BTCEUR/filters/preview", without);
  assert.match(String(preview["warnings"]), /more than all of the smallest trade/);
  const { error, message } = await admin.wanted(400, "PUT", "/v1/symbols/BTCEUR/filters", without);
  assert.equal(error, "ROUNDING_TOO_COARSE");
  assert.match(String(message), REMEDY);
  await admin.wanted(200, "PUT", "/v1/symbols/BTCEUR/filters", { ...without, acceptRounding: true });
  await admin.wanted(200, "PUT", "/v1/symbols/BTCEUR/filters", without);
});

test("the command line accepts by a flag, filters in the form of exchangeInfo included", async () => {
  const folder = temporaryFolder();
  try {
    writeAdminFile(folder, { admin: admin.url, adminToken: TOKEN });
    const file = (content: unknown): string => {
      writeFileSync(join(folder, "given.json"), JSON.stringify(content));
      return join(folder, "given.json");
    };
    const rejected = await runIn(folder, ["symbol", "add", file(GUIDE)]);
    assert.notEqual(rejected.code, 0);
    assert.match(rejected.err, FIGURE);
    const added = await runIn(folder, ["symbol", "add", file(GUIDE), "--accept-rounding"]);
    assert.equal(added.code, 0, added.err);
    assert.match(added.err, /warning: BTCEUR: fills are rounded down/);
    await admin.call("POST", "/v1/symbols", { ...PAIR, symbol: "BTCEUR2", filters: filtersWith("100") });
    const list = [
      { filterType: "PRICE_FILTER", minPrice: "0.01", maxPrice: "10000000", tickSize: "0.01" },
      { filterType: "LOT_SIZE", minQty: "0.00001", maxQty: "1000", stepSize: "0.00001" },
    ];
    assert.match((await runIn(folder, ["symbol", "filters", "BTCEUR2", file(list)])).err, /BTCEUR2: fills are rounded/);
    const changed = await runIn(folder, ["symbol", "filters", "BTCEUR2", file(list), "--accept-rounding"]);
    assert.equal(changed.code, 0, changed.err);
    assert.equal(admin.engine.marketBySymbol("BTCEUR2")?.spec.acceptRounding, true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("an import leaves it out with the figure, in a dry run too, unless the operator accepts it", async () => {
  const folder = temporaryFolder();
  try {
    writeAdminFile(folder, { admin: admin.url, adminToken: TOKEN });
    const file = join(folder, "info.json");
    const precisions = { baseAssetPrecision: 8, quoteAssetPrecision: 2 };
    const filters = [
      { filterType: "PRICE_FILTER", minPrice: "0.01", maxPrice: "10000000", tickSize: "0.01" },
      { filterType: "LOT_SIZE", minQty: "0.00001", maxQty: "1000", stepSize: "0.00001" },
      { filterType: "NOTIONAL", minNotional: "10", applyMinToMarket: true, avgPriceMins: 5 },
    ];
    writeFileSync(file, JSON.stringify({ symbols: [{ ...PAIR, status: "TRADING", ...precisions, filters }] }));
    for (const flags of [["--dry-run"], []]) {
      const { out } = await runIn(folder, ["symbol", "import", file, ...flags]);
      assert.match(out, /0 symbols .* Skipped: 1/);
      assert.match(out, FIGURE);
    }
    const accepted = await runIn(folder, ["symbol", "import", file, "--accept-rounding"]);
    assert.match(accepted.out, /Listed 1 symbols/);
    assert.match(accepted.out, /warning: BTCEUR: fills are rounded/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the guide's own configuration and its further symbol are listed without a warning", async () => {
  const guide = readFileSync(join(ROOT, "docs/guides/running-a-venue.md"), "utf8");
  const block = (name: string): unknown =>
    parse(new RegExp(`<!-- file: ${name} -->\\n\`{3}yaml\\n([^\`]+)`).exec(guide)?.[1] ?? assert.fail(name));
  const { assets, symbols } = fileSchema.parse(block("venue.yaml"));
  const eth = assetSchema.parse({ asset: "ETH", name: "Ether" });
  const listing = { assets: [...assets, eth], symbols: [...symbols, symbolSchema.parse(block("etheur.yaml"))] };
  const venue = startEngine();
  await venue.sequencer.run(ADOPT_NEWEST_RULES);
  assert.deepEqual(await applyListing({ ...listing, exchangeFilters: null }, venue.engine, venue.sequencer), []);
  const warnings = venue.engine
    .markets()
    .map((market) => listingWarnings({ view: venue.engine, fees: { takerBps: 10 } }, market));
  assert.deepEqual(warnings, [[], []]);
  const [bank] = venue.engine.assets().find(({ spec }) => spec.asset === "EUR")?.spec.networks ?? [];
  assert.deepEqual([bank?.depositStep, bank?.withdrawStep], ["0.01", "0.01"]);
});

test("a lab lists and changes by its admin API what a venue rejects, and only warns", async () => {
  await admin.close();
  admin = await startAdmin({ isLab: true });
  await admin.call("POST", "/v1/assets", { asset: "BTC", name: "Bitcoin" });
  await admin.call("POST", "/v1/assets", { asset: "EUR", name: "Euro", precision: 2 });
  const listed = await admin.wanted(201, "POST", "/v1/symbols", GUIDE);
  assert.match(String(listed["warnings"]), FIGURE);
  await admin.wanted(201, "POST", "/v1/symbols", { ...PAIR, symbol: "BTCEUR2", filters: filtersWith("100") });
  const changed = await admin.wanted(200, "PUT", "/v1/symbols/BTCEUR2/filters", filtersWith("10"));
  assert.match(String(changed["warnings"]), /10 bp of the smallest trade/);
});

const LISTING = {
  assets: [
    assetSchema.parse({ asset: "BTC", name: "B" }),
    assetSchema.parse({ asset: "EUR", name: "E", precision: 2 }),
  ],
  symbols: [symbolSchema.parse(GUIDE)],
  exchangeFilters: null,
};

test("a configuration with it is rejected in one line; a lab lists it and only warns", async () => {
  const venue = startEngine();
  await venue.sequencer.run(ADOPT_NEWEST_RULES);
  await assert.rejects(applyListing(LISTING, venue.engine, venue.sequencer), FIGURE);
  const accepted = { ...LISTING, symbols: [symbolSchema.parse({ ...GUIDE, acceptRounding: true })] };
  assert.deepEqual(await applyListing(accepted, venue.engine, venue.sequencer), []);
  checkListing(LISTING, venue.engine);

  const lab = startEngine();
  await lab.sequencer.run(ADOPT_NEWEST_RULES);
  assert.deepEqual(await applyListing(LISTING, lab.engine, lab.sequencer, true), []);
  assert.deepEqual(await applyListing(LISTING, lab.engine, lab.sequencer, true), [], "at its next start as well");
  const [market] = lab.engine.markets();
  assert.match(listingWarnings({ view: lab.engine, fees: { takerBps: 0 } }, market!).join(), FIGURE);
});

test("symbols listed under earlier rules stay with a warning that names twenty", async () => {
  const old = startEngine();
  const symbols = Array.from({ length: 22 }, (_, n) => symbolSchema.parse({ ...GUIDE, symbol: `S${n}` }));
  await applyListing({ ...LISTING, symbols }, old.engine, old.sequencer);
  await old.sequencer.run(ADOPT_NEWEST_RULES);
  const said = Object.entries(coarseSymbols(old.engine));
  assert.equal(said.length, 21);
  assert.match(said[0]?.[1] ?? "", /^S0: fills are rounded down to 0\.01 EUR/);
  assert.deepEqual(said.at(-1), ["symbols", "2 more symbols have coarse rounding: see GET /v1/symbols"]);
});

test("where a lot is the base asset's smallest unit, the warning names the largest commission-free BUY quantity", async () => {
  await admin.call("POST", "/v1/assets", { asset: "SHARE", name: "A share", precision: 0 });
  await admin.call("POST", "/v1/assets", { asset: "CHF", name: "Franc" });
  const filters = {
    priceFilter: { minPrice: "0.01", maxPrice: "100000", tickSize: "0.01" },
    lotSize: { minQty: "1", maxQty: "100000", stepSize: "1" },
  };
  const listed = await admin.wanted(201, "POST", "/v1/symbols", {
    ...{ symbol: "SHARECHF", baseAsset: "SHARE", quoteAsset: "CHF", filters },
  });
  assert.match(String(listed["warnings"]), /at a rate of 20 bp a BUY of up to 499 SHARE pays no commission/);
});
