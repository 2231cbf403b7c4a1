/** What /metrics says of a node among others. */
import type { Metrics } from "../platform/observe/metrics.ts";
import type { ClusterNode } from "./cluster-node.ts";
import { watchRoles } from "./roles/metrics.ts";

export function watchCluster(metrics: Metrics, cluster: ClusterNode): void {
  const { member, store } = cluster;
  const { counters, tail } = store;
  const gauge = (name: string, help: string, reading: () => number): void =>
    metrics.gauge(`pricetime_cluster_${name}`, help, reading);
  const counter = (name: string, help: string, reading: () => number): void =>
    metrics.counter(`pricetime_cluster_${name}`, help, reading);

  gauge("row", "Last batch of the log in the journal of this node", () => member.place.number);
  gauge("lag_rows", "Batches of the log that this node has not applied", () =>
    Math.max(0, counters.lastKnown - member.place.number),
  );
  gauge("stale_seconds", "Maximum age of the state of this node", () => member.staleMs / 1000);
  gauge("cut_off", "1 while the quorum of etcd is not reachable", () => Number(member.isCutOff));
  gauge(
    "clock_ahead_seconds",
    "Seconds by which the clock is ahead of the other nodes",
    () => member.clockAheadMs / 1000,
  );
  gauge("live_nodes", "Live nodes, including this one", () => member.live.length + 1);
  metrics.gauges("pricetime_cluster_position_rows", "Last batch in the journal of a node, as it reported", () =>
    member.neighbours.map(({ position: { node, place } }) => ({ labels: { node }, value: place.number })),
  );
  metrics.histogram(
    "pricetime_cluster_return_seconds",
    "Seconds from submitting a batch until it is applied",
    cluster.returnSeconds,
  );
  counter("submitted_total", "Batches of this node in the log", () => counters.submitted);
  counter("submit_seconds_total", "Total seconds spent submitting batches", () => counters.submittedMs / 1000);
  counter("repeats_total", "Repeated attempts to submit a batch", () => counters.repeats);
  metrics.counterBy(
    "reason",
    "pricetime_cluster_reconnects_total",
    "Watches replaced by a new one, by reason",
    () => counters.reconnects,
  );
  counter("duplicates_total", "Batches delivered again by etcd and dropped", () => counters.duplicatesDropped);
  gauge("tail_rows", "Batches stored in etcd", () => tail.count);
  gauge("tail_bytes", "Bytes of the batches stored in etcd", () => tail.bytes);
  gauge("tail_full", "1 while orders are rejected because etcd is full", () => Number(store.whyFull !== null));
  counter("removed_rows_total", "Batches removed from etcd by this node", () => counters.removed);
  counter("reliefs_total", "Times this node has freed space in a full etcd", () => counters.reliefs);
  gauge("store_bytes", "Size of the largest database file of an etcd member", () => counters.storeBytes);
  watchRoles(metrics, () => cluster.roles);
}
