/** What /metrics says of a node among others. */
import type { Metrics } from "../observe/metrics.ts";
import type { ClusterNode } from "./cluster-node.ts";
import { watchRoles } from "./roles/metrics.ts";

export function watchCluster(metrics: Metrics, cluster: ClusterNode): void {
  const { member, store } = cluster;
  const { counters, tail } = store;
  const gauge = (name: string, help: string, reading: () => number): void =>
    metrics.gauge(`pricetime_cluster_${name}`, help, reading);
  const counter = (name: string, help: string, reading: () => number): void =>
    metrics.counter(`pricetime_cluster_${name}`, help, reading);

  gauge("row", "The last row of the log that this node's journal holds", () => member.place.number);
  gauge("lag_rows", "Rows of the log that this node has not applied yet", () =>
    Math.max(0, counters.lastKnown - member.place.number),
  );
  gauge("stale_seconds", "How old what the node shows may be", () => member.staleMs / 1000);
  gauge("cut_off", "Whether the node is cut off from etcd's quorum", () => Number(member.isCutOff));
  gauge("clock_ahead_seconds", "How far the node's clock is ahead of the others'", () => member.clockAheadMs / 1000);
  gauge("live_nodes", "Nodes that are there, this one included", () => member.live.length + 1);
  metrics.gauges("pricetime_cluster_position_rows", "The last row that a node's journal holds, as it told", () =>
    member.neighbours.map(({ position: { node, place } }) => ({ labels: { node }, value: place.number })),
  );
  metrics.histogram(
    "pricetime_cluster_return_seconds",
    "How long batches of this node took until they had come back",
    cluster.returnSeconds,
  );
  counter("submitted_total", "Batches of this node that are in the log", () => counters.submitted);
  counter("submit_seconds_total", "How long that took in all", () => counters.submittedMs / 1000);
  counter("repeats_total", "Attempts to submit a batch after the first", () => counters.repeats);
  metrics.counterBy(
    "reason",
    "pricetime_cluster_reconnects_total",
    "Watches that were given up",
    () => counters.reconnects,
  );
  counter(
    "duplicates_total",
    "Rows that etcd delivered again, and that were dropped",
    () => counters.duplicatesDropped,
  );
  gauge("tail_rows", "Rows that etcd still holds", () => tail.count);
  gauge("tail_bytes", "Their bytes", () => tail.bytes);
  gauge("tail_full", "Whether orders are refused because etcd holds too much", () => Number(store.whyFull !== null));
  counter("removed_rows_total", "Rows that this node has removed from etcd", () => counters.removed);
  counter("reliefs_total", "How often this node has helped a full etcd", () => counters.reliefs);
  gauge("store_bytes", "The largest file of a member of etcd", () => counters.storeBytes);
  watchRoles(metrics, () => cluster.roles);
}
