/** Checks what a copy leads to: the state, with its invariants, after comparing every row's hashes. */
import { JournalDamaged } from "../port.ts";
import { recover } from "../replica/recover.ts";
import { MACHINE } from "../../platform/world/machine.ts";
import { SnapshotFolder } from "../replica/snapshot-folder.ts";
import type { DataPaths } from "../storage/data-paths.ts";
import { openReader, verifyJournalFile } from "../storage/open-journal.ts";

export interface CheckedState {
  readonly eventDigest: string;
  readonly stateHash: string;
}

/**
 * Returns the state at the end of the copy: from its snapshot and later rows, as at a start, or with `isFull` from
 * every row since the first. Throws `JournalDamaged`; a broken invariant is our bug and throws its own error.
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
