/**
 * Which test files may run in one process, one after the other. A process of its own costs a file the start of Node and
 * all that it imports, often more than its tests. It needs one when it starts programs, changes what all of a process
 * share, waits for the clock, or judges time and memory: beside what others left on the heap a pause is longer. What a file says is read, and what it imports of the tests: a source of a package is
 * built to stand beside others in a process.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Words of a file that is to be alone. */
const NEEDS_A_PROCESS =
  /child_process|worker_threads|\bmock\b|globalThis|setFlagsFromString|performance\.now|hrtime|node:timers|setTimeout|setInterval|@pricetime\/lab\b|process\.(?:argv|chdir|cpuUsage|exit|exitCode|memoryUsage|off|on|once|umask)\b|process\.env(?:\.\w+|\["\w+"\]) = |delete process\.env/;
const IMPORTED = /^(?:import|export|\}) .*?from "([^"]+)";|^import "([^"]+)";/gm;
const TESTKIT = "@pricetime/testkit/";

/** `root`: of the repository, from which paths are. */
export function mayShareProcess(root: string, file: string): boolean {
  const { exports } = JSON.parse(readFileSync(join(root, "packages/testkit/package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  const seen = new Set<string>();
  const isFit = (path: string): boolean => {
    if (seen.has(path)) return true;
    seen.add(path);
    const text = readFileSync(resolve(root, path), "utf8");
    if (NEEDS_A_PROCESS.test(text)) return false;
    return [...text.matchAll(IMPORTED)].every(([, from, bare]) => {
      const to = sourceOf(path, from ?? bare ?? "");
      return to === undefined || isShipped(to) || !existsSync(resolve(root, to)) || isFit(to);
    });
  };
  const sourceOf = (path: string, specifier: string): string | undefined => {
    if (specifier.startsWith(".")) return join(dirname(path), specifier);
    if (!specifier.startsWith(TESTKIT)) return undefined;
    return join("packages/testkit", exports[`./${specifier.slice(TESTKIT.length)}`] ?? "");
  };
  return isFit(file);
}

const isShipped = (path: string): boolean => /^packages[\\/](?!testkit)\w+[\\/]src[\\/]/.test(path);
