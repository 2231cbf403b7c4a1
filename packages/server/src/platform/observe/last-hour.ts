/**
 * Samples a node's metrics over the last hour, for the console. Sampling does not affect the order path, and uses
 * limited memory.
 */
import type { Metrics, Totals } from "./metrics.ts";

export interface HourLimits {
  /** The time between two samples. */
  readonly periodMs: number;
  /** Number of samples stored per figure. */
  readonly maxSamples: number;
}

export const HOUR_LIMITS: HourLimits = { periodMs: 10_000, maxSamples: 360 };

export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** The last sample; null if there is none. */
  readonly now: number | null;
  /** Samples, oldest first, at most `maxSamples`. */
  readonly hour: readonly (number | null)[];
}

export interface HourParts {
  readonly metrics: Pick<Metrics, "read" | "totals" | "commits">;
  readonly disk: { readonly last: { readonly freeBytes: number } | null; look(): void };
  readonly clock: {
    readonly nowMs: () => number;
    readonly steadyMs: () => number;
    readonly every: (periodMs: number, task: () => void) => () => void;
  };
}

/** The counters as of the last sample. */
interface Since {
  readonly steadyMs: number;
  readonly totals: Totals;
  readonly commits: Float64Array;
  readonly messages: number;
}

const MS_A_SECOND = 1000;
const MESSAGES = "pricetime_stream_messages_total";

/** The figures, in the order of answers, with their units. */
const UNITS = {
  requestsPerSecond: "1/s",
  ordersPerSecond: "1/s",
  commandsPerSecond: "1/s",
  commitP50: "ms",
  commitP99: "ms",
  historyLag: "commands",
  openOrders: "count",
  connections: "count",
  streams: "count",
  streamMessagesPerSecond: "1/s",
  memoryBytes: "bytes",
  diskFreeBytes: "bytes",
} as const;
type Name = keyof typeof UNITS;
const NAMES = Object.keys(UNITS) as Name[];

export class LastHour {
  /** When the node started. */
  readonly startedMs: number;
  /** The time between two samples. */
  readonly periodMs = HOUR_LIMITS.periodMs;
  readonly #parts: HourParts;
  /** One ring buffer per figure, all with the same position. NaN: no value. */
  readonly #rings: Readonly<Record<Name, Float64Array>>;
  #count = 0;
  #since: Since;
  readonly #stop: () => void;

  constructor(parts: HourParts) {
    this.#parts = parts;
    this.startedMs = parts.clock.nowMs();
    this.#rings = Object.fromEntries(NAMES.map((name) => [name, emptyRing()])) as Record<Name, Float64Array>;
    this.#since = this.#countNow();
    parts.disk.look();
    this.#stop = parts.clock.every(HOUR_LIMITS.periodMs, () => this.sample());
  }

  /** Takes a sample. Missed periods, for example while the machine slept, have no value. */
  sample(): void {
    const before = this.#since;
    const now = this.#countNow();
    const elapsedMs = now.steadyMs - before.steadyMs;
    if (elapsedMs <= 0) return;
    this.#since = now;
    const missed = Math.min(HOUR_LIMITS.maxSamples, Math.round(elapsedMs / HOUR_LIMITS.periodMs) - 1);
    for (let n = 0; n < missed; n++) this.#add(undefined);
    this.#add(this.#figuresSince(before, now, elapsedMs / MS_A_SECOND));
    this.#parts.disk.look();
  }

  figures(): readonly Figure[] {
    return NAMES.map((name) => {
      const hour = this.#hourOf(this.#rings[name]);
      return { name, unit: UNITS[name], now: hour.at(-1) ?? null, hour };
    });
  }

  stop(): void {
    this.#stop();
  }

  #countNow(): Since {
    const { metrics, clock } = this.#parts;
    return {
      steadyMs: clock.steadyMs(),
      totals: metrics.totals(),
      commits: metrics.commits.counts(),
      messages: metrics.read(MESSAGES),
    };
  }

  #figuresSince(before: Since, now: Since, seconds: number): Readonly<Record<Name, number>> {
    const { metrics, disk } = this.#parts;
    const rate = (total: keyof Totals): number => (now.totals[total] - before.totals[total]) / seconds;
    const commitMs = (share: number): number => metrics.commits.quantileSince(before.commits, share) * MS_A_SECOND;
    return {
      requestsPerSecond: rate("requests"),
      ordersPerSecond: rate("orders"),
      commandsPerSecond: rate("commands"),
      commitP50: commitMs(0.5),
      commitP99: commitMs(0.99),
      historyLag: metrics.read("pricetime_history_lag_commands"),
      openOrders: metrics.read("pricetime_open_orders"),
      connections: metrics.read("pricetime_open_connections"),
      streams: metrics.read("pricetime_sockets_open"),
      // The counter may decrease, because restoring a lab's checkpoint resets it.
      streamMessagesPerSecond: Math.max(0, now.messages - before.messages) / seconds,
      memoryBytes: residentBytes(),
      diskFreeBytes: disk.last?.freeBytes ?? Number.NaN,
    };
  }

  #add(figures: Readonly<Record<Name, number>> | undefined): void {
    const place = this.#count++ % HOUR_LIMITS.maxSamples;
    for (const name of NAMES) this.#rings[name][place] = figures?.[name] ?? Number.NaN;
  }

  #hourOf(ring: Float64Array): (number | null)[] {
    const length = Math.min(this.#count, ring.length);
    return Array.from({ length }, (_, n) => {
      const value = ring[(this.#count - length + n) % ring.length] as number;
      return Number.isNaN(value) ? null : value;
    });
  }
}

/**
 * Memory of the process. NaN if the system does not report it, for example because the process has no file handles
 * left.
 */
function residentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return Number.NaN;
  }
}

const emptyRing = (): Float64Array => new Float64Array(HOUR_LIMITS.maxSamples).fill(Number.NaN);
