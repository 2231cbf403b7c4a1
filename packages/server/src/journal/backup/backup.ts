/**
 * `pricetime backup`: copies a data folder, even while a node runs on it; another run adds what is new. `backup.json`
 * describes the backup and is written only when a run is complete and verified.
 */
import { JournalDamaged } from "../port.ts";
import { recover } from "../replica/recover.ts";
import { MACHINE } from "../../platform/world/machine.ts";
import { SnapshotFolder } from "../replica/snapshots.ts";
import {
  type DataPaths,
  dataPaths,
  FolderInUse,
  type FolderLock,
  isOfLab,
  lockFolder,
} from "../storage/data-folder.ts";
import { openReader, verifyJournalFile } from "../storage/open-journal.ts";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../platform/config/faults.ts";
import { writePrivateFile } from "../../platform/config/private-file.ts";
import { type Copied, copyJournal, copyKey, type CopyOptions, CopyRefused, copySnapshot, copyWorlds } from "./copy.ts";
import { masterKeyPath } from "../../platform/config/master-key.ts";

// Verifies a copy by recovering the state from it, after the hashes of all rows were checked.

export interface CheckedState {
  /** The digest of all events up to the last entry. */
  readonly eventDigest: string;
  /** The hash of the recovered state; "" in a backup of release 0.2.0. */
  readonly stateHash: string;
}

/**
 * Recovers the state at the end of the copy: from its snapshot and later rows, as at a start, or with `isFull` from
 * every row. Throws `JournalDamaged`. A broken invariant is a bug and throws its own error.
 */
export function checkedState(paths: DataPaths, isFull: boolean): CheckedState {
  if (isFull) {
    const { fault, eventDigest, stateHash } = verifyJournalFile(paths.journal);
    if (fault !== null) throw new JournalDamaged(fault.seq, fault.what);
    return { eventDigest, stateHash: stateHash.hash };
  }
  const journal = openReader(paths.journal);
  try {
    const { engine } = recover(journal, new SnapshotFolder(paths.snapshots), { world: MACHINE });
    engine.checkInvariants();
    return { eventDigest: engine.eventDigest(), stateHash: engine.stateHash().hash };
  } finally {
    journal.close();
  }
}

/** Format 1, of release 0.2.0, stored the event digest in `stateHash` and had no state hash. */
const FORMAT = 2;

export interface BackupRecord extends CheckedState {
  /** The time when the backup was taken, ISO 8601 in UTC. */
  readonly takenAt: string;
  /** The last entry in the backup, and its time (milliseconds since 1970). */
  readonly seq: number;
  readonly timeMs: number;
  /** The journal's chain hash after that entry. */
  readonly chainHash: string;
  /** Whether the backup contains `master.key`. */
  readonly hasMasterKey: boolean;
}

function recordPath(folder: string): string {
  return join(folder, "backup.json");
}

/** Rejects a backup as the data folder of a node, which would modify it. Throws `ConfigError`. */
export function checkIsNoBackup(dataFolder: string): void {
  if (!existsSync(recordPath(dataFolder))) return;
  throw new ConfigError(
    `${dataFolder} is a backup, not a data folder. Create a data folder from it with \`pricetime restore\``,
  );
}

export function writeRecord(folder: string, record: BackupRecord): void {
  writePrivateFile(recordPath(folder), `${JSON.stringify({ format: FORMAT, ...record }, null, 2)}\n`);
}

const UNFINISHED: Omit<BackupRecord, "takenAt"> = {
  ...{ seq: 0, timeMs: 0, chainHash: "", eventDigest: "", stateHash: "", hasMasterKey: false },
};

/** Marks the folder as incomplete, so that no node starts on it. */
export function markUnfinished(folder: string): void {
  writeRecord(folder, { takenAt: "", ...UNFINISHED });
}

/** Removes `backup.json`, so that the folder no longer counts as a backup. */
export function removeRecord(folder: string): void {
  rmSync(recordPath(folder), { force: true });
}

