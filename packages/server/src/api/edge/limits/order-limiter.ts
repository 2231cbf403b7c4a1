/**
 * ORDERS, counted per account: orders that go to the journal, accepted or not, as each costs an entry there (decision
 * 17). The engine counts what is journaled, by whichever node; the node adds what it has on its way there. An order of
 * unknown outcome keeps its place to the end of the window.
 */
import assert from "node:assert/strict";
import type { EngineView } from "@pricetime/engine";
import { z } from "zod";
import type { KeptValue, Keeping } from "../../../platform/world/kept.ts";
import { keptCount, readKept } from "../../../platform/world/read-kept.ts";
import { KEPT_COUNTER, WindowCounter } from "./counter.ts";
import { checkSameWindows } from "./kept-windows.ts";
import { secondsToWindowEnd, windowMs } from "./rule.ts";
import type { LimitRule, LimitsConfig } from "./rule.ts";

export interface OrderRefusal {
  readonly rule: LimitRule;
  readonly retryAfterSeconds: number;
}

const KEPT = z.strictObject({
  windowsMs: z.array(z.int()),
  unknown: z.array(z.strictObject({ accountId: keptCount, counters: z.array(KEPT_COUNTER) })),
});

type Journaled = Pick<EngineView, "ordersInWindow">;

export class OrderLimiter implements Keeping {
  readonly rules: readonly LimitRule[];
  readonly #windowsMs: readonly number[];
  readonly #enabled: boolean;
  readonly #journaled: () => Journaled;
  /** Orders on their way to the journal, by account. */
  readonly #underWay = new Map<number, number>();
  /** Orders of unknown outcome, by account, in the order of `rules`; hardly any account has some. */
  readonly #unknown = new Map<number, readonly WindowCounter[]>();

  /** Throws `KeptUnreadable`. */
  constructor(config: Pick<LimitsConfig, "rules" | "enabled">, journaled: () => Journaled, kept?: KeptValue) {
    this.rules = config.rules.filter((rule) => rule.rateLimitType === "ORDERS");
    this.#windowsMs = this.rules.map(windowMs);
    this.#enabled = config.enabled;
    this.#journaled = journaled;
    if (kept === undefined) return;
    const { windowsMs, unknown } = readKept("limits of orders", KEPT, kept);
    checkSameWindows(this.rules, windowsMs);
    for (const { accountId, counters } of unknown) {
      this.#unknown.set(
        accountId,
        this.#windowsMs.map((length, i) => new WindowCounter(length, counters[i])),
      );
    }
  }

  /** Call it when no order is on its way to the journal. */
  kept(): KeptValue {
    assert.equal(this.#underWay.size, 0, "orders are on their way to the journal");
    const unknown = [...this.#unknown].map(([accountId, counters]) => {
      return { accountId, counters: counters.map((counter) => counter.kept()) };
    });
    return { windowsMs: this.#windowsMs, unknown };
  }

  /** Takes `orders` places (an OCO takes two), all or none. Returns the new counts, in the order of `rules`. */
  reserve(accountId: number, orders: number, nowMs: number): readonly number[] | OrderRefusal {
    const journaled = this.#journaled();
    const underWay = (this.#underWay.get(accountId) ?? 0) + orders;
    const unknown = this.#unknown.size === 0 ? undefined : this.#unknown.get(accountId);
    const counts: number[] = [];
    for (let i = 0; i < this.rules.length; i++) {
      const journaledOrders = journaled.ordersInWindow(accountId, this.#windowsMs[i] as number, nowMs);
      const count = journaledOrders + underWay + (unknown?.[i]?.used(nowMs) ?? 0);
      const rule = this.rules[i] as LimitRule;
      if (this.#enabled && count > rule.limit) return { rule, retryAfterSeconds: secondsToWindowEnd(rule, nowMs) };
      counts.push(count);
    }
    this.#underWay.set(accountId, underWay);
    return counts;
  }

  /** Gives back reserved places: the engine has counted the orders, or they were not taken. */
  release(accountId: number, orders: number): void {
    const left = (this.#underWay.get(accountId) ?? 0) - orders;
    if (left > 0) this.#underWay.set(accountId, left);
    else this.#underWay.delete(accountId);
  }

  /** Gives back places reserved at `reservedMs`, but counts them to the end of the window: nobody knows the outcome. */
  releaseUnknown(accountId: number, orders: number, reservedMs: number): void {
    this.release(accountId, orders);
    this.#forgetPast(reservedMs);
    const counters = this.#unknown.get(accountId) ?? this.#windowsMs.map((length) => new WindowCounter(length));
    for (const counter of counters) counter.add(orders, reservedMs);
    this.#unknown.set(accountId, counters);
  }

  #forgetPast(nowMs: number): void {
    for (const [accountId, counters] of this.#unknown) {
      if (counters.every((counter) => counter.used(nowMs) === 0)) this.#unknown.delete(accountId);
    }
  }
}
