/** Histograms that are fast enough for the order path. */
import type { Metric, Registry } from "prom-client";

/** One sample in Prometheus' text format. */
export interface Sample {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/**
 * Registers a metric whose samples are computed on request. prom-client's own metric classes are too slow for the order
 * path, because they hash the labels at every observation.
 */
export function registerSamples(
  registry: Registry,
  {
    name,
    help,
    type,
  }: { readonly name: string; readonly help: string; readonly type: "counter" | "gauge" | "histogram" },
  samples: () => Sample[],
): void {
  const metric = { name, help, type, aggregator: "sum", get: async () => ({ name, help, type, values: samples() }) };
  registry.registerMetric(metric as unknown as Metric);
}

/** Bucket bounds of response times, in seconds. */
export const LATENCY_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts observations per bucket, and sums them. */
export class Histogram {
  readonly #bounds: Float64Array;
  /** One count per bound, and one for values above the last bound. */
  readonly #counts: Float64Array;
  #sum = 0;

  /** `bounds` must be ascending. */
  constructor(bounds: readonly number[]) {
    this.#bounds = Float64Array.from(bounds);
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let slot = 0;
    while (slot < this.#bounds.length && value > (this.#bounds[slot] as number)) slot++;
    (this.#counts[slot] as number)++;
    this.#sum += value;
  }

  /** A copy of the counts: one per bound, and one for values above the last bound. */
  counts(): Float64Array {
    return this.#counts.slice();
  }

  /**
   * The quantile of the observations made after the counts were `before`. Interpolated linearly within a bucket and at
   * most the last bound. NaN if there were none.
   */
  quantileSince(before: Float64Array, share: number): number {
    const since = this.#counts.map((count, slot) => count - (before[slot] as number));
    const total = since.reduce((sum, count) => sum + count, 0);
    if (total === 0) return Number.NaN;
    let left = share * total;
    for (const [slot, count] of since.entries()) {
      const low = slot === 0 ? 0 : (this.#bounds[slot - 1] as number);
      const high = this.#bounds[slot] ?? low;
      if (count > 0 && left <= count) return low + (high - low) * (left / count);
      left -= count;
    }
    return this.#bounds.at(-1) ?? Number.NaN;
  }

  samples(name: string, labels: Readonly<Record<string, string | number>> = {}): Sample[] {
    const samples: Sample[] = [];
    let total = 0;
    for (const [slot, count] of this.#counts.entries()) {
      total += count;
      const le = this.#bounds[slot] ?? "+Inf";
      samples.push({ metricName: `${name}_bucket`, labels: { ...labels, le }, value: total });
    }
    samples.push({ metricName: `${name}_sum`, labels, value: this.#sum });
    samples.push({ metricName: `${name}_count`, labels, value: total });
    return samples;
  }
}
