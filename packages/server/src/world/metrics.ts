/** What /metrics says of the wall clock. */
import type { Metrics } from "../observe/metrics.ts";
import type { GuardedClock } from "./guarded-clock.ts";

export function watchClock(
  metrics: Pick<Metrics, "gauge" | "counter">,
  clock: Pick<GuardedClock, "leaps" | "aheadMs">,
): void {
  metrics.counter("pricetime_clock_leaps_total", "Leaps of the wall clock that were not followed", () => clock.leaps);
  metrics.gauge("pricetime_clock_ahead_seconds", "Of a wall clock that has leapt", () => clock.aheadMs / 1000);
}
