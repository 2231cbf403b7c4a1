/**
 * Which test files may run in one process, one after the other. A process of its own costs a file the start of Node and
 * all that it imports, often more than its tests. It needs one when it changes what all of a process share, or judges
 * time and memory: beside what others left on the heap a pause is longer. One that starts programs or waits for the clock
 * shares with few: others wait for it. What a file says is read, and what it imports of the tests: a source of a package
 * is built to stand beside others in a process.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** With how many others a file may share its process. */
export type Sharing = "many" | "few" | "none";

/** Words of a file that changes or judges what all of a process share. */
const CHANGES_OR_JUDGES =
  /\bmock\b|globalThis|setFlagsFromString|performance\.now|hrtime|process\.(?:argv|chdir|cpuUsage|exit|exitCode|memoryUsage|off|on|once|umask)\b|process\.env(?:\.\w+|\["\w+"\]) = |delete process\.env/;
/** Words of a file that starts programs or waits. */
const STARTS_OR_WAITS = /child_process|worker_threads|node:timers|setTimeout|setInterval|@pricetime\/lab\b/;
const IMPORTED = /^(?:import|export|\}) .*?from "([^"]+)";|^import "([^"]+)";/gm;
const TESTKIT = "@pricetime/testkit/";

/** `root`: of the repository, from which paths are. */
export function sharingOf(root: string, file: string): Sharing {
  const isOfKit = (path: string): boolean => path.startsWith(join("packages/testkit"));
  const sources = sourcesOf(root, file);
  // The kit's own waits and listeners end with what it starts.
  if (sources.some(({ path, text }) => !isOfKit(path) && CHANGES_OR_JUDGES.test(text))) return "none";
  return sources.some(({ text }) => STARTS_OR_WAITS.test(text) || CHANGES_OR_JUDGES.test(text)) ? "few" : "many";
}

interface Source {
  readonly path: string;
  readonly text: string;
}

/** A test file and what it imports of the tests, directly or not. */
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
  // A map takes up what is added while it is read.
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
