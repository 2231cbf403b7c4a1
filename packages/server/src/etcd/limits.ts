/** Every number of the node's line to etcd. docs/decisions/0044. */

export interface EtcdLimits {
  /** The longest wait for the answer to one call; then the next member is asked. */
  readonly callMs: number;
  /** The pause before members are asked again when none could answer; it doubles up to `maxRetryMs`. */
  readonly retryMs: number;
  readonly maxRetryMs: number;
  /** How long reads and small writes try until they fail. */
  readonly patienceMs: number;
  /** A batch that for so long has certainly not been written is refused instead of tried again. */
  readonly refuseAfterMs: number;
  /** The largest batch: etcd takes 1.5 MiB a request, and a large one holds up heartbeats. */
  readonly maxBatchBytes: number;
  /** The largest answer: a fragment of a watch, a page of rows, a list of keys. */
  readonly maxAnswerBytes: number;
  /** How often a watch is asked for a sign of life, and after which silence it is taken for dead. */
  readonly progressMs: number;
  readonly silenceMs: number;
  /** How often what has come is compared with the store's counter. */
  readonly compareMs: number;
  /** The watch is taken for stuck when the counter has been ahead for so long and nothing came. */
  readonly stuckMs: number;
  /** Rows that wait to be taken: with more the stream is not read. */
  readonly maxQueuedBytes: number;
}

export const ETCD_LIMITS: EtcdLimits = {
  callMs: 500,
  retryMs: 100,
  maxRetryMs: 500,
  patienceMs: 5_000,
  refuseAfterMs: 2_000,
  maxBatchBytes: 1024 * 1024,
  maxAnswerBytes: 64 * 1024 * 1024,
  progressMs: 500,
  silenceMs: 2_000,
  compareMs: 1_000,
  stuckMs: 2_000,
  maxQueuedBytes: 32 * 1024 * 1024,
};
