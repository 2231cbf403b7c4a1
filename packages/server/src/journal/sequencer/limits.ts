/** The limits of the sequencer. Reaching one is answered with 503. */
export interface SequencerLimits {
  /** The commands that may wait for their batch; more are not accepted. */
  readonly maxQueuedCommands: number;
  /** The commands of one batch, which limits the turn in which they are applied and answered. */
  readonly maxBatchCommands: number;
  /** The bytes of one batch. */
  readonly maxBatchBytes: number;
  /**
   * Entries that history may be behind before new orders are not accepted, and the node calls itself not ready: what it
   * catches up with in a second or two.
   */
  readonly maxHistoryLagEntries: number;
  /** How often the journal's head is requested after a failed append before the node gives up. */
  readonly recoveryAttempts: number;
  readonly recoveryPauseMs: number;
  /** The interval of ticks after a failed append, until one is taken, so that the node recovers by itself. */
  readonly retryPauseMs: number;
  /** The least time between ticks. */
  readonly tickSpacingMs: number;
  /** The longest sleep of the timer for ticks, so that a leaping clock is noticed. */
  readonly clockCheckMs: number;
  /** The bytes of one batch among several nodes: the store's members pass it on to each other. */
  readonly maxSharedBatchBytes: number;
  /** Among several nodes: the callers of a batch that has not come back by then are told that nobody knows. */
  readonly submitTimeoutMs: number;
}

export const SEQUENCER_LIMITS: SequencerLimits = {
  maxQueuedCommands: 20_000,
  maxBatchCommands: 1_000,
  maxBatchBytes: 1 << 20,
  maxHistoryLagEntries: 100_000,
  recoveryAttempts: 5,
  recoveryPauseMs: 200,
  retryPauseMs: 1_000,
  tickSpacingMs: 100,
  clockCheckMs: 1_000,
  maxSharedBatchBytes: 256 << 10,
  submitTimeoutMs: 5_000,
};
