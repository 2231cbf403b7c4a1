/**
 * The liveliness of the market of all coins: calm and storm come and go over minutes, hours and days. The logarithm is
 * a sum of three parts, each drawn back to zero in a time of its own, which gives returns their fat tails and the long
 * memory of their size.
 */
import { z } from "zod";
import { exp } from "../exact.ts";
import type { Keeping, KeptValue } from "../../../platform/world/kept.ts";
import { keptPart, readKept } from "../../../platform/world/read-kept.ts";
import { Random } from "./random.ts";

interface Part {
  /** The time in which a part forgets two thirds of what it was. */
  readonly memoryMs: number;
  /** The long-run standard deviation of the logarithm. */
  readonly deviation: number;
}

const PARTS: readonly Part[] = [
  { memoryMs: 10 * 60_000, deviation: 0.3 },
  { memoryMs: 6 * 3_600_000, deviation: 0.36 },
  { memoryMs: 5 * 86_400_000, deviation: 0.2 },
];
/** The wildest storm: without it one in some weeks would be all that a month's figures tell of. */
const MOST = 3;
const VARIANCE = PARTS.reduce((sum, { deviation }) => sum + deviation * deviation, 0);

const keptShape = z.strictObject({
  random: keptPart,
  parts: z.array(z.number()).length(PARTS.length),
  factor: z.number(),
});

export class Volatility implements Keeping {
  readonly #random: Random;
  readonly #steps: readonly { readonly keep: number; readonly shake: number }[];
  readonly #parts: number[];
  #factor: number;

  /** `stepMs` is the market time of one `step`. */
  constructor(seed: number, stepMs: number, kept?: KeptValue) {
    const state = kept === undefined ? undefined : readKept("the volatility", keptShape, kept);
    this.#random = new Random(seed, "volatility", state?.random);
    // It begins at the average, whose logarithm is above the median.
    this.#parts = state?.parts ?? PARTS.map((_, index) => (index === 0 ? VARIANCE : 0));
    this.#factor = state?.factor ?? 1;
    this.#steps = PARTS.map(({ memoryMs, deviation }) => {
      const keep = exp(-stepMs / memoryMs);
      return { keep, shake: deviation * Math.sqrt(1 - keep * keep) };
    });
  }

  /** The factor for standard deviations; the mean of its square is 1 in the long run. */
  get factor(): number {
    return this.#factor;
  }

  kept(): KeptValue {
    return { random: this.#random.kept(), parts: [...this.#parts], factor: this.#factor };
  }

  step(): void {
    let sum = -VARIANCE;
    for (const [index, { keep, shake }] of this.#steps.entries()) {
      const part = (this.#parts[index] ?? 0) * keep + shake * this.#random.normal();
      this.#parts[index] = part;
      sum += part;
    }
    this.#factor = Math.min(MOST, exp(sum));
  }
}
