/**
 * The key file: one seed (BIP 32, 64 hex digits), readable by its owner only. The keys derived from it spend
 * everything that the venue holds on EVM chains.
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { ConfigError } from "../../../../platform/config/config-error.ts";
import { writePrivateFile } from "../../../../platform/config/private-file.ts";

const SEED_BYTES = 32;

/** Makes a new key file; throws `ConfigError` when the file exists. */
export function createKeyFile(path: string): void {
  checkPlatform();
  if (existsSync(path))
    throw new ConfigError(`${path} exists already, and a key file is never overwritten. Choose another file`);
  writePrivateFile(path, `${randomBytes(SEED_BYTES).toString("hex")}\n`);
}

/** Returns the seed. Throws `ConfigError` when others can read the file, or when it holds no seed. */
export function readKeyFile(path: string): Uint8Array {
  checkPlatform();
  let text: string;
  try {
    if ((statSync(path).mode & 0o077) !== 0)
      throw new ConfigError(`Other users can read ${path}. Run: chmod 600 ${path}`);
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
  if (!/^[0-9a-fA-F]{64}$/.test(text)) throw new ConfigError(`${path} does not contain a seed (64 hex digits)`);
  return Buffer.from(text, "hex");
}

/** Rejects platforms without file modes, which protect the keys and the socket from other users. */
function checkPlatform(): void {
  if (process.platform === "win32")
    throw new ConfigError("The signer runs on Linux and macOS only. On Windows, run it in WSL");
}
