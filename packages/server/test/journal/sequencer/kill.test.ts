/** SIGKILL under load: acknowledged entries survive, with the acknowledged state. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Engine } from "@pricetime/engine";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import { replayBatch } from "../../../src/journal/replica/recover.ts";
import { SnapshotFolder } from "../../../src/journal/replica/snapshots.ts";
import { verifyJournal } from "../../../src/journal/replica/verify-journal.ts";
import { dataPaths } from "../../../src/journal/storage/data-folder.ts";
import { rebuildHistory } from "../../../src/journal/storage/rebuild-history.ts";
import { openStorage } from "../../../src/journal/storage/storage.ts";
import { dumpHistory } from "@pricetime/testkit/journal";
import { MACHINE } from "../../../src/platform/world/machine.ts";

const APPENDER = new URL("./appender.ts", import.meta.url).pathname;
const ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 2);
/** A kill comes after this many acknowledgments, however slow the disk is. */
const LEAST_ACKNOWLEDGED = 20;

/**
 * Runs the appender until there is a snapshot and a while longer, kills it, and returns what it acknowledged: state
 * hashes by entry. Later rounds find the previous round's snapshot, so their kills may come at once.
 */
async function runAndKill(folder: string, round: number): Promise<Map<number, string>> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", APPENDER, folder, `${round}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const closed = once(child, "close") as Promise<[number | null, string | null]>;
  const snapshots = new SnapshotFolder(dataPaths(folder).snapshots);
  const isUnderWay = (): boolean => output.split("\n").length > LEAST_ACKNOWLEDGED + 1 && snapshots.list().length > 0;
  while (child.exitCode === null && !isUnderWay()) {
    await Promise.race([once(child.stdout, "data"), closed]);
  }
  await pause(100 + 61 * round);
  child.kill("SIGKILL");
  const [code, signal] = await closed;
  assert.deepEqual([code, signal], [null, "SIGKILL"], "it had stopped by itself");
  const lines = output.slice(0, output.lastIndexOf("\n")).split("\n");
  return new Map(lines.map((line) => [Number(line.split(" ")[0]), line.split(" ")[1] ?? ""]));
}

test("every acknowledged entry survives", async (t) => {
  const folder = scratchFolder(t);
  const paths = dataPaths(folder);
  let acknowledged = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const promised = await runAndKill(folder, round);
    assert.ok(promised.size >= LEAST_ACKNOWLEDGED, `only ${promised.size} were acknowledged`);
    acknowledged += promised.size;
    const journal = JournalFile.open(paths.journal);
    const verification = verifyJournal(journal);
    assert.equal(verification.fault, null);
    const engine = new Engine();
    const found = new Map<number, string>();
    for (const batch of journal.read(1)) {
      replayBatch(engine, batch, ({ seq }) => promised.has(seq) && found.set(seq, engine.eventDigest()));
    }
    journal.close();
    assert.deepEqual(found, promised);

    const storage = openStorage({
      world: MACHINE,
      folder,
      snapshotEveryEntries: 700,
      onFatal: (error) => {
        throw error;
      },
    });
    assert.equal(storage.recovery.engine.eventDigest(), engine.eventDigest());
    assert.ok(storage.recovery.snapshotSeq > 0, "no snapshot was used");
    await storage.close();
  }
  const grown = dumpHistory(paths.history);
  rebuildHistory(paths);
  assert.deepEqual(grown, dumpHistory(paths.history), "history has everything exactly once");
  t.diagnostic(`${acknowledged} acknowledged, ${ROUNDS} kills`);
});
