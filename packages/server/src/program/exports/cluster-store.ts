/** The log that nodes share, for benchmarks that write to it without a node. */
export { openEtcdStore } from "../../cluster/etcd/open-store.ts";
export { firstEpoch } from "../../cluster/etcd/open-epoch.ts";
