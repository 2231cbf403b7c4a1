/** Bounds and paces of the wallet. */

/** Blocks that one round reads, so that a long way behind is gone in steps. */
export const MAX_BLOCKS_A_ROUND = 500;
/** How far the watcher has read is journaled whenever it is this much further, and at stop. */
export const ADVANCE_EVERY_BLOCKS = 100;
/** Read again after a restart, at least. */
export const MIN_MARGIN_BLOCKS = 12;
/** Rounds in a row in which a chain must say that a transaction is nowhere before it is believed: its nodes may disagree for a moment. */
export const ROUNDS_TO_BELIEVE = 3;
/** How often the sender signs one payment again by itself; the engine allows 100, the rest is for operators. */
export const MAX_RAISES_BY_ITSELF = 50;
/** Where only operators raise fees, they are told of a payment that blocks have passed over for so long. */
export const TELL_OF_STUCK_AFTER_MS = 180_000;
/** What the exchange refused is not sent again before so many blocks: a refusal, too, makes the journal longer. */
export const REFUSAL_PAUSE_BLOCKS = 20;
/** Between two rounds that failed: doubled each time, up to the longest. */
export const FIRST_BACK_OFF_MS = 500;
export const LONGEST_BACK_OFF_MS = 30_000;
/** Between two rounds of a sandbox's watcher, beside those that its own events call for. */
export const SANDBOX_POLL_MS = 1000;
/** What `trouble` says, at most. */
export const MAX_TROUBLE_LENGTH = 300;
