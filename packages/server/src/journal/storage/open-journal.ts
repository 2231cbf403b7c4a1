/** Opens a journal by its path. Only this file and `journal/` know how a journal is stored. */
import type { JournalCut } from "../journal-tables.ts";
import { JournalFile } from "../journal-file.ts";
import type { Journal, JournalCopy, JournalReader } from "../port.ts";
import { SqliteJournal } from "../sqlite.ts";
import { SnapshotFolder } from "../replica/snapshots.ts";
import { type Verification, verifyJournal } from "../replica/verify-journal.ts";

/** Opens the journal of a node, making it when missing. `onFatal` is called when nothing can be appended any more. */
export function openJournal(path: string, onFatal: (error: Error) => void): Journal {
  return new SqliteJournal(path, onFatal);
}

/** Opens a journal for reading; a node may be writing to it. Throws `JournalUnreadable`. */
export function openReader(path: string): JournalReader {
  return JournalFile.openReadOnly(path);
}

/** Opens a copy to add to, making it when missing. Throws `JournalUnreadable`, `JournalDamaged`. */
export function openCopy(path: string): JournalCopy {
  return JournalFile.open(path);
}

/** Makes the journal when missing; checks its end and makes its content safe. Throws as `openCopy` does. */
export function prepareJournal(path: string): void {
  JournalFile.open(path).close();
}

/** Where a lab has cut it. Throws `JournalUnreadable`, and `JournalDamaged` when the notes of it are. */
export function cutsOf(path: string): readonly JournalCut[] {
  const file = JournalFile.openReadOnly(path);
  try {
    return file.cuts();
  } finally {
    file.close();
  }
}

/** The whole of it, and the snapshots of a folder with it. Throws `JournalUnreadable`. */
export function verifyJournalFile(path: string, snapshotFolder?: string): Verification {
  const reader = openReader(path);
  try {
    return verifyJournal(reader, snapshotFolder === undefined ? undefined : new SnapshotFolder(snapshotFolder));
  } finally {
    reader.close();
  }
}
