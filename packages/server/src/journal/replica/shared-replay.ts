/**
 * Makes a long replay only once. The serving replica and the projector both need the state at the history's
 * position; side by side on two cores each replays at two thirds to three quarters of its usual pace. So where
 * no snapshot spares them most of it, the serving replica goes first, and leaves a snapshot for the projector.
 */
import { isFileTrouble } from "../../platform/disk/disk-trouble.ts";
import type { JournalRows } from "../port.ts";
import type { Clock, Dice } from "../../platform/world/port.ts";
import { type Recovery, recover } from "./recover.ts";
import type { SnapshotFolder } from "./snapshot-folder.ts";

/** A node that was killed leaves little more to replay than what lies between two snapshots. */
export const LONG_REPLAY_IN_SNAPSHOTS = 2;

export interface SharedReplayOptions {
  readonly world: Clock & Dice;
  /** The last entry that history holds. */
  readonly historySeq: number;
  /** The entries between snapshots; 0: none are taken, and nothing is shared. */
  readonly snapshotEveryEntries: number;
}

/**
 * Returns the serving replica at the history's position, with a snapshot of it on disk; undefined when each should
 * recover by itself. Throws `JournalDamaged`.
 */
export function replayShared(
  journal: JournalRows,
  snapshots: SnapshotFolder,
  { world, historySeq, snapshotEveryEntries }: SharedReplayOptions,
): Recovery | undefined {
  const newestSeq = snapshots.list()[0]?.seq ?? 0;
  const isLong = historySeq - newestSeq > LONG_REPLAY_IN_SNAPSHOTS * snapshotEveryEntries;
  if (!isLong || snapshotEveryEntries === 0) return undefined;
  const startMs = world.steadyMs();
  const recovery = recover(journal, snapshots, { world, untilSeq: historySeq });
  try {
    snapshots.take(recovery.engine, recovery.head.chainHash);
  } catch (error) {
    // The projector then replays the journal itself, and reports the disk when its own snapshot is due.
    if (!isFileTrouble(error)) throw error;
  }
  return { ...recovery, durationMs: world.steadyMs() - startMs };
}
