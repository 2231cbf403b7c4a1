/** Secrets and other texts that stand in files of their own. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { ConfigError } from "./config-error.ts";

/** What tokens that an operator chooses must look like. */
export const TOKEN = /^[\x21-\x7e]{16,256}$/;
export const TOKEN_RULE = "must be 16 to 256 visible characters without spaces";

/** A secret from the settings or from a file of its own; null when neither is given. Throws a one-line `ConfigError`. */
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

/** Throws a one-line `ConfigError` that names the setting. */
export function textOfFile(file: string, folder: string, key: string): string {
  try {
    return readFileSync(resolve(folder, file), "utf8");
  } catch (error) {
    throw new ConfigError(`${key}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    });
  }
}
