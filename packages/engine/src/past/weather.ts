/**
 * The movement that all markets share: bursts and calm, and a shock in each step. The logarithm of volatility is a sum
 * of mean-reverting parts, which clusters large moves and makes tails fat. Drawn back from the end. Part of version 1
 * of the generator: never changed.
 */
import { MINUTE_MS, HOUR_MS, DAY_MS } from "../number/duration.ts";
import { exponential } from "./exponential.ts";
import { PastRandom } from "./random.ts";

/** How long each part lasts, and how strong it is. */
const PARTS = [
  { lastsMs: 10 * MINUTE_MS, strength: 0.35 },
  { lastsMs: 6 * HOUR_MS, strength: 0.38 },
  { lastsMs: 5 * DAY_MS, strength: 0.3 },
  { lastsMs: 30 * DAY_MS, strength: 0.2 },
] as const;

/** A value that reverts to 0, in steps of one width. */
export class Decay {
  readonly strength: number;
  /** Whether it decays within one step. */
  readonly isOver: boolean;
  readonly #kept: number;
  readonly #added: number;

  constructor(widthMs: number, lastsMs: number, strength: number) {
    this.strength = strength;
    this.isOver = lastsMs < widthMs;
    this.#kept = exponential(-widthMs / lastsMs);
    this.#added = Math.sqrt(1 - this.#kept * this.#kept) * strength;
  }

  next(value: number, random: PastRandom): number {
    return this.#kept * value + this.#added * random.normal();
  }
}

/** The probability that a step has a shock of several times the usual size. */
const RARE = 0.01;
const RARE_SIZE = 3;
const SHOCK_DEVIATION = Math.sqrt(1 - RARE + RARE * RARE_SIZE * RARE_SIZE);

export class Weather {
  #random: PastRandom;
  #parts = PARTS.map(() => 0);
  #widthMs = 0;
  #decays: readonly Decay[] = [];
  /** Logarithm of volatility, around 0; volume follows it. */
  mood = 0;
  /** Volatility, its mean square 1. */
  volatility = 1;
  /** Standard deviation 1, fat tails. */
  shock = 0;

  constructor(seed: number) {
    this.#random = new PastRandom(seed, "weather");
    // Starts in the long-run distribution.
    for (const [at, { strength }] of PARTS.entries()) this.#parts[at] = strength * this.#random.normal();
  }

  copy(): Weather {
    const copy = new Weather(0);
    copy.#random = this.#random.copy();
    copy.#parts = [...this.#parts];
    return copy;
  }

  step(widthMs: number): void {
    if (widthMs !== this.#widthMs) {
      this.#widthMs = widthMs;
      this.#decays = PARTS.map(({ lastsMs, strength }) => new Decay(widthMs, lastsMs, strength));
    }
    let mood = 0;
    let meanSquare = 0;
    for (let at = 0; at < PARTS.length; at++) {
      const decay = this.#decays[at] as Decay;
      // A part that decays within a step makes no difference to it.
      if (decay.isOver) continue;
      const part = decay.next(this.#parts[at] as number, this.#random);
      this.#parts[at] = part;
      mood += part;
      meanSquare += decay.strength * decay.strength;
    }
    this.mood = mood;
    this.volatility = exponential(mood - meanSquare);
    this.shock = fatNormal(this.#random);
  }
}

/** Standard deviation 1, now and then a large value. */
export function fatNormal(random: PastRandom): number {
  const size = random.next() < RARE ? RARE_SIZE : 1;
  return (size * random.normal()) / SHOCK_DEVIATION;
}
