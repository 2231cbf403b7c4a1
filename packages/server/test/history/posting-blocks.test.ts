/** Statements find an account's postings by blocks of entries: all of them, in order, also in older histories. */
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { deposit, listAsset, openAccount } from "@pricetime/testkit/commands";
import { Dice } from "@pricetime/testkit/dice";
import { batchesOf } from "@pricetime/testkit/journal";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { type Answer, openQueries, type Query } from "../../src/history/reading/queries.ts";
import { openHistoryFile } from "../../src/history/table/schema.ts";
import { BLOCK_ENTRIES } from "../../src/history/table/posting-blocks.ts";
import { IN_BLOCKS } from "../../src/history/reading/statement-queries.ts";
import { rebuiltHistory } from "./rebuilt-history.ts";
import { NEWEST_VERSION, WITHOUT_LATER_TABLES } from "./older-history.ts";

const ACCOUNTS = 300;
const DEPOSITS = 4000;
const FIRST = 100;
/** About thirteen for each account, at random. */
const dice = new Dice(4);
const commands = [
  listAsset("BTC", 8),
  ...Array.from({ length: ACCOUNTS }, (_, n) => openAccount(`${n}@test`)),
  ...Array.from({ length: DEPOSITS }, (_, n) => deposit(FIRST + dice.between(0, ACCOUNTS - 1), "BTC", "1", `r${n}`)),
];
const whole = rebuiltHistory(batchesOf(7, commands));
const END = commands.length + 1;

function seqsOf(query: Query, accountId: number, fromSeq = 1, endSeq = END): number[] {
  const seqs: number[] = [];
  for (let next: number | null = fromSeq; next !== null; ) {
    const page: Answer<"statementPage"> = query("statementPage", { accountId, fromSeq: next, endSeq });
    seqs.push(...page.moves.map(({ seq }) => seq));
    assert.ok(page.nextSeq === null || page.nextSeq > next);
    next = page.nextSeq;
  }
  return seqs;
}

function wanted(database: DatabaseSync, accountId: number, fromSeq = 1, endSeq = END): unknown[] {
  const sql = "SELECT seq FROM postings WHERE to_account_id = ? AND seq >= ? AND seq < ? ORDER BY seq";
  return database
    .prepare(sql)
    .all(accountId, fromSeq, endSeq)
    .map((row) => row["seq"]);
}

const blocksOf = (database: DatabaseSync): unknown[] =>
  database.prepare("SELECT block, hex(accounts) AS accounts FROM posting_blocks ORDER BY block").all();

test("what an account has in any span is found: in blocks, across their ends, and after the last one", () => {
  assert.equal(whole.database.prepare("SELECT count(*) AS n FROM postings").get()?.["n"], DEPOSITS);
  for (let accountId = FIRST - 1; accountId <= FIRST + ACCOUNTS; accountId++) {
    assert.deepEqual(seqsOf(whole.query, accountId), wanted(whole.database, accountId), `account ${accountId}`);
  }
  for (let round = 0; round < 300; round++) {
    const accountId = FIRST + dice.between(0, ACCOUNTS - 1);
    const from = dice.between(1, END - 1);
    const until = dice.between(from + 1, END);
    const told = seqsOf(whole.query, accountId, from, until);
    assert.deepEqual(told, wanted(whole.database, accountId, from, until), `${accountId}: ${from} to ${until}`);
  }
});

test("a block has its accounts and no others; the last one, which is not whole, has no row", () => {
  const seen = whole.database.prepare(`SELECT seq / ${BLOCK_ENTRIES} AS block, to_account_id AS account FROM postings`);
  const byBlock = new Map<number, Set<number>>();
  for (const { block, account } of seen.all() as { block: number; account: number }[]) {
    byBlock.set(block, (byBlock.get(block) ?? new Set()).add(account));
  }
  byBlock.delete(Math.max(...byBlock.keys()));
  const stored = whole.database.prepare("SELECT block, accounts FROM posting_blocks ORDER BY block").all();
  const told = stored.map(({ block, accounts }) => {
    const view = new DataView((accounts as Uint8Array).buffer);
    const ids = Array.from({ length: view.byteLength / 4 }, (_, n) => view.getUint32(n * 4, true));
    return [block, new Set(ids.filter((id) => id >= FIRST))];
  });
  assert.deepEqual(told, [...byBlock]);
});

test("a history of before the blocks gets them when it is opened, and goes on where that was broken off", (t) => {
  const path = join(scratchFolder(t), "history.sqlite");
  for (const before of [
    `DROP TABLE posting_blocks; DROP TABLE access_acts; ${WITHOUT_LATER_TABLES} PRAGMA user_version = 3`,
    "DELETE FROM posting_blocks WHERE block > 20",
  ]) {
    cpSync(whole.path, path);
    const older = new DatabaseSync(path);
    older.exec(before);
    older.close();
    const upgraded = openHistoryFile(path);
    t.after(() => upgraded.isOpen && upgraded.close());
    assert.deepEqual(blocksOf(upgraded), blocksOf(whole.database), before);
    assert.deepEqual({ ...upgraded.prepare("PRAGMA user_version").get() }, { user_version: NEWEST_VERSION });
    assert.deepEqual(seqsOf(openQueries(upgraded), 250), wanted(whole.database, 250));
    upgraded.close();
  }
});

test("blocks are walked through, and of entries only theirs", () => {
  const steps = whole.database.prepare(`EXPLAIN QUERY PLAN ${IN_BLOCKS}`).all() as { detail: string }[];
  assert.deepEqual(
    steps.map(({ detail }) => detail),
    [
      "SEARCH posting_blocks USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
      "SEARCH entry_postings USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
    ],
  );
});
