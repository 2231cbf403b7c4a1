/**
 * The journal port: a durable, totally ordered stream of batches. Every implementation must pass the contract test in
 * `packages/server/test/journal/journal-contract.ts`.
 */

/** One row of the journal: commands committed together, chained to the previous row. */
export interface Batch {
  /** The seq of the first command. The others follow without gaps. */
  readonly firstSeq: number;
  readonly count: number;
  /** The time of every entry in the batch. */
  readonly timeMs: number;
  /** The name of the node that wrote it. */
  readonly node: string;
  /** The commands, encoded by the engine's codec. */
  readonly bytes: Uint8Array;
  /** The engine's event digest just before the batch, after entry firstSeq - 1. Replays are compared with it. */
  readonly priorEventDigest: string;
  /** SHA-256 (hex) over the previous row's chain hash and this row's fields. */
  readonly chainHash: string;
}

/** The fields that the writer supplies. The journal adds the chain hash. */
export type NewBatch = Omit<Batch, "chainHash">;

export interface JournalHead {
  /** The seq of the last command; 0 when empty. */
  readonly lastSeq: number;
  readonly lastTimeMs: number;
  readonly chainHash: string;
}

/** The head before the first row. */
export const EMPTY_HEAD: JournalHead = { lastSeq: 0, lastTimeMs: 0, chainHash: "0".repeat(64) };

export function headAfter(batch: Batch): JournalHead {
  return { lastSeq: batch.firstSeq + batch.count - 1, lastTimeMs: batch.timeMs, chainHash: batch.chainHash };
}

/** The journal as written by the sequencer. */
export interface Journal {
  head(): Promise<JournalHead>;
  /**
   * Appends the batch durably and resolves to the new head. `firstSeq` must follow the head, otherwise it rejects and
   * nothing is written. After a rejection the outcome is unknown, unless it is `JournalRefused`. `place` is the
   * position of the row in a shared log, stored atomically with the row.
   */
  append(batch: NewBatch, place?: LogPlace): Promise<JournalHead>;
  /** As `append`, synchronously; retains the bytes. Absent if the journal waits for its disk. */
  appendNow?(batch: NewBatch): JournalHead;
  /** Yields batches that contain entries with seq >= fromSeq, in order. */
  read(fromSeq: number): AsyncIterable<Batch>;
  close(): Promise<void>;
}

/** The journal as read by recovery and projection: synchronously, in a thread that may block. */
export interface JournalRows {
  /** The head just after entry `seq`; undefined if no row ends there. */
  headAt(seq: number): JournalHead | undefined;
  /** Yields rows that contain entries with seq >= fromSeq, in order, including rows appended meanwhile. */
  read(fromSeq: number): Iterable<Batch>;
  /** Yields the rows after `head`. Throws `JournalDamaged` at a row that does not follow its predecessor. */
  after(head: JournalHead): Iterable<Batch>;
}

/** A journal opened for reading, while a node may be writing to it. */
export interface JournalReader extends JournalRows {
  head(): JournalHead;
  /** The position of the last row that came from a shared log; null if none did. */
  place(): JournalPlace | null;
  /** Throws `JournalDamaged` if rows are missing at the end, `JournalUnreadable` if that cannot be determined. */
  checkEnd(): void;
  close(): void;
}

/** A copy of a journal, to which rows of that journal are added. */
export interface JournalCopy extends JournalRows {
  head(): JournalHead;
  /**
   * Adds rows with their chain hashes. All are durable when it returns; none is added if it throws. Throws
   * `JournalDamaged` if a row does not follow its predecessor. `place` is stored atomically with them.
   */
  copy(rows: readonly Batch[], place?: JournalPlace): JournalHead;
  /** The last stored position; null if there is none. */
  place(): JournalPlace | null;
  /** The journal no longer belongs to a shared log. */
  forgetPlace(): void;
  /**
   * Closes the copy as a single file that can be read from a read-only disk; if other readers are open, closes as
   * usual.
   */
  closeWhole(): void;
}

