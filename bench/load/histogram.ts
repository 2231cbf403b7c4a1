/**
 * Times in bounded memory, whatever their number: buckets of equal relative width, as an HDR histogram
 * has them. A quantile is off by 0.4 % at most; the greatest is exact.
 */

/** Buckets between a power of two and the next. */
const STEPS = 128;
const STEP_BITS = 7;
/** The finest that is told apart, in ms; below it, buckets are this wide. */
const UNIT_MS = 0.001;
const BUCKETS = 32 * STEPS;

/** Milliseconds. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** A histogram as it goes from process to process: what is not empty. */
export interface HistogramCounts {
  readonly buckets: readonly (readonly [bucket: number, count: number])[];
  readonly maxMs: number;
}

export class Histogram {
  readonly #counts = new Float64Array(BUCKETS);
  #total = 0;
  #maxMs = 0;

  get total(): number {
    return this.#total;
  }

  record(valueMs: number): void {
    this.#counts[bucketOf(Math.max(0, Math.round(valueMs / UNIT_MS)))]! += 1;
    this.#total++;
    if (valueMs > this.#maxMs) this.#maxMs = valueMs;
  }

  get maxMs(): number {
    return this.#maxMs;
  }

  add({ buckets, maxMs }: HistogramCounts): void {
    for (const [bucket, count] of buckets) {
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
      this.#total += count;
    }
    this.#maxMs = Math.max(this.#maxMs, maxMs);
  }

  toCounts(): HistogramCounts {
    const buckets = [...this.#counts.entries()].filter(([, count]) => count > 0);
    return { buckets, maxMs: this.#maxMs };
  }

  /** Nearest rank; the middle of its bucket. NaN when nothing was recorded. */
  quantile(share: number): number {
    const rank = Math.max(1, Math.ceil(this.#total * share));
    let seen = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      seen += this.#counts[bucket] ?? 0;
      if (seen >= rank) return Math.min(middleOf(bucket) * UNIT_MS, this.#maxMs);
    }
    return Number.NaN;
  }

  quantiles(): Quantiles {
    return { p50: this.quantile(0.5), p99: this.quantile(0.99), p999: this.quantile(0.999), max: this.#maxMs };
  }
}

export function sumOf(all: readonly HistogramCounts[]): Histogram {
  const sum = new Histogram();
  for (const each of all) sum.add(each);
  return sum;
}

/** Of whole units: one each up to `2 * STEPS`, then `STEPS` to every doubling. */
function bucketOf(units: number): number {
  const shift = Math.max(0, 31 - Math.clz32(units) - STEP_BITS);
  return Math.min(BUCKETS - 1, shift * STEPS + (units >>> shift));
}

function middleOf(bucket: number): number {
  const shift = Math.max(0, Math.floor(bucket / STEPS) - 1);
  return (bucket - shift * STEPS + (shift === 0 ? 0 : 0.5)) * 2 ** shift;
}
