/** What /metrics says of catching up: while it lasts, and of the last start once the node serves. */
import type { Metrics } from "../../observe/metrics.ts";
import { CATCH_UP_STATES, type CatchUpProgress } from "./progress.ts";

export function watchCatchUp(
  metrics: Pick<Metrics, "gauge" | "gauges" | "counterBy">,
  progress: Pick<CatchUpProgress, "state" | "missingEntries" | "rows" | "bytes">,
): void {
  const name = (end: string): string => `pricetime_cluster_catch_up_${end}`;
  metrics.gauges(name("state"), "1 for what catching up does now, 0 for the other states", () =>
    CATCH_UP_STATES.map((state) => ({ labels: { state }, value: Number(state === progress.state) })),
  );
  const missing = "Entries that another node has and that are still to be fetched from it";
  metrics.gauge(name("missing_entries"), missing, () => progress.missingEntries);
  metrics.counterBy("from", name("rows_total"), "Rows fetched from other nodes at the start", () => progress.rows);
  metrics.counterBy("from", name("bytes_total"), "Their bytes", () => progress.bytes);
}
