/** How many audits of a node may be under way or wait; further callers are told to ask again. */
export const AUDIT_LIMITS = {
  /** Audits that replay the journal: one may take minutes. */
  replays: 1,
  /** Audits that read stored proofs, which takes milliseconds. */
  reads: 64,
};

/** Bounds of proofs that a node makes by itself. */
export const DAILY_LIMITS = {
  /** How often it is looked whether one is due. */
  lookEveryMs: 60_000,
  /** How long after a failure. */
  pauseMs: 10 * 60_000,
  /** How long a moment has passed before it is taken: another node's clock may be a little behind. */
  settleMs: 60_000,
  /** For how many days without any entry an auditor looks for the moment of a proof. */
  idleDays: 7,
};
