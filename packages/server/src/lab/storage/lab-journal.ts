/**
 * The journal of a lab, in the node's own thread, which does not wait for the disk. In a temporary folder, the newest
 * rows stay in memory, up to a limit. In a persistent folder, each row is written to the file immediately, so that no
 * response precedes its row even if the process is killed.
 */
import assert from "node:assert/strict";
import { chainOn, checkedAfter } from "../../journal/chain.ts";
import { JournalFile } from "../../journal/journal-file.ts";
import {
  type Batch,
  EMPTY_HEAD,
  headAfter,
  type Journal,
  type JournalHead,
  JournalRefused,
  type JournalRows,
  type LogPlace,
  type NewBatch,
} from "../../journal/port.ts";
import { FreshRows } from "./fresh-rows.ts";

/** Limits on the memory of a lab's storage, which do not depend on its running time. */
export const LAB_STORAGE_LIMITS = {
  /** Maximum size in bytes of journal rows in memory; older rows are moved to a file in the lab's folder. */
  freshJournalBytes: 64 << 20,
  /** Number of rows that are moved to the file in one transaction. */
  spilledRowsAtATime: 2_048,
  /** Maximum size in bytes of all rows that only checkpoints refer to because the journal took another branch. */
  leftWaysBytes: 512 << 20,
  /** The size of SQLite's page cache for history. */
  historyCacheKiB: 32 << 10,
  /** Maximum number of entries that are buffered for history. */
  unwrittenEntries: 4_000,
} as const;

export type LabStorageLimits = Readonly<Record<keyof typeof LAB_STORAGE_LIMITS, number>>;

/** The memory overhead of a row besides its commands: its object, strings and list entry. */
const BYTES_BESIDE = 400;

export interface LabJournalOptions {
  /**
   * The path of the journal's file. In a temporary folder, the file is created when the first rows are moved out of
   * memory.
   */
  readonly path: string;
  /** Buffers rows in memory, within these limits. Default: each row is written to the file immediately. */
  readonly fresh?: { readonly maxBytes: number; readonly rowsAtATime: number };
  /** The maximum total size in bytes of rows that only marks refer to. Default: `LAB_STORAGE_LIMITS`. */
  readonly leftWaysBytes?: number;
}

/**
 * A position that the journal can return to any number of times. The journal still contains the rows up to `sharedSeq`;
 * the mark itself holds later ones, which the journal dropped when it took another branch.
 */
export interface JournalMark {
  readonly head: JournalHead;
  sharedSeq: number;
  own: readonly Batch[];
}

/** Going to a mark would drop rows that another mark needs, and `leftWaysBytes` does not suffice to hold them. */
export class LeftWaysFull extends Error {
  override readonly name = "LeftWaysFull";
}

export class LabJournal implements Journal {
  readonly #options: LabJournalOptions;
  /** The file with the older rows; undefined while all rows are in memory. */
  #file: JournalFile | undefined;
  /** The newer rows, which are not in the file. */
  readonly #fresh: FreshRows;
  readonly #marks = new Set<JournalMark>();
  #head: JournalHead;

  /** Opens the journal. Throws `JournalUnreadable` or `JournalDamaged`. */
  constructor(options: LabJournalOptions) {
    this.#options = options;
    this.#fresh = new FreshRows(options.fresh?.rowsAtATime ?? 1, sizeOfRow);
    if (options.fresh === undefined) this.#file = JournalFile.open(options.path, { unsynced: true });
    this.#head = this.#file?.head() ?? EMPTY_HEAD;
  }

  async head(): Promise<JournalHead> {
    return this.#head;
  }

  get headNow(): JournalHead {
    return this.#head;
  }

  async append(batch: NewBatch, place?: LogPlace): Promise<JournalHead> {
    assert(place === undefined, "a lab is alone with its journal");
    return this.appendNow({ ...batch, bytes: batch.bytes.slice() });
  }

