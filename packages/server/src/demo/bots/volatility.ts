/**
 * The liveliness of the market of all coins: calm and storm come and go over minutes, hours and days. The logarithm is
 * a sum of three parts, each drawn back to zero in a time of its own, which gives returns their fat tails and the long
 * memory of their size.
 */
import type { Random } from "./random.ts";

interface Part {
  /** The time in which a part forgets two thirds of what it was. */
  readonly memoryMs: number;
  /** The long-run standard deviation of the logarithm. */
  readonly deviation: number;
}

const PARTS: readonly Part[] = [
  { memoryMs: 10 * 60_000, deviation: 0.35 },
  { memoryMs: 6 * 3_600_000, deviation: 0.3 },
  { memoryMs: 5 * 86_400_000, deviation: 0.2 },
];
const VARIANCE = PARTS.reduce((sum, { deviation }) => sum + deviation ** 2, 0);

export class Volatility {
  readonly #random: Random;
  readonly #steps: readonly { readonly keep: number; readonly shake: number }[];
  /** It begins at the average, whose logarithm is above the median. */
  readonly #parts = PARTS.map((_, index) => (index === 0 ? VARIANCE : 0));
  #factor = 1;

  /** `stepMs` is the market time of one `step`. */
  constructor(random: Random, stepMs: number) {
    this.#random = random;
    this.#steps = PARTS.map(({ memoryMs, deviation }) => {
      const keep = Math.exp(-stepMs / memoryMs);
      return { keep, shake: deviation * Math.sqrt(1 - keep ** 2) };
    });
  }

  /** The factor for standard deviations; the mean of its square is 1 in the long run. */
  get factor(): number {
    return this.#factor;
  }

  step(): void {
    let sum = -VARIANCE;
    for (const [index, { keep, shake }] of this.#steps.entries()) {
      const part = (this.#parts[index] ?? 0) * keep + shake * this.#random.normal();
      this.#parts[index] = part;
      sum += part;
    }
    this.#factor = Math.exp(sum);
  }
}
