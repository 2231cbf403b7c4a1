/**
 * The journal port: a durable, totally ordered stream of batches, and all that other rooms know of it. Whatever
 * implements it must pass the contract test in `test/journal/journal-contract.ts`.
 */

/** One row of the journal: commands committed together, chained to the row before. */
export interface Batch {
  /** seq of the first command; the others follow without gaps. */
  readonly firstSeq: number;
  readonly count: number;
  /** The time of every entry in the batch. */
  readonly timeMs: number;
  /** The node that wrote it. */
  readonly node: string;
  /** The commands, encoded by the engine's codec. */
  readonly bytes: Uint8Array;
  /** The engine's event digest just before the batch, after entry firstSeq - 1: replays are compared by it. */
  readonly priorEventDigest: string;
  /** SHA-256 (hex) over the row before's chain hash and this row's fields. */
  readonly chainHash: string;
}

/** What the writer supplies; the journal adds the chain. */
export type NewBatch = Omit<Batch, "chainHash">;

export interface JournalHead {
  /** seq of the last command; 0 when empty. */
  readonly lastSeq: number;
  readonly lastTimeMs: number;
  readonly chainHash: string;
}

/** Before the first row. */
export const EMPTY_HEAD: JournalHead = { lastSeq: 0, lastTimeMs: 0, chainHash: "0".repeat(64) };

export function headAfter(batch: Batch): JournalHead {
  return { lastSeq: batch.firstSeq + batch.count - 1, lastTimeMs: batch.timeMs, chainHash: batch.chainHash };
}

/** The journal as the sequencer writes it. */
export interface Journal {
  head(): Promise<JournalHead>;
  /**
   * Appends and makes durable, then answers. `firstSeq` must follow the head, else it rejects and
   * nothing is written. A rejection leaves the outcome unknown unless it is `JournalRefused`.
   */
  append(batch: NewBatch): Promise<JournalHead>;
  /** Batches that hold entries with seq >= fromSeq, in order. */
  read(fromSeq: number): AsyncIterable<Batch>;
  close(): Promise<void>;
}

/** The journal as recovery and projection read it: at once, in a thread that may wait. */
export interface JournalRows {
  /** The head as it was just after entry `seq`; undefined when no row ends there. */
  headAt(seq: number): JournalHead | undefined;
  /** Rows that hold entries with seq >= fromSeq, in order; sees rows that are appended meanwhile. */
  read(fromSeq: number): Iterable<Batch>;
  /** As `read`, from the row after `head` on. Throws `JournalDamaged` at a row that does not follow the one before it. */
  after(head: JournalHead): Iterable<Batch>;
}

/** A journal that somebody has opened to read, while a node may be writing to it. */
export interface JournalReader extends JournalRows {
  head(): JournalHead;
  /** Throws `JournalDamaged` when rows are gone from the journal's end, `JournalUnreadable` when that cannot be told. */
  checkEnd(): void;
  close(): void;
}

/** A copy of a journal, to be brought up to what the journal holds. */
export interface JournalCopy extends JournalRows {
  head(): JournalHead;
  /**
   * Adds rows of the journal, with the chain that they have. All are durable when it returns, or none.
   * Throws `JournalDamaged` when one does not follow the row before it; nothing of them is written then.
   */
  copy(rows: readonly Batch[]): JournalHead;
  /** Closes it as one file that can be read from a disk that cannot be written; or as ever, while others read it. */
  closeWhole(): void;
}

/** The batch was certainly not written. */
export class JournalRefused extends Error {
  override readonly name = "JournalRefused";
}

/** What is wrong with a journal, and where. The message is one line for the operator. */
export class JournalDamaged extends Error {
  override readonly name = "JournalDamaged";
  readonly seq: number;

  constructor(seq: number, what: string, options?: ErrorOptions) {
    super(`the journal is damaged at entry ${seq}: ${what}`, options);
    this.seq = seq;
  }
}

/** The file is not a journal, or of a format that this release does not know. */
export class JournalUnreadable extends Error {
  override readonly name = "JournalUnreadable";
}
