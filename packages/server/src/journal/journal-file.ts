/** The journal as an SQLite file with synchronous access. Used by the journal's own thread, replay and verification. */
import assert from "node:assert/strict";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { isNothingWritten, makePrivateFile, OPEN_PATIENCE_MS, transaction } from "../platform/disk.ts";
import { chainOn, checkedAfter, checkFollows } from "./chain.ts";
import { checkMark, type HeadMark, openHeadMark, readMark } from "./head-mark.ts";
import {
  type Batch,
  EMPTY_HEAD,
  headAfter,
  type JournalCopy,
  JournalDamaged,
  type JournalHead,
  type JournalReader,
  JournalRefused,
  JournalUnreadable,
  type JournalPlace,
  type LogPlace,
  type NewBatch,
} from "./port.ts";
import { CutTable, type JournalCut, PlaceTable } from "./journal-tables.ts";

/** "PTJ1", which identifies the file as a journal. */
const APPLICATION_ID = 0x50544a31;
/** The version of the schema below. Files of a released version remain readable. */
const FORMAT_VERSION = 1;
const SCHEMA = `
  CREATE TABLE batches (
    first_seq        INTEGER PRIMARY KEY,
    count            INTEGER NOT NULL,
    time_ms          INTEGER NOT NULL,
    node             TEXT NOT NULL,
    bytes            BLOB NOT NULL,
    prior_state_hash TEXT NOT NULL,
    chain_hash       TEXT NOT NULL
  ) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${FORMAT_VERSION};
`;

/** Number of rows at the end that are checked when the file is opened for writing. */
const CHECKED_TAIL_ROWS = 64;
/** Number of rows read at a time, so that a reader neither locks the file for long nor holds much of it in memory. */
const ROWS_A_PAGE = 32;

const COLUMNS = `first_seq AS firstSeq, count, time_ms AS timeMs, node, bytes,
  prior_state_hash AS priorEventDigest, chain_hash AS chainHash`;

export class JournalFile implements JournalReader, JournalCopy {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #insertRow: StatementSync | undefined;
  readonly #pageFrom: StatementSync;
  readonly #rowAt: StatementSync;
  readonly #lastHead: StatementSync;
  readonly #places: PlaceTable;
  /** The head mark; undefined unless the journal is open for writing. */
  #mark: HeadMark | undefined;
  /** The head after this writer's last write; undefined if it must be read from the file. */
  #written: JournalHead | undefined;

