/** `pricetime export`: error messages, and no files after a failure. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { batchesOf, randomFlow } from "@pricetime/testkit/journal";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { runIn, type Said } from "../command-line.ts";
import { dataPaths } from "../../../../src/journal/storage/data-folder.ts";
import { append, folderWith } from "../../../journal/replica/data-folder.ts";

const BATCHES = batchesOf(3, randomFlow(3, 400));

interface Folder {
  readonly data: string;
  readonly to: string;
  run(...argv: readonly string[]): Promise<Said>;
}

function prepare(t: TestContext): Folder {
  const { journal } = folderWith(t, BATCHES);
  const data = join(journal, "..");
  const to = scratchFolder(t);
  return { data, to, run: (...argv) => run(data, ...argv) };
}

const run = (data: string, ...argv: readonly string[]): Promise<Said> => runIn(data, ["export", ...argv]);

test("one file per symbol, and a report", async (t) => {
  const { run: exported, to } = prepare(t);
  const where = ["--to-folder", join(to, "new", "folder")];
  const { code, out } = await exported("trades", "--symbol", "BTCUSDT,WIDEUSDT", ...where, "--json");
  assert.equal(code, 0);
  const { rows, files } = JSON.parse(out) as { rows: number; files: string };
  const names = ["BTCUSDT-trades.csv", "WIDEUSDT-trades.csv"];
  assert.deepEqual(readdirSync(join(to, "new", "folder")), names);
  assert.equal(files, names.map((name) => join(to, "new", "folder", name)).join(", "));
  const lines = names.flatMap((name) =>
    readFileSync(join(to, "new", "folder", name), "utf8")
      .trimEnd()
      .split("\n"),
  );
  assert.equal(lines.length, rows + 2);
});

test("every kind of rows, in every format", async (t) => {
  const { run: exported, to } = prepare(t);
  for (const format of ["csv", "parquet"]) {
    for (const rows of ["orders", "trades", "book", "candles"]) {
      const { code, err } = await exported(rows, "--symbol", "BTCUSDT", "--to-folder", to, "--format", format);
      assert.equal(code, 0, err);
    }
    assert.equal((await exported("ledger", "--out", join(to, `all.${format}`), "--format", format)).code, 0);
  }
  const lobster = ["--format", "lobster", "--levels", "2", "--to-folder", to];
  assert.equal((await exported("book", "--symbol", "BTCUSDT", ...lobster)).code, 0);
  const days = readdirSync(to).filter((name) => name.endsWith("_orderbook_2.csv")).length;
  assert.ok(days > 0);
  assert.equal(readdirSync(to).length, 2 * 5 + 3 * days);
});

test("a symbol without rows is reported, and the others are written", async (t) => {
  const { run: exported, to } = prepare(t);
  const firstTradeMs = Number((await firstTrade(exported, to, "BTCUSDT"))[0]);
  const otherMs = Number((await firstTrade(exported, to, "WIDEUSDT"))[0]);
  const [early, late] = firstTradeMs < otherMs ? ["BTCUSDT", "WIDEUSDT"] : ["WIDEUSDT", "BTCUSDT"];
  const until = String(Math.max(firstTradeMs, otherMs));
  const { code, err } = await exported("trades", "--symbol", "BTCUSDT,WIDEUSDT", "--to", until, "--to-folder", to);
  if (firstTradeMs === otherMs) return t.skip("both begin at once");
  assert.equal(code, 0);
  assert.equal(err, `${late} has no trades in this period.`);
  assert.ok(existsSync(join(to, `${early}-trades.csv`)) && !existsSync(join(to, `${late}-trades.csv`)));
});

async function firstTrade(exported: Folder["run"], to: string, symbol: string): Promise<string[]> {
  const path = join(to, `first-${symbol}.csv`);
  await exported("trades", "--symbol", symbol, "--out", path);
  return readFileSync(path, "utf8").split("\n")[1]?.split(",") ?? [];
}

test("a failed export is reported in one line and leaves no files", async (t) => {
  const { run: exported, to } = prepare(t);
  const file = join(to, "rows.csv");
  const trades = ["trades", "--symbol", "BTCUSDT"];
  const cases: readonly (readonly [RegExp, readonly string[]])[] = [
    [
      /No symbol ETHUSDT was listed at that time\. Listed: BTCUSDT, WIDEUSDT\./,
      ["trades", "--symbol", "ETHUSDT", "--out", file],
    ],
    [
      /There are no trades of BTCUSDT in this period\. The journal that was read is from 2024-01-28T23:59:30/,
      [...trades, "--from", "2030-01-01", "--out", file],
    ],
    [/The journal has no entry before this time/, [...trades, "--to", "2020-01-01", "--out", file]],
    [/--to must be after --from/, [...trades, "--from", "2030-01-01", "--to", "2030-01-01", "--out", file]],
    [/Specify either --out FILE or --to-folder FOLDER/, trades],
    [/Specify either/, [...trades, "--out", file, "--to-folder", to]],
    [/Use --to-folder for several/, ["trades", "--symbol", "BTCUSDT,WIDEUSDT", "--out", file]],
    [/LOBSTER's format has three files a day/, ["book", "--symbol", "BTCUSDT", "--format", "lobster", "--out", file]],
    [/The archive layouts need --format csv/, [...trades, "--layout", "archive", "--format", "parquet", "--out", file]],
    [/must be a time such as 2026-01-01T00:00:00Z/, [...trades, "--from", "2024-01-01T00:00", "--out", file]],
    [/must be a time/, [...trades, "--from", "yesterday", "--out", file]],
    [/from 1 to 1000/, ["book", "--symbol", "BTCUSDT", "--levels", "0", "--out", file]],
    [/one of csv, parquet, not 'lobster'/, [...trades, "--format", "lobster", "--out", file]],
    [/Specify at least one symbol/, ["trades", "--symbol", ",", "--out", file]],
    [/--symbol <symbols>/, ["trades", "--out", file]],
    [
      /--symbol accepts at most 50 symbols, not 51/,
      ["trades", "--symbol", Array.from({ length: 51 }, (_, n) => `S${n}`).join(","), "--to-folder", to],
    ],
    [/absent.*cannot be written/, [...trades, "--out", join(to, "absent", "rows.csv")]],
  ];
  for (const [why, argv] of cases) {
    const { code, err } = await exported(...argv);
    assert.equal(code, 1, argv.join(" "));
    assert.match(err, why);
    assert.equal(err.split("\n").length, 1, err);
    assert.deepEqual(readdirSync(to), [], argv.join(" "));
  }
});

test("a folder without a journal, and an invalid journal file", async (t) => {
  const empty = scratchFolder(t);
  const to = ["--to-folder", scratchFolder(t)];
  const absent = await run(empty, "trades", "--symbol", "BTCUSDT", ...to);
  assert.match(absent.err, /journal\.sqlite does not exist/);
  writeFileSync(dataPaths(empty).journal, "not a database, but long enough to be looked at");
  const foreign = await run(empty, "trades", "--symbol", "BTCUSDT", ...to);
  assert.match(foreign.err, /cannot be read|is not a journal/);
  assert.deepEqual([absent.code, foreign.code], [1, 1]);
});

test("existing files are not overwritten without the flag", async (t) => {
  const { run: exported, to } = prepare(t);
  const path = join(to, "BTCUSDT-trades.csv");
  writeFileSync(path, "of yesterday");
  const refused = await exported("trades", "--symbol", "BTCUSDT", "--to-folder", to);
  assert.match(refused.err, /BTCUSDT-trades\.csv exists already\. Choose another file, or use --overwrite/);
  writeFileSync(join(to, "ETHUSDT-trades.csv"), "of yesterday");
  const before = await exported("trades", "--symbol", "ETHUSDT", "--to-folder", to);
  assert.match(before.err, /ETHUSDT-trades\.csv exists/, "it is told of before the journal is read");
  assert.equal(readFileSync(path, "utf8"), "of yesterday");
  assert.equal((await exported("trades", "--symbol", "BTCUSDT", "--to-folder", to, "--overwrite")).code, 0);
  assert.match(readFileSync(path, "utf8"), /^time,/);
  const lobster = ["book", "--symbol", "BTCUSDT", "--format", "lobster", "--to-folder", to];
  assert.equal((await exported(...lobster)).code, 0);
  const names = readdirSync(to);
  assert.match((await exported(...lobster)).err, /exists already/);
  assert.deepEqual(readdirSync(to), names);
});

test("a damaged journal is reported with its position, and no partial files are left", async (t) => {
  for (const damage of [
    "UPDATE batches SET time_ms = time_ms + 1 WHERE first_seq = (SELECT first_seq FROM batches ORDER BY first_seq LIMIT 1 OFFSET 20)",
    "DELETE FROM batches WHERE first_seq > 200",
  ]) {
    const [data, to] = [scratchFolder(t), scratchFolder(t)];
    const paths = dataPaths(data);
    append(paths, BATCHES.slice(0, 60));
    const database = new DatabaseSync(paths.journal);
    database.exec(damage);
    database.close();
    const { code, err } = await run(data, "orders", "--symbol", "BTCUSDT", "--to-folder", to);
    assert.equal(code, 1);
    assert.match(err, /The journal is damaged at entry [0-9]+/);
    assert.deepEqual(readdirSync(to), []);
  }
});

test("standard output has the rows only", (t) => {
  const { data } = prepare(t);
  const program = join(import.meta.dirname, "../../../../src/program/cli/pricetime.ts");
  const argv = ["export", "trades", "--symbol", "BTCUSDT", "--data", data, "--out", "-"];
  const { stdout, stderr, status } = spawnSync(process.execPath, [...process.execArgv, program, ...argv], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  const lines = stdout.trimEnd().split("\n");
  assert.match(lines[0] ?? "", /^time,seq,id/);
  assert.ok(lines.every((line) => line.split(",").length === 14));
  assert.match(stderr, new RegExp(`rows +${lines.length - 1}`));
});