/** Reads `backup.json`; undefined if no run was started. Throws `CopyRefused` if the file cannot be read. */
export function readRecord(folder: string): BackupRecord | undefined {
  const path = recordPath(folder);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new CopyRefused(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
  const { format, ...told } = parse(text, path);
  if (format !== FORMAT && format !== 1) {
    throw new CopyRefused(
      `${path} has format ${String(format)}, and this release supports up to ${FORMAT}. Use a newer release`,
    );
  }
  const record = format === 1 ? { ...told, eventDigest: told.stateHash, stateHash: "" } : told;
  if (
    !Number.isSafeInteger(record.seq) ||
    [record.eventDigest, record.stateHash].some((hash) => typeof hash !== "string")
  ) {
    throw new CopyRefused(`${path} is damaged: it does not describe the backup`);
  }
  return record;
}

function parse(text: string, path: string): BackupRecord & { readonly format: unknown } {
  try {
    return JSON.parse(text) as BackupRecord & { readonly format: unknown };
  } catch (error) {
    throw new CopyRefused(`${path} is damaged`, { cause: error });
  }
}

export interface BackupOptions {
  /** The node's data folder. */
  readonly dataFolder: string;
  /**
   * The folder of the backup. It is created if missing; otherwise it must be empty or contain an earlier backup of the
   * same journal.
   */
  readonly folder: string;
  /** Also copy `master.key`. */
  readonly withKey: boolean;
  /** Replay every row of the copy from the first one, instead of starting at its snapshot. */
  readonly isFull: boolean;
  /** Returns the time in milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly onStep?: CopyOptions["onStep"];
  readonly stepRows?: CopyOptions["stepRows"];
}

export interface BackupTaken extends BackupRecord, Omit<Copied, "head"> {
  /** The entry of the snapshot in the backup; 0 if it has none. */
  readonly snapshotSeq: number;
  readonly sandboxes: number;
}

/**
 * Copies the journal up to its current head, the newest snapshot, and the sandboxes. Then recovers the state from the
 * copy and writes `backup.json`. An interrupted run can be repeated. Throws `CopyRefused`, `JournalDamaged`,
 * `JournalUnreadable`.
 */
export async function takeBackup(options: BackupOptions): Promise<BackupTaken> {
  const { dataFolder, folder, withKey, isFull, nowMs, onStep, stepRows } = options;
  const [from, to] = [dataPaths(dataFolder), dataPaths(folder)];
  if (!existsSync(from.journal))
    throw new CopyRefused(`${from.journal} does not exist. Specify the data folder with --data`);
  if (isOfLab(dataFolder)) {
    throw new CopyRefused(
      `${dataFolder} is the data folder of a lab. Save its state with \`pricetime lab checkpoint\` and \`pricetime lab export\``,
    );
  }
  const lock = lockBackup(folder);
  try {
    begin(folder);
    const { head, ...copied } = copyJournal({ from, to, onStep, stepRows });
    if (head.lastSeq === 0) throw new CopyRefused(`${from.journal} is empty`);
    const snapshotSeq = copySnapshot(from, to);
    const sandboxes = await copyWorlds(dataFolder, folder);
    if (withKey) copyKey(dataFolder, folder);
    // Check the disk, because an interrupted run may have copied the key.
    const hasMasterKey = existsSync(masterKeyPath(folder));
    const checked = checkedState(to, isFull);
    const record = {
      takenAt: new Date(nowMs()).toISOString(),
      ...{ seq: head.lastSeq, timeMs: head.lastTimeMs, chainHash: head.chainHash, ...checked, hasMasterKey },
    };
    writeRecord(folder, record);
    return { ...record, ...copied, snapshotSeq, sandboxes };
  } finally {
    lock.release();
  }
}

/** Locks the backup, so that only one run modifies it. */
export function lockBackup(folder: string): FolderLock {
  try {
    return lockFolder(folder);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    throw new CopyRefused(`${folder} is in use by a node, a backup or a restore`, { cause: error });
  }
}

/** Names of files left by a run that was interrupted before it marked the folder. */
const FIRST_TRACES: readonly string[] = ["node.lock", "backup.json."];

/** Marks the folder as a backup. */
function begin(folder: string): void {
  if (readRecord(folder) !== undefined) return;
  if (readdirSync(folder).some((name) => !FIRST_TRACES.some((trace) => name.startsWith(trace)))) {
    throw new CopyRefused(`${folder} is neither empty nor a backup. Choose another folder`);
  }
  markUnfinished(folder);
}