  private constructor(path: string, database: DatabaseSync, readOnly: boolean) {
    this.#path = path;
    this.#database = database;
    this.#insertRow = readOnly ? undefined : database.prepare("INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?, ?)");
    this.#places = new PlaceTable(database);
    this.#pageFrom = database.prepare(`SELECT ${COLUMNS} FROM batches WHERE first_seq >= ? ORDER BY first_seq LIMIT ?`);
    this.#rowAt = database.prepare(
      `SELECT ${COLUMNS} FROM batches WHERE first_seq <= ? ORDER BY first_seq DESC LIMIT 1`,
    );
    this.#lastHead = database.prepare(
      `SELECT first_seq + count - 1 AS lastSeq, time_ms AS lastTimeMs, chain_hash AS chainHash
       FROM batches ORDER BY first_seq DESC LIMIT 1`,
    );
  }

  /**
   * Opens the file for writing, creating it if missing. `unsynced`: writes without syncs, so that a power failure may
   * lose acknowledged rows; only for a lab. Throws `JournalUnreadable`, `JournalDamaged`.
   */
  static open(path: string, { unsynced = false }: { readonly unsynced?: boolean } = {}): JournalFile {
    makePrivateFile(path);
    const file = JournalFile.#over(path, openDatabase(path, false), false);
    if (unsynced) file.#database.exec("PRAGMA synchronous = OFF;");
    try {
      file.checkTail();
      file.#mark = openHeadMark(path);
      file.#mark.check(file);
      file.#mark.settle(file.head());
    } catch (error) {
      file.close();
      throw error;
    }
    return file;
  }

  /** Opens the file for reading; a node may be writing to it. Throws `JournalUnreadable`. */
  static openReadOnly(path: string): JournalFile {
    return JournalFile.#over(path, openDatabase(path, true), true);
  }

  static #over(path: string, database: DatabaseSync, readOnly: boolean): JournalFile {
    try {
      return new JournalFile(path, database, readOnly);
    } catch (error) {
      throw new JournalUnreadable(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
    }
  }

  head(): JournalHead {
    return (this.#lastHead.get() as unknown as JournalHead | undefined) ?? EMPTY_HEAD;
  }

  headAt(seq: number): JournalHead | undefined {
    if (seq === 0) return EMPTY_HEAD;
    const row = this.#rowHolding(seq);
    return row !== undefined && row.firstSeq + row.count - 1 === seq ? headAfter(row) : undefined;
  }

  /**
   * Appends a row, which is durable when this returns. Throws `JournalRefused` if the row does not follow the head, or
   * if nothing was written because the disk is full.
   */
  append(batch: NewBatch, place?: LogPlace): JournalHead {
    const chained = chainOn(this.#written ?? this.head(), batch);
    // The head is unknown until the row is written.
    this.#written = undefined;
    if (place === undefined) this.#insert(chained);
    else this.#insertAt(place, chained);
    this.#written = headAfter(chained);
    this.#mark?.note(this.#written);
    return this.#written;
  }

  copy(rows: readonly Batch[], place?: JournalPlace): JournalHead {
    let head = this.#written ?? this.head();
    this.#written = undefined;
    const write = (): void => {
      for (const row of rows) {
        head = checkFollows(head, row);
        this.#insert(row);
      }
    };
    if (place === undefined) transaction(this.#database, "IMMEDIATE", write);
    else this.#places.writeWith(write, place);
    this.#written = head;
    this.#mark?.note(head);
    return head;
  }

  /**
   * Atomically replaces all rows after entry `seq`, which must be the last of its row, with other rows of the same
   * chain. The cut is recorded in its own hash chain. The mark is lowered first, because it may lag behind the journal
   * but never be ahead. Only a lab calls this; a node's journal only grows.
   */
  goBack(seq: number, rows: readonly Batch[]): JournalHead {
    const from = this.head();
    const to = this.headAt(seq);
    assert(to !== undefined, "a journal is cut at the end of a row");
    this.#mark?.lower(to);
    this.#written = undefined;
    let head = to;
    transaction(this.#database, "IMMEDIATE", () => {
      if (from.lastSeq > seq) this.#cutTable().note(from, to);
      this.#database.prepare("DELETE FROM batches WHERE first_seq > ?").run(seq);
      for (const row of rows) {
        head = checkFollows(head, row);
        this.#insert(row);
      }
    });
    this.#written = head;
    this.#mark?.note(head);
    return head;
  }

  /** The cuts of the journal, oldest first. Throws `JournalDamaged` if their chain is broken. */
  cuts(): readonly JournalCut[] {
    return this.#cutTable().read();
  }

  #cutTable(): CutTable {
    return new CutTable(this.#database);
  }

  place(): JournalPlace | null {
    return this.#places.read();
  }

  forgetPlace(): void {
    this.#places.forget();
  }

  closeWhole(): void {
    try {
      this.#database.exec("PRAGMA journal_mode = DELETE");
    } catch (error) {
      if (!isNothingWritten(error)) throw error;
    } finally {
      this.close();
    }
  }

  /** Writes the row and its position in one transaction. */
  #insertAt(place: LogPlace, row: Batch): void {
    orRefused(() => this.#places.writeWith(() => this.#insert(row), { ...place, seq: headAfter(row).lastSeq }));
  }

  #insert({ firstSeq, count, timeMs, node, bytes, priorEventDigest, chainHash }: Batch): void {
    const insert = this.#insertRow;
    assert(insert !== undefined, "the journal is open for reading");
    orRefused(() => insert.run(firstSeq, count, timeMs, node, bytes, priorEventDigest, chainHash));
  }

  *read(fromSeq: number): Generator<Batch> {
    let page = this.#page(fromSeq);
    if (page[0]?.firstSeq !== fromSeq) {
      const before = this.#rowHolding(fromSeq);
      if (before !== undefined && before.firstSeq + before.count > fromSeq) yield before;
    }
    for (;;) {
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      page = this.#page(last.firstSeq + 1);
    }
  }

  after(head: JournalHead): Generator<Batch> {
    return checkedAfter(head, this.read(head.lastSeq + 1));
  }

  /** The next rows. Only the next one if some cannot be read, so that the damage is located exactly. */
  #page(from: number): Batch[] {
    try {
      return this.#pageFrom.all(from, ROWS_A_PAGE) as unknown as Batch[];
    } catch {
      return readRows(from, () => this.#pageFrom.all(from, 1));
    }
  }

  checkEnd(): void {
    checkMark(readMark(this.#path), this);
  }

  /** Checks the last rows. Throws `JournalDamaged` unless they are chained. */
  checkTail(): void {
    const newestFirst = `SELECT ${COLUMNS} FROM batches ORDER BY first_seq DESC LIMIT ${CHECKED_TAIL_ROWS + 1}`;
    const rows = this.#tail(newestFirst).reverse();
    const isWhole = rows.length <= CHECKED_TAIL_ROWS;
    let head = isWhole ? EMPTY_HEAD : headAfter(rows[0] as Batch);
    for (const row of isWhole ? rows : rows.slice(1)) head = checkFollows(head, row);
  }

  #tail(newestFirst: string): Batch[] {
    try {
      return this.#database.prepare(newestFirst).all() as unknown as Batch[];
    } catch (error) {
      // Read row by row from the start to locate the damage exactly.
      const rows = this.read(1);
      while (rows.next().done !== true);
      throw new JournalDamaged(1, (error as Error).message, { cause: error });
    }
  }

  /** The last row that starts at or before entry `seq`. */
  #rowHolding(seq: number): Batch | undefined {
    return readRows(seq, () => this.#rowAt.all(seq))[0];
  }

  close(): void {
    this.#mark?.close();
    this.#database.close();
  }
}

/** Runs `write`. Throws `JournalRefused` if nothing was written, and all other errors unchanged. */
function orRefused(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!isNothingWritten(error)) throw error;
    throw new JournalRefused(`nothing was written: ${(error as Error).message}`, { cause: error });
  }
}

