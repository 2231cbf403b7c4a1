/** Brings a lab's engine to the journal's head, and its history with it, in one pass and by one engine. */
import type { DatabaseSync } from "node:sqlite";
import type { Engine } from "@pricetime/engine";
import { HistoryWriter } from "../../history/history-writer.ts";
import { checkHistory, HistoryForeign } from "../../journal/replica/projection.ts";
import { recover, type Recovery } from "../../journal/replica/recover.ts";
import type { EntryVisitor } from "../../journal/replica/replay.ts";
import type { SnapshotFolder } from "../../journal/replica/snapshot-folder.ts";
import type { World } from "../../platform/world/port.ts";
import { type LabHistoryMode, type LabTables, scopeOf } from "./lab-history.ts";
import type { LabJournal } from "./lab-journal.ts";
import type { LabStorageLimits } from "./limits.ts";
import { openTablesFile, removeTables, type TablesFileOptions } from "./tables-file.ts";

export interface RecoverLabOptions {
  readonly world: World;
  readonly history: LabHistoryMode;
  readonly file: TablesFileOptions;
  readonly limits: LabStorageLimits;
  readonly journal: LabJournal;
  readonly snapshots: SnapshotFolder;
}

export interface LabRecovery {
  readonly recovery: Recovery;
  /** Undefined where no history is kept. */
  readonly tables: LabTables | undefined;
}

/** Throws `JournalDamaged`, `HistoryUnreadable`. */
export function recoverLab(options: RecoverLabOptions): LabRecovery {
  const { world, history: mode, journal, snapshots } = options;
  const rows = journal.reader();
  if (mode === "off") return { recovery: recover(rows, snapshots, { world }), tables: undefined };
  const { database, seq } = openTables(options);
  try {
    const writer = new HistoryWriter(database, scopeOf(mode));
    const visit = writing(writer, seq, options);
    const until = { notBeyondSeq: seq, recordPostings: mode === "on" };
    const recovery = recover(rows, snapshots, { world, visit, ...until });
    writer.commit(recovery.engine, recovery.head.chainHash);
    return { recovery, tables: { database, writer } };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Records what comes after entry `seq`, with a commit at the end of a row now and then. */
function writing(writer: HistoryWriter, seq: number, { journal, limits }: RecoverLabOptions): EntryVisitor {
  let writtenSeq = seq;
  return (entry, events, engine: Engine) => {
    if (entry.seq <= seq) return;
    writer.record(engine, entry, events, engine.postings);
    if (entry.seq - writtenSeq < limits.unwrittenEntries && !writer.isFull) return;
    const head = journal.headAt(entry.seq);
    if (head === undefined) return;
    writer.commit(engine, head.chainHash);
    writtenSeq = entry.seq;
  };
}

/** The tables, and the entry up to which they go. Those of a way that the lab has left are made anew. */
function openTables(options: RecoverLabOptions): { readonly database: DatabaseSync; readonly seq: number } {
  const { file } = options;
  const database = openTablesFile(file);
  try {
    return { database, seq: checkHistory(options.journal.reader(), database, file.path).seq };
  } catch (error) {
    database.close();
    if (!(error instanceof HistoryForeign)) throw error;
  }
  removeTables(file.path);
  return { database: openTablesFile(file), seq: 0 };
}
