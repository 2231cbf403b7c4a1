/**
 * A data folder that an earlier release has written is opened, found sound and answers as it did: from a
 * snapshot where this release reads its layout, else from the journal; with its history, or one made anew.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Engine, NEWEST_EDITION } from "@pricetime/engine";
import { JournalFile, REAL_FILES, replayBatch, SnapshotFolder } from "@pricetime/server/data-folder";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ROOT, startExchange } from "@pricetime/testkit/venue";
import { type Answers, askAll, type Balance } from "./questions.ts";

const GOLDEN = join(ROOT, "test/golden-data");
const WANTED: unknown = JSON.parse(readFileSync(join(GOLDEN, "answers.json"), "utf8"));

function copy(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(GOLDEN, "data"), folder, { recursive: true });
  return folder;
}

function check(what: "journal" | "history", folder: string): void {
  const program = join(ROOT, "packages/server/src/cli/pricetime.ts");
  const args = ["--disable-warning=ExperimentalWarning", program, what, "verify", "--data", folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  assert.equal(status, 0, `${what} verify: ${stdout}${stderr}`);
}

/** What demos have listed since, and given to their accounts: all else is as it was. */
const NEW_ASSETS = ["LTC", "TRX"];

function withoutNewAssets(answers: Answers): unknown {
  return JSON.parse(JSON.stringify(answers), (key, value: unknown) =>
    key === "balances" ? (value as Balance[]).filter(({ asset }) => !NEW_ASSETS.includes(asset)) : value,
  );
}

/** Gives what the node has said. */
async function answersAsBefore(dataFolder: string): Promise<string> {
  const exchange = await startExchange({ dataFolder, args: ["--bots", "off", "--limits", "off"] });
  try {
    assert.deepEqual(withoutNewAssets(await askAll(exchange)), WANTED);
    assert.equal(await exchange.stop(), 0);
    return exchange.output();
  } finally {
    await exchange.kill();
  }
}

/** The entry of the snapshot that a start went on from; 0: it used none. */
function snapshotUsed(said: string): unknown {
  const [line] = said.split("\n").filter((one) => one.includes('"serving"'));
  return (JSON.parse(line ?? assert.fail(said)) as { fromSnapshot?: unknown }).fromSnapshot;
}

test("as it was left", async (t) => {
  const folder = copy(t);
  check("journal", folder);
  check("history", folder);
  const said = await answersAsBefore(folder);
  assert.match(said, /167\.snap: snapshot layout 4 is not \d+/, "release 0.1.0 wrote a layout that is read no more");
  assert.equal(snapshotUsed(said), 0);
  check("journal", folder);
  check("history", folder);
});

test("with a snapshot of its journal in the oldest layout that is read: the start goes on from it", async (t) => {
  const folder = copy(t);
  cpSync(join(GOLDEN, "layout-6.snap"), join(folder, "snapshots", "167.snap"));
  check("journal", folder);
  assert.equal(snapshotUsed(await answersAsBefore(folder)), 167);
  // What this release has left is gone on from, too.
  const [left] = new SnapshotFolder(join(folder, "snapshots")).list();
  assert.ok(left !== undefined && left.seq > 167);
  assert.equal(snapshotUsed(await answersAsBefore(folder)), left.seq);
  check("journal", folder);
  check("history", folder);
});

test("from the journal alone", async (t) => {
  const folder = copy(t);
  for (const name of readdirSync(folder)) {
    if (name !== "journal.sqlite" && name !== "master.key") rmSync(join(folder, name), { recursive: true });
  }
  assert.equal(snapshotUsed(await answersAsBefore(folder)), 0);
  check("history", folder);
});

/** The folder's journal, carried out, and where it adopts rules. */
function replayed(folder: string): { engine: Engine; adopted: { seq: number; edition: number }[] } {
  const engine = new Engine();
  const adopted: { seq: number; edition: number }[] = [];
  const journal = JournalFile.openReadOnly(join(folder, "journal.sqlite"));
  try {
    // The state before each batch is compared with what its writer had.
    for (const batch of journal.read(1)) {
      replayBatch(engine, batch, ({ seq, command }) => {
        if (command.type === "adoptRules") adopted.push({ seq, edition: engine.edition });
      });
    }
  } finally {
    journal.close();
  }
  return { engine, adopted };
}

test("a journal keeps to the rules that it was written by, and follows today's from its next start on", async (t) => {
  const folder = copy(t);
  const before = replayed(folder);
  const { seq } = before.engine;
  const isOfFirst = before.adopted.length === 0;
  assert.equal(before.engine.edition, isOfFirst ? 1 : NEWEST_EDITION);
  for (let starts = 0; starts < 2; starts++) {
    await answersAsBefore(folder);
    const { engine, adopted } = replayed(folder);
    assert.equal(engine.edition, NEWEST_EDITION);
    if (isOfFirst) assert.deepEqual(adopted, [{ seq: seq + 1, edition: NEWEST_EDITION }], "once, and first of all");
  }
  check("journal", folder);
  check("history", folder);
});

test("with a snapshot of a layout that this release does not know: it is passed over, by name", async (t) => {
  const folder = copy(t);
  const snapshots = new SnapshotFolder(join(folder, "snapshots"));
  const [newest] = snapshots.list();
  assert.ok(newest !== undefined);
  const snapshot = snapshots.read(newest);
  const bytes = Uint8Array.from(snapshot.bytes);
  // The layout is its first number.
  bytes[0] = 127;
  REAL_FILES.remove(newest.path);
  snapshots.write(snapshot, (sink) => sink(bytes));
  const said = await answersAsBefore(folder);
  assert.match(said, /\.snap: snapshot layout 127 is not \d+/);
  assert.equal(snapshotUsed(said), 0);
});
