/** What requests of the account API count of an address's limit, which is 1,200 a minute by default. */

/** A read of the node's memory. */
export const LOOK = 1;
/** A query of history, or of the thread that reads proofs. */
export const READ = 10;
/** A statement: a month of the venue's postings is looked through. */
export const STATEMENT = 50;
/** A command, which the journal stores permanently. */
export const ACT = 5;
/** A hash of a password: 60 ms of a processor, and 32 MiB while it lasts. */
export const HASH = 25;
/** A request that may send an email. */
export const LETTER = 40;
