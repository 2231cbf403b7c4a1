/** Orders in the windows of the limits on orders, as plainly as possible: all orders that were ever counted, in order. */
import type { OrderLimit } from "@pricetime/engine";

export class ModelOrderLimits {
  limits: readonly OrderLimit[] = [];
  readonly #placed: { readonly accountId: number; readonly timeMs: number; readonly orders: number }[] = [];
  /** Orders that had been placed when a limit with windows of this length came to be. */
  readonly #since = new Map<number, number>();

  set(limits: readonly OrderLimit[]): void {
    for (const windowMs of this.#since.keys()) {
      if (limits.every((limit) => limit.windowMs !== windowMs)) this.#since.delete(windowMs);
    }
    for (const { windowMs } of limits) {
      if (!this.#since.has(windowMs)) this.#since.set(windowMs, this.#placed.length);
    }
    this.limits = limits;
  }

  count(accountId: number, orders: number, timeMs: number): void {
    this.#placed.push({ accountId, timeMs, orders });
  }

  inWindow(accountId: number, windowMs: number, nowMs: number): number {
    const since = this.#since.get(windowMs);
    if (since === undefined) return 0;
    const startMs = nowMs - (nowMs % windowMs);
    return this.#placed
      .slice(since)
      .filter((placed) => placed.accountId === accountId && placed.timeMs >= startMs)
      .reduce((sum, { orders }) => sum + orders, 0);
  }
}
