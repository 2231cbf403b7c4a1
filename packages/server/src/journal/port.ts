/**
 * The journal port: a durable, totally ordered stream of batches, and everything that other rooms know of it. Every
 * implementation must pass the contract test in `packages/server/test/journal/journal-contract.ts`.
 */

/** One row of the journal: commands committed together, chained to the previous row. */
export interface Batch {
  /** The seq of the first command; the others follow without gaps. */
  readonly firstSeq: number;
  readonly count: number;
  /** The time of every entry in the batch. */
  readonly timeMs: number;
  /** The name of the node that wrote it. */
  readonly node: string;
  /** The commands, encoded by the engine's codec. */
  readonly bytes: Uint8Array;
  /** The engine's event digest just before the batch, after entry firstSeq - 1: replays are compared by it. */
  readonly priorEventDigest: string;
  /** SHA-256 (hex) over the previous row's chain hash and this row's fields. */
  readonly chainHash: string;
}

/** The fields that the writer supplies; the journal adds the chain. */
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

/** The journal as the sequencer writes it. */
export interface Journal {
  head(): Promise<JournalHead>;
  /**
   * Appends, makes durable, and resolves with the new head. `firstSeq` must follow the head, else it rejects and
   * nothing is written. A rejection leaves the outcome unknown unless it is `JournalRefused`. `place`: where the row
   * stands in a shared log; it is kept with the row, both or neither.
   */
  append(batch: NewBatch, place?: LogPlace): Promise<JournalHead>;
  /** Does the same before it returns, and keeps the bytes; absent where a journal waits for its disk. Throws as `append` rejects. */
  appendNow?(batch: NewBatch): JournalHead;
  /** Yields batches that hold entries with seq >= fromSeq, in order. */
  read(fromSeq: number): AsyncIterable<Batch>;
  close(): Promise<void>;
}

/** The journal as recovery and projection read it: synchronously, in a thread that may block. */
export interface JournalRows {
  /** Returns the head just after entry `seq`; undefined when no row ends there. */
  headAt(seq: number): JournalHead | undefined;
  /** Yields rows that hold entries with seq >= fromSeq, in order, including rows appended meanwhile. */
  read(fromSeq: number): Iterable<Batch>;
  /** Reads on from the row after `head`. Throws `JournalDamaged` at a row that does not follow its predecessor. */
  after(head: JournalHead): Iterable<Batch>;
}

/** A journal opened for reading, while a node may be writing to it. */
export interface JournalReader extends JournalRows {
  head(): JournalHead;
  /** Returns the place of the last row that came from a shared log; null when none did. */
  place(): JournalPlace | null;
  /** Throws `JournalDamaged` when rows are missing at the end, `JournalUnreadable` when that cannot be determined. */
  checkEnd(): void;
  close(): void;
}

/** A copy of a journal, to which rows of that journal are added. */
export interface JournalCopy extends JournalRows {
  head(): JournalHead;
  /**
   * Adds rows of the journal with their chain. When it returns, all are durable; when it throws, none is.
   * Throws `JournalDamaged` when one does not follow the row before it. `place` is kept with them, both or neither.
   */
  copy(rows: readonly Batch[], place?: JournalPlace): JournalHead;
  /** Returns the place that was kept last; null when none was. */
  place(): JournalPlace | null;
  /** The journal is in no shared log any more. */
  forgetPlace(): void;
  /** Closes the copy as one file that a read-only disk can serve; while others read it, it closes as usual. */
  closeWhole(): void;
}

/** A batch on its way into a log that several nodes share: its place gives it number and time. */
export interface LooseBatch extends Pick<Batch, "count" | "node" | "bytes"> {
  /** A unique id: no other batch of any node has it. */
  readonly id: string;
  /** The time by the clock of the node that wrote it; its entries are no earlier than those before it. */
  readonly timeMs: number;
}

