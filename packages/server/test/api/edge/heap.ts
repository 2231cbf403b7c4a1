/** How much the process holds. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes, without what nobody holds any more. */
export function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** Bytes of buffers that somebody holds. */
export function arrayBuffers(): number {
  collect();
  return process.memoryUsage().arrayBuffers;
}

/** Drops what nobody holds any more. The bytes of buffers are freed beside a collection, and the next one waits for that. */
export function collect(): void {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  gc();
  gc();
}
