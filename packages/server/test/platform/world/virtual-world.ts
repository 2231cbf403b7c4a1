/** A world with manual time, as in a lab: advancing runs everything that becomes due. */
import { createHash } from "node:crypto";
import { setImmediate as settled } from "node:timers/promises";
import { SavedParts } from "../../../src/platform/world/saved-state.ts";
import type { Cancel, World } from "../../../src/platform/world/port.ts";

interface Task {
  readonly atMs: number;
  readonly name: string | undefined;
  readonly place: number;
  readonly run: () => void;
}

export class VirtualWorld implements World {
  #nowMs: number;
  readonly #timers = new Set<Task>();
  readonly #soon: (() => void)[] = [];
  #timersSet = 0;
  /** The number of bytes drawn, which is the whole state of the random source. */
  drawn: number;
  readonly saved: SavedParts;

  constructor(startMs: number, drawn = 0, saved = new SavedParts()) {
    this.#nowMs = startMs;
    this.drawn = drawn;
    this.saved = saved;
  }

  readonly nowMs = (): number => this.#nowMs;
  readonly steadyMs = (): number => this.#nowMs;
  readonly soon = (task: () => void): void => void this.#soon.push(task);

  readonly after = (waitMs: number, run: () => void, name?: string): Cancel => {
    const task = { atMs: this.#nowMs + Math.max(0, waitMs), name, place: this.#timersSet++, run };
    this.#timers.add(task);
    return () => void this.#timers.delete(task);
  };

  readonly pause = (waitMs: number): Promise<void> => new Promise((resolve) => this.after(waitMs, resolve));

  /** Runs at multiples of the period, so that the phase does not depend on the start. */
  readonly every = (periodMs: number, task: () => void, name?: string): Cancel => {
    let cancel: Cancel = () => {};
    const next = (): void => {
      const run = (): void => {
        next();
        task();
      };
      cancel = this.after(periodMs - (this.#nowMs % periodMs), run, name);
    };
    next();
    return () => cancel();
  };

  readonly randomBytes = (count: number): Buffer =>
    Buffer.from(
      Array.from(
        { length: count },
        () =>
          createHash("sha256")
            .update(String(this.drawn++))
            .digest()[0] ?? 0,
      ),
    );

  /** Resolves when the time has passed and everything due has run. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      await settled();
      const soon = this.#soon.splice(0);
      for (const task of soon) task();
      if (soon.length > 0) continue;
      const next = this.#first();
      if (next === undefined || next.atMs > untilMs) break;
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      this.#timers.delete(next);
      next.run();
    }
    this.#nowMs = untilMs;
  }

  #first(): Task | undefined {
    let first: Task | undefined;
    for (const task of this.#timers) if (first === undefined || comesBefore(task, first)) first = task;
    return first;
  }
}

/** Tasks run by time, then name, then order of creation. */
function comesBefore(one: Task, other: Task): boolean {
  if (one.atMs !== other.atMs) return one.atMs < other.atMs;
  if (one.name !== other.name) return other.name === undefined || (one.name !== undefined && one.name < other.name);
  return one.place < other.place;
}
