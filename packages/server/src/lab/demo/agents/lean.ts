/**
 * How far a symbol's value has leaned with what its agents and users did. Makers cannot know why somebody takes, so quotes follow
 * those who take, and come back as time passes: the answer to an order fades with one over the square root of the time
 * since. An order that is worked at a constant rate so moves the price with the square root of its size. One that is sent
 * at once does no more: no part of the answer goes beyond what a lasting flow makes of it. News that an agent made public
 * stays.
 */
import { DAY_MS } from "@pricetime/engine";
import { z } from "zod";
import type { Keeping, KeptValue } from "../../../platform/world/kept.ts";
import { keptCount, readKept } from "../../../platform/world/read-kept.ts";
import { RETURN_MS } from "../bots/asset-values.ts";
import { exp } from "../exact.ts";

/** The answer is a sum of parts that fade each in a time of its own, four times as long as the one before. */
const PARTS = 9;
const SHORTEST_MS = 2_000;
const RATIO = 4;
/** The sum of exponentials of such times is near one over the square root with these weights: ln 4 / sqrt(pi), each over the root of its time. */
const WEIGHT = 0.7821441;
/**
 * An order that is worked at a tenth of the usual volume moves the price by the deviation of a day, times the square
 * root of its part of a day's volume: 1 / (2 * sqrt(0.1)).
 */
const STRENGTH = 1.5811388;
/** The flow, as a part of the usual volume, of which the answer is bounded. */
const MOST_FLOW = 0.2;
/** No logarithm beyond, whatever agents do. */
const FARTHEST = 0.5;
const FARTHEST_EXPONENT = 600;
/** A millionth of a basis point. */
const LEAST = 1e-10;

const MEMORIES_MS = Array.from({ length: PARTS }, (_, index) => {
  let memoryMs = SHORTEST_MS;
  for (let times = 0; times < index; times++) memoryMs *= RATIO;
  return memoryMs;
});

const keptShape = z.strictObject({
  parts: z.array(z.number()).length(PARTS),
  /** Forgotten as slowly as walks go back to where they began. */
  news: z.number(),
  atMs: keptCount,
});

export interface LeanParts {
  readonly nowMs: number;
  /** What is usually traded in a day, in the quote asset. */
  readonly dailyVolume: number;
  /** The standard deviation of the logarithm of the price over a day. */
  readonly dailyDeviation: number;
}

export class Lean implements Keeping {
  readonly #parts: number[];
  /** What an order of a day's volume adds to each part. */
  readonly #kicks: readonly number[];
  /** How far each part goes. */
  readonly #most: readonly number[];
  readonly #dailyVolume: number;
  #news: number;
  #atMs: number;

  constructor({ nowMs, dailyVolume, dailyDeviation }: LeanParts, kept?: KeptValue) {
    const state = kept === undefined ? undefined : readKept("the lean of a symbol", keptShape, kept);
    this.#parts = state?.parts ?? MEMORIES_MS.map(() => 0);
    this.#news = state?.news ?? 0;
    this.#atMs = state?.atMs ?? nowMs;
    this.#dailyVolume = dailyVolume;
    this.#kicks = MEMORIES_MS.map((ms) => (WEIGHT * STRENGTH * dailyDeviation) / Math.sqrt(ms / DAY_MS));
    this.#most = this.#kicks.map((kick, index) => (kick * MOST_FLOW * (MEMORIES_MS[index] ?? 0)) / DAY_MS);
  }

  kept(): KeptValue {
    return { parts: [...this.#parts], news: this.#news, atMs: this.#atMs };
  }

  /** The multiple of the value that would be without them. */
  get factor(): number {
    const sum = this.#parts.reduce((total, part) => total + part, this.#news);
    return sum === 0 ? 1 : exp(Math.max(-FARTHEST, Math.min(FARTHEST, sum)));
  }

  /** Somebody took so much of the quote asset; sellers are below 0. */
  take(quote: number): void {
    for (const [index, kick] of this.#kicks.entries()) {
      const most = this.#most[index] ?? 0;
      const part = (this.#parts[index] ?? 0) + (kick * quote) / this.#dailyVolume;
      this.#parts[index] = Math.max(-most, Math.min(most, part));
    }
  }

  /** A logarithm. */
  tell(news: number): void {
    this.#news += news;
  }

  step(nowMs: number): void {
    const sinceMs = nowMs - this.#atMs;
    this.#atMs = nowMs;
    if (sinceMs <= 0) return;
    this.#news = fadedBy(this.#news, sinceMs / RETURN_MS);
    for (const [index, memoryMs] of MEMORIES_MS.entries()) {
      this.#parts[index] = fadedBy(this.#parts[index] ?? 0, sinceMs / memoryMs);
    }
  }
}

/** What is left of `part` after so many times of its memory; what is too small to tell is gone. */
function fadedBy(part: number, times: number): number {
  if (part === 0) return 0;
  const left = part * exp(-Math.min(FARTHEST_EXPONENT, times));
  return Math.abs(left) < LEAST ? 0 : left;
}
