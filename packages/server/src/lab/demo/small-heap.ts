/** Keeps an idle demo small. See docs/decisions/0028-memory-of-a-demo.md. */
import { setFlagsFromString } from "node:v8";

/**
 * Collects garbage before the heap has grown by half, rather than when it has tripled, at once and in all threads. In a
 * demo whose bots trade all day little stays alive, and much does not.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--optimize-for-size");
}
