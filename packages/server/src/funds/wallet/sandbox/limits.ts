/** Limits of a sandbox chain. */

export const MAX_TRANSACTIONS_A_BLOCK = 1000;
/** The transactions that may wait for a block; beyond this none are taken. */
export const MAX_WAITING = 10_000;
/** The blocks that one command may mine. */
export const MAX_MINED_BLOCKS = 1000;
export const MAX_REORG_DEPTH = 100;
/** The payments that one command may spoil. */
export const MAX_SPOILT_PAYMENTS = 1000;
export const MAX_UNREACHABLE_MS = 3_600_000;
