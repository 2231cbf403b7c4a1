/** The wallet's limits and intervals. */

/** The blocks that one round reads, so that a long backlog is worked off in steps. */
export const MAX_BLOCKS_A_ROUND = 500;
/** The watcher journals how far it has read whenever it is this many blocks further, and at stop. */
export const ADVANCE_EVERY_BLOCKS = 100;
/** The least number of blocks that are read again after a restart. */
export const MIN_MARGIN_BLOCKS = 12;
/** The rounds in a row in which a transaction must be missing before this is believed: nodes may briefly disagree. */
export const ROUNDS_TO_BELIEVE = 3;
/** How often the sender raises the fee of one payment by itself; the engine allows 100, the rest are for operators. */
export const MAX_RAISES_BY_ITSELF = 50;
/** Where only operators raise fees, they are told of a payment that blocks have passed over for this long. */
export const TELL_OF_STUCK_AFTER_MS = 180_000;
/** A refused command is not sent again before this many blocks: refusals, too, make the journal longer. */
export const REFUSAL_PAUSE_BLOCKS = 20;
/** Coins of nobody that wait for an operator: of one coin, and of a network. What comes beyond is found by a rescan. */
export const MAX_STRAYS_OF_A_COIN = 100;
export const MAX_STRAYS_OF_A_NETWORK = 10_000;
/** The blocks that an operator may have looked through again at a time, and those between two rounds of reading. */
export const MAX_RESCAN_BLOCKS = 1000;
export const RESCAN_BLOCKS_A_TURN = 50;
/** The pause after a failed round; it doubles with each failure up to the longest. */
export const FIRST_BACK_OFF_MS = 500;
export const LONGEST_BACK_OFF_MS = 30_000;
/** The pause between two rounds of a sandbox's watcher, besides the rounds that its own events cause. */
export const SANDBOX_POLL_MS = 1000;
/** The longest text of `trouble`. */
export const MAX_TROUBLE_LENGTH = 300;
