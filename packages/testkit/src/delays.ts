/** Delays in a Node histogram, in bounded memory. A quantile is off by at most 0.1 % and half a microsecond. */
import { createHistogram, type Histogram, type RecordableHistogram } from "node:perf_hooks";

const US_A_MS = 1000;
const HIGHEST_US = 3_600_000_000;
/** The significant digits that are kept. */
const FIGURES = 3;

/** Quantiles in milliseconds. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** A histogram in microseconds. Processes cannot send it to each other, so they send the delays. */
export const newDelays = (): RecordableHistogram =>
  createHistogram({ lowest: 1, highest: HIGHEST_US, figures: FIGURES });

export function recordDelay(delays: RecordableHistogram, delayMs: number): void {
  delays.record(Math.max(1, Math.round(delayMs * US_A_MS)));
}

export function histogramOf(delaysMs: Iterable<number>): RecordableHistogram {
  const delays = newDelays();
  for (const delayMs of delaysMs) recordDelay(delays, delayMs);
  return delays;
}

export function sumOf(all: readonly RecordableHistogram[]): RecordableHistogram {
  const sum = newDelays();
  for (const each of all) sum.add(each);
  return sum;
}

/** Returns a quantile in milliseconds by nearest rank. NaN when nothing was recorded. */
export function quantileMs(delays: Histogram, share: number): number {
  return delays.count === 0 ? Number.NaN : delays.percentile(share * 100) / US_A_MS;
}

export function quantilesOf(delays: Histogram): Quantiles {
  return {
    p50: quantileMs(delays, 0.5),
    p99: quantileMs(delays, 0.99),
    p999: quantileMs(delays, 0.999),
    max: quantileMs(delays, 1),
  };
}
