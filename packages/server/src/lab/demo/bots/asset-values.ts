/**
 * The bots' estimate of each asset's value: seeded random walks that share a market factor and its volatility, jump
 * occasionally, and slowly revert to their start, so that a demo does not drift away over months. Every symbol's price
 * is the quotient of two values, so cross rates are consistent.
 */
import { DAY_MS } from "@pricetime/engine";
import { z } from "zod";
import { moveFactor, Volatility } from "./volatility.ts";
import { exp, log } from "../exact.ts";
import type { SavedState } from "../../../platform/world/port.ts";
import { Random } from "./random.ts";

const YEAR_MS = 365.25 * DAY_MS;
/** The time in which a walk reverts to its start by two thirds. */
export const RETURN_MS = 10 * DAY_MS;
/** The maximum deviation of a last price from the demo's start, as a logarithm. A restart ignores prices beyond it. */
const MAX_ANCHOR = 0.4;
/** The average number of jumps per day of the whole market, and of each asset on its own. */
const LEAPS_A_DAY = 1;
/**
 * The minimum and the maximum size of a jump as a multiple of the asset's average daily move, and the tail exponent of
 * its size.
 */
const SMALLEST_LEAP = 0.12;
const LARGEST_LEAP = 0.5;
const LEAP_TAIL = 3;
/** A jump is spread over steps: each step performs this fraction of the rest. */
const LEAP_PART = 0.2;

export interface WalkingAsset {
  readonly asset: string;
  readonly startValue: number;
  readonly yearlyVolatility: number;
  readonly marketCorrelation: number;
}

const SAVED_WALK = z.strictObject({ offset: z.number(), pending: z.number() });

class Walk {
  readonly asset: WalkingAsset;
  readonly random: Random;
  /** The current natural logarithm of value / startValue. */
  #offset: number;
  #value: number;
  /** The part of a jump that has not happened yet, as a logarithm. */
  pending: number;

  constructor(asset: WalkingAsset, seed: number, saved: SavedState) {
    const name = `value of ${asset.asset}`;
    const save = () => ({ offset: this.offset, pending: this.pending });
    const state = saved.restore(name, SAVED_WALK, save);
    this.asset = asset;
    this.random = new Random(seed, name, saved);
    this.#offset = state?.offset ?? 0;
    this.#value = asset.startValue * exp(this.#offset);
    this.pending = state?.pending ?? 0;
  }

  get offset(): number {
    return this.#offset;
  }
  set offset(offset: number) {
    this.#offset = offset;
    this.#value = this.asset.startValue * exp(offset);
  }

  /** The value of one unit in USDT. */
  get value(): number {
    return this.#value;
  }
}

const SAVED = z.strictObject({ activity: z.number() });

export class AssetValues {
  readonly #walks: ReadonlyMap<string, Walk>;
  readonly #market: Random;
  readonly #volatility: Volatility;
  readonly #stepMs: number;
  #activity: number;

  /** `stepMs`: the duration of one `step` in market time. */
  constructor(assets: readonly WalkingAsset[], seed: number, stepMs: number, saved: SavedState) {
    this.#walks = new Map(assets.map((asset) => [asset.asset, new Walk(asset, seed, saved)]));
    this.#market = new Random(seed, "market", saved);
    this.#volatility = new Volatility(seed, stepMs, saved);
    this.#stepMs = stepMs;
    this.#activity = saved.restore("values", SAVED, () => ({ activity: this.#activity }))?.activity ?? 1;
  }

  /**
   * The current size of price moves as a multiple of the average. It depends on the volatility and on the time of day.
   */
  get activity(): number {
    return this.#activity;
  }

  /** The volatility factor, without the time of day. */
  get mood(): number {
    return this.#volatility.factor;
  }

  step(nowMs: number): void {
    this.#volatility.step();
    this.#activity = this.#volatility.factor * moveFactor(nowMs);
    const market = this.#market.normal();
    const marketLeap = this.#leap(this.#market);
    for (const walk of this.#walks.values()) this.#move(walk, market, marketLeap);
  }

  /** Returns the price at which a demo begins. */
  startPrice(base: string, quote: string): number {
    return this.#walk(base).asset.startValue / this.#walk(quote).asset.startValue;
  }

  /** Returns the price of one unit of `base`, in `quote`. */
  price(base: string, quote: string): number {
    return this.#walk(base).value / this.#walk(quote).value;
  }

  /** Returns the standard deviation of the logarithm of a price over `ms` of average activity. */
  deviation(base: string, quote: string, ms: number): number {
    const [one, other] = [this.#walk(base).asset, this.#walk(quote).asset];
    const shared = one.yearlyVolatility * one.marketCorrelation * other.yearlyVolatility * other.marketCorrelation;
    const variance =
      one.yearlyVolatility * one.yearlyVolatility + other.yearlyVolatility * other.yearlyVolatility - 2 * shared;
    return Math.sqrt((variance * ms) / YEAR_MS);
  }

  /** Moves the walk of `asset` so that the price continues from a market's last price after a restart. */
  anchor(asset: string, base: string, quote: string, lastPrice: number): void {
    const walk = this.#walk(asset);
    const missing = log(lastPrice / this.price(base, quote));
    const offset = walk.offset + (asset === base ? missing : -missing);
    walk.offset = Math.max(-MAX_ANCHOR, Math.min(MAX_ANCHOR, offset));
  }

  #move(walk: Walk, market: number, marketLeap: number): void {
    const { yearlyVolatility, marketCorrelation } = walk.asset;
    const own = Math.sqrt(1 - marketCorrelation * marketCorrelation);
    const deviation = yearlyVolatility * Math.sqrt(this.#stepMs / YEAR_MS) * this.#activity;
    const daily = yearlyVolatility * Math.sqrt(DAY_MS / YEAR_MS);
    walk.pending += daily * (marketCorrelation * marketLeap + own * this.#leap(walk.random));
    const leapt = walk.pending * LEAP_PART;
    walk.pending -= leapt;
    const walked = deviation * (marketCorrelation * market + own * walk.random.normal());
    walk.offset += walked + leapt - (this.#stepMs / RETURN_MS) * walk.offset;
  }

  /** Draws a jump: usually 0, otherwise a multiple of the asset's average daily move. */
  #leap(random: Random): number {
    if (!random.chance((LEAPS_A_DAY * this.#stepMs) / DAY_MS)) return 0;
    const size = Math.min(LARGEST_LEAP, SMALLEST_LEAP * random.pareto(LEAP_TAIL));
    return random.chance(0.5) ? size : -size;
  }

  #walk(asset: string): Walk {
    const walk = this.#walks.get(asset);
    if (walk === undefined) throw new Error(`no value of ${asset}`);
    return walk;
  }
}
