/** What requests of the account API count of an address's limit, which is 1,200 a minute by default. */

/** A look at what the node knows. */
export const LOOK = 1;
/** A question to history, or to the thread that reads kept proofs. */
export const READ = 10;
/** A statement: a month of the venue's postings is looked through. */
export const STATEMENT = 50;
/** A command, which the journal keeps for ever. */
export const ACT = 5;
/** A hash of a password: 60 ms of a processor, and 32 MiB while it lasts. */
export const HASH = 25;
/** What may set off a letter. */
export const LETTER = 40;
