/** `pricetime backup`: copies a data folder, also while a node runs on it; another run adds what is new. */
import { existsSync, readdirSync } from "node:fs";
import { masterKeyPath } from "../../platform/config/master-key.ts";
import { type FolderLock, FolderInUse, lockFolder } from "../storage/folder-lock.ts";
import { isOfLab } from "../storage/lab-mark.ts";
import { dataPaths } from "../storage/data-paths.ts";
import { checkedState } from "./check.ts";
import { type Copied, type CopyOptions, copyJournal, copySnapshot } from "./copy.ts";
import { type BackupRecord, markUnfinished, readRecord, writeRecord } from "./record.ts";
import { CopyRefused } from "./refused.ts";
import { copyKey } from "./key.ts";
import { copyWorlds } from "./worlds.ts";

export interface BackupOptions {
  /** The node's data folder. */
  readonly dataFolder: string;
  /** The folder of the backup: made when missing; otherwise empty, or with an earlier backup of the same journal. */
  readonly folder: string;
  /** Also copy `master.key`. */
  readonly withKey: boolean;
  /** Replay every row of the copy from the first, instead of starting at its snapshot. */
  readonly isFull: boolean;
  /** The time in milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly onStep?: CopyOptions["onStep"];
  readonly stepRows?: CopyOptions["stepRows"];
}

export interface BackupTaken extends BackupRecord, Omit<Copied, "head"> {
  /** The entry of the snapshot in the backup; 0: there was none. */
  readonly snapshotSeq: number;
  readonly sandboxes: number;
}

/**
 * Copies the journal up to its present head, the newest snapshot, and the sandboxes; then makes the state from the
 * copy. `backup.json` is written once all of this is done. A run that was interrupted at any moment can be repeated.
 * Throws `CopyRefused`, `JournalDamaged`, `JournalUnreadable`.
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
    // Checked on the disk: an interrupted run may have brought it.
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

/** Locks the backup, so that there is one run at a time. */
export function lockBackup(folder: string): FolderLock {
  try {
    return lockFolder(folder);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    throw new CopyRefused(`${folder} is in use by a node, a backup or a restore`, { cause: error });
  }
}

/** The files that a run leaves when it is interrupted before it has marked the folder. */
const FIRST_TRACES: readonly string[] = ["node.lock", "backup.json."];

/** Marks the folder as a backup. */
function begin(folder: string): void {
  if (readRecord(folder) !== undefined) return;
  if (readdirSync(folder).some((name) => !FIRST_TRACES.some((trace) => name.startsWith(trace)))) {
    throw new CopyRefused(`${folder} is neither empty nor a backup. Choose another folder`);
  }
  markUnfinished(folder);
}
