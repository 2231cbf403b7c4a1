/** The master key: what API secrets are sealed with. Losing it loses every API secret, and nothing else. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "./config-error.ts";
import { writePrivateFile } from "./private-file.ts";

const MASTER_KEY_FILE = "master.key";

/**
 * The node's master key: the configured one, else that of `<folder>/master.key`, which is made at
 * the first start (mode 0600). `folder` must exist.
 */
export function masterKey(configured: string | null, folder: string): string {
  if (configured !== null) return configured;
  const path = join(folder, MASTER_KEY_FILE);
  const kept = readIfThere(path)?.trim();
  if (kept === undefined) {
    const made = randomBytes(32).toString("hex");
    writePrivateFile(path, `${made}\n`);
    return made;
  }
  if (!/^[0-9a-fA-F]{64}$/.test(kept)) throw new ConfigError(`${path}: does not hold a master key (64 hex digits)`);
  return kept;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ConfigError(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}
