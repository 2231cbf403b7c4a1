/** What a copy leads to: the state, with its invariants, after every row's hashes were compared. */
import { JournalDamaged } from "../journal/damage.ts";
import { JournalFile } from "../journal/journal-file.ts";
import { verifyJournalFile } from "../journal/verify.ts";
import type { DataPaths } from "../replica/data-paths.ts";
import { recover } from "../replica/recover.ts";
import { MACHINE } from "../world/machine.ts";
import { SnapshotFolder } from "../replica/snapshot-folder.ts";

/**
 * The hash of the state at the copy's end: by its snapshot and the rows after it, as a start would make it; `isFull`: by
 * every row from the first. Throws `JournalDamaged`; a broken invariant is our bug and throws what it is.
 */
export async function checkedState(paths: DataPaths, isFull: boolean): Promise<string> {
  if (isFull) {
    const { fault, stateHash } = await verifyJournalFile(paths.journal);
    if (fault !== null) throw new JournalDamaged(fault.seq, fault.what);
    return stateHash;
  }
  const journal = JournalFile.openReadOnly(paths.journal);
  try {
    const { engine } = recover(journal, new SnapshotFolder(paths.snapshots), { world: MACHINE });
    engine.checkInvariants();
    return engine.hash();
  } finally {
    journal.close();
  }
}
