/** Queries that wait for the history to reach an entry, limited in time and in number. */
import type { Timers } from "../../platform/world/port.ts";
import { HistoryBehind } from "../port.ts";
import type { Progress } from "./progress.ts";

export interface HistoryLimits {
  /** How long a query waits for history to reach its entry. */
  readonly waitMs: number;
  /** The queries that may wait or run at a time; more are refused. */
  readonly maxQueries: number;
}

export const HISTORY_LIMITS: HistoryLimits = { waitMs: 5_000, maxQueries: 1_000 };

interface Waiter {
  readonly seq: number;
  readonly go: () => void;
}

export class WaitingForHistory {
  readonly #progress: Progress;
  readonly #waitMs: number;
  readonly #timers: Timers;
  readonly #waiters = new Set<Waiter>();

  constructor(progress: Progress, waitMs: number, timers: Timers) {
    this.#progress = progress;
    this.#waitMs = waitMs;
    this.#timers = timers;
  }

  /** Resolves when history holds entry `seq`; rejects with `HistoryBehind` when that takes too long. */
  reach(seq: number): Promise<void> | undefined {
    if (this.#progress.projectedSeq >= seq) return undefined;
    return new Promise((resolve, reject) => {
      const cancel = this.#timers.after(this.#waitMs, () => {
        this.#remove(waiter);
        reject(new HistoryBehind(`history stands at entry ${this.#progress.projectedSeq}, ${seq} was asked for`));
      });
      const go = (): void => {
        cancel();
        this.#remove(waiter);
        resolve();
      };
      const waiter: Waiter = { seq, go };
      this.#waiters.add(waiter);
      this.#progress.setAwaited(true);
      // The history may have got there before it could see that somebody waits.
      this.wake();
    });
  }

  /** Call it when the history has moved on. */
  wake(): void {
    const { projectedSeq } = this.#progress;
    for (const waiter of this.#waiters) if (waiter.seq <= projectedSeq) waiter.go();
  }

  #remove(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    if (this.#waiters.size === 0) this.#progress.setAwaited(false);
  }
}
