/**
 * The journal port: a durable, totally ordered stream of batches. Every implementation must pass the contract test in
 * `packages/server/test/journal/journal-contract.ts`.
 */

/** One row of the journal: commands committed together, chained to the previous row. */
export interface Batch {
  /** The seq of the first command. The seqs of the others follow without gaps. */
  readonly firstSeq: number;
  readonly count: number;
  /** The time of every entry in the batch. */
  readonly timeMs: number;
  /** The name of the node that wrote the batch. */
  readonly node: string;
  /** The commands, encoded by the engine's codec. */
  readonly bytes: Uint8Array;
  /**
   * The engine's event digest just before the batch, after entry firstSeq - 1. Replays compare their digest with it.
   */
  readonly priorEventDigest: string;
  /** SHA-256 (hex) over the previous row's chain hash and this row's fields. */
  readonly chainHash: string;
}

/** The fields that the writer supplies. The journal adds the chain hash. */
export type NewBatch = Omit<Batch, "chainHash">;

export interface JournalHead {
  /** The seq of the last command; 0 if the journal is empty. */
  readonly lastSeq: number;
  readonly lastTimeMs: number;
  readonly chainHash: string;
}

/** The head before the first row. */
export const EMPTY_HEAD: JournalHead = { lastSeq: 0, lastTimeMs: 0, chainHash: "0".repeat(64) };

export function headAfter(batch: Batch): JournalHead {
  return { lastSeq: batch.firstSeq + batch.count - 1, lastTimeMs: batch.timeMs, chainHash: batch.chainHash };
}

/** The journal as the sequencer writes it. */
export interface Journal {
  head(): Promise<JournalHead>;
  /**
   * Appends the batch durably and resolves to the new head. `firstSeq` must follow the head; otherwise it rejects, and
   * nothing is written. After a rejection with any error except `JournalRefused`, the outcome is unknown. `place` is
   * the position of the row in a shared log and is stored atomically with the row.
   */
  append(batch: NewBatch, place?: LogPlace): Promise<JournalHead>;
  /** Like `append`, but synchronous; retains the bytes. Absent if the journal waits for its disk. */
  appendNow?(batch: NewBatch): JournalHead;
  /** Yields batches that contain entries with seq >= fromSeq, in order. */
  read(fromSeq: number): AsyncIterable<Batch>;
  close(): Promise<void>;
}

/** The journal as recovery and projection read it: synchronously, in a thread that may block. */
export interface JournalRows {
  /** The head just after entry `seq`; undefined if no row ends with this entry. */
  headAt(seq: number): JournalHead | undefined;
  /** Yields rows that contain entries with seq >= fromSeq, in order, including rows appended meanwhile. */
  read(fromSeq: number): Iterable<Batch>;
  /** Yields the rows after `head`. Throws `JournalDamaged` at a row that does not follow its predecessor. */
  after(head: JournalHead): Iterable<Batch>;
}

/** A journal opened for reading. A node may be writing to it. */
export interface JournalReader extends JournalRows {
  head(): JournalHead;
  /** The position of the last row that came from a shared log; null if there is none. */
  place(): JournalPlace | null;
  /** Throws `JournalDamaged` if rows are missing at the end, `JournalUnreadable` if this cannot be determined. */
  checkEnd(): void;
  close(): void;
}

/** A copy of a journal, to which more rows of the original can be added. */
export interface JournalCopy extends JournalRows {
  head(): JournalHead;
  /**
   * Adds rows with their chain hashes. All of them are durable when this returns; if it throws, none is added. Throws
   * `JournalDamaged` if a row does not follow its predecessor. `place` is stored atomically with the rows.
   */
  copy(rows: readonly Batch[], place?: JournalPlace): JournalHead;
  /** The last stored position; null if there is none. */
  place(): JournalPlace | null;
  /** Removes the stored position, because the journal no longer belongs to a shared log. */
  forgetPlace(): void;
  /**
   * Closes the copy as a single file that can be read from a read-only disk. If other readers are open, it is closed as
   * usual.
   */
  closeWhole(): void;
}

/**
 * A batch submitted to a log that several nodes share. Its position in the log determines the seqs and times of its
 * entries.
 */
export interface LooseBatch extends Pick<Batch, "count" | "node" | "bytes"> {
  /** The unique id of the batch. No other batch of any node has the same id. */
  readonly id: string;
  /** The time by the author's clock. The batch's entries are never earlier than the entries before them. */
  readonly timeMs: number;
}

