/** The limits of proofs of liabilities. docs/internals/proof-format.md. */

/** The largest amount and sum: a checker refuses more, so that no sum of two wraps round its sixteen bytes. */
export const MAX_SUM = 2n ** 127n - 1n;
/** The smallest tree has 2^8 leaves, so that a few holders are not counted by its height. */
export const MIN_DEPTH = 8;
/** Leaves are numbered by 32 bits. */
export const MAX_DEPTH = 32;
/** There are five leaves for four holders at least: the others are padding. */
export const LEAVES_FOR_HOLDERS = [5, 4] as const;
/** The longest file that a checker reads, in characters: a customer of 500 assets in trees of 2^32 leaves has 2 MB. */
export const MAX_PROOF_TEXT = 16 * 2 ** 20;
/** Addresses and assets of which reserves are shown: a public part with all of them has half a megabyte. */
export const MAX_RESERVES = 1000;
