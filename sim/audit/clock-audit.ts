/**
 * Recomputes the exchange's time: the wall clock at the node's start plus the elapsed time, whatever the wall clock
 * shows meanwhile.
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

  /** A node is running. `passedMs` is the elapsed time including sleep, `lastTimeMs` the time of the last entry. */
  started(wallMs: number, passedMs: number, lastTimeMs: number): void {
    this.#startedWallMs = wallMs;
    this.#startedMs = passedMs;
    if (wallMs < lastTimeMs - maxLeapMs) this.#fail(`it started ${lastTimeMs - wallMs} ms behind its journal`);
  }

  /** A node refuses to start because its clock is behind. `lastTimeMs` is the last known time of the journal. */
  refused(wallMs: number, journalMs: number, lastTimeMs: number): void {
    if (journalMs < lastTimeMs) this.#fail(`a start knows of ${journalMs}, and ${lastTimeMs} was answered`);
    if (wallMs >= journalMs - maxLeapMs) this.#fail(`a clock ${journalMs - wallMs} ms behind the journal was refused`);
  }

  /** An entry is public. `beforeMs` is the time of the previous one, which the entry may repeat. */
  journaled(timeMs: number, beforeMs: number, passedMs: number): void {
    const mostMs = this.#rightMs(passedMs) + this.#slackMs(passedMs);
    if (timeMs > Math.max(beforeMs, mostMs)) this.#fail(`a time that had leapt was journaled: ${timeMs} at ${mostMs}`);
  }

  /** The exchange reports its time. */
  sent(timeMs: number, lastTimeMs: number, passedMs: number): void {
    const [rightMs, slackMs] = [this.#rightMs(passedMs), this.#slackMs(passedMs)];
    if (timeMs < rightMs - slackMs) this.#fail(`the exchange's time is ${rightMs - timeMs} ms behind`);
    if (timeMs > Math.max(lastTimeMs, rightMs + slackMs))
      this.#fail(`the exchange's time is ${timeMs - rightMs} ms ahead`);
  }

  #rightMs(passedMs: number): number {
    return this.#startedWallMs + passedMs - this.#startedMs;
  }

  /** A sleep that is too short to be detected is treated as a step of the wall clock. */
  #slackMs(passedMs: number): number {
    return maxLeapMs + leastSleepMs + (passedMs - this.#startedMs) * maxSlew + 1;
  }
}
