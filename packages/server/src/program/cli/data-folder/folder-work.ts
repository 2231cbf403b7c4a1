/** Commands on a data folder, with or without a running node: verification, history, backup and restore. */
import { existsSync } from "node:fs";
import {
  type DataPaths,
  dataPaths,
  FolderInUse,
  type FolderLock,
  lockFolder,
} from "../../../journal/storage/data-folder.ts";
import { cutsOf, verifyJournalFile } from "../../../journal/storage/open-journal.ts";
import { rebuildHistory, verifyHistory } from "../../../journal/storage/rebuild-history.ts";
import { dataFolder } from "../session/connection.ts";
import type { Session } from "../session/session.ts";
import { CommandFailed, type Terminal } from "../session/terminal.ts";
import { resolve } from "node:path";
import { takeBackup } from "../../../journal/backup/backup.ts";
import { restoreBackup } from "../../../journal/backup/restore.ts";
import { heldPaymentsPath } from "../../../platform/config/held-payments.ts";
import { isDiskTrouble } from "../../../platform/disk.ts";

interface FolderOptions {
  readonly data?: string;
}

export function verifyJournal({ output, terminal }: Session, { data }: FolderOptions): void {
  const { paths } = folderOf(data, terminal);
  const verification = verifyJournalFile(paths.journal, paths.snapshots);
  const { rows, entries, head, eventDigest, stateHash, foreignSnapshots, uncomparedSnapshots, fault } = verification;
  const cuts = cutsTold(paths);
  const foreign = foreignSnapshots.map(({ path: of, parts }) => `${of} differs in: ${parts.join(", ")}`);
  const notCompared = uncomparedSnapshots.map(({ path, reason }) => ({ snapshot: path, reason }));
  output.one({
    ...{ journal: paths.journal, rows, commands: entries, chainHash: head.chainHash },
    ...{ eventDigest, stateHash: stateHash.hash, ...cuts },
    ...(foreign.length > 0 && { snapshots: foreign.join("; ") }),
    ...(notCompared.length > 0 && { notCompared }),
    ...(fault === null ? { verdict: "sound" } : { verdict: "damaged", fault: fault.what, atSeq: fault.seq }),
  });
  if (fault !== null) throw new CommandFailed(fault.what);
  if (foreign.length > 0) throw new CommandFailed(`These snapshots do not match the journal: ${foreign.join("; ")}`);
}

/** For the output: a lab's journal records where checkpoints were restored. */
function cutsTold({ journal }: DataPaths): { readonly cuts?: number; readonly lastCut?: string } {
  const cuts = cutsOf(journal);
  const last = cuts.at(-1);
  return last === undefined ? {} : { cuts: cuts.length, lastCut: `from command ${last.fromSeq} to ${last.toSeq}` };
}

export function rebuild({ terminal }: Session, { data }: FolderOptions): void {
  const { folder, paths } = folderOf(data, terminal);
  const lock = lockFolder(folder);
  try {
    terminal.print(`Rebuilt the history from ${rebuildHistory(paths)} commands.`);
  } finally {
    lock.release();
  }
}

export function verify({ terminal }: Session, { data }: FolderOptions): void {
  const { folder, paths } = folderOf(data, terminal);
  const { rows, seq, fault } = aloneOrBeside(folder, (isBesideNode) => verifyHistory(paths, { isBesideNode }));
  if (fault !== null) throw new CommandFailed(`${fault}. Rebuild the history with \`pricetime history rebuild\`.`);
  terminal.print(`Verified ${rows} rows, up to command ${seq}.`);
}

/** Returns the data folder. Throws `CommandFailed` if it contains no journal. */
export function folderOf(data: string | undefined, terminal: Terminal): { folder: string; paths: DataPaths } {
  const folder = dataFolder(data, terminal.environment);
  const paths = dataPaths(folder);
  if (!existsSync(paths.journal))
    throw new CommandFailed(`${paths.journal} does not exist. Specify the data folder with --data.`);
  return { folder, paths };
}

/** Locks the folder while `work` runs. If a node runs on the folder, nothing is locked, and `work` receives `true`. */
function aloneOrBeside<T>(folder: string, work: (isBesideNode: boolean) => T): T {
  let lock: FolderLock;
  try {
    lock = lockFolder(folder);
  } catch (error) {
    if (error instanceof FolderInUse) return work(true);
    throw error;
  }
  try {
    return work(false);
  } finally {
    lock.release();
  }
}

interface BackupOptions extends FolderOptions {
  readonly folder: string;
  readonly withKey?: boolean;
  readonly full?: boolean;
  readonly untilSeq?: number;
}

export async function backUp({ output, terminal }: Session, options: BackupOptions): Promise<void> {
  const { data, withKey = false, full = false } = options;
  const folder = resolve(options.folder);
  const from = dataFolder(data, terminal.environment);
  const onStep = progress("copied", terminal);
  const taken = await told(() =>
    takeBackup({ dataFolder: from, folder, withKey, isFull: full, nowMs: Date.now, onStep }),
  );
  output.one({ backup: folder, of: from, ...taken });
  if (!taken.hasMasterKey && !output.isJson)
    terminal.complain("The backup does not include the master key. Keep a copy of the key elsewhere.");
}

export async function restore({ output, terminal }: Session, options: BackupOptions): Promise<void> {
  const { data, untilSeq, full = false } = options;
  const folder = resolve(options.folder);
  const to = dataFolder(data, terminal.environment);
  const onStep = progress("restored", terminal);
  const restored = await told(() => restoreBackup({ folder, dataFolder: to, isFull: full, untilSeq, onStep }));
  output.one({ data: to, from: folder, ...restored });
  if (output.isJson) return;
  terminal.complain(`Payments are held until you remove ${heldPaymentsPath(to)}. The file explains why.`);
  if (!restored.hasMasterKey)
    terminal.complain("Copy the master key into the data folder, or configure it, before you start the node.");
}

/** How often progress is reported. */
const PROGRESS_MS = 5000;

export function progress(what: string, terminal: Terminal): (seq: number, untilSeq: number) => void {
  let saidMs = performance.now();
  return (seq, untilSeq) => {
    if (performance.now() - saidMs < PROGRESS_MS) return;
    saidMs = performance.now();
    terminal.complain(`${what} ${seq} of ${untilSeq} entries`);
  };
}

/** Runs the work. Converts disk errors to `CommandFailed`. */
export async function told<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDiskTrouble(error)) throw error;
    throw new CommandFailed((error as Error).message, { cause: error });
  }
}
