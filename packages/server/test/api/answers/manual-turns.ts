/** Turns of the event loop that run when the test says so. */
import type { Timers } from "../../../src/platform/world/port.ts";

export class ManualTurns {
  #next: (() => void)[] = [];

  readonly soon: Timers["soon"] = (next) => void this.#next.push(next);

  /** Runs everything deferred so far, and returns how much that was. */
  run(): number {
    const due = this.#next;
    this.#next = [];
    for (const next of due) next();
    return due.length;
  }
}
