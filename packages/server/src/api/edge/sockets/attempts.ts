/** Limits the connection attempts of an address: 300 in 5 minutes. An IPv6 /64 is one. Interface 10.1. */
import { apiError } from "@pricetime/protocol";
import { z } from "zod";
import type { KeptValue, Keeping } from "../../../platform/world/kept.ts";
import { keptCount, KeptUnreadable, readKept } from "../../../platform/world/read-kept.ts";
import { KEPT_COUNTER, WindowCounter } from "../limits/counter.ts";
import { networkOf } from "../limits/network.ts";
import type { StreamLimits } from "./limits.ts";

type AttemptLimits = Pick<StreamLimits, "maxTrackedIps" | "attemptsWindowMs" | "maxAttempts">;

export const TOO_MANY_ATTEMPTS = apiError(
  -1003,
  "Too many connection attempts; please use one connection for many streams.",
);

const KEPT = z.strictObject({ windowMs: keptCount, counters: z.array(z.tuple([z.string(), KEPT_COUNTER])) });

export class Attempts implements Keeping {
  readonly #limits: AttemptLimits;
  /** Oldest first. */
  readonly #counters = new Map<string, WindowCounter>();

  /** Throws `KeptUnreadable`. */
  constructor(limits: AttemptLimits, kept?: KeptValue) {
    this.#limits = limits;
    if (kept === undefined) return;
    const { windowMs, counters } = readKept("attempts to connect", KEPT, kept);
    const { attemptsWindowMs } = limits;
    if (windowMs !== attemptsWindowMs) {
      throw new KeptUnreadable(
        `the checkpoint counts attempts in ${windowMs} ms, and this node in ${attemptsWindowMs} ms`,
      );
    }
    for (const [network, counter] of counters) this.#counters.set(network, new WindowCounter(windowMs, counter));
  }

  kept(): KeptValue {
    const counters = [...this.#counters].map(([network, counter]) => [network, counter.kept()] as const);
    return { windowMs: this.#limits.attemptsWindowMs, counters };
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
