/** `<data>/demo.json`: everything that a script needs to trade on a demo. Mode 0600. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "../../platform/config/private-file.ts";
import type { DemoAccount } from "./accounts.ts";

export interface DemoFile {
  /** For example `http://127.0.0.1:8080`. */
  readonly rest: string;
  /** For example `ws://127.0.0.1:8080`. */
  readonly ws: string;
  readonly admin: string;
  readonly adminToken: string;
  readonly accounts: readonly DemoAccount[];
  /** The first account's sub-accounts. */
  readonly subAccounts: readonly DemoAccount[];
}

const NAME = "demo.json";

/** Returns what it has written. `before`: what it returned last; the same is not written again. */
export function writeDemoFile(dataFolder: string, file: DemoFile, before?: string): string {
  const path = join(dataFolder, NAME);
  const text = `${JSON.stringify(file, null, 2)}\n`;
  if (text !== before || !existsSync(path)) writePrivateFile(path, text);
  return text;
}

/** Removes the file on a node that is not a demo. */
export function removeDemoFile(dataFolder: string): void {
  rmSync(join(dataFolder, NAME), { force: true });
}
