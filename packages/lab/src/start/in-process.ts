/** A node inside the importing process, through the server's entry. It needs the Node that the server needs. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LabAccount } from "../types.ts";
import type { NodeFlags, RunningNode } from "./exchange.ts";

/** Bytes of an admin token before they are written as text. */
const TOKEN_BYTES = 24;
/** A test wants to read its own output. */
const LOG_LEVEL = "warn";

/** Rejects with the line that the node would print. `logLevel`: unless the environment says one. */
export async function startInProcess(
  { clockStart, ...flags }: NodeFlags,
  logLevel: "warn" | "error" = LOG_LEVEL,
): Promise<RunningNode> {
  // Late: who starts a process of its own does not load a server.
  const { startExchange, VERSION } = await import("@pricetime/server");
  const adminToken = randomBytes(TOKEN_BYTES).toString("base64url");
  const start = clockStart === undefined ? {} : { clockStart: String(clockStart) };
  const environment = { PRICETIME_LOG_LEVEL: logLevel, ...ownSettings(), PRICETIME_ADMIN_TOKEN: adminToken };
  const node = await startExchange({ ...flags, ...start, lab: true, port: 0, adminPort: 0, environment });
  let gone: string | undefined;
  void node.failed.then((error) => (gone = error.message));
  const demo = JSON.parse(readFileSync(join(node.data, "demo.json"), "utf8")) as Demo;
  return {
    rest: node.rest,
    ws: demo.ws,
    admin: demo.admin,
    adminToken,
    version: VERSION,
    accounts: demo.accounts,
    whyGone: () => gone,
    stop: () => node.stop(),
  };
}

interface Demo {
  readonly ws: string;
  readonly admin: string;
  readonly accounts: readonly LabAccount[];
}

/** The node's settings in the environment of the test, without those of this package and of the command line. */
function ownSettings(): Record<string, string | undefined> {
  const { PRICETIME_LOG_LEVEL } = process.env;
  return PRICETIME_LOG_LEVEL === undefined ? {} : { PRICETIME_LOG_LEVEL };
}