/** A batch submitted to a log that several nodes share. Its position in the log determines its number and time. */
export interface LooseBatch extends Pick<Batch, "count" | "node" | "bytes"> {
  /** A unique id: no other batch of any node has it. */
  readonly id: string;
  /** The time by the author's clock. Its entries are no earlier than those before it. */
  readonly timeMs: number;
}

/** The position of a row in a shared log. */
export interface LogPlace {
  /** The epoch of the store. Another epoch is another log. */
  readonly epoch: string;
  /** Numbers the rows of the epoch from 1, without gaps. */
  readonly number: number;
  /** The store's revision of the row. It increases, with gaps. */
  readonly revision: number;
}

/** The position of a journal in a shared log. */
export interface JournalPlace extends LogPlace {
  /**
   * The last entry of the row at this position. It is the journal's last entry, unless the journal was continued
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
 * not wait for each other; each node follows the log and writes all of it into its own journal. Every implementation
 * must pass the contract test in `packages/server/test/journal/shared-log-contract.ts`. Decision 38.
 */
export interface SharedLog {
  /**
   * Resolves when the batch is in the log permanently and will reach every follower. Rejects with `JournalRefused` if
   * it is not and never will be; after any other rejection it may still appear at any time. A batch submitted again
   * with the same id is in the log once.
   */
  submit(batch: LooseBatch): Promise<void>;
  /** Follows from the row after `place`; null: from the first row of the epoch. */
  follow(place: LogPlace | null): Following;
}

/** One node's reader of a shared log. */
export interface Following {
  /**
   * Resolves to the next row: the same for every node, without gaps or duplicates. Undefined once it is closed. Rejects
   * if the log can no longer be followed, with `LogTrimmed` if rows after the position were removed.
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

/** A journal is damaged. The message is one line for the operator and says what is wrong and where. */
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
  /** The first entry to search; not together with `before`. */
  readonly from?: number | undefined;
  /** The entry after the last one to search. Without this and `from`: the newest entries. */
  readonly before?: number | undefined;
  readonly limit: number;
  /** Absent: all entries. */
  readonly only?: EntryFilter | undefined;
}

/** The fields that an entry must have. */
export type EntryFilter = Partial<Pick<JournalEntry, "type" | "by" | "accountId" | "symbolId">>;

/** A journaled entry. */
export interface JournalEntry {
  readonly seq: number;
  readonly timeMs: number;
  /** The node that wrote it. */
  readonly node: string;
  /** The command's type; for a command of a task's owner, that of the inner command. */
  readonly type: string;
  /** The operator who issued it; null: none. */
  readonly by: string | null;
  readonly accountId: number | null;
  readonly symbolId: number | null;
  /** In ticks, lots and units; large numbers are decimal strings. Without secrets. */
  readonly command: Readonly<Record<string, unknown>>;
}

export interface JournalEntries {
  /** Ascending. */
  readonly entries: readonly JournalEntry[];
  /** The journal's last entry. */
  readonly lastSeq: number;
  /** The `before` of the page of older entries; null if there are none. */
  readonly prior: number | null;
  /** The next entry; null if there is none, or it cannot be read. */
  readonly next: number | null;
  /** The searched range, of which all matching entries are returned; `toSeq` is less than `fromSeq` if it is empty. */
  readonly looked: { readonly fromSeq: number; readonly toSeq: number };
  /** The rows that were read, each checked against its predecessor. */
  readonly chain: {
    readonly isWhole: boolean;
    /** The entries of these rows. */
    readonly fromSeq: number;
    readonly toSeq: number;
    /** The chain hash before the first and after the last of these rows. */
    readonly priorHash: string;
    readonly hash: string;
    /** What is wrong with the row after these entries, in one line. */
    readonly fault?: string;
  };
}
