/** The interfaces through which a node sends its journal to other nodes and reports its own catch-up. */

/** The reader's journal is another one: the source has a different chain hash after its last entry. */
export class OtherJournal extends Error {
  override readonly name = "OtherJournal";
}

/** The source already serves the maximum number of streams. */
export class TooManyStreams extends Error {
  override readonly name = "TooManyStreams";
}

/** The content of a snapshot file. */
export interface SnapshotBytes {
  /** The last entry that the snapshot includes. */
  readonly seq: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface JournalSource {
  /**
   * Resolves to the batches after entry `after`, up to the current head, in frames (`frames.ts`). They are read only as
   * fast as the caller iterates; ending the iteration ends the stream. `chainHash` is that of the reader's journal
   * after entry `after`. Rejects with `OtherJournal`, `TooManyStreams`.
   */
  rows(after: number, chainHash: string): Promise<AsyncIterable<Uint8Array>>;
  /** Resolves to the newest snapshot; undefined if it includes no entries after `beyond`. */
  snapshot(beyond: number): Promise<SnapshotBytes | undefined>;
}

/** Answers health probes while the node does not serve requests. */
export interface StartupProbes {
  /** Answers probes from the first call on. `why` is the reason in a few words why the node is not ready. */
  say(why: string): void;
  close(): Promise<void>;
}
