/** Wakes the load process every fraction of a millisecond, which its own timers cannot do. */
import assert from "node:assert/strict";
import { parentPort, workerData } from "node:worker_threads";

const port = parentPort;
assert(port !== null, "this is the entry point of a worker thread");
const { flags, everyMs } = workerData as { flags: Int32Array<SharedArrayBuffer>; everyMs: number };

/** Indexes in `flags`. */
const ENDED = 0;
const IS_AWAKE = 1;

while (Atomics.load(flags, ENDED) === 0) {
  Atomics.wait(flags, ENDED, 0, everyMs);
  // At most one pending message, so that they do not pile up in a busy process.
  if (Atomics.exchange(flags, IS_AWAKE, 1) === 0) port.postMessage(null);
}
