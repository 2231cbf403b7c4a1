/** The request rate of a soak test: the highest that the node sustains, and less when it does not. */
import type { Window } from "./messages.ts";
import type { Sample } from "./sample.ts";
import type { ServerState } from "./server-state.ts";

/** The number of successive samples with a growing queue after which the rate is lowered. */
const GROWTH = 3;
/** The new rate is this fraction of the throughput during the growth, so that the queue shrinks. */
const STEP = 0.9;
/** The accepted backlog in seconds of work, and the accepted lag of history in entries: both vary. */
const BACKLOG_SECONDS = 2;
const MOST_LAG = 50_000;

/**
 * The sustained requests per second: the throughput with every connection busy, or less if history fell behind.
 * `before` and `after` are the start and the end of the measured part.
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

/** The rate to continue with when more was requested than done. */
export function lowerRate({ rate, window }: Sample): number {
  return STEP * Math.min(rate, window.answered / window.seconds);
}

/** The backlog is larger than normal variation. */
export function isBehind({ rate, window, server }: Sample): boolean {
  return window.backlog > rate * BACKLOG_SECONDS || server.historyLag > MOST_LAG;
}

/** Detects a queue that grows without bound. */
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
