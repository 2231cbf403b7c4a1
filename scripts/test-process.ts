/**
 * Loaded into a test file's process by `run-tests.ts`, but not into programs that the file starts. Stores compiled code
 * in `TEST_COMPILE_CACHE`, also if the started programs must run without a cache. Ends a file that exceeds
 * `TEST_FILE_MINUTES`, because Node's test runner would wait forever. Files that share a process may each take that
 * long: `together/one-process.ts` reports which one is running. Before the end it reports what the file has started and
 * not stopped, and runs the hooks of `exit`.
 * Threads of a node in the test's own process run the built programs in `TEST_PROGRAM_FOLDER`: such a node has six
 * threads, which then start in half the time.
 */
import { existsSync } from "node:fs";
import { enableCompileCache, syncBuiltinESMExports } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import threads, { isMainThread, Worker, type WorkerOptions } from "node:worker_threads";

// Programs that the file starts must not inherit this flag, and the printed command for repeating a file need not
// contain it.
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

// A process that returns from its main module closes what is left first, and Node.js has been seen to wait for that in a
// loop forever, after all tests had passed. `process.exit()` does not wait. The first time, the test runner's own
// listener ends the tests that are pending.
let isSecond = false;
if (isMainThread) {
  process.on("beforeExit", () => {
    if (isSecond) process.exit();
    isSecond = true;
    setImmediate(() => {});
  });
}

const minutes = Number(process.env["TEST_FILE_MINUTES"]);
/** The number of checks per file's time: a file is ended late by at most one interval. */
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
