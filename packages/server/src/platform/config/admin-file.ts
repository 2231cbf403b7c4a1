/**
 * `<data>/admin.json` contains the addresses and the admin token of a running node, for the command line. Mode 0600.
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
  /** The URL to which clients connect. */
  rest: z.string().exactOptional(),
  /** The certificates of both ports in PEM, which the command line trusts. */
  certificates: z.object({ admin: z.string().exactOptional(), rest: z.string().exactOptional() }).exactOptional(),
});
export type AdminFile = z.output<typeof schema>;

const NAME = "admin.json";

/** Undefined if the file is missing or invalid. */
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

/** Deletes the file if it exists. Throws other disk errors. */
export function removeAdminFile(dataFolder: string): void {
  try {
    // Not `rmSync`: on a read-only disk, it throws an error without a code.
    unlinkSync(join(dataFolder, NAME));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Returns the configured admin token, otherwise the token that a killed node left behind, otherwise a new one. */
export function adminToken(configured: string | null, dataFolder: string, dice: Dice): string {
  return configured ?? readAdminFile(dataFolder)?.adminToken ?? randomKey(dice);
}
