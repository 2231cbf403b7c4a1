/** Bounds of a sandbox chain. */

export const MAX_TRANSACTIONS_A_BLOCK = 1000;
/** Transactions that wait for a block; no more are taken. */
export const MAX_WAITING = 10_000;
/** Blocks that one command mines. */
export const MAX_MINED_BLOCKS = 1000;
export const MAX_REORG_DEPTH = 100;
/** Payments that one command spoils. */
export const MAX_SPOILT_PAYMENTS = 1000;
export const MAX_UNREACHABLE_MS = 3_600_000;
