/**
 * Decides which test files may run in one process, one after another. A process of its own costs a file the start of
 * Node and of its imports, often more than its tests. A file needs one if it changes state that all files of a process
 * share, or measures time or memory: garbage of other files makes pauses longer. A file that starts programs or waits
 * for the clock shares with few, because the others wait for it. The decision uses the text of the file and of its test
 * imports; package sources are assumed to share a process safely.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The number of files that a file may share its process with. */
export type Sharing = "many" | "few" | "none";

/** Texts in a file that changes or measures state that all files of a process share. */
const CHANGES_OR_JUDGES =
  /\bmock\b|globalThis|setFlagsFromString|performance\.now|hrtime|process\.(?:argv|chdir|cpuUsage|exit|exitCode|memoryUsage|off|on|once|umask)\b|process\.env(?:\.\w+|\["\w+"\]) = |delete process\.env/;
/** Texts in a file that starts programs or waits. */
const STARTS_OR_WAITS = /child_process|worker_threads|node:timers|setTimeout|setInterval|@pricetime\/lab\b/;
const IMPORTED = /^(?:import|export|\}) .*?from "([^"]+)";|^import "([^"]+)";/gm;
const TESTKIT = "@pricetime/testkit/";

/** `root` is the folder of the repository; paths are relative to it. */
export function sharingOf(root: string, file: string): Sharing {
  const isOfKit = (path: string): boolean => path.startsWith(join("packages/testkit"));
  const sources = sourcesOf(root, file);
  // The test kit's own waits and listeners end with the programs that it starts.
  if (sources.some(({ path, text }) => !isOfKit(path) && CHANGES_OR_JUDGES.test(text))) return "none";
  return sources.some(({ text }) => STARTS_OR_WAITS.test(text) || CHANGES_OR_JUDGES.test(text)) ? "few" : "many";
}

interface Source {
  readonly path: string;
  readonly text: string;
}

/** A test file and its direct and indirect test imports. */
function sourcesOf(root: string, file: string): readonly Source[] {
  const { exports } = JSON.parse(readFileSync(join(root, "packages/testkit/package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  const sourceOf = (path: string, specifier: string): string | undefined => {
    if (specifier.startsWith(".")) return join(dirname(path), specifier);
    if (!specifier.startsWith(TESTKIT)) return undefined;
    return join("packages/testkit", exports[`./${specifier.slice(TESTKIT.length)}`] ?? "");
  };
  const found = new Map<string, string>([[file, readFileSync(resolve(root, file), "utf8")]]);
  // Iteration over a map includes entries that are added meanwhile.
  for (const [path, text] of found) {
    for (const [, from, bare] of text.matchAll(IMPORTED)) {
      const to = sourceOf(path, from ?? bare ?? "");
      if (to === undefined || isShipped(to) || found.has(to) || !existsSync(resolve(root, to))) continue;
      found.set(to, readFileSync(resolve(root, to), "utf8"));
    }
  }
  return [...found].map(([path, text]) => ({ path, text }));
}

const isShipped = (path: string): boolean => /^packages[\\/](?!testkit)\w+[\\/]src[\\/]/.test(path);
