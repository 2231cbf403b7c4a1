/**
 * `<data>/admin.json`: where a node listens and its admin token, for the command line. Mode 0600. It is there while the
 * node runs.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Dice } from "../world/port.ts";
import { writePrivateFile } from "./private-file.ts";
import { randomKey } from "./random-key.ts";

const schema = z.object({
  admin: z.string(),
  adminToken: z.string().min(16),
  /** Where clients connect. */
  rest: z.string().exactOptional(),
});
export type AdminFile = z.output<typeof schema>;

const NAME = "admin.json";

/** What the data folder says of its node, undefined when it says nothing that can be used. */
export function readAdminFile(dataFolder: string): AdminFile | undefined {
  let text: string;
  try {
    text = readFileSync(join(dataFolder, NAME), "utf8");
  } catch {
    return undefined;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function writeAdminFile(dataFolder: string, file: AdminFile): void {
  writePrivateFile(join(dataFolder, NAME), `${JSON.stringify(file, null, 2)}\n`);
}

/** The node has stopped. */
export function removeAdminFile(dataFolder: string): void {
  rmSync(join(dataFolder, NAME), { force: true });
}

/** The admin token: the configured one, else that of a node that was killed, else a new one. */
export function adminToken(configured: string | null, dataFolder: string, dice: Dice): string {
  return configured ?? readAdminFile(dataFolder)?.adminToken ?? randomKey(dice);
}
