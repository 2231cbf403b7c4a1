/**
 * Market activity: by hour and weekday, and in calm and volatile periods that alternate over minutes, hours and days.
 * The logarithm of volatility is a sum of three mean-reverting components with different time constants, which gives
 * returns their fat tails and the long memory of their size.
 */
import { z } from "zod";
import { exp, power } from "../exact.ts";
import type { SavedState } from "../../../platform/world/port.ts";
import { Random } from "./random.ts";
import { HOUR_MS } from "@pricetime/engine";

interface Part {
  /** The time in which a component decays by two thirds. */
  readonly memoryMs: number;
  /** The long-run standard deviation of the component. */
  readonly deviation: number;
}

const PARTS: readonly Part[] = [
  { memoryMs: 10 * 60_000, deviation: 0.3 },
  { memoryMs: 6 * 3_600_000, deviation: 0.36 },
  { memoryMs: 5 * 86_400_000, deviation: 0.2 },
];
/** The maximum factor. Without it, a single extreme period would dominate the figures of a month. */
const MOST = 3;
const VARIANCE = PARTS.reduce((sum, { deviation }) => sum + deviation * deviation, 0);

const SAVED = z.strictObject({ parts: z.array(z.number()).length(PARTS.length), factor: z.number() });

export class Volatility {
  readonly #random: Random;
  readonly #steps: readonly { readonly keep: number; readonly shake: number }[];
  readonly #parts: number[];
  #factor: number;

  /** `stepMs`: the duration of one `step` in market time. */
  constructor(seed: number, stepMs: number, saved: SavedState) {
    const save = () => ({ parts: [...this.#parts], factor: this.#factor });
    const state = saved.restore("volatility", SAVED, save);
    this.#random = new Random(seed, "volatility", saved);
    // The initial factor is the average, whose logarithm is above the median.
    this.#parts = state?.parts ?? PARTS.map((_, index) => (index === 0 ? VARIANCE : 0));
    this.#factor = state?.factor ?? 1;
    this.#steps = PARTS.map(({ memoryMs, deviation }) => {
      const keep = exp(-stepMs / memoryMs);
      return { keep, shake: deviation * Math.sqrt(1 - keep * keep) };
    });
  }

  /** The factor by which standard deviations are multiplied. The long-run mean of its square is 1. */
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
    this.#factor = Math.min(MOST, exp(sum));
  }
}

// Activity by hour and weekday in UTC: a peak when New York opens, and quiet weekends.

const HOURS = 24;
const WEEKDAYS = 7;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 4;

/**
 * Volume per hour from 00 to 23 in percent of a day's volume, measured on BTCUSDT, ETHUSDT, DOGEUSDT and AVAXUSDT in
 * 2025.
 */
const VOLUME_BY_HOUR = [
  4.3, 3.6, 3.2, 2.8, 2.4, 2.3, 2.7, 3.3, 3.9, 3.8, 3.6, 3.7, 4.6, 6.9, 9.2, 7.0, 5.6, 4.7, 4.3, 4.2, 4.1, 3.6, 3.2,
  3.0,
];
/** Volume per weekday from Sunday to Saturday, as a multiple of an average day's. */
const VOLUME_BY_WEEKDAY = [0.76, 1.28, 1.12, 1.12, 1.12, 1.11, 0.49];
/**
 * The size of price moves in an hour grows with its volume to this power: 1.6 times the average at 14:00, 0.7 times at
 * 05:00.
 */
const MOVE_EXPONENT = 0.6;

/** Returns the volume around `timeMs` as a multiple of the week's average, interpolated between hours. */
export function volumeFactor(timeMs: number): number {
  const hours = timeMs / HOUR_MS - 0.5;
  const whole = Math.floor(hours);
  return ofHour(whole) + (hours - whole) * (ofHour(whole + 1) - ofHour(whole));
}

/** Returns the standard deviation of price moves around `timeMs` as a multiple of the average. */
export function moveFactor(timeMs: number): number {
  return power(volumeFactor(timeMs), MOVE_EXPONENT);
}

function ofHour(hourSince1970: number): number {
  const weekday = (Math.floor(hourSince1970 / HOURS) + FIRST_WEEKDAY) % WEEKDAYS;
  const share = VOLUME_BY_HOUR[hourSince1970 % HOURS] ?? 0;
  return ((share * HOURS) / 100) * (VOLUME_BY_WEEKDAY[weekday] ?? 1);
}
