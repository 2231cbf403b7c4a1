/** The master key, which encrypts API secrets and two-factor secrets, and secrets that are read from files. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ConfigError } from "./faults.ts";
import { hkdfSync } from "node:crypto";
import type { Dice } from "../world/port.ts";
import { writePrivateFile } from "./private-file.ts";

/** The required form of tokens chosen by operators. */
export const TOKEN = /^[\x21-\x7e]{16,256}$/;
export const TOKEN_RULE = "must be 16 to 256 visible characters without spaces";

/** Returns a secret from the settings or from a file; null if neither is given. Throws a one-line `ConfigError`. */
export function secret(
  value: string | undefined,
  file: string | undefined,
  folder: string,
  key: string,
): string | null {
  if (value !== undefined && file !== undefined)
    throw new ConfigError(`${key}: set either the value or the file, not both`);
  return file === undefined ? (value ?? null) : textOfFile(file, folder, key).trim();
}

/** Reads the text of a file. Throws a one-line `ConfigError` that names the setting. */
export function textOfFile(file: string, folder: string, key: string): string {
  try {
    return readFileSync(resolve(folder, file), "utf8");
  } catch (error) {
    throw new ConfigError(`${key}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    });
  }
}

export const MASTER_KEY = /^[0-9a-fA-F]{64}$/;
const CHECK_LABEL = "pricetime: check value of the master key";
const TOKEN_LABEL = "pricetime: token of the nodes of a cluster";
const CHECK_BYTES = 32;
/**
 * The default master key of cluster nodes in a demo. It protects nothing, because the API keys of a demo are public.
 */
export const DEMO_CLUSTER_KEY = "00".repeat(32);

export function masterKeyPath(folder: string): string {
  return join(folder, "master.key");
}

/**
 * Returns the configured master key, otherwise the one in `<folder>/master.key`, or undefined if there is neither.
 * Throws `ConfigError` if the file does not contain a key.
 */
export function keptMasterKey(configured: string | null, folder: string): string | undefined {
  if (configured !== null) return configured;
  const path = masterKeyPath(folder);
  const kept = readIfThere(path)?.trim();
  if (kept === undefined || MASTER_KEY.test(kept)) return kept;
  throw new ConfigError(`${path} does not contain a master key (64 hex digits). Restore the file from your copy`);
}

/** Creates `<folder>/master.key` (mode 0600) atomically. `folder` must exist. */
export function makeMasterKey(folder: string, dice: Dice): string {
  const made = dice.randomBytes(32).toString("hex");
  writePrivateFile(masterKeyPath(folder), `${made}\n`);
  return made;
}

/** Returns 64 hex digits that identify a master key without revealing it. HKDF with SHA-256 (RFC 5869). */
export function masterKeyCheck(masterKey: string): string {
  const check = hkdfSync("sha256", Buffer.from(masterKey, "hex"), "", CHECK_LABEL, CHECK_BYTES);
  return Buffer.from(check).toString("hex");
}

/** Returns the default token of cluster nodes: 64 hex digits derived from the master key, which they do not reveal. */
export function clusterTokenOf(masterKey: string): string {
  const token = hkdfSync("sha256", Buffer.from(masterKey, "hex"), "", TOKEN_LABEL, CHECK_BYTES);
  return Buffer.from(token).toString("hex");
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ConfigError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}
