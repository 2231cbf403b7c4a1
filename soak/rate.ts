/** The rate of a soak: the highest that the node keeps up with, and less when it does not. */
import type { Window } from "./messages.ts";
import type { Sample } from "./sample.ts";
import type { ServerState } from "./server-state.ts";

/** Samples in a row in which a queue has grown before the rate is taken down. */
const GROWTH = 3;
/** The new rate is this share of what was done while the queue grew, so that the queue shrinks. */
const STEP = 0.9;
/** Seconds of work that may wait; entries that history may be behind: both come and go. */
const BACKLOG_SECONDS = 2;
const MOST_LAG = 50_000;

/**
 * Requests a second that are answered for good: as many as were answered with every connection busy, or
 * fewer when history fell behind meanwhile. `before` and `after`: as the measured part began and ended.
 */
export function sustainedRate(
  window: Pick<Window, "answered" | "seconds">,
  before: ServerState,
  after: ServerState,
): number {
  const journaled = after.journalSeq - before.journalSeq;
  const projected = journaled - (after.historyLag - before.historyLag);
  return (window.answered / window.seconds) * Math.min(1, projected / journaled);
}

/** What to go on with when more was asked than was done. */
export function lowerRate({ rate, window }: Sample): number {
  return STEP * Math.min(rate, window.answered / window.seconds);
}

/** More waits than comes and goes. */
export function isBehind({ rate, window, server }: Sample): boolean {
  return window.backlog > rate * BACKLOG_SECONDS || server.historyLag > MOST_LAG;
}

/** Does a queue grow without bound? */
export class QueueWatch {
  #growing = 0;
  #before: Sample | undefined;

  grows(sample: Sample): boolean {
    const before = this.#before;
    this.#before = sample;
    const isMore =
      before !== undefined &&
      (sample.window.backlog > before.window.backlog || sample.server.historyLag > before.server.historyLag);
    this.#growing = isMore && isBehind(sample) ? this.#growing + 1 : 0;
    if (this.#growing < GROWTH) return false;
    this.#growing = 0;
    return true;
  }
}
