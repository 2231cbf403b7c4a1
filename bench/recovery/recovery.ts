/**
 * How fast the program is there again: from a journal of a million mixed commands, beside the engine alone
 * on the same commands in memory; from a snapshot; and with a million open orders.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { median, thousands } from "../measure.ts";
import type { BenchOptions } from "../options.ts";
import { table } from "../order-path/report.ts";
import { mixedFlow, restingOrders } from "../venue/flows.ts";
import { JournalMaker } from "../venue/journal-maker.ts";
import { memoryBytes } from "../venue/threads.ts";
import { metric, rebuildHistory, startVenue, withFolder } from "../venue/venue.ts";

const ROUNDS = 5;
const COMMANDS = 1_000_000;
const OPEN_ORDERS = 1_000_000;
const ACCOUNTS = 200;

interface Start {
  /** From the start of the process to its ready line. */
  readonly readyMs: number;
  /** The serving replica alone, as the program tells it. */
  readonly recoveryMs: number;
  readonly peakBytes: number;
}

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  const mixed = await withFolder(async (folder) => {
    let trades = 0;
    const seq = await fill(folder, (maker) => (trades = mixedFlow(maker, COMMANDS)));
    assert.ok(trades > COMMANDS / 20, "too little was traded");
    return { seq, ...(await measure(folder, seq, { rounds, besideEngine: true })) };
  });
  const open = await withFolder(async (folder) => {
    const seq = await fill(folder, (maker) => restingOrders(maker, OPEN_ORDERS));
    return { seq, ...(await measure(folder, seq, { rounds, besideEngine: false })) };
  });
  return report(mixed, open, rounds);
}

async function fill(folder: string, flow: (maker: JournalMaker) => void): Promise<number> {
  const maker = new JournalMaker({ folder, accounts: ACCOUNTS, keys: 1 });
  flow(maker);
  const seq = maker.close({ snapshot: true });
  await rebuildHistory(folder);
  return seq;
}

interface Measured {
  readonly engineOnly: readonly number[];
  readonly fromJournal: readonly Start[];
  readonly fromSnapshot: readonly Start[];
  readonly journalMiB: number;
  readonly snapshotMiB: number;
}

async function measure(
  folder: string,
  seq: number,
  { rounds, besideEngine }: { readonly rounds: number; readonly besideEngine: boolean },
): Promise<Measured> {
  const engineOnly: number[] = [];
  const fromJournal: Start[] = [];
  const fromSnapshot: Start[] = [];
  const snapshots = join(folder, "snapshots");
  const aside = `${folder}.snapshots`;
  const [name = ""] = readdirSync(snapshots);
  const snapshotMiB = statSync(join(snapshots, name)).size / 2 ** 20;
  for (let round = 0; round < rounds; round++) {
    if (besideEngine) engineOnly.push(await runEngineOnly(folder, seq));
    fromSnapshot.push(await start(folder, seq, seq));
    renameSync(snapshots, aside);
    fromJournal.push(await start(folder, seq, 0));
    renameSync(aside, snapshots);
  }
  const journalMiB = statSync(join(folder, "journal.sqlite")).size / 2 ** 20;
  return { engineOnly, fromJournal, fromSnapshot, journalMiB, snapshotMiB };
}

async function runEngineOnly(folder: string, seq: number): Promise<number> {
  const args = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "engine-only-process.ts"), folder];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const done = JSON.parse(stdout) as { readonly perSecond: number; readonly seq: number };
  assert.equal(done.seq, seq, "the engine alone did not apply everything");
  return done.perSecond;
}

/** Killed when it is ready: a stop would take a snapshot, and the next start would not be the same. */
async function start(folder: string, seq: number, fromSnapshot: number): Promise<Start> {
  const venue = await startVenue(folder);
  try {
    const line = /^\{.*"msg":"serving".*\}$/m.exec(venue.output())?.[0] ?? "{}";
    const said = JSON.parse(line) as { readonly fromSnapshot?: number; readonly recoveryMs?: number };
    assert.equal(said.fromSnapshot, fromSnapshot, "it has started from something else");
    assert.equal(await metric(venue, "pricetime_journal_seq"), seq, "it has not got to the journal's head");
    const peakBytes = memoryBytes(venue.pid, "VmHWM");
    return { readyMs: venue.readyMs, recoveryMs: said.recoveryMs ?? Number.NaN, peakBytes };
  } finally {
    await venue.kill();
  }
}

function report(
  mixed: Measured & { readonly seq: number },
  open: Measured & { readonly seq: number },
  rounds: number,
): string[] {
  const middle = (starts: readonly Start[], key: keyof Start): number => median(starts.map((each) => each[key]));
  const row = (name: string, { seq }: { readonly seq: number }, starts: readonly Start[]): string[] => [
    name,
    `${(middle(starts, "readyMs") / 1000).toFixed(2)} s`,
    `${(middle(starts, "recoveryMs") / 1000).toFixed(2)} s`,
    thousands((seq / middle(starts, "recoveryMs")) * 1000),
    `${(middle(starts, "peakBytes") / 2 ** 20).toFixed(0)} MiB`,
  ];
  const replay = (mixed.seq / middle(mixed.fromJournal, "recoveryMs")) * 1000;
  const engineOnly = median(mixed.engineOnly);
  return [
    `${thousands(COMMANDS)} mixed commands: journal ${mixed.journalMiB.toFixed(0)} MiB, snapshot ${mixed.snapshotMiB.toFixed(1)} MiB; ` +
      `${thousands(OPEN_ORDERS)} open orders: journal ${open.journalMiB.toFixed(0)} MiB, snapshot ${open.snapshotMiB.toFixed(0)} MiB; medians of ${rounds} rounds`,
    "",
    ...table(
      ["start", "ready after", "the replica", "commands/s", "peak memory"],
      [
        row("mixed, from the journal alone", mixed, mixed.fromJournal),
        row("mixed, from a snapshot", mixed, mixed.fromSnapshot),
        row("open orders, from the journal alone", open, open.fromJournal),
        row("open orders, from a snapshot", open, open.fromSnapshot),
      ],
    ),
    "",
    `replay ${thousands(replay)} commands/s, the engine alone ${thousands(engineOnly)}: ratio **${(replay / engineOnly).toFixed(2)}**`,
  ];
}
