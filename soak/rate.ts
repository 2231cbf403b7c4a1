/** The rate of a soak: the highest that the node keeps up with, and less when it does not. */
import type { Window } from "./messages.ts";
import type { Sample } from "./sample.ts";
import type { ServerState } from "./server-state.ts";

/** Samples in a row in which a queue has grown before the rate is taken down. */
const GROWTH = 3;
const STEP = 0.9;
/** Seconds of work that may wait; entries that history may be behind: both come and go. */
const BACKLOG_SECONDS = 2;
const MOST_LAG = 50_000;

/**
 * Requests a second that are answered for good: as many as were answered with every connection busy, or
 * fewer when history fell behind meanwhile. `before` and `after`: as the measured part began and ended.
 */
export function sustainedRate(window: Window, before: ServerState, after: ServerState): number {
  const journaled = after.journalSeq - before.journalSeq;
  const projected = journaled - (after.historyLag - before.historyLag);
  return (window.answered / window.seconds) * Math.min(1, projected / journaled);
}

/** Watches the queues; gives the rate to go on with. */
export class RateWatch {
  rate: number;
  #growing = 0;
  #before: Sample | undefined;

  constructor(rate: number) {
    this.rate = rate;
  }

  /** True when the rate was taken down. */
  note(sample: Sample): boolean {
    const before = this.#before;
    this.#before = sample;
    const isMore = (of: (each: Sample) => number, limit: number): boolean =>
      of(sample) > limit && before !== undefined && of(sample) > of(before);
    const grows =
      isMore(({ window }) => window.backlog, this.rate * BACKLOG_SECONDS) ||
      isMore(({ server }) => server.historyLag, MOST_LAG);
    this.#growing = grows ? this.#growing + 1 : 0;
    if (this.#growing < GROWTH) return false;
    this.#growing = 0;
    this.rate *= STEP;
    return true;
  }
}
