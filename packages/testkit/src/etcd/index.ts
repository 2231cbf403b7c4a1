/** Real etcd members, and connections to them that fail on command. */
export { type Direction, EtcdCluster, EtcdMember, type EtcdOptions, Link, startEtcd } from "./cluster.ts";
export { noEtcd } from "./no-etcd.ts";
