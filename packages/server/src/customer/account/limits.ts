/** Every bound of the account API's routes. */
import { MINUTE_MS } from "@pricetime/engine";

/** The weights of requests that cost more than one that is answered from memory. */
export const WEIGHTS = {
  /** A question to history, or to the thread that reads kept proofs. */
  read: 10,
  /** A statement looks through a month of the venue's postings. */
  statement: 50,
} as const;

export const STATEMENT_LIMITS = {
  /** Statements that are written at once; an account has one. */
  atOnce: 4,
  /** A month is told when it has been over for this long: another node's clock may be a little behind. */
  settleMs: MINUTE_MS,
} as const;

/** Deposits on their way that one answer lists; further ones are in the histories. */
export const MAX_LISTED_DEPOSITS = 100;
