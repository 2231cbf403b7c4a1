/** Every bound of what customers ask of their account. */
import { MINUTE_MS } from "@pricetime/engine";

export const STATEMENT_LIMITS = {
  /** Statements that are written at once; a customer has one. */
  atOnce: 4,
  /** A month is told when it has been over for this long: another node's clock may be a little behind. */
  settleMs: MINUTE_MS,
} as const;

/** Deposits on their way that one answer lists, of each status; further ones are in the histories. */
export const MAX_LISTED_DEPOSITS = 100;

/** How long a public part is handed out before it is read again. */
export const PUBLIC_PART_MS = 10_000;
