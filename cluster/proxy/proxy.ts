/** The proxy that clients connect to: HAProxy, or the small built-in proxy if it is missing. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ClusterFolder, Layout } from "../folder.ts";
import { adminUrl } from "../node.ts";
import { Part } from "../part.ts";
import { HOST } from "../ports.ts";
import { haproxyConfig } from "./haproxy.ts";
import type { SmallProxyFile } from "./small-process.ts";

const PATIENCE_MS = 30_000;

/** Writes the proxy's configuration for the nodes of this layout. `program` is HAProxy's path, if it is installed. */
export function proxyPart(program: string | undefined, { proxy, nodes }: Layout, folder: ClusterFolder): Part {
  const url = `http://${HOST}:${proxy}`;
  const common = {
    kind: "proxy",
    name: "proxy",
    url,
    logFile: folder.of("logs", "proxy.log"),
    whyNotReady: () => whyNotReady(url),
    patienceMs: PATIENCE_MS,
  } as const;
  if (program !== undefined) {
    const mark = folder.of("haproxy.cfg");
    writeFileSync(mark, haproxyConfig(HOST, proxy, nodes));
    return new Part({ ...common, program, args: ["-db", "-f", mark], mark });
  }
  const mark = folder.of("proxy.json");
  const upstreams = nodes.map((node) => ({ name: node.name, host: HOST, port: node.rest, admin: adminUrl(node) }));
  const file: SmallProxyFile = { host: HOST, port: proxy, upstreams };
  writeFileSync(mark, JSON.stringify(file));
  const main = fileURLToPath(new URL("./small-process.ts", import.meta.url));
  return new Part({
    ...common,
    program: process.execPath,
    args: ["--disable-warning=ExperimentalWarning", main, mark],
    mark,
  });
}

/** The proxy is ready when a node responds through it. */
async function whyNotReady(url: string): Promise<string | null> {
  try {
    const { status } = await fetch(`${url}/api/v3/ping`, { signal: AbortSignal.timeout(2000) });
    return status === 200 ? null : `it returns ${status}`;
  } catch (error) {
    return (error as Error).message;
  }
}
