/** A member of etcd, with the settings in `deploy/cluster`. */
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { etcdProgram } from "./programs.ts";
import type { ClusterFolder, Layout, MemberPorts } from "./folder.ts";
import { Part } from "./part.ts";
import { HOST } from "./ports.ts";

/** The only copy of these settings, so that tests use what we ship. */
const SETTINGS = new URL("../deploy/cluster/etcd.env", import.meta.url);
const PATIENCE_MS = 60_000;

export const clientUrl = ({ client }: MemberPorts): string => `http://${HOST}:${client}`;
const peerUrl = ({ peer }: MemberPorts): string => `http://${HOST}:${peer}`;

export function etcdPart(member: MemberPorts, { etcd, token }: Layout, folder: ClusterFolder): Part {
  const { name } = member;
  const data = folder.of("etcd", name);
  const all = etcd.map((each) => `${each.name}=${peerUrl(each)}`).join(",");
  const listen = [`--listen-client-urls=${clientUrl(member)}`, `--advertise-client-urls=${clientUrl(member)}`];
  const peers = [`--listen-peer-urls=${peerUrl(member)}`, `--initial-advertise-peer-urls=${peerUrl(member)}`];
  return new Part({
    kind: "etcd",
    name,
    url: clientUrl(member),
    program: etcdProgram(),
    args: [
      ...[`--name=${name}`, "--data-dir", data, ...listen, ...peers],
      ...[`--initial-cluster=${all}`, `--initial-cluster-token=${token}`],
    ],
    env: environment(),
    mark: data,
    logFile: folder.of("logs", `${name}.log`),
    whyNotReady: async () => ((await hasQuorum(member)) ? null : "two of the three members must run"),
    patienceMs: PATIENCE_MS,
  });
}

/** The shipped settings, without variables of the environment for another etcd on this machine. */
function environment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("ETCD"));
  return { ...Object.fromEntries(others), ...parseEnv(readFileSync(SETTINGS, "utf8")) };
}

/** Whether the member answers a linearizable read, which needs a quorum. */
async function hasQuorum(member: MemberPorts): Promise<boolean> {
  const answer = await fetch(`${clientUrl(member)}/health`, { signal: AbortSignal.timeout(2000) }).catch(
    () => undefined,
  );
  const health = (await answer?.json().catch(() => undefined)) as { readonly health?: string } | undefined;
  return health?.health === "true";
}
