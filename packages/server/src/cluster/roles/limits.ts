/** The intervals of roles. */

/** The pause between two attempts to get a role. With a lease of 6 s, a dead holder is replaced within 8 s. */
export const ASK_EVERY_MS = 1000;
/** How often a holder looks whether the journal has given its role to another. */
export const CHECK_EVERY_MS = 250;
/**
 * A holder that cannot have anything journaled for this long hands its role on. Longer than the store takes to choose a
 * leader: then no node can, and the next holder would be no better.
 */
export const MAX_UNABLE_MS = 5000;
