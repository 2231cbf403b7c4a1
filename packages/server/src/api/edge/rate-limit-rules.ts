/**
 * Rate limit rules as announced to clients, and counters of their time windows. Interface 2.7 (limiter object) and 8.
 */
import { VENUE_INTERFACES } from "@pricetime/protocol";
import { z } from "zod";
import { SavedStateUnreadable } from "../../platform/world/saved-state.ts";

export type RateLimitType = "REQUEST_WEIGHT" | "RAW_REQUESTS" | "ORDERS";
export type LimitInterval = "SECOND" | "MINUTE" | "HOUR" | "DAY";

/** A rule as in exchangeInfo: at most `limit` in each calendar window of `intervalNum` intervals. */
export interface LimitRule {
  readonly rateLimitType: RateLimitType;
  readonly interval: LimitInterval;
  readonly intervalNum: number;
  readonly limit: number;
}

export interface LimitsConfig {
  /** If false, use is counted and reported in headers, but nothing is rejected or announced. */
  readonly enabled: boolean;
  readonly rules: readonly LimitRule[];
  /** Maximum number of addresses with counters. Above it, the one that has been idle longest is dropped. */
  readonly maxTrackedIps: number;
  /** Weight of a wallet request (/wapi, /sapi). It counts in the same limiters as other requests. Interface 8.8. */
  readonly walletWeight: number;
}

/** The limits of Interface 2.7 (samples) and Interface S.17. */
export const DEFAULT_LIMITS: LimitsConfig = {
  enabled: true,
  rules: VENUE_INTERFACES["2019"].limits,
  maxTrackedIps: 100_000,
  walletWeight: 1,
};

const INTERVAL_MS: Readonly<Record<LimitInterval, number>> = {
  SECOND: 1000,
  MINUTE: 60_000,
  HOUR: 3_600_000,
  DAY: 86_400_000,
};

export function windowMs(rule: LimitRule): number {
  return INTERVAL_MS[rule.interval] * rule.intervalNum;
}

const HEADER_STARTS: Readonly<Record<RateLimitType, string | undefined>> = {
  REQUEST_WEIGHT: "x-mbx-used-weight",
  ORDERS: "x-mbx-order-count",
  RAW_REQUESTS: undefined,
};

/**
 * The name of the header that reports the use of a limit, such as `x-mbx-used-weight-1m`; undefined for RAW_REQUESTS.
 * Interface 8.1.
 */
export function headerName({ rateLimitType, intervalNum, interval }: LimitRule): string | undefined {
  const start = HEADER_STARTS[rateLimitType];
  return start === undefined ? undefined : `${start}-${intervalNum}${interval.charAt(0).toLowerCase()}`;
}

/** Whole seconds from now to the end of the rule's current calendar window, at least 1. Used for Retry-After. */
export function secondsToWindowEnd(rule: LimitRule, nowMs: number): number {
  const length = windowMs(rule);
  return Math.max(1, Math.ceil((length - (nowMs % length)) / 1000));
}

// A counter of a fixed calendar window, which starts at 0 when the wall clock enters the next window.

/** The state of a counter: the number of its window since 1970 (-1 before the first count), and the count. */
export const COUNTER_STATE: z.ZodType<CounterState> = z.tuple([z.int().min(-1), z.number()]);
type CounterState = readonly [window: number, used: number];

export class WindowCounter {
  readonly #windowMs: number;
  #window: number;
  #used: number;

  constructor(windowMs: number, [window, used]: CounterState = [-1, 0]) {
    this.#windowMs = windowMs;
    this.#window = window;
    this.#used = used;
  }

  get state(): CounterState {
    return [this.#window, this.#used];
  }

  /** The count of the window that contains `nowMs`. */
  used(nowMs: number): number {
    return Math.floor(nowMs / this.#windowMs) === this.#window ? this.#used : 0;
  }

  /** Adds an amount and returns the new count. */
  add(amount: number, nowMs: number): number {
    const window = Math.floor(nowMs / this.#windowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#used = 0;
    }
    this.#used += amount;
    return this.#used;
  }

  /** Undoes an amount added at `addedMs`, unless its window is over. */
  takeBack(amount: number, addedMs: number): void {
    if (Math.floor(addedMs / this.#windowMs) === this.#window) this.#used -= amount;
  }
}

// Restores saved counts only if the windows still have the same lengths.

/** Throws `SavedStateUnreadable` if the saved windows differ from those of the rules, or are in another order. */
export function checkSameWindows(rules: readonly LimitRule[], windowsMs: readonly number[]): void {
  const own = rules.map(windowMs);
  if (own.length === windowsMs.length && own.every((length, i) => length === windowsMs[i])) return;
  const told = (lengths: readonly number[]): string => lengths.map((length) => `${length} ms`).join(", ");
  throw new SavedStateUnreadable(
    `the checkpoint counts in windows of ${told(windowsMs)}, and this node in ${told(own)}`,
  );
}
