/**
 * Knows when nothing is under way any more: what requests and timers have begun is over, up to its last answer. In a lab
 * all of it runs in one thread, so it is over when microtasks and the tasks of later turns are.
 */
import type { Timers } from "../../platform/world/port.ts";

export class UnderWay {
  readonly #nextTurn: Timers["soon"];
  #count = 0;

  constructor({ soon }: Pick<Timers, "soon">) {
    this.#nextTurn = soon;
  }

  /** Does what `Timers.soon` promises; the task is under way until it has run. */
  readonly soon = (task: () => void): void => {
    this.#count++;
    this.#nextTurn(() => {
      this.#count--;
      task();
    });
  };

  /** The work is under way until it is over: it may wait for what is no task of this thread, such as a file. */
  readonly during = async <T>(work: Promise<T>): Promise<T> => {
    this.#count++;
    try {
      return await work;
    } finally {
      this.#count--;
    }
  };

  /** Whether no work and no task of a later turn is known to be under way. Promises are not known. */
  get isQuiet(): boolean {
    return this.#count === 0;
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    // A turn runs all microtasks, too.
    do await new Promise<void>((resolve) => this.#nextTurn(resolve));
    while (this.#count > 0);
  }
}
