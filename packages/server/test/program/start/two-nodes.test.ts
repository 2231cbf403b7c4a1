/** The first entries of a journal when two nodes of an exchange start at the same time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NEWEST_EDITION } from "@pricetime/engine";
import { applyListing, type Listing, ListingRefused } from "../../../src/people/admin/listing.ts";
import { ConfigError } from "../../../src/platform/config/faults.ts";
import { assetSchema, symbolSchema } from "../../../src/platform/config/listing-schema.ts";
import { adoptNewestRules } from "../../../src/journal/sequencer/start.ts";
import { bindMasterKey } from "../../../src/program/start/master-key.ts";
import { startEngine } from "../../people/admin/running.ts";

const [KEY, OTHER] = ["12".repeat(32), "34".repeat(32)] as const;
const LISTING: Listing = {
  assets: ["A", "B"].map((asset) => assetSchema.parse({ asset, name: asset })),
  symbols: [symbolSchema.parse({ symbol: "AB", baseAsset: "A", quoteAsset: "B" })],
  exchangeFilters: { maxNumOrders: { maxNumOrders: 5 } },
};

/** Both nodes read before either writes. */
const twice = (start: () => Promise<unknown>): Promise<unknown> => Promise.all([start(), start()]);

test("one node adopts the rules, and the other continues", async () => {
  const { engine, sequencer } = startEngine();
  assert.notEqual(engine.edition, NEWEST_EDITION);
  await twice(() => adoptNewestRules(engine, sequencer));
  assert.deepEqual([engine.edition, engine.seq], [NEWEST_EDITION, 2]);
});

test("what both nodes list is listed once", async () => {
  const { engine, sequencer } = startEngine();
  await twice(() => applyListing(LISTING, engine, sequencer));
  assert.equal(engine.markets().length, 1);
  const orphan = {
    ...LISTING,
    assets: [],
    symbols: [symbolSchema.parse({ symbol: "CD", baseAsset: "C", quoteAsset: "D" })],
  };
  await assert.rejects(applyListing(orphan, engine, sequencer), ListingRefused);
});

test("both bind the same master key; with different keys one does not start", async () => {
  const same = startEngine();
  await twice(() => bindMasterKey(same.sequencer, same.engine, KEY, "n1"));
  const { engine, sequencer } = startEngine();
  const first = bindMasterKey(sequencer, engine, KEY, "n1");
  await assert.rejects(bindMasterKey(sequencer, engine, OTHER, "n2"), ConfigError);
  await first;
});
