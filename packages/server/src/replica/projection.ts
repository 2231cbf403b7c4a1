/**
 * A replica that writes history: applies the journal to an engine of its own, and what comes of it to
 * SQL, and takes snapshots. Synchronous: it has a thread to itself. docs/decisions/0002.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Engine } from "@pricetime/engine";
import { HistoryWriter, readPosition } from "../history/history-writer.ts";
import { openHistoryFile } from "../history/schema.ts";
import { checkFollows } from "../journal/check.ts";
import { JournalFile } from "../journal/journal-file.ts";
import type { JournalHead, JournalRows } from "../journal/port.ts";
import { replayBatch } from "../journal/replay.ts";
import type { DataPaths } from "./data-paths.ts";
import { recover } from "./recover.ts";
import { SnapshotFolder } from "./snapshot-folder.ts";

/** Entries of one transaction of history. */
const MAX_ENTRIES_A_TRANSACTION = 4_000;

/** History was made from another journal, or from entries that this one has lost. */
export class HistoryForeign extends Error {
  override readonly name = "HistoryForeign";
}

export interface ProjectionOptions {
  readonly paths: DataPaths;
  /** Entries between snapshots; 0: none are taken. */
  readonly snapshotEveryEntries: number;
}

/** What a projection works on. */
export interface ProjectionParts {
  readonly journal: JournalRows;
  /** History, its tables made. */
  readonly database: DatabaseSync;
  readonly snapshots: SnapshotFolder;
  readonly snapshotEveryEntries: number;
  /** Of history, for messages. */
  readonly path: string;
}

export class Projection {
  private readonly journal: JournalRows;
  private readonly database: DatabaseSync;
  private readonly writer: HistoryWriter;
  private readonly snapshots: SnapshotFolder;
  private readonly snapshotEveryEntries: number;
  private readonly engine: Engine;
  private head: JournalHead;
  private snapshotSeq: number;
  private onClose = (): void => {};

  /** Starts where history stands. Throws `HistoryForeign`, `JournalDamaged`. */
  constructor({ journal, database, snapshots, snapshotEveryEntries, path }: ProjectionParts) {
    this.journal = journal;
    this.database = database;
    this.snapshots = snapshots;
    this.snapshotEveryEntries = snapshotEveryEntries;
    const { seq } = checkHistory(journal, database, path);
    const recovery = recover(journal, snapshots, { recordPostings: true, notBeyondSeq: seq, untilSeq: seq });
    this.engine = recovery.engine;
    this.head = recovery.head;
    this.snapshotSeq = recovery.snapshotSeq;
    this.writer = new HistoryWriter(database);
  }

  /** On the files of a data folder. Throws `HistoryForeign`, `HistoryUnreadable`, `JournalDamaged`. */
  static open({ paths, snapshotEveryEntries }: ProjectionOptions): Projection {
    const journal = JournalFile.openReadOnly(paths.journal);
    const database = openHistoryFile(paths.history);
    const snapshots = new SnapshotFolder(paths.snapshots);
    const projection = new Projection({ journal, database, snapshots, snapshotEveryEntries, path: paths.history });
    projection.onClose = () => journal.close();
    return projection;
  }

  /** The last entry that history holds. */
  get seq(): number {
    return this.head.lastSeq;
  }

  /** Takes history on by one transaction, at most to entry `untilSeq`; false when there was nothing to take. */
  advance(untilSeq: number): boolean {
    const { engine, writer } = this;
    const startSeq = engine.seq;
    for (const batch of this.journal.read(startSeq + 1)) {
      if (batch.firstSeq > untilSeq) break;
      this.head = checkFollows(this.head, batch);
      replayBatch(engine, batch, (entry, events) => writer.record(engine, entry, events, engine.postings));
      if (engine.seq >= untilSeq || engine.seq - startSeq >= MAX_ENTRIES_A_TRANSACTION) break;
    }
    if (engine.seq === startSeq) return false;
    writer.commit(engine, this.head.chainHash);
    if (this.snapshotEveryEntries > 0 && engine.seq - this.snapshotSeq >= this.snapshotEveryEntries) this.snapshot();
    return true;
  }

  /** Takes a snapshot, unless there is one of this entry. */
  snapshot(): void {
    const { seq } = this.engine;
    if (seq === this.snapshotSeq) return;
    const bytes = this.engine.snapshot();
    this.snapshots.write({ seq, chainHash: this.head.chainHash, stateHash: this.engine.hash(), bytes });
    this.snapshotSeq = seq;
  }

  close(): void {
    this.database.close();
    this.onClose();
  }
}

/** Throws `HistoryForeign` unless history was made from this journal; gives its position. */
export function checkHistory(journal: JournalRows, database: DatabaseSync, path: string): { readonly seq: number } {
  const position = readPosition(database);
  if (position.seq === 0) return position;
  const head = journal.headAt(position.seq);
  if (head === undefined) {
    throw new HistoryForeign(`${path} holds entry ${position.seq}, which the journal does not`);
  }
  if (head.chainHash !== position.chainHash) throw new HistoryForeign(`${path} was made from another journal`);
  return position;
}
