/**
 * The journal port: a durable, totally ordered stream of batches. Whatever implements it must pass
 * the contract test in `test/journal-contract.ts`.
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
  /** Engine hash just before the batch (state at firstSeq - 1): replays are compared by it. */
  readonly priorStateHash: string;
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
}

/** The batch was certainly not written. */
export class JournalRefused extends Error {
  override readonly name = "JournalRefused";
}
