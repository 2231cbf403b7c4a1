/** Waiting until a number that only rises has been reached. */
import type { Cancel, Timers } from "../platform/world/port.ts";

interface Waiter {
  readonly number: number;
  readonly settle: (isReached: boolean) => void;
  readonly stopPatience: Cancel;
}

export class Milestones {
  readonly #timers: Pick<Timers, "after">;
  readonly #waiters = new Set<Waiter>();
  #number: number;

  constructor(number: number, timers: Pick<Timers, "after">) {
    this.#number = number;
    this.#timers = timers;
  }

  get number(): number {
    return this.#number;
  }

  /** Resolves to true once `number` is reached; to false after `patienceMs`, or when all are released before. */
  reached(number: number, patienceMs: number): Promise<boolean> {
    if (this.#number >= number) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (isReached: boolean): void => {
        this.#waiters.delete(waiter);
        waiter.stopPatience();
        resolve(isReached);
      };
      const stopPatience = this.#timers.after(patienceMs, () => settle(false));
      const waiter = { number, settle, stopPatience };
      this.#waiters.add(waiter);
    });
  }

  reach(number: number): void {
    this.#number = number;
    if (this.#waiters.size === 0) return;
    for (const waiter of this.#waiters) if (waiter.number <= number) waiter.settle(true);
  }

  /** Lets all waiting callers go. */
  release(): void {
    for (const waiter of this.#waiters) waiter.settle(false);
  }
}
