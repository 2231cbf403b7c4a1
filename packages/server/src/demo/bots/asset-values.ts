/**
 * What the bots think each asset is worth: a seeded walk that is drawn back to where it began, so
 * prices live but never run away. Every symbol's price is a quotient of two of these, so cross
 * rates agree.
 */
import { Random } from "./random.ts";

/** In the long run values stay within a few of these of their start: 1.5 percent. */
const LONG_RUN_DEVIATION = 0.015;
/** A restart does not believe a last price that is farther than this from where the demo began. */
const MAX_ANCHOR = 0.1;

export interface WalkingAsset {
  readonly asset: string;
  readonly startValue: number;
  readonly volatilityBps: number;
}

class Walk {
  readonly #asset: WalkingAsset;
  readonly #random: Random;
  /** Natural logarithm of value / startValue. */
  offset = 0;

  constructor(asset: WalkingAsset, seed: number) {
    this.#asset = asset;
    this.#random = new Random(seed, `value of ${asset.asset}`);
  }

  get value(): number {
    return this.#asset.startValue * Math.exp(this.offset);
  }

  step(): void {
    const deviation = this.#asset.volatilityBps / 10_000;
    const pull = (deviation / LONG_RUN_DEVIATION) ** 2 / 2;
    this.offset += deviation * this.#random.normal() - pull * this.offset;
  }
}

export class AssetValues {
  readonly #walks: ReadonlyMap<string, Walk>;

  constructor(assets: readonly WalkingAsset[], seed: number) {
    this.#walks = new Map(assets.map((asset) => [asset.asset, new Walk(asset, seed)]));
  }

  step(): void {
    for (const walk of this.#walks.values()) walk.step();
  }

  /** One of base in quote. */
  price(base: string, quote: string): number {
    return this.#walk(base).value / this.#walk(quote).value;
  }

  /**
   * Lets the walk of `asset` go on from a market's last price, all else as it is: a restart does not
   * jump back to where the demo began.
   */
  anchor(asset: string, base: string, quote: string, lastPrice: number): void {
    const walk = this.#walk(asset);
    const missing = Math.log(lastPrice / this.price(base, quote));
    const offset = walk.offset + (asset === base ? missing : -missing);
    walk.offset = Math.max(-MAX_ANCHOR, Math.min(MAX_ANCHOR, offset));
  }

  #walk(asset: string): Walk {
    const walk = this.#walks.get(asset);
    if (walk === undefined) throw new Error(`no value of ${asset}`);
    return walk;
  }
}
