/** Memory usage of the process. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Heap usage in bytes after a garbage collection. */
export function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** Bytes of live array buffers. */
export function arrayBuffers(): number {
  collect();
  return process.memoryUsage().arrayBuffers;
}

/** Collects garbage. The memory of buffers is freed concurrently, and the next collection waits for that. */
export function collect(): void {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  gc();
  gc();
}
