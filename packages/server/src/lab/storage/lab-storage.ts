/**
 * Storage of a lab: journal, engine and history in one thread that does not wait for the disk; and images of the
 * storage, which can be restored.
 */
import type { DatabaseSync } from "node:sqlite";
import { type ApiKey, Engine, type Entry, type Event } from "@pricetime/engine";
import { type HistoryScope, HistoryWriter } from "../../history/writing/history-writer.ts";
import { checkHistory, HistoryForeign } from "../../journal/replica/projection.ts";
import { type EntryVisitor, recover, type Recovery, replayBatch } from "../../journal/replica/recover.ts";
import { SnapshotFolder } from "../../journal/replica/snapshots.ts";
import { randomUint32, type World } from "../../platform/world/port.ts";
import { LabHistory, type LabHistoryMode, type LabTables, scopeOf } from "./lab-history.ts";
import { LAB_STORAGE_LIMITS, LabJournal, type LabStorageLimits } from "./lab-journal.ts";
import {
  copyTables,
  factsOf,
  ImageFolder,
  openTablesFile,
  putTablesBack,
  removeTables,
  sizeOf,
  type StorageImage,
  type TablesFileOptions,
  tablesPath,
} from "./images.ts";
import { checkedAfter } from "../../journal/chain.ts";
import { type Batch, EMPTY_HEAD, headAfter, JournalDamaged, type JournalHead } from "../../journal/port.ts";
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../../platform/disk.ts";
import type { History } from "../../history/port.ts";
import { checkIsLab, dataPaths, type FolderLock, lockFolder, markAsLab } from "../../journal/storage/data-folder.ts";
import type { HistoryFollower, Storage } from "../../journal/storage/storage.ts";

// Replays the journal into the engine and the history in one pass.

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
  /** The history tables; undefined without history. */
  readonly tables: LabTables | undefined;
}

