/** `<data>/demo.json`: all that a script needs to trade on a demo. Mode 0600. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { writePrivateFile } from "../config/private-file.ts";
import type { DemoAccount } from "./accounts.ts";

export interface DemoFile {
  /** As `http://127.0.0.1:8080`. */
  readonly rest: string;
  /** As `ws://127.0.0.1:8080`. */
  readonly ws: string;
  readonly admin: string;
  readonly adminToken: string;
  readonly accounts: readonly DemoAccount[];
  /** Of the first account. */
  readonly subAccounts: readonly DemoAccount[];
}

const NAME = "demo.json";

export function writeDemoFile(dataFolder: string, file: DemoFile): void {
  writePrivateFile(join(dataFolder, NAME), `${JSON.stringify(file, null, 2)}\n`);
}

/** A node that is not a demo leaves no such file behind. */
export function removeDemoFile(dataFolder: string): void {
  rmSync(join(dataFolder, NAME), { force: true });
}
