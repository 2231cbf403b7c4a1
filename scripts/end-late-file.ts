/**
 * Ends a test file that does not end: Node's runner waits for it for ever, and whoever waits for the runner with it.
 * Loaded into the file's process by `run-tests.ts`; `TEST_FILE_MINUTES` says how long it may take. What it started and
 * did not stop is told, and its hooks of `exit` run.
 */
import { isMainThread } from "node:worker_threads";

// What the file starts in its turn is not to have it, and what says how the file is run again need not name it.
process.execArgv = process.execArgv.filter((flag) => flag !== `--import=${import.meta.url}`);

const minutes = Number(process.env["TEST_FILE_MINUTES"]);

if (isMainThread && minutes > 0) {
  setTimeout(() => {
    const open = [...new Set(process.getActiveResourcesInfo())].join(", ");
    console.error(`${process.argv[1]} has not ended within ${minutes} min and is ended; it waits for ${open}`);
    process.exit(1);
  }, minutes * 60_000).unref();
}
