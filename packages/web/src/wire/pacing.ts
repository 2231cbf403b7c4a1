/** Rate limiting: retries with backoff, spacing of expensive requests, and throttled updates. */
import { Refused } from "./rest.ts";
import type { World } from "./world.ts";

// Retries requests with backoff, so that a degraded node does not receive more requests.

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/**
 * The wait before a retry, where the first `attempt` is 0. It doubles each time, with jitter so that pages do not retry
 * simultaneously.
 */
export function waitBefore(
  attempt: number,
  world: World,
  firstMs = FIRST_WAIT_MS,
  longestMs = LONGEST_WAIT_MS,
): number {
  const wholeMs = Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 20));
  return wholeMs / 2 + (wholeMs / 2) * world.random();
}

/** Calls `run` until it succeeds, and `failed` after each failure. The returned function stops this. */
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

// Spaces out expensive requests. The more requests were made in the last minute, the longer the next one waits.

const REMEMBERED_MS = 60_000;
const FIRST_GAP_MS = 500;

export class Spacing {
  readonly #world: World;
  #doneMs: number[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  done(): void {
    this.#doneMs.push(this.#world.elapsedMs());
  }

  /**
   * The wait before the next request. The gaps are 1, 2, 4, 8, 16 and 32 s, so at most six or seven requests are sent a
   * minute.
   */
  waitMs(): number {
    const nowMs = this.#world.elapsedMs();
    this.#doneMs = this.#doneMs.filter((atMs) => nowMs - atMs < REMEMBERED_MS);
    const lastMs = this.#doneMs.at(-1);
    return lastMs === undefined ? 0 : Math.max(0, lastMs + FIRST_GAP_MS * 2 ** this.#doneMs.length - nowMs);
  }
}

// Runs an update at once if the minimum time since the last one has passed, otherwise when it has.

export class Throttle {
  readonly #world: World;
  readonly #leastMs: number;
  readonly #run: () => void;
  #lastMs = -Infinity;
  #cancel: (() => void) | null = null;

  constructor(world: World, leastMs: number, run: () => void) {
    this.#world = world;
    this.#leastMs = leastMs;
    this.#run = run;
  }

  ask(): void {
    if (this.#cancel !== null) return;
    const waitMs = this.#lastMs + this.#leastMs - this.#world.elapsedMs();
    if (waitMs <= 0) this.now();
    else this.#cancel = this.#world.after(waitMs, () => this.now());
  }

  now(): void {
    this.stop();
    this.#lastMs = this.#world.elapsedMs();
    this.#run();
  }

  /** Cancels a pending update. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
