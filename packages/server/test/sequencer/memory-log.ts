/** A log that several nodes share, in memory and in virtual time: slow, cut off, and often silent about what it did. */
import assert from "node:assert/strict";
import type { Dice } from "@pricetime/testkit/dice";
import type { Life, Schedule } from "@pricetime/testkit/schedule";
import { type Following, JournalRefused, type LooseBatch, type SharedLog } from "../../src/journal/port.ts";

export class MemoryLog {
  readonly batches: LooseBatch[] = [];
  readonly #ids = new Set<string>();
  readonly #followers = new Set<() => void>();

  /** The last entry. */
  get seq(): number {
    return this.batches.reduce((seq, { count }) => seq + count, 0);
  }

  /** Once for each id, however often it comes. */
  add(batch: LooseBatch): void {
    if (this.#ids.has(batch.id)) return;
    this.#ids.add(batch.id);
    this.batches.push({ ...batch, bytes: batch.bytes.slice() });
    for (const wake of this.#followers) wake();
  }

  onAdded(wake: () => void): () => void {
    this.#followers.add(wake);
    return () => this.#followers.delete(wake);
  }
}

/** One node's line to the log. */
export class LogLine implements SharedLog {
  readonly #log: MemoryLog;
  readonly #schedule: Schedule;
  readonly #life: Life;
  readonly #dice: Dice;
  readonly #healed = new Set<() => void>();
  #cut = false;
  /** None of the faults that it has by itself. */
  isCalm = false;

  constructor(log: MemoryLog, schedule: Schedule, life: Life, dice: Dice) {
    this.#log = log;
    this.#schedule = schedule;
    this.#life = life;
    this.#dice = dice;
  }

  set isCut(isCut: boolean) {
    this.#cut = isCut;
    if (!isCut) for (const wake of this.#healed) wake();
  }

  async submit(batch: LooseBatch): Promise<void> {
    const [fate, again] = [this.isCalm ? 1 : this.#dice.next(), this.#dice.oneIn(5)];
    if (this.#cut || fate < 0.1) return this.#lose(batch);
    // What is under way arrives, whatever becomes of its sender.
    await new Promise<void>((resolve) => {
      this.#schedule.after(this.#delayMs(), () => {
        this.#log.add(batch);
        this.#schedule.after(this.#delayMs(), resolve, this.#life);
      });
      if (again) this.#schedule.after(3 * this.#delayMs(), () => this.#log.add(batch));
    });
    if (fate < 0.2) throw new Error("the answer was lost");
  }

  /** Told that nobody knows, or that it was refused; what nobody knows may come yet, a good while later. */
  async #lose(batch: LooseBatch): Promise<never> {
    const fate = this.#dice.next();
    if (fate < 0.3) this.#schedule.after(100 * this.#delayMs(), () => this.#log.add(batch));
    await this.#schedule.pause(this.#delayMs(), this.#life);
    throw fate < 0.6 ? new Error("no answer came") : new JournalRefused("nobody was there");
  }

  follow(seq: number): Following {
    let at = 0;
    for (let last = 0; last < seq; at++) last += this.#log.batches[at]?.count ?? assert.fail(`no batch ends at ${seq}`);
    let isClosed = false;
    let wake = (): void => {};
    const stops = [this.#log.onAdded(() => wake())];
    const onHealed = (): void => wake();
    this.#healed.add(onHealed);
    return {
      next: async () => {
        for (;;) {
          if (isClosed) return undefined;
          if (!this.#cut && at < this.#log.batches.length) return this.#log.batches[at++];
          await new Promise<void>((resolve) => {
            wake = () => void this.#schedule.after(this.#delayMs(), resolve, this.#life);
          });
        }
      },
      close: () => {
        isClosed = true;
        for (const stop of stops) stop();
        this.#healed.delete(onHealed);
        wake();
      },
    };
  }

  #delayMs(): number {
    return this.#dice.below(12);
  }
}
