/**
 * The time to recover: from a journal of a million mixed commands, compared with only the engine on the same commands
 * in memory; from a snapshot; and (`recovery-open`) with a million open orders.
 */
import assert from "node:assert/strict";
import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { metric } from "@pricetime/testkit/venue";
import { median } from "@pricetime/testkit/quantile";
import { mixedFlow, restingOrders } from "../venue/flows.ts";
import { JournalMaker } from "../venue/journal-maker.ts";
import { memoryBytes } from "@pricetime/testkit/process-usage";
import { rebuildHistory, startVenue, withFolder } from "../venue/venue.ts";
import { type BenchOptions, measuredIn, mib, table, thousands } from "../measure.ts";

const ROUNDS = 5;
const COMMANDS = 1_000_000;
const OPEN_ORDERS = 1_000_000;
const ACCOUNTS = 200;

interface Start {
  /** The time from the start of the process to its ready line. */
  readonly readyMs: number;
  /** The recovery of the main replica alone, as the program reports it. */
  readonly recoveryMs: number;
  readonly peakBytes: number;
}

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  return withFolder(async (folder) => {
    let trades = 0;
    const seq = await fill(folder, (maker) => (trades = mixedFlow(maker, COMMANDS)));
    assert.ok(trades > COMMANDS / 20, "too little was traded");
    const engineOnly: number[] = [];
    const fromJournal: Start[] = [];
    const fromSnapshot: Start[] = [];
    for (let round = 0; round < rounds; round++) {
      engineOnly.push(await runEngineOnly(folder, seq));
      fromSnapshot.push(await start(folder, seq, seq));
      fromJournal.push(await startWithoutSnapshots(folder, seq));
    }
    const replay = (seq / middle(fromJournal, "recoveryMs")) * 1000;
    const alone = median(engineOnly);
    return [
      `${thousands(COMMANDS)} mixed commands; ${sizes(folder)}; medians of ${rounds} rounds`,
      "",
      ...table(HEAD, [row("from the journal only", seq, fromJournal), row("from a snapshot", seq, fromSnapshot)]),
      "",
      `replay ${thousands(replay)} commands/s, engine only ${thousands(alone)}: ratio **${(replay / alone).toFixed(2)}**`,
    ];
  });
}

/** The benchmark `recovery-open`. */
export async function runOpen({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  return withFolder(async (folder) => {
    const seq = await fill(folder, (maker) => restingOrders(maker, OPEN_ORDERS));
    const fromSnapshot: Start[] = [];
    for (let round = 0; round < rounds; round++) fromSnapshot.push(await start(folder, seq, seq));
    return [
      `${thousands(OPEN_ORDERS)} open orders; ${sizes(folder)}; medians of ${rounds} rounds`,
      "",
      ...table(HEAD, [row("from a snapshot", seq, fromSnapshot)]),
    ];
  });
}

async function fill(folder: string, flow: (maker: JournalMaker) => void): Promise<number> {
  const maker = new JournalMaker({ folder, accounts: ACCOUNTS, keys: 1 });
  flow(maker);
  const seq = maker.close({ snapshot: true });
  await rebuildHistory(folder);
  return seq;
}

async function startWithoutSnapshots(folder: string, seq: number): Promise<Start> {
  const snapshots = join(folder, "snapshots");
  const aside = `${folder}.snapshots`;
  renameSync(snapshots, aside);
  try {
    return await start(folder, seq, 0);
  } finally {
    // A long replay takes a snapshot.
    rmSync(snapshots, { recursive: true, force: true });
    renameSync(aside, snapshots);
  }
}

async function runEngineOnly(folder: string, seq: number): Promise<number> {
  const program = new URL("./engine-only-process.ts", import.meta.url);
  const done = await measuredIn<{ readonly perSecond: number; readonly seq: number }>(program, [folder]);
  assert.equal(done.seq, seq, "the engine alone did not apply everything");
  return done.perSecond;
}

/** Killed when it is ready, because a regular stop would take a snapshot, and the next start would be different. */
async function start(folder: string, seq: number, fromSnapshot: number): Promise<Start> {
  const venue = await startVenue(folder);
  try {
    const line = /^\{.*"msg":"serving".*\}$/m.exec(venue.output())?.[0] ?? "{}";
    const logged = JSON.parse(line) as { readonly fromSnapshot?: number; readonly recoveryMs?: number };
    assert.equal(logged.fromSnapshot, fromSnapshot, "the program started from another snapshot");
    assert.equal(await metric(venue, "pricetime_journal_seq"), seq, "the program did not reach the journal's end");
    const peakBytes = memoryBytes(venue.pid, "VmHWM");
    return { readyMs: venue.readyMs, recoveryMs: logged.recoveryMs ?? Number.NaN, peakBytes };
  } finally {
    await venue.kill();
  }
}

const middle = (starts: readonly Start[], key: keyof Start): number => median(starts.map((each) => each[key]));

const HEAD = ["start", "ready after", "replica", "commands/s", "peak memory"];

function row(name: string, seq: number, starts: readonly Start[]): string[] {
  return [
    name,
    `${(middle(starts, "readyMs") / 1000).toFixed(2)} s`,
    `${(middle(starts, "recoveryMs") / 1000).toFixed(2)} s`,
    thousands((seq / middle(starts, "recoveryMs")) * 1000),
    mib(middle(starts, "peakBytes")),
  ];
}

function sizes(folder: string): string {
  const size = (path: string): string => mib(statSync(join(folder, path)).size);
  const [snapshot = ""] = readdirSync(join(folder, "snapshots"));
  return `journal ${size("journal.sqlite")}, snapshot ${size(`snapshots/${snapshot}`)}`;
}
