/** Refuses a start while the clock is behind the journal. */

/** Its message is one line for the operator. */
export class ClockBehind extends Error {
  override readonly name = "ClockBehind";
  /** Time of the journal's last entry. */
  readonly journalMs: number;

  constructor(nowMs: number, journalMs: number) {
    const [now, last] = [nowMs, journalMs].map((timeMs) => new Date(timeMs).toISOString());
    const times = `The machine's clock shows ${now}, which is before the journal's last entry (${last})`;
    super(`${times}. Correct the clock, or see docs/operate/faults.md`);
    this.journalMs = journalMs;
  }
}

/**
 * Throws `ClockBehind`. `journalMs` is the time of the last entry; 0 when there is none. A clock ahead of the journal
 * is right: the node was off.
 */
export function checkNotBehind(nowMs: number, journalMs: number, maxLeapMs: number): void {
  if (nowMs < journalMs - maxLeapMs) throw new ClockBehind(nowMs, journalMs);
}
