/** Takes in what the lab's watch tells, moment by moment, and has it judged and noted. */
import type { RunningLab } from "../start/exchange.ts";
import type { WatchRecord } from "../types.ts";
import type { Judge } from "./judge.ts";
import type { Course } from "./course.ts";
import type { World } from "./world.ts";

export interface WitnessParts {
  readonly lab: RunningLab;
  readonly world: World;
  readonly judge: Judge;
  readonly course: Course;
}

export class Witness {
  readonly #parts: WitnessParts;
  #seen = 0;

  constructor(parts: WitnessParts) {
    this.#parts = parts;
  }

  /** Begins to watch these accounts, by mail address, and symbols. */
  async begin(accounts: readonly string[], symbols: readonly string[]): Promise<void> {
    await this.#parts.lab.watch.begin({ accounts, symbols });
    await this.look();
  }

  /** Takes in all that has happened since. */
  async look(): Promise<void> {
    const { lost, last, records } = await this.#parts.lab.watch.look(this.#seen);
    if (lost > 0) throw new Error(`${lost} events of the lab's watch were lost: more occurred at once than it stores`);
    this.#take(records);
    this.#seen = last;
  }

  #take(records: readonly WatchRecord[]): void {
    const { world, judge, course } = this.#parts;
    for (const [index, record] of records.entries()) {
      world.take(record);
      course.take(record);
      // Within an entry, an account has been paid and has not paid yet.
      const next = records[index + 1];
      if (next !== undefined && next.seq === record.seq && next.atMs === record.atMs) continue;
      judge.look(record.atMs);
      course.look(record.atMs);
    }
  }
}
