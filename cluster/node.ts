/** A node of the cluster: the program that `npm start` starts, with cluster settings. */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Settings } from "./arguments.ts";
import { clientUrl } from "./etcd.ts";
import type { ClusterFolder, Layout, NodePorts } from "./folder.ts";
import { Part } from "./part.ts";
import { HOST } from "./ports.ts";

const SERVER = resolve(import.meta.dirname, "../packages/server");
/** The command of `npm start`. */
const START = ["--import", pathToFileURL(join(SERVER, "bin/keep-compiled.js")).href, join(SERVER, "src/main.ts")];

/** The nodes' default, if there are as many. */
const MIRRORS = 2;
/** A node replays its journal, and may fetch missing rows from another node, before it is ready. */
const PATIENCE_MS = 300_000;

export const adminUrl = ({ admin }: NodePorts): string => `http://${HOST}:${admin}`;

export function nodePart(node: NodePorts, { etcd, settings }: Layout, folder: ClusterFolder): Part {
  const { name } = node;
  const data = folder.of("nodes", name);
  return new Part({
    kind: "node",
    name,
    url: `http://${HOST}:${node.rest}`,
    program: process.execPath,
    args: [
      ...["--disable-warning=ExperimentalWarning", ...START, "--data", data, "--config", folder.of("pricetime.yaml")],
      ...["--node", name, "--cluster", etcd.map(clientUrl).join(",")],
      ...["--port", String(node.rest), "--admin-port", String(node.admin)],
      ...demoFlags(settings),
      // All nodes use the settings of this start, whatever they were at the last one.
      ...["--limits", settings.limits, "--adopt-settings"],
    ],
    mark: data,
    logFile: folder.of("logs", `${name}.log`),
    whyNotReady: () => whyNotReady(node),
    patienceMs: PATIENCE_MS,
  });
}

function demoFlags({ demo, bots }: Settings): string[] {
  return demo ? ["--demo", "--bots", bots] : ["--no-demo"];
}

/** The configuration that all nodes share. */
export function nodeConfig(folder: ClusterFolder, nodes: number, isBehindHttpProxy: boolean): string {
  return [
    "# Written by `npm run cluster` at each start.",
    `masterKeyFile: ${JSON.stringify(folder.of("master.key"))}`,
    `wallet: { sandboxFolder: ${JSON.stringify(folder.of("worlds"))} }`,
    `cluster: { mirrors: ${Math.min(MIRRORS, nodes)} }`,
    `http: { trustedProxies: [${isBehindHttpProxy ? `"${HOST}"` : ""}] }`,
    "",
  ].join("\n");
}

async function whyNotReady(node: NodePorts): Promise<string | null> {
  try {
    const answer = await fetch(`${adminUrl(node)}/readyz`, { signal: AbortSignal.timeout(2000) });
    return answer.ok ? null : JSON.stringify(await answer.json());
  } catch (error) {
    return (error as Error).message;
  }
}
