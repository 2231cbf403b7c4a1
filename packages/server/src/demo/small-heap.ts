/** How an idle demo stays small. See docs/decisions/0028-a-demo-stays-small.md. */
import { setFlagsFromString } from "node:v8";

/**
 * Garbage is collected before the heap has grown by half, not when it has tripled. For all threads of the process, at
 * once. A demo whose bots trade all day has little that lives and much that does not.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--optimize-for-size");
}
