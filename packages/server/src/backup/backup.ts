/** `pricetime backup`: a copy of a data folder that a node may be running on; run again, it brings what is new. */
import { existsSync, readdirSync } from "node:fs";
import { masterKeyPath } from "../config/master-key.ts";
import { type FolderLock, FolderInUse, lockFolder } from "../storage/folder-lock.ts";
import { dataPaths } from "../storage/data-paths.ts";
import { checkedState } from "./check.ts";
import { type Copied, type CopyOptions, copyJournal, copySnapshot } from "./copy.ts";
import { type BackupRecord, readRecord, writeRecord } from "./record.ts";
import { CopyRefused } from "./refused.ts";
import { copyKey } from "./key.ts";
import { copyWorlds } from "./worlds.ts";

export interface BackupOptions {
  /** Of the node. */
  readonly dataFolder: string;
  /** Made when it is not there; else empty, or with an earlier backup of the same journal. */
  readonly folder: string;
  /** Copy `master.key`, too. */
  readonly withKey: boolean;
  /** Replay every row of the copy from the first, and not from its snapshot. */
  readonly isFull: boolean;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly onStep?: CopyOptions["onStep"];
  readonly stepRows?: CopyOptions["stepRows"];
}

export interface BackupTaken extends BackupRecord, Omit<Copied, "head"> {
  /** Of the snapshot in it; 0: there was none. */
  readonly snapshotSeq: number;
  readonly sandboxes: number;
}

/**
 * Copies the journal to its head as it stands now, the newest snapshot, and the sandboxes; then makes the state from
 * the copy. `backup.json` says what it holds once all of this is done. Ended at any moment and run again, it goes on.
 * Throws `CopyRefused`, `JournalDamaged`, `JournalUnreadable`.
 */
export async function takeBackup(options: BackupOptions): Promise<BackupTaken> {
  const { dataFolder, folder, withKey, isFull, nowMs, onStep, stepRows } = options;
  const [from, to] = [dataPaths(dataFolder), dataPaths(folder)];
  if (!existsSync(from.journal)) throw new CopyRefused(`${from.journal}: there is no journal`);
  const lock = lockBackup(folder);
  try {
    begin(folder);
    const { head, ...copied } = copyJournal({ from, to, onStep, stepRows });
    if (head.lastSeq === 0) throw new CopyRefused(`${from.journal}: holds nothing yet`);
    const snapshotSeq = copySnapshot(from, to);
    const sandboxes = await copyWorlds(dataFolder, folder);
    if (withKey) copyKey(dataFolder, folder);
    // As it lies there: a run that was ended may have brought it.
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

/** One run at a time. */
export function lockBackup(folder: string): FolderLock {
  try {
    return lockFolder(folder);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    throw new CopyRefused(`${folder}: a node, a backup or a restore is at work in it`, { cause: error });
  }
}

const UNFINISHED: Omit<BackupRecord, "takenAt"> = {
  ...{ seq: 0, timeMs: 0, chainHash: "", eventDigest: "", stateHash: "", hasMasterKey: false },
};

/** What a run leaves that was ended before it had marked the folder. */
const FIRST_TRACES: readonly string[] = ["node.lock", "backup.json."];

/** Marks the folder as a backup. */
function begin(folder: string): void {
  if (readRecord(folder) !== undefined) return;
  if (readdirSync(folder).some((name) => !FIRST_TRACES.some((trace) => name.startsWith(trace)))) {
    throw new CopyRefused(`${folder}: is neither empty nor a backup`);
  }
  writeRecord(folder, { takenAt: "", ...UNFINISHED });
}