/** The position of a row in a shared log. */
export interface LogPlace {
  /** The epoch of the store. Each epoch has its own log. */
  readonly epoch: string;
  /** The number of the row. Rows of an epoch are numbered from 1 without gaps. */
  readonly number: number;
  /** The store's revision in which the row was written. Revisions increase, with gaps. */
  readonly revision: number;
}

/** The position of a journal in a shared log. */
export interface JournalPlace extends LogPlace {
  /**
   * The last entry of the row at this position. It is also the journal's last entry, unless the journal was continued
   * without the log.
   */
  readonly seq: number;
}

/** A batch with its position in a shared log. */
export interface LogRow extends LooseBatch {
  readonly place: LogPlace;
}

/**
 * A totally ordered log of batches that several nodes share. A batch does not depend on its predecessors, so nodes do
 * not wait for each other. Each node follows the log and writes all of its batches to its own journal. Every
 * implementation must pass the contract test in `packages/server/test/journal/shared-log-contract.ts`. Decision 38.
 */
export interface SharedLog {
  /**
   * Resolves when the batch is permanently in the log and will reach every follower. Rejects with `JournalRefused` if
   * the batch is not in the log and never will be. After any other rejection, it may still appear at any time. A batch
   * that is submitted again with the same id is in the log only once.
   */
  submit(batch: LooseBatch): Promise<void>;
  /** Follows the log from the row after `place`; null starts with the first row of the epoch. */
  follow(place: LogPlace | null): Following;
}

/** One node's reader of a shared log. */
export interface Following {
  /**
   * Resolves to the next row. All nodes get the same rows, without gaps or duplicates. Resolves to undefined after
   * `close`. Rejects if the log can no longer be followed, with `LogTrimmed` if rows after the position were removed.
   */
  next(): Promise<LogRow | undefined>;
  close(): void;
}

/** The log no longer has the rows after a node's position, so the node must fetch them from another node. */
export class LogTrimmed extends Error {
  override readonly name = "LogTrimmed";
}

/** The batch was certainly not written. */
export class JournalRefused extends Error {
  override readonly name = "JournalRefused";
}

/** A journal is damaged. The message is one line for the operator and contains the fault and its position. */
export class JournalDamaged extends Error {
  override readonly name = "JournalDamaged";
  readonly seq: number;

  constructor(seq: number, what: string, options?: ErrorOptions) {
    super(`The journal is damaged at entry ${seq}: ${what}`, options);
    this.seq = seq;
  }
}

/** The file is not a journal, or its format is unknown to this release. */
export class JournalUnreadable extends Error {
  override readonly name = "JournalUnreadable";
}

/** A query of journal entries. */
export interface EntriesQuery {
  /** The first entry to search. Must not be combined with `before`. */
  readonly from?: number | undefined;
  /** The entry after the last one to search. If neither this nor `from` is given, the newest entries are returned. */
  readonly before?: number | undefined;
  readonly limit: number;
  /** If absent, all entries match. */
  readonly only?: EntryFilter | undefined;
}

/** The values that an entry must have to match. */
export type EntryFilter = Partial<Pick<JournalEntry, "type" | "by" | "accountId" | "symbolId">>;

/** A journal entry as shown to operators. */
export interface JournalEntry {
  readonly seq: number;
  readonly timeMs: number;
  /** The node that wrote the entry. */
  readonly node: string;
  /** The type of the command; if the owner of a task issued it, the type of the inner command. */
  readonly type: string;
  /** The operator who issued the command; null if no operator did. */
  readonly by: string | null;
  readonly accountId: number | null;
  readonly symbolId: number | null;
  /** The command in ticks, lots and units, without secrets. Large numbers are decimal strings. */
  readonly command: Readonly<Record<string, unknown>>;
}

export interface JournalEntries {
  /** Entries in ascending order. */
  readonly entries: readonly JournalEntry[];
  /** The journal's last entry. */
  readonly lastSeq: number;
  /** The value of `before` for the page of older entries; null if there are none. */
  readonly prior: number | null;
  /** The next entry; null if there is none or it cannot be read. */
  readonly next: number | null;
  /** The searched range. All matching entries in it are returned. If it is empty, `toSeq` is less than `fromSeq`. */
  readonly looked: { readonly fromSeq: number; readonly toSeq: number };
  /** The rows that were read, each checked against its predecessor. */
  readonly chain: {
    readonly isWhole: boolean;
    /** The first and last entry of these rows. */
    readonly fromSeq: number;
    readonly toSeq: number;
    /** The chain hash before the first of these rows, and the one after the last. */
    readonly priorHash: string;
    readonly hash: string;
    /** The fault of the row after these entries, in one line. */
    readonly fault?: string;
  };
}
