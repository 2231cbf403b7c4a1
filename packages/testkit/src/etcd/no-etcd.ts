/** Whether members of etcd can be started here. Nobody imports it who can do without: it throws where etcd may not be missing. */
import { spawnSync } from "node:child_process";
import { skipUnless } from "../scratch.ts";
import { BINARY } from "./cluster.ts";

/** The `skip` of `test(name, { skip })`: false where members can be started. */
export const noEtcd: string | false = skipUnless(
  process.platform === "linux" && spawnSync(BINARY, ["--version"], { stdio: "ignore" }).status === 0,
  "there is no etcd here (Debian's package etcd-server; ETCD may name another binary)",
);
