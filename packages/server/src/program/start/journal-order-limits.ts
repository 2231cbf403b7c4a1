/** At a start, journals the limits on orders when they differ from those that the engine counts by. */
import assert from "node:assert/strict";
import type { EngineView, OrderLimit } from "@pricetime/engine";
import { type LimitRule, windowMs } from "../../api/edge/limits/rule.ts";
import type { Sequencer } from "../../journal/sequencer/port.ts";

/** The limits on orders among the rules, as the engine counts by them. */
export function orderLimitsOf(rules: readonly LimitRule[]): OrderLimit[] {
  return rules
    .filter(({ rateLimitType }) => rateLimitType === "ORDERS")
    .map((rule) => ({ windowMs: windowMs(rule), limit: rule.limit }));
}

/** Resolves when the engine counts by the rules. Rejects as `Sequencer.run` does. */
export async function journalOrderLimits(
  sequencer: Pick<Sequencer, "run">,
  view: Pick<EngineView, "orderLimits">,
  rules: readonly LimitRule[],
  by: string,
): Promise<void> {
  const limits = orderLimitsOf(rules);
  if (isSame(view.orderLimits, limits)) return;
  const { events } = await sequencer.run({ type: "setOrderLimits", by, rules: limits });
  assert(events[0]?.type !== "rejected", "the configuration allows only limits that the engine takes");
}

function isSame(some: readonly OrderLimit[], others: readonly OrderLimit[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ windowMs: length, limit }, i) => length === others[i]?.windowMs && limit === others[i]?.limit)
  );
}
