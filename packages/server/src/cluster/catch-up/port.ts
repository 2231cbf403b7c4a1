/** The interfaces through which a node sends its journal to others, and reports its own catch-up. */

/** The other journal has a different hash chain after its last entry, so it is not the same journal. */
export class OtherJournal extends Error {
  override readonly name = "OtherJournal";
}

/** The source already serves as many streams as allowed. */
export class TooManyStreams extends Error {
  override readonly name = "TooManyStreams";
}

/** A snapshot file as it is on disk. */
export interface SnapshotBytes {
  /** The last entry that it includes. */
  readonly seq: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface JournalSource {
  /**
   * Resolves to the batches after entry `after`, up to the current head, in frames (`frames.ts`). It reads on only as
   * they are taken; ending the iteration ends it. `chainHash` is that of the reader's journal after this entry. Rejects
   * with `OtherJournal`, `TooManyStreams`.
   */
  rows(after: number, chainHash: string): Promise<AsyncIterable<Uint8Array>>;
  /** Resolves to the newest snapshot; undefined unless it is beyond entry `beyond`. */
  snapshot(beyond: number): Promise<SnapshotBytes | undefined>;
}

/** Answers probes while the node does not serve. */
export interface StartupProbes {
  /** Answers probes from the first call on. `why` is the reason why the node is not ready, in a few words. */
  say(why: string): void;
  close(): Promise<void>;
}
