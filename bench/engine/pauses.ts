/** The times between consecutive steps, and the causes of the longest. */
import { type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pauses } from "./messages.ts";

/** Longer gaps are analyzed. */
const LONG_MS = 0.2;

interface LongGap {
  readonly fromMs: number;
  readonly toMs: number;
  readonly step: number;
  /** The kernel gave the core to another process meanwhile. */
  readonly preempted: boolean;
}

interface Collection {
  readonly kind: number;
  readonly startTime: number;
  readonly duration: number;
}

const KINDS: Readonly<Record<number, string>> = { 1: "scavenge", 4: "mark-compact", 8: "incremental marking" };

export class PauseMeter {
  readonly #gapsMs: Float64Array;
  readonly #long: LongGap[] = [];
  readonly #collections: Collection[] = [];
  readonly #observer: PerformanceObserver;

  constructor(steps: number) {
    this.#gapsMs = new Float64Array(steps);
    this.#observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { detail: { kind: number } })[]) {
        this.#collections.push({ kind: entry.detail.kind, startTime: entry.startTime, duration: entry.duration });
      }
    });
    this.#observer.observe({ entryTypes: ["gc"] });
  }

  measure(step: (index: number) => void): void {
    const gaps = this.#gapsMs;
    let switches = process.resourceUsage().involuntaryContextSwitches;
    let last = performance.now();
    for (let i = 0; i < gaps.length; i++) {
      step(i);
      const now = performance.now();
      const gap = now - last;
      gaps[i] = gap;
      last = now;
      if (gap < LONG_MS) continue;
      const { involuntaryContextSwitches } = process.resourceUsage();
      this.#long.push({ fromMs: now - gap, toMs: now, step: i, preempted: involuntaryContextSwitches > switches });
      switches = involuntaryContextSwitches;
      last = performance.now();
    }
  }

  /** Waits for the observer's entries. */
  async result(): Promise<Pauses> {
    await sleep(50);
    this.#observer.disconnect();
    const sorted = this.#gapsMs.toSorted();
    const at = (share: number): number => (sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN) * 1000;
    const own = this.#long.filter((gap) => !gap.preempted).sort((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs));
    const worst = own[0];
    return {
      p50Us: at(0.5),
      p9999Us: at(0.9999),
      maxUs: at(1),
      maxOwnUs: worst === undefined ? Math.min(at(1), LONG_MS * 1000) : (worst.toMs - worst.fromMs) * 1000,
      cause: worst === undefined ? "nothing long" : this.#causeOf(worst),
    };
  }

  #causeOf({ fromMs, toMs, step }: LongGap): string {
    const inside = this.#collections.filter((each) => each.startTime < toMs && each.startTime + each.duration > fromMs);
    if (inside.length === 0) return `step ${step}, no collection`;
    return inside.map(({ kind, duration }) => `${KINDS[kind] ?? `gc ${kind}`} ${duration.toFixed(2)} ms`).join(", ");
  }
}
