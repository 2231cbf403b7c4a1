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
  /** How often the node asks a watch for a sign of life, and after how much silence it takes the watch for dead. */
  readonly progressMs: number;
  readonly silenceMs: number;
  /** How often what has come is compared with the store's counter. */
  readonly compareMs: number;
  /** The watch is taken for stuck when the counter has been ahead for so long and nothing came. */
  readonly stuckMs: number;
  /** Rows that wait to be taken: with more the stream is not read. */
  readonly maxQueuedBytes: number;
  /** How long reads that requests wait for try. */
  readonly readPatienceMs: number;
  /** A lease ends when it was not kept for so long; it is kept six times as often. Whole seconds. */
  readonly leaseMs: number;
  /** How often the node looks at the others and the tail, removes rows, and checks the members. */
  readonly lookMs: number;
  readonly cleanMs: number;
  readonly membersMs: number;
  /** Rows of more bytes in the store, and orders are refused until nodes have taken some. */
  readonly maxTailBytes: number;
  /** A member that has more bytes in use, whoever wrote them, and orders are refused: well below etcd's quota. */
  readonly maxStoreBytes: number;
  /** Orders are taken again when no member has more than this part of them in use. */
  readonly storeRoomShare: number;
  /** A node lives whose position has changed within this. */
  readonly liveMs: number;
  /** Rows wait this long for a node that reports nothing. */
  readonly awayPatienceMs: number;
  /** A row waits this long for its author. */
  readonly authorPatienceMs: number;
  /** A store that is full is helped no more often than this, and one member's part takes no longer than the second. */
  readonly reliefMs: number;
  readonly defragmentMs: number;
}

export const ETCD_LIMITS: EtcdLimits = {
  callMs: 500,
  retryMs: 100,
  maxRetryMs: 500,
  patienceMs: 5_000,
  refuseAfterMs: 2_000,
  maxBatchBytes: 1024 * 1024,
  maxAnswerBytes: 64 * 1024 * 1024,
  progressMs: 250,
  silenceMs: 1_000,
  compareMs: 1_000,
  stuckMs: 2_000,
  maxQueuedBytes: 32 * 1024 * 1024,
  readPatienceMs: 2_000,
  leaseMs: 6_000,
  lookMs: 1_000,
  cleanMs: 3_000,
  membersMs: 10_000,
  maxTailBytes: 256 * 1024 * 1024,
  maxStoreBytes: 1536 * 1024 * 1024,
  storeRoomShare: 0.8,
  liveMs: 5_000,
  awayPatienceMs: 600_000,
  authorPatienceMs: 60_000,
  reliefMs: 30_000,
  defragmentMs: 60_000,
};
