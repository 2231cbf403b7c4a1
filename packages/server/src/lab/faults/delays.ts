/** Delays by the lab's clock: requests and answers that are held back, and acts that wait for their time. */
import type { Cancel, Clock, Timers } from "../../platform/world/port.ts";

interface Waiting {
  readonly cancel: Cancel;
  readonly atEnd: () => void;
}

export class Delays {
  readonly #world: Clock & Timers;
  readonly #waiting = new Set<Waiting>();
  #isOver = false;

  constructor(world: Clock & Timers) {
    this.#world = world;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Does `task` after the wait, or `atEnd` when the lab ends before. */
  later(waitMs: number, task: () => void, atEnd: () => void): void {
    if (this.#isOver) {
      atEnd();
      return;
    }
    const cancel = this.#world.after(waitMs, () => {
      this.#waiting.delete(waiting);
      task();
    });
    const waiting: Waiting = { cancel, atEnd };
    this.#waiting.add(waiting);
  }

  /** Nothing waits any more. */
  end(): void {
    this.#isOver = true;
    for (const { cancel, atEnd } of this.#waiting) {
      cancel();
      atEnd();
    }
    this.#waiting.clear();
  }
}