/** Replays the journal. Throws `JournalDamaged` or `HistoryUnreadable`. */
function recoverLab(options: RecoverLabOptions): LabRecovery {
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

/** Returns a visitor that records the entries after `seq`, with periodic commits at the end of a row. */
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

/**
 * Opens the history tables. Returns them with the number of their last entry. Tables of another branch are recreated.
 */
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

// Replays a complete journal into a separate engine and separate tables, for an image of another journal.

export interface ReplayBesideOptions {
  /** The path of the history tables; undefined without history. */
  readonly path: string | undefined;
  readonly scope: HistoryScope;
  readonly file: TablesFileOptions;
  readonly hashSeed: number;
  /** The number of entries per transaction; other tasks get a turn after each transaction. */
  readonly entriesAtATime: number;
  readonly rest: () => Promise<void>;
}

/**
 * Replays the rows. Rejects with `JournalDamaged` if they are inconsistent or lead to other events than their writer
 * recorded.
 */
async function replayBeside(
  rows: Iterable<Batch>,
  { path, scope, file, hashSeed, entriesAtATime, rest }: ReplayBesideOptions,
): Promise<{ readonly engine: Engine; readonly head: JournalHead }> {
  const engine = new Engine({ hashSeed, recordPostings: path !== undefined && scope === "all" });
  const database = path === undefined ? undefined : openTablesFile({ ...file, path, kind: "temporary" });
  try {
    const writer = database && new HistoryWriter(database, scope);
    let head = EMPTY_HEAD;
    let writtenSeq = 0;
    for (const row of checkedAfter(EMPTY_HEAD, rows)) {
      replay(engine, row, (entry, events) => writer?.record(engine, entry, events, engine.postings));
      head = headAfter(row);
      if (engine.seq - writtenSeq < entriesAtATime && writer?.isFull !== true) continue;
      writer?.commit(engine, head.chainHash);
      writtenSeq = engine.seq;
      await rest();
    }
    writer?.commit(engine, head.chainHash);
    return { engine, head };
  } finally {
    database?.close();
  }
}

/**
 * Replays a row, which may be from an untrusted file: a failed assertion of the engine means that the journal is
 * invalid.
 */
function replay(engine: Engine, row: Batch, visit: Parameters<typeof replayBatch>[2]): void {
  try {
    replayBatch(engine, row, visit);
  } catch (error) {
    if (error instanceof JournalDamaged) throw error;
    throw new JournalDamaged(row.firstSeq, `it cannot be replayed: ${(error as Error).message}`, { cause: error });
  }
}

export interface LabStorageOptions {
  readonly world: World;
  /** The lab's folder; created if missing. */
  readonly folder: string;
  /**
   * `kept`: the folder belongs to the user, and contains the complete exchange after the lab has ended. `temporary`:
   * the folder is initially empty and removed with the lab; data stays in memory as far as possible.
   */
  readonly kind: "kept" | "temporary";
  readonly history: LabHistoryMode;
  /** Called when the disk fails during a write to history or during a restore. The lab must then stop. */
  readonly onFatal: (error: Error) => void;
  readonly limits?: Partial<LabStorageLimits>;
}

/** All API keys and listen keys of the exchange. */
export interface CurrentKeys {
  readonly apiKeys: readonly ApiKey[];
  readonly listenKeys: readonly { readonly accountId: number; readonly listenKey: string }[];
}

/** The parts of the storage that a restore replaces. */
interface Life {
  readonly recovery: Recovery;
  readonly tables: LabTables | undefined;
  readonly history: LabHistory;
}

/**
 * Opens the storage of a lab. Throws errors with one line for the operator: `FolderInUse`, `FolderOfOtherKind`,
 * `JournalUnreadable`, `JournalDamaged` or `HistoryUnreadable`.
 */
export function openLabStorage(options: LabStorageOptions): LabStorage {
  makePrivateFolder(options.folder);
  checkIsLab(options.folder);
  const lock = lockFolder(options.folder);
  try {
    markAsLab(options.folder);
    return new LabStorage(options, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * The open storage of a lab. A restore replaces the engine, the history and their followers: every module that refers
 * to them must be rebuilt afterwards.
 */
export class LabStorage implements Storage {
  readonly journal: LabJournal;
  readonly #options: LabStorageOptions;
  readonly #limits: LabStorageLimits;
  readonly #lock: FolderLock;
  readonly #snapshots: SnapshotFolder;
  readonly #file: TablesFileOptions;
  readonly #images: ImageFolder;
  readonly #hashSeed: number;
  #life: Life;

  /** Private to this module: call `openLabStorage` instead. */
  constructor(options: LabStorageOptions, lock: FolderLock) {
    const { world, folder, kind, history: mode } = options;
    const limits = { ...LAB_STORAGE_LIMITS, ...options.limits };
    const paths = dataPaths(folder);
    this.#options = options;
    this.#limits = limits;
    this.#lock = lock;
    this.#snapshots = new SnapshotFolder(paths.snapshots);
    this.#file = { path: tablesPath(paths, mode), kind, cacheKiB: limits.historyCacheKiB };
    this.#images = new ImageFolder(join(folder, "checkpoints"));
    this.#hashSeed = randomUint32(world);
    // A history whose restore was interrupted is recreated from the journal, which was restored completely.
    if (this.#images.wasHalfDone) for (const one of ["on", "candles"] as const) removeTables(tablesPath(paths, one));
    this.#images.empty();
    const fresh = { maxBytes: limits.freshJournalBytes, rowsAtATime: limits.spilledRowsAtATime };
    const { leftWaysBytes } = limits;
    this.journal = new LabJournal({ path: paths.journal, leftWaysBytes, ...(kind === "temporary" && { fresh }) });
    const recovering = { world, history: mode, file: this.#file, limits, snapshots: this.#snapshots };
    const { recovery, tables } = recoverLab({ ...recovering, journal: this.journal });
    this.#life = this.#live(recovery, tables);
  }

  get recovery(): Recovery {
    return this.#life.recovery;
  }
  get projector(): HistoryFollower {
    return this.#life.history;
  }
  get history(): History {
    return this.#life.history;
  }
  get record(): ((entry: Entry, events: readonly Event[]) => void) | undefined {
    return this.#life.history.record;
  }

  async started(): Promise<void> {}

  async close(): Promise<void> {
    const { recovery, tables, history } = this.#life;
    try {
      history.write();
      if (this.#options.kind === "kept") this.#snapshots.take(recovery.engine, this.journal.headNow.chainHash);
    } finally {
      tables?.database.close();
      this.#images.empty();
      await this.journal.close();
      this.#lock.release();
    }
  }

  /** Creates an image. Called between two batches. If a disk error is thrown, nothing has changed. */
  capture(): StorageImage {
    const { recovery, tables, history } = this.#life;
    const head = this.journal.headNow;
    assert(recovery.engine.seq === head.lastSeq, "an image is taken when all that is journaled is applied");
    history.write();
    const path = tables === undefined ? undefined : this.#images.newPath();
    if (tables !== undefined && path !== undefined) copyTables(tables.database, this.#file, path);
    const engine = recovery.engine.snapshot();
    const facts = factsOf(recovery.engine);
    return { head, engine, facts, mark: this.journal.mark(), tables: path, bytes: engine.length + sizeOf(path) };
  }

  /**
   * Restores an image. Called when the sequencer has stopped. If `LeftWaysFull` is thrown, nothing has changed. After
   * any other error the lab must stop; `onFatal` reports the error.
   */
  goTo(image: StorageImage): void {
    const { kind, onFatal } = this.#options;
    if (kind === "kept") this.#images.begin();
    try {
      this.journal.goTo(image.mark);
    } catch (error) {
      this.#images.end();
      throw error;
    }
    try {
      this.#life = this.#bringBack(image);
    } catch (error) {
      onFatal(error as Error);
      throw error;
    }
    this.#images.end();
  }

  drop(image: StorageImage): void {
    this.journal.forget(image.mark);
    this.#images.removeAt(image.tables);
  }

  /**
   * Creates an image from all rows of another journal, by replaying them separately. `rest` is called at intervals to
   * give other tasks a turn. Rejects with `JournalDamaged` for invalid rows, with `LeftWaysFull`, or with disk errors;
   * nothing has changed then.
   */
  async takeIn(rows: readonly Batch[], rest: () => Promise<void>): Promise<StorageImage> {
    const { history: mode } = this.#options;
    const path = mode === "off" ? undefined : this.#images.newPath();
    const made = { path, scope: scopeOf(mode), hashSeed: this.#hashSeed, file: this.#file, rest };
    try {
      const { engine, head } = await replayBeside(rows, { ...made, entriesAtATime: this.#limits.unwrittenEntries });
      const mark = this.journal.markOf(rows);
      const bytes = engine.snapshot();
      return { head, engine: bytes, facts: factsOf(engine), mark, tables: path, bytes: bytes.length + sizeOf(path) };
    } catch (error) {
      this.#images.removeAt(path);
      throw error;
    }
  }

  /** Returns the keys of all accounts. */
  keysOf(): CurrentKeys {
    const { engine } = this.#life.recovery;
    const ids = [...engine.accounts()].map(({ accountId }) => accountId);
    const listenKeys = ids.flatMap((accountId) => {
      const listenKey = engine.listenKeyOf(accountId, 0);
      return listenKey === undefined ? [] : [{ accountId, listenKey }];
    });
    return { apiKeys: ids.flatMap((accountId) => engine.apiKeys(accountId)), listenKeys };
  }

  /** Returns all journal rows up to an image. */
  rowsTo({ mark }: StorageImage): Iterable<Batch> {
    return this.journal.rowsTo(mark);
  }

  #bringBack({ head, engine: bytes, tables: path }: StorageImage): Life {
    const { history: mode } = this.#options;
    const startMs = this.#options.world.steadyMs();
    this.#life.tables?.database.close();
    for (const { seq, path: snapshot } of this.#snapshots.list()) if (seq > head.lastSeq) rmSync(snapshot);
    const engine = Engine.restore(bytes, { hashSeed: this.#hashSeed, recordPostings: mode === "on" });
    assert(engine.seq === head.lastSeq, "an image is of one moment");
    const tables = path === undefined ? undefined : this.#tablesOf(path);
    const durationMs = this.#options.world.steadyMs() - startMs;
    return this.#live({ engine, head, snapshotSeq: engine.seq, entries: 0, durationMs, refused: [] }, tables);
  }

  #tablesOf(path: string): LabTables {
    putTablesBack(path, this.#file);
    const database = openTablesFile(this.#file);
    return { database, writer: new HistoryWriter(database, scopeOf(this.#options.history)) };
  }

  #live(recovery: Recovery, tables: LabTables | undefined): Life {
    const { history: mode, onFatal } = this.#options;
    const { unwrittenEntries } = this.#limits;
    const { journal } = this;
    const headAt = (seq: number): JournalHead | undefined => journal.headAt(seq);
    const history = new LabHistory({ tables, mode, engine: recovery.engine, headAt, unwrittenEntries, onFatal });
    return { recovery, tables, history };
  }
}