/** Where a row stands in a shared log. */
export interface LogPlace {
  /** The epoch of the store: another one is another log. */
  readonly epoch: string;
  /** Counts the rows of the epoch from 1, without gaps. */
  readonly number: number;
  /** The number by which the store finds the row again; it rises, with gaps. */
  readonly revision: number;
}

/** Where a journal stands in a shared log. */
export interface JournalPlace extends LogPlace {
  /** The last entry of the row that has the place. The journal's own last entry, unless it went on without the log. */
  readonly seq: number;
}

/** A batch that has its place in a shared log. */
export interface LogRow extends LooseBatch {
  readonly place: LogPlace;
}

/**
 * The order of batches that several nodes share. A submitter need not know what came before, so nobody waits for
 * others; each node follows the log and writes all of it into a journal of its own. Every implementation must pass
 * the contract test in `packages/server/test/journal/shared-log-contract.ts`. Decision 38.
 */
export interface SharedLog {
  /**
   * Resolves when the batch is in the log for good and will reach every follower. Rejects with `JournalRefused` when it
   * is not and never will be; after any other rejection it may still come, at any time. A batch that is submitted again
   * with the same id is in the log once.
   */
  submit(batch: LooseBatch): Promise<void>;
  /** Follows from the row after `place`; null: from the first row of the epoch. */
  follow(place: LogPlace | null): Following;
}

/** One node's position in a shared log. */
export interface Following {
  /**
   * Resolves to the next row: the same for every node, none left out, none twice. Undefined once it is closed.
   * Rejects when the log cannot be followed any more, with `LogTrimmed` when rows after the position are gone.
   */
  next(): Promise<LogRow | undefined>;
  close(): void;
}

/** The log does not hold the rows after a node's position any more: the node needs a backup of another. */
export class LogTrimmed extends Error {
  override readonly name = "LogTrimmed";
}

/** The batch was certainly not written. */
export class JournalRefused extends Error {
  override readonly name = "JournalRefused";
}

/** A journal is damaged. The message says what is wrong and where, in one line for the operator. */
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

/** Which entries of the journal somebody wants to read. */
export interface EntriesQuestion {
  /** The first entry that is looked at; not together with `before`. */
  readonly from?: number | undefined;
  /** The entry after the last that is looked at. Neither this nor `from`: the newest. */
  readonly before?: number | undefined;
  readonly limit: number;
  /** Absent: every entry. */
  readonly only?: EntryFilter | undefined;
}

/** What an entry must have: all that is given. */
export type EntryFilter = Partial<Pick<JournalEntry, "type" | "by" | "accountId" | "symbolId">>;

/** An entry as it was journaled. */
export interface JournalEntry {
  readonly seq: number;
  readonly timeMs: number;
  /** The node that wrote it. */
  readonly node: string;
  /** The command's type; that of the command within where the holder of a role sent it. */
  readonly type: string;
  /** The operator who gave it; null: it names none. */
  readonly by: string | null;
  readonly accountId: number | null;
  readonly symbolId: number | null;
  /** In ticks, lots and units, which are decimal strings where they are large; without secrets. */
  readonly command: Readonly<Record<string, unknown>>;
}

export interface JournalEntries {
  /** Ascending. */
  readonly entries: readonly JournalEntry[];
  /** The journal's last entry. */
  readonly lastSeq: number;
  /** The `before` of the page of older entries, of which this one tells none; null: there is none. */
  readonly prior: number | null;
  /** The entry that comes next; null: there is none, or it cannot be read. */
  readonly next: number | null;
  /** The entries of which all that are wanted are told; `toSeq` is less than `fromSeq` where there are none. */
  readonly looked: { readonly fromSeq: number; readonly toSeq: number };
  /** The rows that hold what was read, each checked against the one before it. */
  readonly chain: {
    readonly isWhole: boolean;
    /** The entries of these rows. */
    readonly fromSeq: number;
    readonly toSeq: number;
    /** The chain's hash before the first and after the last of them. */
    readonly priorHash: string;
    readonly hash: string;
    /** What is wrong with the row after the entries, in one line. */
    readonly fault?: string;
  };
}
