/**
 * A backup of a node under load that is killed and resumed several times, and restored with as many kills: the restored
 * state equals the node's state at that position. `BACKUP_COMMANDS` (200000) is the length of the journal before the load.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { encodeCommands } from "@pricetime/engine";
import { chainOn, dataPaths, JournalFile, recover, SnapshotFolder } from "@pricetime/server/data-folder";
import { randomCommand } from "@pricetime/testkit/journal";
import { OrderLog, runConnection } from "@pricetime/testkit/load";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate, PRICETIME, ROOT, startExchange } from "@pricetime/testkit/venue";
import { Dice } from "@pricetime/testkit/dice";
import { MACHINE } from "@pricetime/server/parts";

const COMMANDS = Number(process.env["BACKUP_COMMANDS"] ?? 200_000);
const SEED = 20261122;
const KILLS = 8;
const KILL_WITHIN_MS = 100;
const COMMANDS_A_ROW = 5;
const ROWS_A_STEP = 2000;
const ARGS = ["--bots", "off", "--limits", "off"];

/** A completed command of `pricetime`. */
interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

/** With `killAfterMs`, the process is killed that long after it starts to write to the journal in `copy`. */
function pricetime(args: readonly string[], killAfterMs?: number, copy = ""): Promise<Run> {
  const child = spawn(process.execPath, [...PRICETIME, ...args], { cwd: ROOT });
  let [out, errors] = ["", ""];
  child.stdout.on("data", (text) => (out += String(text)));
  child.stderr.on("data", (text) => (errors += String(text)));
  const ended = new AbortController();
  if (killAfterMs !== undefined) void killOnce(child, killAfterMs, copy, ended.signal);
  return new Promise((done) => {
    child.once("close", (code) => {
      ended.abort();
      done({ code, out, errors });
    });
  });
}

async function killOnce(child: ChildProcess, afterMs: number, copy: string, ended: AbortSignal): Promise<void> {
  const log = `${dataPaths(copy).journal}-wal`;
  const writtenMs = (): number => statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  for (const before = writtenMs(); writtenMs() === before; await pause(2)) if (ended.aborted) return;
  await pause(afterMs);
  child.kill("SIGKILL");
}

/** Creates a demo with a long journal: a node opens the accounts, and the rest is written without it. */
async function longJournal(folder: string): Promise<void> {
  const exchange = await startExchange({ dataFolder: folder, args: ARGS });
  await exchange.stop();
  const paths = dataPaths(folder);
  const file = JournalFile.open(paths.journal);
  const { engine, head: found } = recover(file, new SnapshotFolder(paths.snapshots), { world: MACHINE });
  const dice = new Dice(SEED);
  let head = found;
  let rows = [];
  for (let n = 1; n <= COMMANDS; n += COMMANDS_A_ROW) {
    const commands = Array.from({ length: COMMANDS_A_ROW }, (_, k) => randomCommand(dice, n + k));
    const count = commands.length;
    const state = { priorEventDigest: engine.eventDigest(), node: "n1", timeMs: head.lastTimeMs };
    const row = chainOn(head, { firstSeq: head.lastSeq + 1, count, bytes: encodeCommands(commands), ...state });
    for (const command of commands) engine.apply({ seq: engine.seq + 1, timeMs: row.timeMs, command });
    head = { lastSeq: engine.seq, lastTimeMs: row.timeMs, chainHash: row.chainHash };
    rows.push(row);
    if (rows.length < ROWS_A_STEP) continue;
    file.copy(rows);
    rows = [];
  }
  file.copy(rows);
  file.close();
}

function headOf(folder: string): number {
  const { journal } = dataPaths(folder);
  if (!existsSync(journal) || statSync(journal).size === 0) return 0;
  try {
    const file = JournalFile.openReadOnly(journal);
    const { lastSeq } = file.head();
    file.close();
    return lastSeq;
  } catch {
    // The process was killed before the file was a journal.
    return 0;
  }
}

