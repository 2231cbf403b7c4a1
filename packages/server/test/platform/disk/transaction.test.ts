/** Transactions are atomic and report the first error, also if SQLite rolled back by itself. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { transaction } from "../../../src/platform/disk.ts";

function table(t: TestContext): DatabaseSync {
  const database = new DatabaseSync(join(scratchFolder(t), "table.sqlite"));
  t.after(() => database.close());
  database.exec("CREATE TABLE numbers (number INTEGER PRIMARY KEY)");
  return database;
}

const add = (database: DatabaseSync, number: number, orElse = ""): void =>
  void database.prepare(`INSERT ${orElse} INTO numbers VALUES (?)`).run(number);
const numbers = (database: DatabaseSync): unknown[] =>
  database
    .prepare("SELECT number FROM numbers ORDER BY number")
    .all()
    .map((row) => row["number"]);

test("a transaction commits and returns its result", (t) => {
  const database = table(t);
  const result = transaction(database, "IMMEDIATE", () => {
    add(database, 1);
    add(database, 2);
    return "done";
  });
  assert.deepEqual([result, numbers(database), database.isTransaction], ["done", [1, 2], false]);
});

test("after an error everything is rolled back, and another can begin", (t) => {
  const database = table(t);
  const fail = (): never => {
    add(database, 1);
    throw new Error("a mistake");
  };
  assert.throws(() => transaction(database, "IMMEDIATE", fail), /a mistake/);
  assert.throws(() => transaction(database, "DEFERRED", fail), /a mistake/);
  transaction(database, "IMMEDIATE", () => add(database, 3));
  assert.deepEqual(numbers(database), [3]);
});

test("a transaction that SQLite rolled back is not rolled back again, and its error is reported", (t) => {
  const database = table(t);
  add(database, 7);
  assert.throws(
    () =>
      transaction(database, "IMMEDIATE", () => {
        add(database, 1);
        add(database, 7, "OR ROLLBACK");
      }),
    /UNIQUE constraint failed/,
  );
  // A full disk ends a transaction the same way.
  database.exec("PRAGMA max_page_count = 2");
  const fill = (): void => {
    for (let number = 100; ; number++) add(database, number);
  };
  assert.throws(() => transaction(database, "IMMEDIATE", fill), /full/);
  assert.deepEqual([numbers(database), database.isTransaction], [[7], false]);
});

test("no other code issues a rollback", () => {
  const folder = join(import.meta.dirname, "../../../src");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  assert.ok(sources.length > 100);
  const byHand = sources.filter((path) =>
    /exec\(\s*["'`](ROLLBACK|COMMIT)/.test(readFileSync(join(folder, path), "utf8")),
  );
  assert.deepEqual(
    byHand.map((path) => `packages/server/src/${path}`).sort(),
    // History's transaction spans many batches; the projection uses the shared rollback.
    ["packages/server/src/history/writing/history-writer.ts", "packages/server/src/platform/disk.ts"],
  );
});
