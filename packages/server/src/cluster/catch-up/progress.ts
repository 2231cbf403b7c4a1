/** How a node's catching up goes, for whoever asks meanwhile and afterwards. */
import type { Batch } from "../../journal/port.ts";
import type { Peer } from "./fetch-rows.ts";

/** `comparing` its journal with the log; `fetching` rows; `waiting`, since nobody gives rows now; `done`. */
export const CATCH_UP_STATES = ["comparing", "fetching", "waiting", "done"] as const;
export type CatchUpState = (typeof CATCH_UP_STATES)[number];

export class CatchUpProgress {
  #state: CatchUpState = "comparing";
  #missing = 0;
  readonly #rows: Record<string, number> = {};
  readonly #bytes: Record<string, number> = {};

  get state(): CatchUpState {
    return this.#state;
  }

  /** Entries that the node that gives rows has, and that are not in the own journal yet. */
  get missingEntries(): number {
    return this.#missing;
  }

  /** Rows fetched since the start, by the node that gave them. */
  get rows(): Readonly<Record<string, number>> {
    return this.#rows;
  }

  /** The bytes of their commands. */
  get bytes(): Readonly<Record<string, number>> {
    return this.#bytes;
  }

  fetched({ node }: Peer, rows: readonly Batch[]): void {
    this.#rows[node] = (this.#rows[node] ?? 0) + rows.length;
    const bytes = rows.reduce((sum, row) => sum + row.bytes.length, 0);
    this.#bytes[node] = (this.#bytes[node] ?? 0) + bytes;
  }

  /** Entries up to `seq` are in the own journal; the other node has those up to `untilSeq`. */
  stepped(seq: number, untilSeq: number): void {
    this.#state = "fetching";
    this.#missing = Math.max(0, untilSeq - seq);
  }

  /** Whether nobody gives rows now. */
  waits(isWaiting: boolean): void {
    this.#state = isWaiting ? "waiting" : "comparing";
  }

  done(): void {
    this.#state = "done";
    this.#missing = 0;
  }
}
