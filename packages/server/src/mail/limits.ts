/** The limits of sending mails. */

/** The tries of one mail: the last comes about an hour and a half after the first. */
export const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 30 * 60_000;
/** The pause before a step that could not be journaled is tried again. */
export const TELL_AGAIN_MS = 1000;
/** Closing waits this long for the mail being sent. */
export const LAST_MAIL_MS = 2000;

/** Returns the pause after a try. */
export function pauseAfter(attempts: number, firstPauseMs = FIRST_PAUSE_MS): number {
  return Math.min(LONGEST_PAUSE_MS, firstPauseMs * 2 ** (attempts - 1));
}