  appendNow(batch: NewBatch): JournalHead {
    const { fresh } = this.#options;
    if (fresh === undefined) {
      assert(this.#file !== undefined, "a journal without fresh rows has a file");
      this.#head = this.#file.append(batch);
      return this.#head;
    }
    if (this.#fresh.bytes >= fresh.maxBytes) this.#spill();
    this.#take(chainOn(this.#head, batch));
    return this.#head;
  }

  headAt(seq: number): JournalHead | undefined {
    if (seq === 0) return EMPTY_HEAD;
    const { firstSeq } = this.#fresh;
    if (firstSeq === undefined || seq < firstSeq) return this.#file?.headAt(seq);
    const row = this.#fresh.find(seq);
    return row !== undefined && headAfter(row).lastSeq === seq ? headAfter(row) : undefined;
  }

  *rows(fromSeq: number): Generator<Batch> {
    for (let next = Math.max(fromSeq, 1); next <= this.#head.lastSeq; ) {
      const row = this.#fresh.find(next);
      if (row !== undefined) {
        yield row;
        next = headAfter(row).lastSeq + 1;
        continue;
      }
      assert(this.#file !== undefined, "a row is in the file or in memory");
      for (const older of this.#file.read(next)) {
        yield older;
        next = headAfter(older).lastSeq + 1;
      }
    }
  }

  after(head: JournalHead): Generator<Batch> {
    return checkedAfter(head, this.rows(head.lastSeq + 1));
  }

  /** Returns a reader for replay and projection, which read in this thread. */
  reader(): JournalRows {
    return { headAt: (seq) => this.headAt(seq), read: (seq) => this.rows(seq), after: (head) => this.after(head) };
  }

  async *read(fromSeq: number): AsyncIterable<Batch> {
    yield* this.rows(fromSeq);
  }

  /** Marks the current end of the journal. */
  mark(): JournalMark {
    const mark = { head: this.#head, sharedSeq: this.#head.lastSeq, own: [] };
    this.#marks.add(mark);
    return mark;
  }

  /** Marks the end of another journal, given all its rows with a verified hash chain. */
  markOf(rows: readonly Batch[]): JournalMark {
    const last = rows.at(-1);
    const mark = { head: last === undefined ? EMPTY_HEAD : headAfter(last), sharedSeq: 0, own: rows };
    this.#share(mark);
    if (bytesOf(mark.own) > this.#room()) throw this.#full();
    this.#marks.add(mark);
    return mark;
  }

  forget(mark: JournalMark): void {
    this.#marks.delete(mark);
  }

  /** Yields all rows up to a mark. */
  *rowsTo(mark: JournalMark): Generator<Batch> {
    for (const row of this.rows(1)) {
      if (headAfter(row).lastSeq > mark.sharedSeq) break;
      yield row;
    }
    yield* mark.own;
  }

  /** Goes to a mark, which remains valid. Throws `LeftWaysFull` or disk errors; nothing has changed then. */
  goTo(mark: JournalMark): void {
    assert(this.#marks.has(mark), "the mark is this journal's");
    this.#share(mark);
    this.#keepForOthers(mark);
    const { sharedSeq, own } = mark;
    const { firstSeq } = this.#fresh;
    // The file stays unchanged if the mark's branch begins in memory.
    if (this.#file === undefined || (firstSeq !== undefined && firstSeq <= sharedSeq + 1)) {
      this.#fresh.cutAfter(sharedSeq);
    } else {
      this.#goBackInFile(sharedSeq, own);
    }
    for (const row of this.#options.fresh === undefined ? [] : own) this.#take(row);
    this.#head = mark.head;
    mark.sharedSeq = mark.head.lastSeq;
    mark.own = [];
  }

  /** Throws `LeftWaysFull` if `goTo` would throw it. */
  checkCanGoTo(mark: JournalMark): void {
    this.#share(mark);
    this.#needOfOthers(mark);
  }

  /**
   * Finds the rows of the mark that the journal also contains. If the hash chains are equal at a row, all earlier rows
   * are equal.
   */
  #share(mark: JournalMark): void {
    let low = 0;
    for (let high = mark.own.length; low < high; ) {
      const middle = (low + high) >>> 1;
      const row = headAfter(mark.own[middle] as Batch);
      if (this.headAt(row.lastSeq)?.chainHash === row.chainHash) low = middle + 1;
      else high = middle;
    }
    const last = mark.own[low - 1];
    if (last === undefined) return;
    mark.sharedSeq = headAfter(last).lastSeq;
    mark.own = mark.own.slice(low);
  }

  #keepForOthers(mark: JournalMark): void {
    const { others, left } = this.#needOfOthers(mark);
    for (const other of others) {
      other.own = [...left.filter((row) => row.firstSeq <= other.sharedSeq), ...other.own];
      other.sharedSeq = mark.sharedSeq;
    }
  }

  /** Returns the rows that other marks need and `goTo` would drop. Throws `LeftWaysFull`. */
  #needOfOthers(mark: JournalMark): { readonly others: readonly JournalMark[]; readonly left: readonly Batch[] } {
    const others = [...this.#marks].filter((other) => other.sharedSeq > mark.sharedSeq);
    const untilSeq = Math.max(0, ...others.map((other) => other.sharedSeq));
    const left: Batch[] = [];
    let room = others.length === 0 ? 0 : this.#room();
    for (const row of this.rows(mark.sharedSeq + 1)) {
      if (row.firstSeq > untilSeq) break;
      left.push(row);
      room -= bytesOf([row]);
      if (room < 0) throw this.#full();
    }
    return { others, left };
  }

  /** Returns the number of bytes still available for marks. Marks on the same branch share their rows. */
  #room(): number {
    const rows = new Set([...this.#marks].flatMap(({ own }) => own));
    return this.#leftWaysBytes - bytesOf(rows);
  }

  #full(): LeftWaysFull {
    const most = `${this.#leftWaysBytes} bytes`;
    return new LeftWaysFull(`what checkpoints hold of the journal beside its present way would be more than ${most}`);
  }

  get #leftWaysBytes(): number {
    return this.#options.leftWaysBytes ?? LAB_STORAGE_LIMITS.leftWaysBytes;
  }

  #goBackInFile(seq: number, own: readonly Batch[]): void {
    this.#file?.goBack(seq, this.#options.fresh === undefined ? own : []);
    this.#fresh.clear();
  }

  async close(): Promise<void> {
    this.#file?.close();
    this.#file = undefined;
  }

  #take(row: Batch): void {
    this.#fresh.push(row);
    this.#head = headAfter(row);
  }

  /** Moves the oldest rows from memory to the file. Throws `JournalRefused` if it cannot be written. */
  #spill(): void {
    const rows = this.#fresh.oldest();
    try {
      this.#file ??= JournalFile.open(this.#options.path, { unsynced: true });
      this.#file.copy(rows);
    } catch (error) {
      throw new JournalRefused(`the lab's folder cannot be written: ${(error as Error).message}`, { cause: error });
    }
    this.#fresh.dropOldest();
  }
}

function bytesOf(rows: Iterable<Batch>): number {
  let bytes = 0;
  for (const row of rows) bytes += sizeOfRow(row.bytes.length);
  return bytes;
}

function sizeOfRow(commandBytes: number): number {
  return commandBytes + BYTES_BESIDE;
}
