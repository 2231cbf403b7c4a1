/**
 * The logarithm of an asset's value relative to its value at the end: a walk back in time, drawn towards the end. The
 * same asset walks the same way in every symbol, so cross rates agree. Part of version 1 of the generator: never
 * changed.
 */
import { DAY_MS } from "../number/duration.ts";
import type { PastAsset } from "../entry/generated-past.ts";
import { PastRandom } from "./random.ts";
import { fatNormal, type Weather } from "./weather.ts";

/** The walk stays, in the long run, within a few times this many days' moves of its end. */
const LONG_RUN_DAYS = 15;
const PULL_A_DAY = 1 / (2 * LONG_RUN_DAYS * LONG_RUN_DAYS);
const FARTHEST = 3;

export class AssetWalk {
  readonly #asset: PastAsset;
  #random: PastRandom;
  readonly #dayMove: number;
  readonly #marketShare: number;
  readonly #ownShare: number;
  /** Natural logarithm of value / value at the end. */
  offset = 0;

  constructor(seed: number, asset: PastAsset) {
    const { dayMoveBps, marketPercent } = asset;
    this.#asset = asset;
    this.#random = new PastRandom(seed, `asset ${asset.asset}`);
    this.#dayMove = dayMoveBps / 10_000;
    this.#marketShare = marketPercent / 100;
    this.#ownShare = Math.sqrt(1 - this.#marketShare * this.#marketShare);
  }

  copy(): AssetWalk {
    const copy = new AssetWalk(0, this.#asset);
    copy.#random = this.#random.copy();
    copy.offset = this.offset;
    return copy;
  }

  /** One step back. `season` scales the moves, around 1. */
  step(weather: Weather, widthMs: number, season: number): void {
    const own = fatNormal(this.#random);
    const days = widthMs / DAY_MS;
    const size = this.#dayMove * Math.sqrt(days) * season * weather.volatility;
    const move = size * (this.#marketShare * weather.shock + this.#ownShare * own);
    const offset = this.offset + move - PULL_A_DAY * days * this.offset;
    this.offset = Math.max(-FARTHEST, Math.min(FARTHEST, offset));
  }

  /** Standard deviation of a day's move of the base asset in the quote asset, in an average mood. */
  static moveOf(base: PastAsset, quote: PastAsset): number {
    const [b, q] = [base.dayMoveBps / 10_000, quote.dayMoveBps / 10_000];
    const common = (base.marketPercent / 100) * (quote.marketPercent / 100);
    return Math.sqrt(Math.max(0, b * b + q * q - 2 * common * b * q));
  }
}
