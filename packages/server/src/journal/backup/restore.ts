/** `pricetime restore`: creates a data folder from a backup, completely or not at all. */
import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { dirname } from "node:path";
import { holdPayments } from "../../platform/config/held-payments.ts";
import { masterKeyPath } from "../../platform/config/master-key.ts";
import { JournalDamaged, type JournalHead } from "../port.ts";
import { REAL_FILES } from "../replica/snapshots.ts";
import { dataPaths, type FolderLock } from "../storage/data-folder.ts";
import { openReader } from "../storage/open-journal.ts";
import { type BackupRecord, type CheckedState, checkedState, lockBackup, readRecord } from "./backup.ts";
import { type Copied, copyJournal, copyKey, type CopyOptions, CopyRefused, copySnapshot, copyWorlds } from "./copy.ts";

export interface RestoreOptions {
  /** The folder of the backup. */
  readonly folder: string;
  /** The data folder of the new node. It must be missing or empty. */
  readonly dataFolder: string;
  /** Restore the state at this entry, or at the end of the last row before it. Default: restore everything. */
  readonly untilSeq?: number | undefined;
  /** Replay every row from the first one. */
  readonly isFull: boolean;
  readonly onStep?: CopyOptions["onStep"];
  readonly stepRows?: CopyOptions["stepRows"];
}

export type Restored = Omit<Copied, "head"> & Omit<BackupRecord, "takenAt">;

/** The name of the folder until it is complete, so that no node can start on an incomplete one. */
export function restoringFolder(dataFolder: string): string {
  return `${dataFolder}.restoring`;
}

/**
 * Restores a backup. An interrupted run can be repeated. Throws `CopyRefused`, `JournalDamaged`, `JournalUnreadable`.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { folder, dataFolder } = options;
  const record = finishedRecord(folder);
  makeRoom(dataFolder);
  const partial = restoringFolder(dataFolder);
  const locks = [lockBackup(partial), ...lockIfWritable(folder)];
  let restored: Restored;
  try {
    restored = await fill(partial, record, options);
  } finally {
    for (const lock of locks) lock.release();
  }
  makeRoom(dataFolder);
  renameSync(partial, dataFolder);
  REAL_FILES.syncFolder(dirname(dataFolder));
  return restored;
}

async function fill(partial: string, record: BackupRecord, options: RestoreOptions): Promise<Restored> {
  const { folder, untilSeq, isFull, onStep, stepRows } = options;
  const [from, to] = [dataPaths(folder), dataPaths(partial)];
  checkHolds(from.journal, record);
  const { head, ...copied } = copyJournal({ from, to, onStep, stepRows, untilSeq });
  if (head.lastSeq === 0)
    throw new CopyRefused(`Entry ${untilSeq} cannot be restored: the first batch of the journal ends after it`);
  if (untilSeq !== undefined && head.lastSeq > untilSeq) {
    throw new CopyRefused(`${partial} is left from an interrupted restore to entry ${head.lastSeq}. Remove it`);
  }
  copySnapshot(from, to);
  await copyWorlds(folder, partial);
  // The operator may have moved the key elsewhere since the backup.
  const hasMasterKey = existsSync(masterKeyPath(folder)) && copyKey(folder, partial);
  const checked = checkedState(to, isFull);
  checkState(record, head, checked);
  holdPayments(partial);
  const { lastSeq: seq, lastTimeMs: timeMs, chainHash } = head;
  return { seq, timeMs, chainHash, ...checked, hasMasterKey, ...copied };
}

function finishedRecord(folder: string): BackupRecord {
  const record = readRecord(folder);
  if (record === undefined) throw new CopyRefused(`${folder} is not a backup`);
  if (record.seq === 0) throw new CopyRefused(`${folder} is an incomplete backup. Run \`pricetime backup\` again`);
  return record;
}

/** Checks that the journal contains the verified rows. Rows of a later run may follow them. */
function checkHolds(path: string, { seq, chainHash }: BackupRecord): void {
  if (!existsSync(path)) throw new CopyRefused(`${path} does not exist`);
  const journal = openReader(path);
  try {
    if (journal.headAt(seq)?.chainHash === chainHash) return;
    throw new JournalDamaged(seq, "backup.json lists an entry that is missing from the backup");
  } finally {
    journal.close();
  }
}

function checkState(record: BackupRecord, { lastSeq }: JournalHead, checked: CheckedState): void {
  if (lastSeq !== record.seq) return;
  const isSameState = record.stateHash === "" || checked.stateHash === record.stateHash;
  if (isSameState && checked.eventDigest === record.eventDigest) return;
  throw new JournalDamaged(lastSeq, "its state differs from the state that the backup was verified with");
}

/**
 * Removes an empty folder with the restored folder's name before the long copy, so that the final rename can succeed.
 */
function makeRoom(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) throw new CopyRefused(`${folder} is not a folder`);
  if (readdirSync(folder).length > 0)
    throw new CopyRefused(`${folder} is not empty. Choose a new or empty folder with --data`);
  try {
    rmdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CopyRefused(`${folder} cannot be replaced (${code}). Restore to a new folder inside it`, {
      cause: error,
    });
  }
}

/** Locks the backup if its disk is writable. On a read-only disk, it cannot change. */
function lockIfWritable(folder: string): FolderLock[] {
  try {
    return [lockBackup(folder)];
  } catch (error) {
    if (error instanceof CopyRefused) throw error;
    return [];
  }
}
