/**
 * Whether etcd can be started on this machine. Import this only in tests that need etcd, because it throws where etcd
 * must not be missing.
 */
import { spawnSync } from "node:child_process";
import { skipUnless } from "../scratch.ts";
import { BINARY } from "./cluster.ts";

/** The `skip` option of `test(name, { skip })`: false if etcd can be started. */
export const noEtcd: string | false = skipUnless(
  process.platform === "linux" && spawnSync(BINARY, ["--version"], { stdio: "ignore" }).status === 0,
  "there is no etcd here (Debian's package etcd-server; ETCD may name another binary)",
);
