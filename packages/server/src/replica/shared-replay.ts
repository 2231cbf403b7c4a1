/**
 * A long replay is made once. The serving replica and the projector both need the state at which history
 * stands; side by side on two cores each replays it at two thirds to three quarters of its pace alone. So
 * where no snapshot spares them most of it, the serving replica goes first, and leaves one for the projector.
 */
import { isDiskTrouble } from "../disk/disk-trouble.ts";
import type { JournalRows } from "../journal/port.ts";
import type { Clock, Dice } from "../world/port.ts";
import { type Recovery, recover } from "./recover.ts";
import type { SnapshotFolder } from "./snapshot-folder.ts";

/** What a node that was killed leaves to be replayed is at most little more than what lies between two snapshots. */
const LONG_REPLAY_IN_SNAPSHOTS = 2;

export interface SharedReplayOptions {
  readonly world: Clock & Dice;
  /** The last entry that history holds. */
  readonly historySeq: number;
  /** Entries between snapshots; 0: none are taken, and nothing is shared. */
  readonly snapshotEveryEntries: number;
}

/**
 * The serving replica where history stands, and a snapshot of it on the disk; undefined when each does
 * better to recover by itself. Throws `JournalDamaged`.
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
    // The projector replays it, then, and will tell of the disk when its own snapshot is due.
    if (!isDiskTrouble(error)) throw error;
  }
  return { ...recovery, durationMs: world.steadyMs() - startMs };
}
