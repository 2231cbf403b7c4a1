/** Repeats something: at a pace, sooner when woken, later when it fails. */
import type { Cancel, Clock, Timers } from "../../platform/world/port.ts";
import type { KeptLoop } from "./kept-follower.ts";
import { FIRST_BACK_OFF_MS, LONGEST_BACK_OFF_MS } from "./limits.ts";

export interface LoopOptions {
  readonly world: Clock & Timers;
  /** The name of its timers. */
  readonly name?: string;
  /** What another loop kept: it goes on waiting. */
  readonly kept?: KeptLoop | undefined;
  /** Leaves out a round that would find nothing, and returns whether it did. Never called after a round that failed. */
  readonly skip?: () => boolean;
  /** One round. True: all is done until the next time; false: run again at once. */
  readonly round: () => Promise<boolean>;
  readonly pollMs: number;
  /** Called after a round with its error, or null when it succeeded. */
  readonly onResult: (error: Error | null) => void;
}

export class Loop {
  readonly #options: LoopOptions;
  #failures: number;
  /** When the pause is over at the latest; undefined outside of one. */
  #dueMs: number | undefined;
  #isWoken = false;
  #isStopped = false;
  #wake: (() => void) | undefined;
  #running: Promise<void> | undefined;
  readonly #between: (() => Promise<void>)[] = [];

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#failures = options.kept?.failures ?? 0;
  }

  /** A round that is under way now begins anew. */
  kept(): KeptLoop {
    if (this.#running === undefined || this.#isStopped) return null;
    return { dueMs: this.#dueMs ?? this.#options.world.nowMs(), failures: this.#failures };
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Starts the next round without waiting. False: there is nothing to do in it, so it is left out. */
  wake(): boolean {
    this.#isWoken = true;
    this.#wake?.();
    return this.#isWoken;
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
    const { kept, pollMs, world } = this.#options;
    if (kept) await this.#pauseUntil(Math.min(kept.dueMs, world.nowMs() + Math.max(pollMs, LONGEST_BACK_OFF_MS)));
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
    await this.#pauseUntil(world.nowMs() + (this.#failures === 0 ? pollMs : Math.max(pollMs, backOffMs)));
  }

  async #pauseUntil(dueMs: number): Promise<void> {
    const { world, name, pollMs, skip } = this.#options;
    const isWakeable = this.#failures === 0;
    if (this.#isStopped || (isWakeable && this.#isWoken) || this.#between.length > 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    let cancel: Cancel = () => {};
    const wait = (untilMs: number): void => {
      this.#dueMs = untilMs;
      cancel = world.after(untilMs - world.nowMs(), go, name);
    };
    const go = (): void => {
      const mustRun = this.#isStopped || this.#between.length > 0 || !isWakeable;
      if (mustRun || skip?.() !== true) {
        resolve();
        return;
      }
      this.#isWoken = false;
      cancel();
      wait(world.nowMs() + pollMs);
    };
    wait(dueMs);
    this.#wake = () => {
      if (isWakeable || this.#isStopped || this.#between.length > 0) go();
    };
    await promise;
    cancel();
    this.#wake = undefined;
    this.#dueMs = undefined;
  }
}
