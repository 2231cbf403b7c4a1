/** Limits of the account API. */
import { MINUTE_MS } from "@pricetime/engine";

export const STATEMENT_LIMITS = {
  /** Statements written at a time; one per customer. */
  atOnce: 4,
  /** A month is available this long after its end, because the clock of another node may be a little behind. */
  settleMs: MINUTE_MS,
} as const;

/** Pending deposits in one response, of each status; the deposit history lists all. */
export const MAX_LISTED_DEPOSITS = 100;

/** How long a public part is cached. */
export const PUBLIC_PART_MS = 10_000;
