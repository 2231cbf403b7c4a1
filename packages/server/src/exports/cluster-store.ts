/** The log that nodes share, for benchmarks that write to it without a node. */
export { openEtcdStore } from "../etcd/open-store.ts";
export { firstEpoch } from "../etcd/open-epoch.ts";
