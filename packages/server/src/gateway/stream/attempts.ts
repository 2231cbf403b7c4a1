/** How often an address may connect: 300 times in 5 minutes. FACTS 3.1. */
import { apiError } from "@pricetime/protocol";
import { WindowCounter } from "../limits/counter.ts";
import type { StreamLimits } from "./limits.ts";

export const TOO_MANY_ATTEMPTS = apiError(
  -1003,
  "Too many connection attempts; please use one connection for many streams.",
);

export class Attempts {
  readonly #limits: StreamLimits;
  /** Oldest first. */
  readonly #counters = new Map<string, WindowCounter>();

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** Counts one; false when it is one too many. */
  take(ip: string, nowMs: number): boolean {
    const { maxTrackedIps, attemptsWindowMs, maxAttempts } = this.#limits;
    let counter = this.#counters.get(ip);
    if (counter === undefined) {
      if (this.#counters.size >= maxTrackedIps) this.#forgetOldest();
      counter = new WindowCounter(attemptsWindowMs);
      this.#counters.set(ip, counter);
    }
    return counter.add(1, nowMs) <= maxAttempts;
  }

  /** Whole seconds until the address may try again. */
  retryAfterSeconds(nowMs: number): number {
    const { attemptsWindowMs } = this.#limits;
    return Math.max(1, Math.ceil((attemptsWindowMs - (nowMs % attemptsWindowMs)) / 1000));
  }

  #forgetOldest(): void {
    for (const ip of this.#counters.keys()) {
      this.#counters.delete(ip);
      return;
    }
  }
}
