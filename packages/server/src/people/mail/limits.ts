/** Limits of sending emails. */

/** Attempts per email: the last is about 90 minutes after the first. */
export const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 30 * 60_000;
/** The pause before a command that was not journaled is submitted again. */
export const TELL_AGAIN_MS = 1000;
/** How long closing waits for the email in transit. */
export const LAST_MAIL_MS = 2000;

/** Returns the pause after a failed attempt. */
export function pauseAfter(attempts: number, firstPauseMs = FIRST_PAUSE_MS): number {
  return Math.min(LONGEST_PAUSE_MS, firstPauseMs * 2 ** (attempts - 1));
}
