/** Bounds of the sequencer. Reaching one is an answer (503), never a surprise. */
export interface SequencerLimits {
  /** Commands that wait for their batch; more are not accepted. */
  readonly maxQueuedCommands: number;
  /** Commands of one batch: bounds the turn in which they are applied and answered. */
  readonly maxBatchCommands: number;
  /** Bytes of one batch. */
  readonly maxBatchBytes: number;
  /**
   * Entries that history may be behind before new orders are not accepted, and the node calls itself not ready: what it
   * catches up with in a second or two.
   */
  readonly maxHistoryLagEntries: number;
  /** How often the journal's head is asked for after a failed append before the node gives up. */
  readonly recoveryAttempts: number;
  readonly recoveryPauseMs: number;
  /** After a failed append a tick is tried this often, until one is taken: the node finds out by itself. */
  readonly retryPauseMs: number;
  /** Ticks come no closer than this. */
  readonly tickSpacingMs: number;
  /** Longest sleep of the timer for ticks, so that a clock that leaps is noticed. */
  readonly clockCheckMs: number;
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
};
