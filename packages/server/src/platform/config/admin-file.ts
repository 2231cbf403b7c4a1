/**
 * `<data>/admin.json` tells the command line where a node listens, and its admin token. Mode 0600. It exists while the
 * node runs.
 */
import { readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Dice } from "../world/port.ts";
import { writePrivateFile } from "./private-file.ts";
import { randomKey } from "../secrets/api-keys.ts";

const schema = z.object({
  admin: z.string(),
  adminToken: z.string().min(16),
  /** The address where clients connect. */
  rest: z.string().exactOptional(),
  /** The certificates that the two ports show, in PEM: whoever may read this file may trust them. */
  certificates: z.object({ admin: z.string().exactOptional(), rest: z.string().exactOptional() }).exactOptional(),
});
export type AdminFile = z.output<typeof schema>;

const NAME = "admin.json";

/** Returns what the data folder says about its node; undefined when it says nothing usable. */
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

/** Removes the file of a node that has stopped, where it is there. Throws errors of the disk. */
export function removeAdminFile(dataFolder: string): void {
  try {
    // On a read-only disk `rmSync` throws an error without a code.
    unlinkSync(join(dataFolder, NAME));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Returns the admin token: the configured one, else that of a node that was killed, else a new one. */
export function adminToken(configured: string | null, dataFolder: string, dice: Dice): string {
  return configured ?? readAdminFile(dataFolder)?.adminToken ?? randomKey(dice);
}
