/** What a node gives others of its journal, so that they can catch up, and what it says while it catches up itself. */

/** The other's journal ends with an entry after which this journal has another chain: it is not the same journal. */
export class OtherJournal extends Error {
  override readonly name = "OtherJournal";
}

/** The source already serves as many streams as it may at a time. */
export class TooManyStreams extends Error {
  override readonly name = "TooManyStreams";
}

/** A snapshot's file as it stands on disk. */
export interface SnapshotBytes {
  /** The last entry that it holds. */
  readonly seq: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface JournalSource {
  /**
   * Resolves to the rows after entry `after`, up to the head of this moment, in frames (`frames.ts`). It reads on only as
   * they are taken; ending the iteration ends it. `chainHash`: of the reader's journal just after that entry. Rejects with
   * `OtherJournal`, `TooManyStreams`.
   */
  rows(after: number, chainHash: string): Promise<AsyncIterable<Uint8Array>>;
  /** Resolves to the newest snapshot; undefined unless it holds more than entry `beyond`. */
  snapshot(beyond: number): Promise<SnapshotBytes | undefined>;
}

/** Where probes are answered while the node does not serve. */
export interface WaitingRoom {
  /** Answers probes from the first call on, with `why` the node is not ready, in a few words. */
  say(why: string): void;
  close(): Promise<void>;
}
