/** Real members of etcd, and lines to them that fail when told. */
export { EtcdCluster, startEtcd, type EtcdOptions } from "./cluster.ts";
export { Link, type Direction } from "./link.ts";
export { EtcdMember } from "./member.ts";
export { noEtcd } from "./no-etcd.ts";
