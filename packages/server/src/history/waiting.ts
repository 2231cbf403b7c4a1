/** Queries that wait for history to reach an entry. Bounded in time and in number. */
import { HistoryBehind } from "./port.ts";
import type { Progress } from "./progress.ts";

export interface HistoryLimits {
  /** How long a query waits for history to reach its entry. */
  readonly waitMs: number;
  /** And for a generated past to be written, at the first start alone. */
  readonly pastWaitMs: number;
  /** Queries that wait or run; more are refused. */
  readonly maxQueries: number;
}

export const HISTORY_LIMITS: HistoryLimits = { waitMs: 5_000, pastWaitMs: 30_000, maxQueries: 1_000 };

interface Waiter {
  readonly isThere: () => boolean;
  readonly go: () => void;
}

export class WaitingForHistory {
  private readonly progress: Progress;
  private readonly limits: Pick<HistoryLimits, "waitMs" | "pastWaitMs">;
  private readonly waiters = new Set<Waiter>();

  constructor(progress: Progress, limits: Pick<HistoryLimits, "waitMs" | "pastWaitMs">) {
    this.progress = progress;
    this.limits = limits;
  }

  /** Resolves when history holds entry `seq`; rejects with `HistoryBehind` when that takes too long. */
  reach(seq: number): Promise<void> | undefined {
    const isThere = (): boolean => this.progress.projectedSeq >= seq;
    const told = (): string => `history stands at entry ${this.progress.projectedSeq}, ${seq} was asked for`;
    return isThere() ? undefined : this.wait(isThere, this.limits.waitMs, told);
  }

  /** The same for the generated past of a symbol, once history holds the entry that added it. */
  reachPast(symbolId: number): Promise<void> | undefined {
    const isThere = (): boolean => this.progress.hasPast(symbolId);
    const told = (): string => `the past of symbol ${symbolId} is still being written`;
    return isThere() ? undefined : this.wait(isThere, this.limits.pastWaitMs, told);
  }

  private wait(isThere: () => boolean, waitMs: number, told: () => string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.remove(waiter);
        reject(new HistoryBehind(told()));
      }, waitMs);
      const go = (): void => {
        clearTimeout(timer);
        this.remove(waiter);
        resolve();
      };
      const waiter: Waiter = { isThere, go };
      this.waiters.add(waiter);
      this.progress.setAwaited(true);
      // History may have got there before it could see that somebody waits.
      this.wake();
    });
  }

  /** History has moved on. */
  wake(): void {
    for (const waiter of this.waiters) if (waiter.isThere()) waiter.go();
  }

  private remove(waiter: Waiter): void {
    this.waiters.delete(waiter);
    if (this.waiters.size === 0) this.progress.setAwaited(false);
  }
}
