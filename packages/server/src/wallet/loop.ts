/** Repeats something: at a pace, sooner when woken, later when it fails. */
import type { Timers } from "../world/port.ts";
import { FIRST_BACK_OFF_MS, LONGEST_BACK_OFF_MS } from "./limits.ts";

export interface LoopOptions {
  readonly world: Timers;
  /** One round. True: all is done until the next time; false: run again at once. */
  readonly round: () => Promise<boolean>;
  readonly pollMs: number;
  /** Called after a round with its error, or null when it succeeded. */
  readonly onResult: (error: Error | null) => void;
}

export class Loop {
  readonly #options: LoopOptions;
  #failures = 0;
  #isWoken = false;
  #isStopped = false;
  #wake: (() => void) | undefined;
  #running: Promise<void> | undefined;
  readonly #between: (() => Promise<void>)[] = [];

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Starts the next round without waiting. */
  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  /** Runs `act` while no round runs; rejects as `act` does. */
  between<T>(act: () => Promise<T>): Promise<T> {
    if (this.#running === undefined || this.#isStopped) return act();
    return new Promise((resolve, reject) => {
      this.#between.push(() => act().then(resolve, reject));
      this.wake();
    });
  }

  /** Resolves when the current round is over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#isWoken = false;
      for (const act of this.#between.splice(0)) await act();
      const isDone = await this.#round();
      if (isDone) await this.#pause();
    }
    for (const act of this.#between.splice(0)) await act();
  }

  async #round(): Promise<boolean> {
    try {
      const isDone = await this.#options.round();
      this.#failures = 0;
      this.#options.onResult(null);
      return isDone;
    } catch (error) {
      this.#failures++;
      this.#options.onResult(error as Error);
      return true;
    }
  }

  /** A wake-up does not shorten the pause after a failure, or a chain that is down would be asked all the time. */
  async #pause(): Promise<void> {
    const { pollMs, world } = this.#options;
    const backOffMs = Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** (this.#failures - 1));
    const isWakeable = this.#failures === 0;
    if (this.#isStopped || (isWakeable && this.#isWoken) || this.#between.length > 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = world.after(this.#failures === 0 ? pollMs : Math.max(pollMs, backOffMs), resolve);
    this.#wake = () => {
      if (isWakeable || this.#isStopped || this.#between.length > 0) resolve();
    };
    await promise;
    cancel();
    this.#wake = undefined;
  }
}
