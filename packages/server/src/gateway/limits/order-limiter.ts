/**
 * ORDERS, counted per account. Interface 8.4: only orders that succeed count, so a place is reserved
 * before the order goes to the journal and given back when the order is refused.
 */
import { WindowCounter } from "./counter.ts";
import { secondsToWindowEnd, windowMs } from "./rule.ts";
import type { LimitRule, LimitsConfig } from "./rule.ts";

export interface OrderRefusal {
  readonly rule: LimitRule;
  readonly retryAfterSeconds: number;
}

export class OrderLimiter {
  readonly rules: readonly LimitRule[];
  readonly #enabled: boolean;
  /** By account: as many as there are accounts. */
  readonly #counters = new Map<number, readonly WindowCounter[]>();

  constructor(config: LimitsConfig) {
    this.rules = config.rules.filter((rule) => rule.rateLimitType === "ORDERS");
    this.#enabled = config.enabled;
  }

  /** Takes `orders` places (an OCO takes two), all or none. */
  reserve(accountId: number, orders: number, nowMs: number): OrderRefusal | null {
    const counters = this.counters(accountId);
    if (this.#enabled) {
      for (let i = 0; i < this.rules.length; i++) {
        const rule = this.rules[i] as LimitRule;
        if ((counters[i] as WindowCounter).used(nowMs) + orders > rule.limit) {
          return { rule, retryAfterSeconds: secondsToWindowEnd(rule, nowMs) };
        }
      }
    }
    for (const counter of counters) counter.add(orders, nowMs);
    return null;
  }

  /** Gives back what was reserved at `reservedMs`: the order was refused. */
  release(accountId: number, orders: number, reservedMs: number): void {
    for (const counter of this.counters(accountId)) counter.takeBack(orders, reservedMs);
  }

  /** In the order of `rules`. */
  counters(accountId: number): readonly WindowCounter[] {
    let counters = this.#counters.get(accountId);
    if (counters === undefined) {
      counters = this.rules.map((rule) => new WindowCounter(windowMs(rule)));
      this.#counters.set(accountId, counters);
    }
    return counters;
  }
}
