/** The limits of a node among others. */
export interface ClusterLimits {
  /** The node stops taking commands after this long without word from the store's quorum. */
  readonly cutOffAfterMs: number;
  /** How often the node asks for the log's end when no read needs it. */
  readonly contactEveryMs: number;
  /** A call of the store that has no answer by then is made again. */
  readonly callPatienceMs: number;
  /** The pause after a call that failed. */
  readonly callPauseMs: number;
  /** How long a read waits until the node has applied what was in the log. */
  readonly readTimeoutMs: number;
  /** Reads of what is older than this are refused. */
  readonly maxStaleMs: number;
  /**
   * After a read was answered that may lack something, answers are called old for this long: the read may still be made
   * from history when the node is in touch again.
   */
  readonly uncertainMs: number;
  /** How often a node tells the others its position, and reads theirs. */
  readonly announceEveryMs: number;
  /** A node whose position has not changed for this long is not counted among the living. */
  readonly liveMs: number;
  /** A node whose clock is further ahead of the others' takes no commands. */
  readonly maxAheadMs: number;
  /** The ends of rows whose event digest a node keeps, to compare it with the others'. */
  readonly digestRows: number;
  /** How long a node that differs from another waits for the word of the rest. */
  readonly digestPatienceMs: number;
  /** How long a node's word about the digest counts. */
  readonly digestWordMs: number;
}

export const CLUSTER_LIMITS: ClusterLimits = {
  cutOffAfterMs: 2_000,
  contactEveryMs: 500,
  callPatienceMs: 1_500,
  callPauseMs: 100,
  readTimeoutMs: 5_000,
  maxStaleMs: 10_000,
  uncertainMs: 2_000,
  announceEveryMs: 1_000,
  liveMs: 5_000,
  maxAheadMs: 2_500,
  digestRows: 16_384,
  digestPatienceMs: 3_000,
  digestWordMs: 10_000,
};
