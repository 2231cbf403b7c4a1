/** Asks for necessary data until they come, at growing intervals, so that a node in trouble is not asked more. */
import { Refused } from "./refused.ts";
import type { World } from "./world.ts";

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

/** A wait before the given attempt, from 0 on: doubled each time, and spread so that many pages do not come at once. */
export function waitBefore(attempt: number, world: World, firstMs = FIRST_MS, longestMs = LONGEST_MS): number {
  const wholeMs = Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 20));
  return wholeMs / 2 + (wholeMs / 2) * world.random();
}

/** Runs it until it does not reject; `failed` is told of each failure. What is returned ends the trying. */
export function untilDone(
  world: World,
  run: (isWanted: () => boolean) => Promise<void>,
  failed: (error: unknown) => void = () => {},
): () => void {
  let isWanted = true;
  let cancelTimer = (): void => {};
  const attempt = (count: number): void => {
    run(() => isWanted).catch((error: unknown) => {
      if (!isWanted) return;
      failed(error);
      const leastMs = error instanceof Refused ? (error.retryAfterMs ?? 0) : 0;
      cancelTimer = world.after(Math.max(leastMs, waitBefore(count, world)), () => attempt(count + 1));
    });
  };
  attempt(0);
  return () => {
    isWanted = false;
    cancelTimer();
  };
}
