/**
 * Asks the store for the end of the log, for all who want to know it at once. One call is under way at a time; who asks
 * while it is may not use its answer, which may be older than the question, and waits for the next one.
 */
import { atMost, type Cancel, type Clock, type Timers } from "../platform/world/port.ts";
import type { ClusterLimits } from "./limits.ts";
import { type ClusterStore, StoreUnfit } from "./port.ts";

export interface LogEndAnswer {
  readonly lastNumber: number;
  /** When the question began (steady). */
  readonly startMs: number;
}

export interface LogEndOptions {
  readonly store: Pick<ClusterStore, "lastNumber">;
  /** Called with each answer. Throws nothing. */
  readonly onAnswer: (answer: LogEndAnswer) => void;
  /** Called when the store cannot be used any more. */
  readonly onUnfit: (error: StoreUnfit) => void;
  /** The number of the last row that this node knows: a store whose log ends before it has gone back. */
  readonly knownNumber: () => number;
  readonly world: Clock & Timers;
  readonly limits: Pick<ClusterLimits, "callPatienceMs" | "callPauseMs" | "contactEveryMs">;
}

type Settle = (lastNumber: number | undefined) => void;

export class LogEnd {
  readonly #options: LogEndOptions;
  /** Callers who wait for the next call. */
  #waiting: Settle[] = [];
  /** Callers who wait for the call under way; undefined: no call is under way. */
  #asking: Settle[] | undefined;
  #stopTimer: Cancel = () => {};
  /** True while it pauses after a failed call. */
  #isPausing = false;
  #isStopped = false;

  constructor(options: LogEndOptions) {
    this.#options = options;
  }

  /** Asks now and then by itself. */
  start(): void {
    this.#call();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer();
    this.release();
  }

  /**
   * Resolves to the number of the log's last row at some moment after the call of this; undefined when released, and when
   * the store has gone back.
   */
  ask(): Promise<number | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isPausing) this.#call();
    });
  }

  /** Lets all waiting callers go, without an answer. */
  release(): void {
    for (const settle of [...(this.#asking?.splice(0) ?? []), ...this.#waiting.splice(0)]) settle(undefined);
  }

  #call(): void {
    if (this.#asking !== undefined || this.#isStopped) return;
    this.#isPausing = false;
    this.#stopTimer();
    this.#asking = this.#waiting;
    this.#waiting = [];
    void this.#ask();
  }

  /** Never rejects: a call that fails is made again. */
  async #ask(): Promise<void> {
    const { store, onAnswer, onUnfit, world, limits } = this.#options;
    const knownNumber = this.#options.knownNumber();
    const startMs = world.steadyMs();
    let lastNumber: number | undefined;
    const answer = store.lastNumber().then(
      (number) => (lastNumber = number),
      (error: unknown) => {
        if (error instanceof StoreUnfit && !this.#isStopped) onUnfit(error);
      },
    );
    await atMost(world, limits.callPatienceMs, answer);
    const asking = this.#asking ?? [];
    this.#asking = undefined;
    if (lastNumber !== undefined && lastNumber < knownNumber) {
      // This is another log: its end must not answer anyone's read.
      for (const settle of asking) settle(undefined);
      onUnfit(new StoreUnfit(`etcd was restored or replaced: the shared log ends with batch ${lastNumber}`));
      this.#callAfter(limits.contactEveryMs);
      return;
    }
    if (lastNumber === undefined) {
      this.#waiting = [...asking, ...this.#waiting];
      this.#isPausing = true;
      this.#callAfter(limits.callPauseMs);
      return;
    }
    onAnswer({ lastNumber, startMs });
    for (const settle of asking) settle(lastNumber);
    if (this.#waiting.length > 0) this.#call();
    else this.#callAfter(limits.contactEveryMs);
  }

  #callAfter(waitMs: number): void {
    this.#stopTimer();
    if (!this.#isStopped) this.#stopTimer = this.#options.world.after(waitMs, () => this.#call());
  }
}