function openDatabase(path: string, readOnly: boolean): DatabaseSync {
  let database: DatabaseSync;
  let id: number;
  let format: number;
  try {
    database = new DatabaseSync(path, { readOnly, timeout: OPEN_PATIENCE_MS });
    // fullfsync has an effect only on macOS, whose plain fsync leaves data in the drive's cache.
    if (!readOnly) database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;");
    const empty = database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
    if (empty && !readOnly) makeTables(database);
    // Writes of a killed process may exist only in the operating system's cache, so sync them before they are read.
    if (!readOnly) database.exec("PRAGMA wal_checkpoint(PASSIVE);");
    id = (database.prepare("PRAGMA application_id").get() as { application_id: number }).application_id;
    format = (database.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
    database.exec("PRAGMA busy_timeout = 0;");
  } catch (error) {
    throw new JournalUnreadable(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (id !== APPLICATION_ID) throw new JournalUnreadable(`${path} is not a journal`);
  if (format !== FORMAT_VERSION) {
    throw new JournalUnreadable(
      `${path} has format ${format}, and this release supports format ${FORMAT_VERSION}. Use a newer release`,
    );
  }
  return database;
}

function makeTables(database: DatabaseSync): void {
  transaction(database, "IMMEDIATE", () => database.exec(SCHEMA));
}

/** Reads rows. Values that SQLite cannot read and impossible numbers count as damage. */
function readRows(seq: number, read: () => unknown): Batch[] {
  try {
    return read() as Batch[];
  } catch (error) {
    throw new JournalDamaged(seq, (error as Error).message, { cause: error });
  }
}
