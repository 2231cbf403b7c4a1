/**
 * Copies the journal of a running cluster to a data folder on which a single node can run. An interrupted copy can be
 * repeated; a later copy adds what is new.
 */
import {
  type BackupRecord,
  checkedState,
  lockBackup,
  markUnfinished,
  readRecord,
  removeRecord,
} from "../../journal/backup/backup.ts";
import { CopyRefused } from "../../journal/backup/copy.ts";
import { holdPayments } from "../../platform/config/held-payments.ts";
import type { JournalCopy, JournalHead } from "../../journal/port.ts";
import { SnapshotFolder } from "../../journal/replica/snapshots.ts";
import { type DataPaths, dataPaths } from "../../journal/storage/data-folder.ts";
import { openCopy } from "../../journal/storage/open-journal.ts";
import {
  type FetchOptions,
  type Peer,
  PeerFailed,
  PeerForeign,
  takeRows,
  type TakeRowsOptions,
  takeSnapshot,
} from "../catch-up/fetch-rows.ts";

export interface CopyOutOptions extends FetchOptions, Pick<TakeRowsOptions, "onStep" | "stepRows"> {
  /** The nodes to copy from, starting with the most advanced. */
  readonly peers: readonly Peer[];
  /** The folder to create, or to which to add. */
  readonly dataFolder: string;
  /** Replay every batch from the first one, instead of starting at the snapshot. */
  readonly isFull: boolean;
}

export interface CopiedOut extends Omit<BackupRecord, "takenAt" | "hasMasterKey"> {
  /** The entry after which this run began. */
  readonly fromSeq: number;
  /** The entry of the copied snapshot; 0 if none was copied. */
  readonly snapshotSeq: number;
}

/** Copies the journal. Rejects with `CopyRefused`, `JournalDamaged`, `JournalUnreadable`, and with disk errors. */
export async function copyOut(options: CopyOutOptions): Promise<CopiedOut> {
  const { dataFolder, peers, isFull } = options;
  if (peers.length === 0)
    throw new CopyRefused("No node of the cluster has published an address to fetch the journal from");
  const lock = lockBackup(dataFolder);
  try {
    const paths = dataPaths(dataFolder);
    const { fromSeq, head, snapshotSeq } = await fill(paths, options);
    const state = checkedState(paths, isFull);
    // Hold payments, because the nodes of the cluster also make them as long as one of them runs.
    holdPayments(dataFolder);
    removeRecord(dataFolder);
    return { seq: head.lastSeq, timeMs: head.lastTimeMs, chainHash: head.chainHash, ...state, fromSeq, snapshotSeq };
  } finally {
    lock.release();
  }
}

async function fill(
  paths: DataPaths,
  options: CopyOutOptions,
): Promise<{ readonly fromSeq: number; readonly head: JournalHead; readonly snapshotSeq: number }> {
  const { dataFolder } = options;
  const journal = openCopy(paths.journal);
  try {
    const { lastSeq: fromSeq } = journal.head();
    if (journal.place() !== null)
      throw new CopyRefused(`${dataFolder} is the data folder of a cluster node. Choose another folder`);
    if (readRecord(dataFolder) !== undefined && readRecord(dataFolder)?.takenAt !== "") {
      throw new CopyRefused(`${dataFolder} is a backup. Choose another folder`);
    }
    // Prevents nodes from starting on the folder until it is complete.
    markUnfinished(dataFolder);
    const peer = await takeFromFirst(journal, options);
    const snapshots = new SnapshotFolder(paths.snapshots);
    const taken = await takeSnapshot(peer, { ...options, journal, snapshots, leastEntries: 0 }).catch(passOver);
    return { fromSeq, head: journal.head(), snapshotSeq: taken ?? 0 };
  } finally {
    journal.closeWhole();
  }
}

/** Ignores errors of the other node, because the copy is complete even without a snapshot. */
function passOver(error: unknown): undefined {
  if (!(error instanceof PeerFailed)) throw error;
}

/** Fetches the batches from the first node that can send them. Returns this node. */
async function takeFromFirst(journal: JournalCopy, options: CopyOutOptions): Promise<Peer> {
  const failures: string[] = [];
  const own = journal.head().lastSeq;
  for (const peer of options.peers) {
    try {
      const { head } = await takeRows(peer, { ...options, journal });
      if (head.lastSeq >= own) return peer;
      failures.push(
        `${peer.node} at ${peer.url}: its journal ends with entry ${head.lastSeq}, and the copy's with ${own}`,
      );
    } catch (error) {
      if (!(error instanceof PeerFailed || error instanceof PeerForeign)) throw error;
      failures.push(`${peer.node} at ${peer.url}: ${error.message}`);
    }
  }
  throw new CopyRefused(`The journal could not be fetched from any node: ${failures.join("; ")}`);
}
