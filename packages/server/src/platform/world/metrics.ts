/** What /metrics says of the wall clock. */
import type { Metrics } from "../observe/metrics.ts";
import type { GuardedClock } from "./guarded-clock.ts";

export function watchClock(
  metrics: Pick<Metrics, "gauge" | "counter">,
  clock: Pick<GuardedClock, "leaps" | "aheadMs">,
): void {
  metrics.counter("pricetime_clock_leaps_total", "Jumps of the wall clock that were ignored", () => clock.leaps);
  metrics.gauge(
    "pricetime_clock_ahead_seconds",
    "Seconds by which the wall clock is ahead after a jump",
    () => clock.aheadMs / 1000,
  );
}
