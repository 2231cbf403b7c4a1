/** How long things took: counts in buckets that are 2 % wide, so that any number of them is small. */

const SMALLEST_MS = 0.05;
const RATIO = Math.log(1.02);
const BUCKETS = 800;

export class Delays {
  readonly #counts = new Uint32Array(BUCKETS);
  #count = 0;
  #maxMs = 0;

  get count(): number {
    return this.#count;
  }
  get maxMs(): number {
    return this.#maxMs;
  }

  add(ms: number): void {
    const at = ms <= SMALLEST_MS ? 0 : Math.ceil(Math.log(ms / SMALLEST_MS) / RATIO);
    const bucket = Math.min(at, BUCKETS - 1);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#count++;
    if (ms > this.#maxMs) this.#maxMs = ms;
  }

  merge(other: DelayCounts): void {
    for (const [bucket, count] of other.buckets) {
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
      this.#count += count;
    }
    this.#maxMs = Math.max(this.#maxMs, other.maxMs);
  }

  /** The upper bound of the bucket that holds it, ms; 0 when there is nothing. */
  quantile(share: number): number {
    let left = Math.ceil(this.#count * share);
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      left -= this.#counts[bucket] ?? 0;
      if (left <= 0) return Math.min(SMALLEST_MS * Math.exp(bucket * RATIO), this.#maxMs);
    }
    return this.#maxMs;
  }

  toCounts(): DelayCounts {
    const buckets = [...this.#counts.entries()].filter(([, count]) => count > 0);
    return { buckets, maxMs: this.#maxMs };
  }
}

/** As it goes from process to process. */
export interface DelayCounts {
  readonly buckets: readonly (readonly [bucket: number, count: number])[];
  readonly maxMs: number;
}

export function mergeDelays(all: readonly DelayCounts[]): Delays {
  const delays = new Delays();
  for (const each of all) delays.merge(each);
  return delays;
}
