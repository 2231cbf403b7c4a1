/**
 * What the exchange's time must be, reckoned anew: as the wall clock was when the node started, and as much later as
 * time has passed, whatever the wall clock shows meanwhile.
 */
import { CLOCK_LIMITS } from "@pricetime/server/parts";

const { maxLeapMs, maxSlew, leastSleepMs } = CLOCK_LIMITS;

export class ClockAudit {
  readonly #fail: (what: string) => void;
  #startedWallMs = 0;
  #startedMs = 0;

  constructor(fail: (what: string) => void) {
    this.#fail = fail;
  }

  /** A node serves. `passedMs`: what has passed, sleep and all. `lastTimeMs`: of the last entry. */
  started(wallMs: number, passedMs: number, lastTimeMs: number): void {
    this.#startedWallMs = wallMs;
    this.#startedMs = passedMs;
    if (wallMs < lastTimeMs - maxLeapMs) this.#fail(`it started ${lastTimeMs - wallMs} ms behind its journal`);
  }

  /** A node does not start: its clock is said to be behind. `lastTimeMs`: what is known of the journal. */
  refused(wallMs: number, journalMs: number, lastTimeMs: number): void {
    if (journalMs < lastTimeMs) this.#fail(`a start knows of ${journalMs}, and ${lastTimeMs} was answered`);
    if (wallMs >= journalMs - maxLeapMs) this.#fail(`a clock ${journalMs - wallMs} ms behind the journal was refused`);
  }

  /** An entry is public. `beforeMs`: the time of the one before, at which time may stand. */
  journaled(timeMs: number, beforeMs: number, passedMs: number): void {
    const mostMs = this.#rightMs(passedMs) + this.#slackMs(passedMs);
    if (timeMs > Math.max(beforeMs, mostMs)) this.#fail(`a time that had leapt was journaled: ${timeMs} at ${mostMs}`);
  }

  /** What the exchange says its time is. */
  told(timeMs: number, lastTimeMs: number, passedMs: number): void {
    const [rightMs, slackMs] = [this.#rightMs(passedMs), this.#slackMs(passedMs)];
    if (timeMs < rightMs - slackMs) this.#fail(`the exchange's time is ${rightMs - timeMs} ms behind`);
    if (timeMs > Math.max(lastTimeMs, rightMs + slackMs))
      this.#fail(`the exchange's time is ${timeMs - rightMs} ms ahead`);
  }

  #rightMs(passedMs: number): number {
    return this.#startedWallMs + passedMs - this.#startedMs;
  }

  /** A sleep that is too short to be noticed is taken for a step. */
  #slackMs(passedMs: number): number {
    return maxLeapMs + leastSleepMs + (passedMs - this.#startedMs) * maxSlew + 1;
  }
}
