/**
 * ORDERS, counted per account: orders that go to the journal, whatever the engine says to them, as
 * each costs an entry there (decision 17). A place is taken before, and given back only when the
 * order certainly was not journaled.
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

  /** Takes `orders` places (an OCO takes two), all or none. Gives the counts with them, in the order of `rules`. */
  reserve(accountId: number, orders: number, nowMs: number): readonly number[] | OrderRefusal {
    const counters = this.#countersOf(accountId);
    if (this.#enabled) {
      for (let i = 0; i < this.rules.length; i++) {
        const rule = this.rules[i] as LimitRule;
        if ((counters[i] as WindowCounter).used(nowMs) + orders > rule.limit) {
          return { rule, retryAfterSeconds: secondsToWindowEnd(rule, nowMs) };
        }
      }
    }
    return counters.map((counter) => counter.add(orders, nowMs));
  }

  /** Gives back what was reserved at `reservedMs`: the command was not taken. */
  release(accountId: number, orders: number, reservedMs: number): void {
    for (const counter of this.#countersOf(accountId)) counter.takeBack(orders, reservedMs);
  }

  /** In the order of `rules`. */
  #countersOf(accountId: number): readonly WindowCounter[] {
    let counters = this.#counters.get(accountId);
    if (counters === undefined) {
      counters = this.rules.map((rule) => new WindowCounter(windowMs(rule)));
      this.#counters.set(accountId, counters);
    }
    return counters;
  }
}
