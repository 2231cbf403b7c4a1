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

/** Drops what nobody holds any more. */
export function collect(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}
