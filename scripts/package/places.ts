/**
 * Sources refer to other files relative to their own location: `new URL("./reader-worker.ts", import.meta.url)`. In the
 * package a source is in another place: threads become programs in `lib`, and data files are copied beside it.
 */
import { cpSync, existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isShipped, ROOT, sourcesUnder } from "../../test/tidy/source.ts";

export interface Places {
  /** The sources of threads, by the name of their program in `lib`. */
  readonly threads: Readonly<Record<string, string>>;
  /** Data files and folders, as paths relative to the root of the repository, with their places in the package. */
  readonly files: ReadonlyMap<string, string>;
}

const BY_URL = /new URL\(\s*"(?<path>\.[^"]*)"\s*,\s*import\.meta\.url,?\s*\)/g;
const BY_FOLDER = /\b(?:join|resolve)\(\s*import\.meta\.dirname\s*,\s*"(?<path>\.[^"]*)"\s*,?\s*\)/g;
const ANY_OTHER = /import\.meta\.(?:url|dirname|filename|resolve)/;
/** The replacement of `import.meta.url`, because a source may end up in any file of `lib`. */
export const PACKAGE_ROOT = "PRICETIME_PACKAGE_ROOT";
export const FILE_OF = "PRICETIME_FILE_OF";
/** A source that detects on its own whether it is part of a package; `copyAssets` provides its files. */
const FINDS_ITS_OWN = "packages/server/src/api/web/assets.ts";
const SERVER_SOURCES = "packages/server/src/";

/** Scans all shipped sources. */
export function placesOf(): Places {
  const threads: Record<string, string> = {};
  const files = new Map<string, string>();
  for (const { path, text } of sourcesUnder("packages")) {
    if (!isShipped(path)) continue;
    for (const pattern of [BY_URL, BY_FOLDER]) {
      for (const match of text.matchAll(pattern)) {
        const to = target(join(ROOT, path), match.groups?.["path"] ?? "");
        if (!to.endsWith(".ts")) files.set(to, to.startsWith(SERVER_SOURCES) ? to.slice(SERVER_SOURCES.length) : to);
        else if (threads[programOf(to)] === undefined) threads[programOf(to)] = to;
        else if (threads[programOf(to)] !== to) throw new Error(`two threads are called ${programOf(to)}`);
      }
    }
  }
  return { threads, files };
}

/**
 * The text of a source whose references lead to the places in the package. Throws if it refers to a file in another
 * way.
 */
export function relinked(path: string, { files }: Places): string {
  const moved = (to: string): string => {
    if (to.endsWith(".ts")) return `lib/${programOf(to)}.js`;
    const place = files.get(to);
    if (place === undefined) throw new Error(`${path}: leads to ${to}, which has no place in the package`);
    return place;
  };
  if (relative(ROOT, path).replaceAll("\\", "/") === FINDS_ITS_OWN) return readFileSync(path, "utf8");
  // A reference to a folder keeps its trailing slash.
  const slash = (to: string): string => (to.endsWith("/") ? "/" : "");
  const text = readFileSync(path, "utf8")
    .replaceAll(BY_URL, (_, to: string) => `new URL("${moved(target(path, to))}${slash(to)}", ${PACKAGE_ROOT})`)
    .replaceAll(BY_FOLDER, (_, to: string) => `${FILE_OF}("${moved(target(path, to))}")`);
  if (ANY_OTHER.test(text)) throw new Error(`${path}: how import.meta is used here is not known to scripts/package`);
  return text;
}

/** Copies the data files, without sources among them. */
export function copyFiles({ files }: Places, folder: string): void {
  for (const [from, to] of files) {
    const isRead = (file: string): boolean => statSync(file).isDirectory() || !file.endsWith(".ts");
    cpSync(join(ROOT, from), join(folder, to), { recursive: true, filter: isRead });
  }
}

function target(path: string, to: string): string {
  const found = resolve(dirname(path), to);
  if (!existsSync(found)) throw new Error(`${path}: leads to ${to}, which is not there`);
  return relative(ROOT, found).replaceAll("\\", "/");
}

/** The program name of a source: `sqlite-worker` for `.../journal/sqlite-worker.ts`. */
function programOf(path: string): string {
  return basename(path, ".ts");
}
