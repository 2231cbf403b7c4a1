/** What the line to etcd has done since it was opened, for whoever shows it. */

/** Why a watch was given up for another one. */
export type ReconnectReason = "ended" | "silent" | "stuck" | "rows missing" | "compacted";

export interface Counters {
  /** Batches that are in the log for certain, how long that took in all, and attempts after the first. */
  submitted: number;
  submittedMs: number;
  repeats: number;
  readonly reconnects: Record<ReconnectReason, number>;
  duplicatesDropped: number;
  /** The last row that came, and the last that the store has, as far as is known. */
  lastDelivered: number;
  lastKnown: number;
  /** Rows that this node has removed from the store, and how often it has helped a full one. */
  removed: number;
  reliefs: number;
  /** The largest file of a member, as told last. */
  storeBytes: number;
}

export function newCounters(): Counters {
  return {
    submitted: 0,
    submittedMs: 0,
    repeats: 0,
    reconnects: { ended: 0, silent: 0, stuck: 0, "rows missing": 0, compacted: 0 },
    duplicatesDropped: 0,
    lastDelivered: 0,
    lastKnown: 0,
    removed: 0,
    reliefs: 0,
    storeBytes: 0,
  };
}
