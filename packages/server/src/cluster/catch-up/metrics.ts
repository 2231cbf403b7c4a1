/** What /metrics says of catching up: while it lasts, and of the last start once the node serves. */
import type { Metrics } from "../../platform/observe/metrics.ts";
import { CATCH_UP_STATES, type CatchUpProgress } from "./progress.ts";

export function watchCatchUp(
  metrics: Pick<Metrics, "gauge" | "gauges" | "counterBy">,
  progress: Pick<CatchUpProgress, "state" | "missingEntries" | "rows" | "bytes">,
): void {
  const name = (end: string): string => `pricetime_cluster_catch_up_${end}`;
  metrics.gauges(name("state"), "1 for the current state of catching up, 0 for the others", () =>
    CATCH_UP_STATES.map((state) => ({ labels: { state }, value: Number(state === progress.state) })),
  );
  const missing = "Entries still to be fetched from another node";
  metrics.gauge(name("missing_entries"), missing, () => progress.missingEntries);
  metrics.counterBy(
    "from",
    name("rows_total"),
    "Batches fetched from other nodes since the start",
    () => progress.rows,
  );
  metrics.counterBy("from", name("bytes_total"), "Bytes of the batches fetched since the start", () => progress.bytes);
}
