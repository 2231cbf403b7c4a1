/**
 * A page that was built from `packages/web`: the terminal, the customers' pages, or the operators' console. A node runs
 * without it too: its sources may be absent, or not built yet.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { webFile } from "./file.ts";
import { contentTypeOf } from "./content-types.ts";
import type { WebFile } from "./port.ts";

/** Where the files that each page loads are served. The build names them by what is in them: `packages/web`. */
export const TERMINAL_FILES = "/terminal/";
export const CONSOLE_FILES = "/console/";
export const ACCOUNT_FILES = "/account/files/";

export interface BuiltPage {
  readonly page: WebFile;
  /** Files by address. */
  readonly files: ReadonlyMap<string, WebFile>;
}

/**
 * Scripts and styles are files of the node, and no text becomes markup or code: Trusted Types have no policy that could
 * make any. `'self'` holds the page's own streams too: a scheme alone (`wss:`) would open sockets to every host.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; " +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

const HEADERS: readonly string[] = [
  ...["Content-Security-Policy", POLICY],
  ...["Cross-Origin-Opener-Policy", "same-origin"],
  ...["Referrer-Policy", "no-referrer"],
  // Programs get something else at the same address.
  ...["Vary", "Accept"],
];

/**
 * Reads what the build left in `folder`; null where it left nothing. `filesAt` is the address of the files that the page
 * loads, such as `/terminal/`; the last part of it is their folder in `folder`. Throws errors of the disk.
 */
export function readBuiltPage(
  folder: string,
  filesAt: string,
  keeping: WebFile["keeping"] = "until changed",
): BuiltPage | null {
  const page = join(folder, "index.html");
  if (!existsSync(page)) return null;
  const files = new Map<string, WebFile>();
  const loaded = join(folder, basename(filesAt));
  for (const name of existsSync(loaded) ? readdirSync(loaded) : []) {
    const bytes = readFileSync(join(loaded, name));
    files.set(filesAt + name, webFile(bytes, { contentType: contentTypeOf(name), keeping: "for good" }));
  }
  return { page: webFile(readFileSync(page), { contentType: contentTypeOf(page), headers: HEADERS, keeping }), files };
}
