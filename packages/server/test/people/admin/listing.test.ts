import assert from "node:assert/strict";
import { test } from "node:test";
import { ADOPT_NEWEST_RULES } from "@pricetime/engine";
import { applyListing, checkListing, type Listing, ListingRefused } from "../../../src/people/admin/listing.ts";
import { assetSchema, symbolSchema } from "../../../src/platform/config/listing-schema.ts";
import { demoListing } from "../../../src/lab/demo/listing.ts";
import { startEngine } from "./running.ts";

const NOTHING: Listing = { assets: [], symbols: [], exchangeFilters: null };
const A = assetSchema.parse({ asset: "A", name: "A" });
const B = assetSchema.parse({ asset: "B", name: "B" });
const AB = symbolSchema.parse({ symbol: "AB", baseAsset: "A", quoteAsset: "B" });
const LISTING: Listing = { assets: [A, B], symbols: [AB], exchangeFilters: { maxNumOrders: { maxNumOrders: 5 } } };

test("what is missing is listed, once", async () => {
  const { engine, sequencer } = startEngine();
  assert.deepEqual(await applyListing(LISTING, engine, sequencer), []);
  assert.deepEqual(engine.marketBySymbol("AB")?.spec, AB);
  assert.deepEqual(engine.exchangeFilters, LISTING.exchangeFilters);
  const { seq } = engine;
  assert.deepEqual(await applyListing(LISTING, engine, sequencer), []);
  assert.deepEqual(await applyListing(NOTHING, engine, sequencer), []);
  assert.equal(engine.seq, seq);
});

test("what is listed otherwise stays, and is named", async () => {
  const { engine, sequencer } = startEngine();
  await applyListing(LISTING, engine, sequencer);
  const changed = { ...LISTING, symbols: [{ ...AB, icebergAllowed: false }], assets: [{ ...A, name: "other" }] };
  assert.deepEqual(await applyListing(changed, engine, sequencer), ["asset A", "symbol AB"]);
  assert.equal(engine.marketBySymbol("AB")?.spec.icebergAllowed, true);
});

test("a flag that is on by default is equal whether omitted or on", async () => {
  const { engine, sequencer } = startEngine();
  await applyListing(LISTING, engine, sequencer);
  for (const flag of ["allowTrailingStop", "otoAllowed", "opoAllowed", "pegInstructionsAllowed"]) {
    const stated = { ...LISTING, symbols: [{ ...AB, [flag]: true }] };
    assert.deepEqual(await applyListing(stated, engine, sequencer), [], flag);
    checkListing(stated, engine);
    const off = { ...LISTING, symbols: [{ ...AB, [flag]: false }] };
    assert.deepEqual(await applyListing(off, engine, sequencer), ["symbol AB"], flag);
    assert.throws(() => checkListing(off, engine), ListingRefused);
  }
});

test("trailing zeros of a decimal are no difference", async () => {
  const { engine, sequencer } = startEngine();
  await sequencer.run(ADOPT_NEWEST_RULES);
  const withZeros = (zeros: string): Listing => ({
    assets: [
      assetSchema.parse({ asset: "A", name: "A", networks: [{ network: "N", withdrawFee: `0.010${zeros}` }] }),
      assetSchema.parse({ asset: "B", name: "B", precision: 2 }),
    ],
    symbols: [
      symbolSchema.parse({
        acceptRounding: true,
        ...AB,
        filters: {
          priceFilter: { minPrice: `0.01${zeros}`, maxPrice: `100.${zeros}`, tickSize: `0.01${zeros}` },
          minNotional: { minNotional: `10.${zeros}`, applyToMarket: true, avgPriceMins: 5 },
        },
      }),
    ],
    exchangeFilters: null,
  });
  assert.deepEqual(await applyListing(withZeros("000000"), engine, sequencer), []);
  assert.equal(engine.marketBySymbol("AB")?.scale.priceDecimals, 2);
  assert.deepEqual(await applyListing(withZeros("00"), engine, sequencer), []);
  checkListing(withZeros("0"), engine);
});

test("what cannot be listed is named in one line", async () => {
  const { engine, sequencer } = startEngine();
  const orphan = { ...NOTHING, symbols: [AB] };
  await assert.rejects(applyListing(orphan, engine, sequencer), (error: Error) => {
    assert.ok(error instanceof ListingRefused);
    assert.equal(error.message, "Symbol AB of the configuration cannot be listed: UNKNOWN_ASSET");
    return true;
  });
});

test("a symbol may have any subset of filters, none included", async () => {
  const { engine, sequencer } = startEngine();
  const filters = demoListing(NOTHING).symbols[0]?.filters ?? {};
  const names = Object.keys(filters) as (keyof typeof filters)[];
  assert.equal(names.length, 12);
  const symbols = Array.from({ length: 2 ** names.length }, (_, set) => {
    const chosen = names.filter((_name, bit) => (set >> bit) & 1);
    const subset = Object.fromEntries(chosen.map((name) => [name, filters[name]]));
    return symbolSchema.parse({ symbol: `S${set}`, baseAsset: "A", quoteAsset: "B", filters: subset });
  });
  await applyListing({ ...NOTHING, assets: [A, B], symbols }, engine, sequencer);
  assert.equal(engine.markets().length, 4096);
});

test("a node of a cluster has what is listed as it is listed, but for what operators change from day to day", async () => {
  const { engine, sequencer } = startEngine();
  await applyListing(LISTING, engine, sequencer);
  checkListing(LISTING, engine);
  checkListing(NOTHING, engine);
  const [symbol] = LISTING.symbols;
  const [asset] = LISTING.assets;
  assert.ok(symbol && asset);
  checkListing({ ...LISTING, symbols: [{ ...symbol, status: "HALT" }] }, engine);
  const refused = (listing: Pick<Listing, "assets" | "symbols">, what: RegExp): void =>
    assert.throws(
      () => checkListing(listing, engine),
      (error: Error) => error instanceof ListingRefused && what.test(error.message),
    );
  refused(
    { ...LISTING, symbols: [{ ...symbol, icebergAllowed: !symbol.icebergAllowed }] },
    /^The configuration of symbol AB differs/,
  );
  refused({ ...LISTING, assets: [{ ...asset, name: "another" }] }, /^The configuration of asset A differs/);
});
