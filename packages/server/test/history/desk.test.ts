/** Operators' records in history: rebuilt from a journal, and in a file of an older release. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { test } from "node:test";
import type { Command } from "@pricetime/engine";
import { byTwo, listAsset, networkOf, openAccount, TWO_OPERATORS } from "@pricetime/testkit/commands";
import { batchesOf } from "@pricetime/testkit/journal";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { OPERATOR_LISTS } from "../../src/history/reading/operator-queries.ts";
import { openHistoryFile } from "../../src/history/table/schema.ts";
import { rebuiltHistory } from "./rebuilt-history.ts";
import { NEWEST_VERSION, WITHOUT_LATER_TABLES } from "./older-history.ts";

const COIN = { network: "NET", txId: "t", address: "a", tag: "", coin: "0xdead", amount: "7" } as const;
const note = (output: number): Command => ({ type: "noteUnknownDeposit", ...COIN, output, reason: "unknownAsset" });
const adjust = (number: number, accountId: number, amount: string): Command[] =>
  byTwo(number, {
    ...{ type: "adjust", by: "", accountId, asset: "BIG", direction: "credit", amount, house: "treasury" },
    ...{ category: "goodwill", why: "a test", reference: `ticket ${number}` },
  });
/** More than 64 bits. */
const VAST = "900000000000.00000000";

const COMMANDS: Command[] = [
  ...TWO_OPERATORS,
  listAsset("BIG", 8, [networkOf("NET")]),
  ...["one@test", "two@test"].map((email) => openAccount(email)),
  { type: "assignDepositAddress", accountId: 100, network: "NET", address: "a", tag: "" },
  ...[...adjust(1, 100, VAST), ...adjust(2, 101, "1"), ...adjust(3, 100, "0.5"), ...adjust(3, 100, "9")],
  ...[100, 101, 100].map((accountId, n): Command => ({ type: "noteAccount", by: "sam", accountId, text: `note ${n}` })),
  ...[0, 1, 2].map(note),
  note(0),
  {
    type: "settleUnknownDeposit",
    by: "sam",
    ...idOf(1),
    how: "dismiss",
    toAccountId: null,
    asset: null,
    amount: null,
    why: "w",
  },
  { type: "seeDeposit", ...idOf(2), asset: "BIG", address: "a", tag: "", amount: "7" },
  { type: "dropDeposit", ...idOf(2) },
  note(2),
];

function idOf(output: number): { readonly network: string; readonly txId: string; readonly output: number } {
  return { network: COIN.network, txId: COIN.txId, output };
}

const { query, database } = rebuiltHistory(batchesOf(3, COMMANDS));

test("adjustments of all, of an account, and page by page; also more than 64 bits hold", () => {
  const told = query("adjustments", { limit: 10 });
  assert.deepEqual(
    told.map(({ accountId, asset, amount, reference }) => [accountId, asset, amount, reference]),
    [
      [100, "BIG", "0.50000000", "ticket 3"],
      [101, "BIG", "1.00000000", "ticket 2"],
      [100, "BIG", VAST, "ticket 1"],
    ],
  );
  const [first, , last] = told;
  assert.deepEqual(query("adjustments", { accountId: 100, limit: 10 }), [first, last]);
  assert.deepEqual(query("adjustments", { accountId: 100, limit: 1, beforeSeq: first?.seq }), [last]);
  assert.deepEqual(query("adjustments", { limit: 1 }), [first]);
  const { rows } = query("timeLine", { accountId: 100, kinds: ["money"], limit: 10 });
  assert.deepEqual(
    rows.filter(({ what }) => what === "adjustment").map(({ id, amount, by }) => [id, amount, by]),
    [first, last].map((row) => [row?.seq, row?.amount, row?.by]),
  );
});

test("notes of an account", () => {
  const texts = (beforeSeq?: number) =>
    query("notes", { accountId: 100, limit: 10, beforeSeq }).map(({ text }) => text);
  assert.deepEqual(texts(), ["note 2", "note 0"]);
  assert.deepEqual(texts(query("notes", { accountId: 100, limit: 1 })[0]?.seq), ["note 0"]);
});

test("unknown deposits by what became of them: one that was a customer's and left the chain waits again", () => {
  const of = (status?: "seen" | "dismiss" | "deposit") =>
    query("unknownDeposits", { status, limit: 10 }).map(({ output, status: is }) => `${output} ${is}`);
  assert.deepEqual(of(), ["2 seen", "1 dismiss", "0 seen"]);
  assert.deepEqual(of("seen"), ["2 seen", "0 seen"]);
  assert.deepEqual(of("dismiss"), ["1 dismiss"]);
  assert.deepEqual(of("deposit"), []);
});

test("every list is read by an index, in its order", () => {
  for (const [name, sql] of Object.entries(OPERATOR_LISTS)) {
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    const plan = steps.map(({ detail }) => detail).join("; ");
    assert.match(plan, /^SEARCH/, `${name}: ${plan}`);
    assert.doesNotMatch(plan, /SCAN|TEMP B-TREE/, `${name}: ${plan}`);
  }
});

test("a history of the version before gets the tables, and keeps what it has", (t) => {
  const path = join(scratchFolder(t), "history.sqlite");
  openHistoryFile(path).close();
  const older = new DatabaseSync(path);
  older.exec("INSERT INTO position VALUES (1, 7, 'hash')");
  for (const table of ["adjustments", "account_notes", "unknown_deposits", "posting_blocks", "access_acts"])
    older.exec(`DROP TABLE ${table}`);
  older.exec(`${WITHOUT_LATER_TABLES} PRAGMA user_version = 2`);
  older.close();
  const upgraded = openHistoryFile(path);
  t.after(() => upgraded.close());
  assert.deepEqual({ ...upgraded.prepare("SELECT seq FROM position").get() }, { seq: 7 });
  assert.deepEqual({ ...upgraded.prepare("SELECT count(*) AS n FROM unknown_deposits").get() }, { n: 0 });
  assert.deepEqual({ ...upgraded.prepare("PRAGMA user_version").get() }, { user_version: NEWEST_VERSION });
});
