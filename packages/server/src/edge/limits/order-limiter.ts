/**
 * ORDERS, counted per account: orders that go to the journal, accepted or not, as each costs an entry there (decision
 * 17). A place is taken before, and given back only when the order certainly was not journaled.
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
  /** By account; their number is that of the accounts. */
  readonly #counters = new Map<number, readonly WindowCounter[]>();

  constructor(config: LimitsConfig) {
    this.rules = config.rules.filter((rule) => rule.rateLimitType === "ORDERS");
    this.#enabled = config.enabled;
  }

  /** Takes `orders` places (an OCO takes two), all or none. Returns the new counts, in the order of `rules`. */
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

  /** Returns the places reserved at `reservedMs`: the command was not taken. */
  release(accountId: number, orders: number, reservedMs: number): void {
    for (const counter of this.#countersOf(accountId)) counter.takeBack(orders, reservedMs);
  }

  /** The account's counters, in the order of `rules`. */
  #countersOf(accountId: number): readonly WindowCounter[] {
    let counters = this.#counters.get(accountId);
    if (counters === undefined) {
      counters = this.rules.map((rule) => new WindowCounter(windowMs(rule)));
      this.#counters.set(accountId, counters);
    }
    return counters;
  }
}
