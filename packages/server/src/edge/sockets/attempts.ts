/** Limits the connection attempts of an address: 300 in 5 minutes. An IPv6 /64 is one. Interface 10.1. */
import { apiError } from "@pricetime/protocol";
import { WindowCounter } from "../limits/counter.ts";
import { networkOf } from "../limits/network.ts";
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

  /** Counts one attempt; false when it is one too many. */
  take(ip: string, nowMs: number): boolean {
    const { maxTrackedIps, attemptsWindowMs, maxAttempts } = this.#limits;
    const network = networkOf(ip);
    let counter = this.#counters.get(network);
    if (counter === undefined) {
      if (this.#counters.size >= maxTrackedIps) this.#forgetOldest();
      counter = new WindowCounter(attemptsWindowMs);
      this.#counters.set(network, counter);
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
