/** Opens a journal by its place. What it is made of is known here and in `journal/`, nowhere else. */
import { JournalFile } from "../journal/journal-file.ts";
import type { Journal, JournalCopy, JournalReader } from "../journal/port.ts";
import { SqliteJournal } from "../journal/sqlite.ts";
import type { SnapshotFolder } from "../replica/snapshot-folder.ts";
import { type Verification, verifyJournal } from "../replica/verify-journal.ts";

/** For a node; makes it when it is not there. `onFatal`: nothing can be appended any more. */
export function openJournal(path: string, onFatal: (error: Error) => void): Journal {
  return new SqliteJournal(path, onFatal);
}

/** A node may be writing to it meanwhile. Throws `JournalUnreadable`. */
export function openReader(path: string): JournalReader {
  return JournalFile.openReadOnly(path);
}

/** A copy to add to; makes it when it is not there. Throws `JournalUnreadable`, `JournalDamaged`. */
export function openCopy(path: string): JournalCopy {
  return JournalFile.open(path);
}

/** Makes the journal when it is not there; its end is checked, and what is in it made safe. Throws as `openCopy`. */
export function prepareJournal(path: string): void {
  JournalFile.open(path).close();
}

/** The whole of it, and snapshots beside it. Throws `JournalUnreadable`. */
export function verifyJournalFile(path: string, snapshots?: SnapshotFolder): Verification {
  const reader = openReader(path);
  try {
    return verifyJournal(reader, snapshots);
  } finally {
    reader.close();
  }
}
