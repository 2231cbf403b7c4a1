/** The shared log of a cluster, for benchmarks that write to it without a node. */
export { openEtcdStore } from "../../cluster/etcd/etcd-store.ts";
export { firstEpoch } from "../../cluster/etcd/epoch.ts";
