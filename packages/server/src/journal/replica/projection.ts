/**
 * A replica that writes the history: it applies the journal to an engine of its own, writes the results to SQL,
 * and takes snapshots. Synchronous: it has a thread to itself. docs/decisions/0002.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Engine } from "@pricetime/engine";
import { HistoryWriter, readPosition } from "../../history/history-writer.ts";
import { WriteAheadLog } from "../../history/write-ahead-log.ts";
import { isFileTrouble } from "../../platform/disk/disk-trouble.ts";
import { rollBack } from "../../platform/disk/transaction.ts";
import { headAfter, type JournalHead, type JournalRows } from "../port.ts";
import { replayBatch } from "./replay.ts";
import type { Clock, Dice } from "../../platform/world/port.ts";
import { recover } from "./recover.ts";
import type { SnapshotFolder } from "./snapshot-folder.ts";

/** The entries of one transaction of the history. */
const MAX_ENTRIES_A_TRANSACTION = 4_000;

/** The pause before a failed snapshot is tried again; it doubles with each failure. */
const FIRST_SNAPSHOT_PAUSE_MS = 1_000;
const LONGEST_SNAPSHOT_PAUSE_MS = 5 * 60_000;

/** The history was made from another journal, or from entries that this one has lost. */
export class HistoryForeign extends Error {
  override readonly name = "HistoryForeign";
}

/** Called when a snapshot could not be written, and with null when one was. */
export type SnapshotTrouble = (error: Error | null) => void;

/** The parts that a projection works on. */
export interface ProjectionParts {
  readonly journal: JournalRows;
  /** The database of the history, with its tables. */
  readonly database: DatabaseSync;
  readonly snapshots: SnapshotFolder;
  /** Entries between snapshots; 0: none are taken. */
  readonly snapshotEveryEntries: number;
  /** The path of the history, for messages. */
  readonly path: string;
  readonly onSnapshotTrouble?: SnapshotTrouble | undefined;
  readonly world: Clock & Dice;
  /** Called after the history is closed. */
  readonly onClose?: () => void;
}

export class Projection {
  readonly #journal: JournalRows;
  readonly #database: DatabaseSync;
  readonly #writer: HistoryWriter;
  readonly #log: WriteAheadLog;
  readonly #snapshots: SnapshotFolder;
  readonly #snapshotEveryEntries: number;
  readonly #engine: Engine;
  #head: JournalHead;
  #snapshotSeq: number;
  readonly #onSnapshotTrouble: SnapshotTrouble;
  readonly #steadyMs: () => number;
  readonly #onClose: () => void;
  #snapshotPauseMs = 0;
  #nextSnapshotMs = 0;

  /** Starts at the history's position. Throws `HistoryForeign`, `JournalDamaged`. */
  constructor(parts: ProjectionParts) {
    const { journal, database, snapshots, path, world } = parts;
    this.#onSnapshotTrouble = parts.onSnapshotTrouble ?? (() => {});
    this.#steadyMs = world.steadyMs;
    this.#onClose = parts.onClose ?? (() => {});
    this.#journal = journal;
    this.#database = database;
    this.#snapshots = snapshots;
    this.#snapshotEveryEntries = parts.snapshotEveryEntries;
    const { seq } = checkHistory(journal, database, path);
    const until = { notBeyondSeq: seq, untilSeq: seq };
    const recovery = recover(journal, snapshots, { world, recordPostings: true, isBesideAnother: true, ...until });
    this.#engine = recovery.engine;
    this.#head = recovery.head;
    this.#snapshotSeq = recovery.snapshotSeq;
    this.#writer = new HistoryWriter(database);
    this.#log = new WriteAheadLog(database, { steadyMs: world.steadyMs });
  }

  /** The last entry that history holds. */
  get seq(): number {
    return this.#head.lastSeq;
  }

  /**
   * Advances the history by one transaction, at most to entry `untilSeq`; false when there was nothing to do.
   * After it has thrown, discard this projection and open another.
   */
  advance(untilSeq: number): boolean {
    try {
      return this.#take(untilSeq);
    } catch (error) {
      rollBack(this.#database);
      throw error;
    }
  }

  #take(untilSeq: number): boolean {
    const engine = this.#engine;
    const writer = this.#writer;
    const startSeq = engine.seq;
    for (const batch of this.#journal.after(this.#head)) {
      if (batch.firstSeq > untilSeq) break;
      this.#head = headAfter(batch);
      replayBatch(engine, batch, (entry, events) => writer.record(engine, entry, events, engine.postings));
      if (engine.seq >= untilSeq || engine.seq - startSeq >= MAX_ENTRIES_A_TRANSACTION || writer.isFull) break;
    }
    if (engine.seq === startSeq) return false;
    writer.commit(engine, this.#head.chainHash);
    const isDue = this.#snapshotEveryEntries > 0 && engine.seq - this.#snapshotSeq >= this.#snapshotEveryEntries;
    if (isDue && this.#steadyMs() >= this.#nextSnapshotMs) this.snapshot();
    return true;
  }

  /** Empties the history's log when it is large, which may take a moment: call it when what was written has been told. */
  keepLogSmall(): void {
    this.#log.keepSmall();
  }

  /** Takes a snapshot unless this entry has one. Trouble of the disk or the system is reported, not thrown. */
  snapshot(): void {
    if (this.#engine.seq === this.#snapshotSeq) return;
    try {
      this.#snapshots.take(this.#engine, this.#head.chainHash);
    } catch (error) {
      if (!isFileTrouble(error)) throw error;
      this.#snapshotPauseMs = Math.min(
        Math.max(FIRST_SNAPSHOT_PAUSE_MS, 2 * this.#snapshotPauseMs),
        LONGEST_SNAPSHOT_PAUSE_MS,
      );
      this.#nextSnapshotMs = this.#steadyMs() + this.#snapshotPauseMs;
      this.#onSnapshotTrouble(error as Error);
      return;
    }
    this.#snapshotSeq = this.#engine.seq;
    this.#onSnapshotTrouble(null);
    this.#snapshotPauseMs = 0;
  }

  close(): void {
    this.#database.close();
    this.#onClose();
  }
}

/** Returns the history's position. Throws `HistoryForeign` unless it was made from this journal. */
export function checkHistory(journal: JournalRows, database: DatabaseSync, path: string): { readonly seq: number } {
  const position = readPosition(database);
  if (position.seq === 0) return position;
  const head = journal.headAt(position.seq);
  if (head === undefined) {
    throw new HistoryForeign(
      `${path} has entry ${position.seq}, which the journal does not have. Rebuild it with \`pricetime history rebuild\``,
    );
  }
  if (head.chainHash !== position.chainHash)
    throw new HistoryForeign(`${path} was built from another journal. Rebuild it with \`pricetime history rebuild\``);
  return position;
}
