/** Opens a journal by its path. Only this file and `journal/` depend on the storage format of a journal. */
import type { JournalCut } from "../journal-tables.ts";
import { JournalFile } from "../journal-file.ts";
import type { Journal, JournalCopy, JournalReader } from "../port.ts";
import { SqliteJournal } from "../sqlite.ts";
import { SnapshotFolder } from "../replica/snapshots.ts";
import { type Verification, verifyJournal } from "../replica/verify-journal.ts";

/** Opens the journal of a node, creating it if missing. `onFatal` is called if nothing can be appended any more. */
export function openJournal(path: string, onFatal: (error: Error) => void): Journal {
  return new SqliteJournal(path, onFatal);
}

/** Opens a journal for reading; a node may be writing to it. Throws `JournalUnreadable`. */
export function openReader(path: string): JournalReader {
  return JournalFile.openReadOnly(path);
}

/** Opens a copy to which rows can be added, creating it if missing. Throws `JournalUnreadable`, `JournalDamaged`. */
export function openCopy(path: string): JournalCopy {
  return JournalFile.open(path);
}

/** Creates the journal if missing, checks its end, and syncs its content. Throws the errors of `openCopy`. */
export function prepareJournal(path: string): void {
  JournalFile.open(path).close();
}

/** The cuts that a lab has made. Throws `JournalUnreadable`, and `JournalDamaged` if their records are damaged. */
export function cutsOf(path: string): readonly JournalCut[] {
  const file = JournalFile.openReadOnly(path);
  try {
    return file.cuts();
  } finally {
    file.close();
  }
}

/** Verifies the complete journal, and the snapshots if a folder is given. Throws `JournalUnreadable`. */
export function verifyJournalFile(path: string, snapshotFolder?: string): Verification {
  const reader = openReader(path);
  try {
    return verifyJournal(reader, snapshotFolder === undefined ? undefined : new SnapshotFolder(snapshotFolder));
  } finally {
    reader.close();
  }
}
