/** What the command palette offers, and what a browser remembers of the console's tables. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import type { Hit } from "@pricetime/server/answers";
import { fixedEntries, hitEntry, matching } from "../../src/console/frame/palette-entries.ts";
import { type Place, placeOf } from "../../src/console/place.ts";
import {
  filtersFor,
  openTableChoices,
  rememberFilters,
  shownColumns,
  tableName,
} from "../../src/console/table-choices.ts";
import { openPreferences } from "../../src/preferences.ts";

const labelsOf = (typed: string, isAllowed = true): string[] =>
  matching(
    fixedEntries(() => isAllowed),
    typed,
  ).map(({ label }) => label);

test("the palette finds pages and actions by any of their words, and first by their beginning", () => {
  assert.deepEqual(labelsOf("list"), ["List market", "List asset"]);
  assert.deepEqual(labelsOf("customer inv"), ["Invite customer"]);
  const [first, ...others] = labelsOf("Approval");
  assert.equal(first, "Approval requests");
  assert.ok(others.includes("Set approval rules"));
  assert.deepEqual(labelsOf("no such action"), []);
});

test("the palette offers only the actions that the operator may carry out", () => {
  assert.deepEqual(labelsOf("list", false), []);
  assert.deepEqual(labelsOf("markets", false), ["Markets"]);
});

test("only forms that replace nothing open from the palette; other entries lead to their page", () => {
  const entries = fixedEntries(() => true);
  assert.equal(entries.find(({ label }) => label === "List asset")?.opens, "POST /v1/assets");
  const filters = entries.find(({ label }) => label === "Set exchange filters");
  assert.deepEqual([filters?.opens, filters?.to], [undefined, { page: "markets" }]);
});

test("a result of the search leads to its page", () => {
  const hit = { kind: "withdrawal", id: "w1", accountId: 100, label: "9 BTC", email: "", status: "awaitingApproval" };
  assert.deepEqual(hitEntry(hit as Hit), {
    ...{ id: "hit withdrawal w1  100", kind: "withdrawal", label: "w1", note: "9 BTC · awaitingApproval" },
    to: { page: "withdrawals", subject: "w1" },
  });
});

const openTables = () => openTableChoices(openPreferences(null));

test("filters that are set on a page come back with its link in the navigation, and the link clears them there", () => {
  const place = signal<Place>(placeOf("#/overview"));
  const context = { place, tables: openTables() };
  rememberFilters(context);
  // A link from elsewhere is not remembered.
  place.value = placeOf("#/audit-log?account=100");
  place.value = placeOf("#/withdrawals");
  assert.deepEqual(filtersFor(context, "audit-log"), {});
  place.value = placeOf("#/withdrawals?asset=BTC&status=");
  assert.deepEqual(filtersFor(context, "withdrawals"), {}, "the page's own link clears its filters");
  place.value = placeOf("#/journal");
  place.value = placeOf("#/journal?from=12&type=deposit");
  place.value = placeOf("#/accounts/100?kind=order");
  assert.deepEqual(filtersFor(context, "withdrawals"), { asset: "BTC" });
  assert.deepEqual(filtersFor(context, "journal"), { type: "deposit" }, "a position is no filter");
  assert.deepEqual(filtersFor(context, "accounts"), {});
  place.value = placeOf("#/withdrawals?asset=BTC");
  place.value = placeOf("#/withdrawals");
  place.value = placeOf("#/overview");
  assert.deepEqual(filtersFor(context, "withdrawals"), {});
});

test("hidden columns are remembered for all objects that have the table, and invalid memories are ignored", () => {
  const store = {
    text: "{}",
    getItem: () => store.text,
    setItem: (_: string, text: string) => void (store.text = text),
  };
  openTableChoices(openPreferences(store)).hidden.value = { [tableName("keys-100")]: ["Label"] };
  const { hidden } = openTableChoices(openPreferences(store));
  assert.deepEqual(hidden.value[tableName("keys-2345")], ["Label"]);
  const columns = [{ label: "Key" }, { label: "Label" }];
  assert.deepEqual(shownColumns(columns, hidden.value["keys"] ?? []), [{ label: "Key" }]);
  store.text = JSON.stringify({ consoleHiddenColumns: { keys: [1] }, consoleFilters: { journal: { type: {} } } });
  const tables = openTableChoices(openPreferences(store));
  assert.deepEqual([tables.hidden.value, tables.filters.value], [{}, {}]);
});
