/**
 * Loaded into a test file's process by `run-tests.ts`, and not into what it starts.
 * Keeps compiled code in `TEST_COMPILE_CACHE`, also where the programs that a file starts are to do without.
 * Ends a file that does not end: Node's runner waits for it for ever, and whoever waits for the runner with it.
 * `TEST_FILE_MINUTES` says how long it may take. Of files that share a process each may take as long:
 * `together/one-process.ts` says which of them runs. What it started and did not stop is told, and its hooks of `exit` run.
 * Threads of a node in the test's own process run what was built of them in `TEST_PROGRAM_FOLDER`: they start in half
 * the time, and such a node has six.
 */
import { existsSync } from "node:fs";
import { enableCompileCache, syncBuiltinESMExports } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import threads, { isMainThread, Worker, type WorkerOptions } from "node:worker_threads";

// What the file starts in its turn is not to have it, and what says how the file is run again need not name it.
process.execArgv = process.execArgv.filter((flag) => flag !== `--import=${import.meta.url}`);

const cache = process.env["TEST_COMPILE_CACHE"];
if (isMainThread && cache !== undefined) enableCompileCache(cache);

const built = process.env["TEST_PROGRAM_FOLDER"];
if (isMainThread && built !== undefined) {
  const builtOf = (source: string | URL): string | URL => {
    if (!(source instanceof URL) || !source.pathname.includes("/packages/server/src/")) return source;
    const program = join(built, "lib", `${basename(fileURLToPath(source), ".ts")}.js`);
    return existsSync(program) ? pathToFileURL(program) : source;
  };
  threads.Worker = class extends Worker {
    constructor(source: string | URL, options?: WorkerOptions) {
      super(builtOf(source), options);
    }
  };
  syncBuiltinESMExports();
}

const minutes = Number(process.env["TEST_FILE_MINUTES"]);
/** Looks in one file's time: it is ended that much late at most. */
const LOOKS = 20;

if (isMainThread && minutes > 0) {
  let file = process.argv[1];
  let beganMs = performance.now();
  setInterval(
    () => {
      const nowMs = performance.now();
      if (process.argv[1] !== file) [file, beganMs] = [process.argv[1], nowMs];
      if (nowMs - beganMs < minutes * 60_000) return;
      const open = [...new Set(process.getActiveResourcesInfo())].join(", ");
      console.error(`${file} has not ended within ${minutes} min and is ended; it waits for ${open}`);
      process.exit(1);
    },
    (minutes * 60_000) / LOOKS,
  ).unref();
}
