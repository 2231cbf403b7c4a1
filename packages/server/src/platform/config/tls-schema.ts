/** TLS of the node's own ports: where certificate and key are. `certificates/` reads them, and again when they change. */
import { resolve } from "node:path";
import { z } from "zod";
import { text } from "./listing-schema.ts";

/** Two years. */
const MOST_HSTS_SECONDS = 63_072_000;

const files = {
  /** In PEM: the certificate, and after it those that vouch for it. */
  certFile: text,
  /** In PEM, not encrypted. */
  keyFile: text,
};

export const adminTlsSchema = z.strictObject(files);

export const tlsSchema = z.strictObject({
  ...files,
  /** How long a browser that has been here asks this name by TLS alone; 0: it is not told so. */
  hstsSeconds: z.int().min(0).max(MOST_HSTS_SECONDS).default(2_592_000),
});

/** Absolute paths, and the setting that named them. */
export interface TlsFiles {
  readonly setting: "tls" | "admin.tls";
  readonly certFile: string;
  readonly keyFile: string;
}

export interface TlsConfig extends TlsFiles {
  readonly hstsSeconds: number;
}

/** Null: the port speaks plain HTTP. */
export function tlsFiles<Settings extends z.output<typeof adminTlsSchema>>(
  settings: Settings | undefined,
  setting: TlsFiles["setting"],
  folder: string,
): (Settings & TlsFiles) | null {
  if (settings === undefined) return null;
  const { certFile, keyFile } = settings;
  return { ...settings, setting, certFile: resolve(folder, certFile), keyFile: resolve(folder, keyFile) };
}
