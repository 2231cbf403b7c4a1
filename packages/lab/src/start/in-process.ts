/**
 * A node in the process that imports this file, started through the server's entry point. It needs the Node version
 * that the server needs.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LabAccount } from "../types.ts";
import type { NodeFlags, RunningNode } from "./exchange.ts";

/** The number of random bytes in an admin token. */
const TOKEN_BYTES = 24;
/** The default log level. More messages would hide the test's own output. */
const LOG_LEVEL = "warn";

/** Starts a node. Rejects with the error line that the node would print. The environment overrides `logLevel`. */
export async function startInProcess(
  { clockStart, ...flags }: NodeFlags,
  logLevel: "warn" | "error" = LOG_LEVEL,
): Promise<RunningNode> {
  // Imported here so that a lab in a separate process does not load the server.
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

/**
 * Returns the test's environment variables that are settings of the node, without those of this package and of the
 * command line.
 */
function ownSettings(): Record<string, string | undefined> {
  const { PRICETIME_LOG_LEVEL } = process.env;
  return PRICETIME_LOG_LEVEL === undefined ? {} : { PRICETIME_LOG_LEVEL };
}
