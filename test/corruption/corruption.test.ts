/**
 * Any bit of a data folder flipped, any file cut or gone: a start or a check names it with its place, or what is
 * served is provably what it was.
 */
import assert from "node:assert/strict";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import fc from "fast-check";
import { dataPaths, rebuildHistory, verifyJournalFile } from "@pricetime/server/data-folder";
import { dumpHistory } from "@pricetime/testkit/journal";
import { failToStart, pricetime, startExchange } from "@pricetime/testkit/venue";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { caughtUp, copyOf, examine, filesIn, type Hurt, hurtFile, soundFolder, type Sound } from "./data-folder.ts";

const RUNS = Number(process.env["CORRUPTION_RUNS"] ?? 4);

/** Gives whether the damage was noticed. */
async function mustNoticeOrNotMatter(sound: Sound, name: string, hurt: Hurt, folder: string): Promise<boolean> {
  const paths = copyOf(sound, folder);
  hurtFile(join(folder, name), hurt);
  const what = `${name} ${JSON.stringify(hurt)}`;
  const { journal, history, snapshots, engine } = await examine(paths);
  if (journal !== undefined) {
    assert.match(journal, /entry \d+|journal/, what);
    return true;
  }
  assert.ok(engine !== undefined);
  assert.equal(engine.eventDigest(), sound.engine.eventDigest(), what);
  assert.deepEqual(engine.snapshot(), sound.engine.snapshot(), what);
  if (history !== undefined) {
    assert.match(history, /history/, what);
    assert.equal(rebuildHistory(paths), sound.engine.seq, what);
    assert.deepEqual(dumpHistory(paths.history), sound.history, what);
    return true;
  }
  assert.deepEqual(caughtUp(paths), sound.history, what);
  for (const why of snapshots) assert.ok(why.includes(".snap: "), why);
  return snapshots.length > 0;
}

const aHurt = (size: number): fc.Arbitrary<Hurt> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ how: fc.constant("flip" as const), at: fc.nat(size - 1), bit: fc.nat(7) }) },
    { weight: 2, arbitrary: fc.record({ how: fc.constant("cut" as const), to: fc.nat(size - 1) }) },
  );

for (const how of ["stopped", "killed"] as const) {
  test(`${how}: damage in any file is named, or does not matter`, { timeout: 600_000 }, async (t) => {
    const sound = soundFolder(t, how);
    const files = filesIn(sound.folder);
    const expected = ["history.sqlite", "journal.head", "journal.sqlite", "snapshots/"];
    for (const part of expected)
      assert.ok(
        files.some((file) => file.startsWith(part)),
        `${part}: ${files.join()}`,
      );
    const folder = scratchFolder(t);
    const noticed = new Map<string, number>();
    const sizeOf = (name: string): number => statSync(join(sound.folder, name)).size;
    const anywhere = fc
      .constantFrom(...files)
      .chain((name) => fc.record({ name: fc.constant(name), hurt: aHurt(sizeOf(name)) }));
    await fc.assert(
      fc.asyncProperty(anywhere, async ({ name, hurt }) => {
        if (await mustNoticeOrNotMatter(sound, name, hurt, folder)) noticed.set(name, (noticed.get(name) ?? 0) + 1);
      }),
      {
        numRuns: RUNS,
        examples: files.flatMap((name): [{ name: string; hurt: Hurt }][] => [
          [{ name, hurt: { how: "cut", to: 0 } }],
          [{ name, hurt: { how: "flip", at: sizeOf(name) >> 1, bit: 3 } }],
        ]),
      },
    );
    t.diagnostic(`noticed: ${[...noticed].map(([name, count]) => `${name} ${count}`).join(", ")}`);
    const times = [...noticed.values()].reduce((sum, count) => sum + count, 0);
    assert.ok(times >= Math.min(4, RUNS >> 3), `noticed only ${times} times: nothing was hurt`);
  });
}

test("a file that is gone is missed, or made again", { timeout: 120_000 }, async (t) => {
  const sound = soundFolder(t, "killed");
  const folder = scratchFolder(t);
  for (const name of filesIn(sound.folder)) await mustNoticeOrNotMatter(sound, name, { how: "remove" }, folder);
  const paths = copyOf(sound, folder);
  rmSync(paths.journal);
  rmSync(`${paths.journal}-wal`, { force: true });
  const { journal, engine } = await examine(paths);
  assert.equal(engine, undefined, "an empty journal was made in its place");
  assert.match(journal ?? "", /damaged at entry 1: batches are missing at the end: the journal had entry \d+/);
});

test("rows that are gone from the end are named by what is missing", async (t) => {
  const sound = soundFolder(t, "stopped");
  for (const gone of [1, 2, 7, sound.firstSeqs.length]) {
    const paths = copyOf(sound, scratchFolder(t));
    const first = sound.firstSeqs.at(-gone) as number;
    const database = new DatabaseSync(paths.journal);
    database.prepare("DELETE FROM batches WHERE first_seq >= ?").run(first);
    database.close();
    const { fault } = verifyJournalFile(paths.journal);
    assert.equal(fault?.seq, first);
    assert.equal(fault.row, sound.firstSeqs.length - gone);
    assert.match(
      fault.what,
      new RegExp(
        `damaged at entry ${first}: batches are missing at the end: the journal had entry ${sound.engine.seq}`,
      ),
    );
    assert.equal((await examine(paths)).engine, undefined);
  }
});

test("a changed value in any table of history is found, with its row", async (t) => {
  const sound = soundFolder(t, "stopped");
  const changes: readonly (readonly [table: string, column: string])[] = [
    ["orders", "executed_lots"],
    ["trades", "price_ticks"],
    ["trades", "maker_commission"],
    ["agg_trades", "lots"],
    ["klines", "count"],
    ["entry_postings", "time_ms"],
    ["operator_acts", "time_ms"],
    ["symbols", "price_decimals"],
    ["day_balances", "free"],
  ];
  for (const [table, column] of changes) {
    const paths = copyOf(sound, scratchFolder(t));
    const database = new DatabaseSync(paths.history);
    database.exec(`UPDATE ${table} SET ${column} = ${column} + 1`);
    database.close();
    const { history } = await examine(paths);
    assert.match(history ?? "", new RegExp(`differs from the journal in ${table}, row 0 \\(`), `${table}.${column}`);
  }
});

test("the program does not start on a journal that has lost its end, and says where", {
  timeout: 120_000,
}, async (t) => {
  const folder = scratchFolder(t);
  const exchange = await startExchange({ dataFolder: folder, args: ["--bots", "off"] });
  assert.equal(await exchange.stop(), 0);
  const { journal } = dataPaths(folder);
  const database = new DatabaseSync(journal);
  const { last } = database.prepare("SELECT max(first_seq) AS last FROM batches").get() as { last: number };
  database.prepare("DELETE FROM batches WHERE first_seq = ?").run(last);
  database.close();
  const { code, stdout, stderr } = await failToStart(["--port", "0", "--admin-port", "0", "--data", folder]);
  assert.equal(code, 1);
  assert.match(
    `${stdout}${stderr}`,
    new RegExp(
      `^pricetime: The journal is damaged at entry ${last}: batches are missing at the end: the journal had entry`,
    ),
  );
  const verify = pricetime("journal", "verify", "--data", folder);
  assert.equal(verify.code, 1);
  assert.match(verify.stdout, /verdict +damaged/);
  assert.match(verify.stderr, new RegExp(`damaged at entry ${last}`));
});