function stateAt(folder: string, seq: number): string {
  const file = JournalFile.openReadOnly(dataPaths(folder).journal);
  const { engine } = recover(file, new SnapshotFolder(join(folder, "none")), { world: MACHINE, untilSeq: seq });
  file.close();
  assert.equal(engine.seq, seq, "a backup ends at the end of a row");
  return engine.stateHash().hash;
}

/** Runs a command that is killed several times, then to its end. `stood` has the last entry of the copy after each kill. */
async function killed(args: readonly string[], copy: string, random: Dice): Promise<{ run: Run; stood: number[] }> {
  const stood: number[] = [];
  for (let n = 0; n < KILLS; n++) {
    const { code } = await pricetime(args, random.next() * KILL_WITHIN_MS, copy);
    if (code === 0) break;
    stood.push(headOf(copy));
  }
  return { run: await pricetime(args), stood };
}

function halfWay(stood: readonly number[], whole: number): number {
  return stood.filter((seq) => seq > 0 && seq < whole).length;
}

/** Sends orders over several connections until the returned function is called, which resolves to the number of responses. */
function load(exchange: Exchange): () => Promise<number> {
  const log = new OrderLog();
  let isOver = false;
  const connections = [0, 1, 2, 3].map((n) => {
    const account = exchange.accounts[n % exchange.accounts.length];
    assert.ok(account !== undefined);
    return runConnection(exchange.rest, account, log, new Dice(SEED + n), () => isOver);
  });
  return async () => {
    isOver = true;
    await Promise.all(connections);
    return log.answers;
  };
}

test("a backup under load and its restore can be killed and resumed", async (t) => {
  const source = temporaryFolder();
  const place = temporaryFolder();
  const [backup, restored] = [join(place, "backup"), join(place, "elsewhere", "data")];
  mkdirSync(join(place, "elsewhere"));
  await longJournal(source);
  const exchange = await startExchange({ dataFolder: source, args: ARGS });
  t.after(() => exchange.stop());
  const endLoad = load(exchange);
  t.after(endLoad);
  const random = new Dice(SEED);
  const args = ["backup", backup, "--data", source, "--with-key", "--json"];
  const { run, stood } = await killed(args, backup, random);
  assert.equal(run.code, 0, run.errors);
  const taken = JSON.parse(run.out) as { seq: number; stateHash: string; hasMasterKey: boolean };
  const answers = await endLoad();
  assert.ok(answers > 100, `${answers} orders were answered meanwhile`);
  t.diagnostic(
    `backup: ${taken.seq} entries, ${answers} answers meanwhile; after kills it stood at ${stood.join(", ")}`,
  );
  assert.ok(halfWay(stood, taken.seq) > 0, "no kill interrupted the copy");
  assert.equal(taken.stateHash, stateAt(source, taken.seq));

  // A second backup without load contains only new entries.
  const again = JSON.parse((await pricetime(args)).out) as { fromSeq: number; seq: number; stateHash: string };
  assert.ok(again.fromSeq >= taken.seq && again.seq >= again.fromSeq);
  await exchange.kill();

  const restoring = await killed(["restore", backup, "--data", restored, "--json"], `${restored}.restoring`, random);
  if (restoring.run.code !== 0)
    assert.match(restoring.run.errors, /is not empty/, "a run that should be killed had completed");
  t.diagnostic(`restore: after kills it stood at ${restoring.stood.join(", ")}`);
  assert.ok(halfWay(restoring.stood, again.seq) > 0, "no kill interrupted the copy");
  assert.ok(!existsSync(`${restored}.restoring`));
  assert.equal(stateAt(restored, again.seq), again.stateHash);
  assert.equal((await pricetime(["journal", "verify", "--data", restored, "--json"])).code, 0);

  // The restored exchange starts, with the master key from the backup.
  const second = await startExchange({ dataFolder: restored, args: ARGS });
  t.after(() => second.stop());
  const { lastSeq } = await operate<{ lastSeq: number }>(second, "GET", "/v1/journal");
  assert.ok(lastSeq >= again.seq);
});
