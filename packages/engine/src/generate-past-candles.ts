/**
 * Version 1 of the generator of synthetic candles: computes the candles of five years from a few numbers. It is pure
 * and uses only integers and operations that IEEE 754 defines to the last bit, so it gives the same candles on every
 * machine. No part of this file changes after its release; a new version is added next to it. docs/decisions/0025
 */
import { DAY_MS, HOUR_MS, MINUTE_MS, quoteOf, type QuoteScale } from "./numbers.ts";
import {
  type GeneratedPast,
  isKnownGenerator,
  levelsOf,
  type PastAsset,
  type PastCandle,
  type PastLevel,
  quoteScaleOfPast,
} from "./entry/past-candle.ts";
import { assert } from "./assert.ts";

// e to the power of x, computed by products and sums, because `Math.exp` is only approximate. The result is constant
// beyond +-20.

/** The exponent is divided by 64, so the result is squared this many times. */
const HALVINGS = 6;
const TERMS = 8;
const FARTHEST_POWER = 20;

export function exponential(x: number): number {
  const small = Math.max(-FARTHEST_POWER, Math.min(FARTHEST_POWER, x)) / 64;
  let power = 1;
  for (let term = TERMS; term >= 1; term--) power = 1 + (small / term) * power;
  for (let i = 0; i < HALVINGS; i++) power *= power;
  return power;
}

// Random numbers (sfc32) from integers and exact operations only.

const TWO_32 = 2 ** 32;
/** Standard deviation of the sum of six numbers between 0 and 1. */
const DEVIATION_OF_SIX = Math.sqrt(0.5);

class PastRandom {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** Different names give different sequences for the same seed. */
  constructor(seed: number, name: string) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
    this.#a = seed >>> 0;
    this.#b = Math.floor(seed / TWO_32) >>> 0;
    this.#c = hash >>> 0;
    for (let i = 0; i < 16; i++) this.#bits();
  }

  copy(): PastRandom {
    const copy = new PastRandom(0, "");
    copy.#a = this.#a;
    copy.#b = this.#b;
    copy.#c = this.#c;
    copy.#counter = this.#counter;
    return copy;
  }

  /** A number from 0, inclusive, to 1, exclusive. */
  next(): number {
    return this.#bits() / TWO_32;
  }

  /** Nearly normal, mean 0, standard deviation 1: a sum of six numbers, because logarithms differ between machines. */
  normal(): number {
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      const bits = this.#bits();
      sum += (bits >>> 16) + (bits & 0xffff);
    }
    return (sum / 65_535 - 3) / DEVIATION_OF_SIX;
  }

  #bits(): number {
    const sum = (this.#a + this.#b + this.#counter) >>> 0;
    this.#counter = (this.#counter + 1) >>> 0;
    this.#a = (this.#b ^ (this.#b >>> 9)) >>> 0;
    this.#b = (this.#c + (this.#c << 3)) >>> 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) >>> 0;
    return sum;
  }
}

// The movement that all markets share: bursts and calm periods, and a shock in each step. The logarithm of volatility
// is a sum of mean-reverting parts, so that large moves cluster and the tails are fat. It is computed backwards from
// the end.

/** The duration and strength of each part of volatility. */
const PARTS = [
  { lastsMs: 10 * MINUTE_MS, strength: 0.35 },
  { lastsMs: 6 * HOUR_MS, strength: 0.38 },
  { lastsMs: 5 * DAY_MS, strength: 0.3 },
  { lastsMs: 30 * DAY_MS, strength: 0.2 },
] as const;

/** Advances a value that reverts to 0, in steps of one candle width. */
class Decay {
  readonly strength: number;
  /** Whether the value decays within one step. */
  readonly isOver: boolean;
  readonly #retained: number;
  readonly #added: number;

  constructor(widthMs: number, lastsMs: number, strength: number) {
    this.strength = strength;
    this.isOver = lastsMs < widthMs;
    this.#retained = exponential(-widthMs / lastsMs);
    this.#added = Math.sqrt(1 - this.#retained * this.#retained) * strength;
  }

  next(value: number, random: PastRandom): number {
    return this.#retained * value + this.#added * random.normal();
  }
}

/** The probability that a step has a shock of several times the usual size. */
const RARE = 0.01;
const RARE_SIZE = 3;
const SHOCK_DEVIATION = Math.sqrt(1 - RARE + RARE * RARE_SIZE * RARE_SIZE);

class Weather {
  #random: PastRandom;
  #parts = PARTS.map(() => 0);
  #widthMs = 0;
  #decays: readonly Decay[] = [];
  /** The logarithm of volatility, around 0. Volume follows it. */
  mood = 0;
  /** Volatility, with a mean square of 1. */
  volatility = 1;
  /** The shock of the current step. It has a standard deviation of 1 and fat tails. */
  shock = 0;

  constructor(seed: number) {
    this.#random = new PastRandom(seed, "weather");
    // Starts from the long-run distribution.
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
      // A part that decays within one step has no effect.
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

/** A random number with a standard deviation of 1 and occasional large values. */
function fatNormal(random: PastRandom): number {
  const size = random.next() < RARE ? RARE_SIZE : 1;
  return (size * random.normal()) / SHOCK_DEVIATION;
}

// The logarithm of an asset's value relative to its value at the end: a random walk back in time, drawn towards the
// end. An asset has the same walk in every symbol, so that cross rates are consistent.

/** Long-run standard deviation of the walk around its end, as a multiple of the daily move. */
const LONG_RUN_DAYS = 15;
const PULL_A_DAY = 1 / (2 * LONG_RUN_DAYS * LONG_RUN_DAYS);
const FARTHEST_OFFSET = 3;

class AssetWalk {
  readonly #asset: PastAsset;
  #random: PastRandom;
  readonly #dayMove: number;
  readonly #marketShare: number;
  readonly #ownShare: number;
  /** Natural logarithm of (value / value at the end). */
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

  /** Moves one step back in time. `season` scales the moves and is 1 on average. */
  step(weather: Weather, widthMs: number, season: number): void {
    const own = fatNormal(this.#random);
    const days = widthMs / DAY_MS;
    const size = this.#dayMove * Math.sqrt(days) * season * weather.volatility;
    const move = size * (this.#marketShare * weather.shock + this.#ownShare * own);
    const offset = this.offset + move - PULL_A_DAY * days * this.offset;
    this.offset = Math.max(-FARTHEST_OFFSET, Math.min(FARTHEST_OFFSET, offset));
  }

  /** Standard deviation of a day's move of the base asset in the quote asset, at average volatility. */
  static moveOf(base: PastAsset, quote: PastAsset): number {
    const [b, q] = [base.dayMoveBps / 10_000, quote.dayMoveBps / 10_000];
    const common = (base.marketPercent / 100) * (quote.marketPercent / 100);
    return Math.sqrt(Math.max(0, b * b + q * q - 2 * common * b * q));
  }
}

// Daily and weekly patterns of a market, in UTC: a maximum at the opening of New York, a smaller one at midnight, half
// of it at weekends. Rounded from two years of public BTCUSDT candles.

/** The share of each hour in a day's volume, in percent. */
const VOLUME: readonly number[] = [
  4.3, 3.6, 3.2, 2.9, 2.5, 2.3, 2.6, 3, 3.5, 3.6, 3.5, 3.6, 4.2, 6.4, 9.2, 7.6, 6, 5, 4.4, 4.2, 4.2, 4, 3.5, 2.7,
];
/** The size of returns in each hour, relative to that of the whole day. */
const MOVES: readonly number[] = [
  1.13, 0.98, 0.92, 0.85, 0.75, 0.68, 0.74, 0.82, 0.9, 0.9, 0.88, 0.9, 0.98, 1.3, 1.59, 1.4, 1.2, 1.08, 1.02, 1, 1.02,
  1, 0.92, 0.8,
];
/** The volume of each weekday from Sunday on, relative to an average day. */
const WEEK: readonly number[] = [0.76, 1.28, 1.16, 1.14, 1.12, 1.05, 0.49];

const MEAN_SQUARE_MOVE = MOVES.reduce((sum, move) => sum + move * move, 0) / MOVES.length;
const MEAN_VOLUME = VOLUME.reduce((sum, share) => sum + share, 0) / VOLUME.length;

/** The size of moves in the hour of `timeMs`, relative to the average. Its square averages 1 over the day. */
function moveSeason(timeMs: number): number {
  return (MOVES[hourOf(timeMs)] as number) / Math.sqrt(MEAN_SQUARE_MOVE);
}

/** The volume in the hour of `timeMs`, relative to the average hour. */
function volumeSeason(timeMs: number): number {
  return (VOLUME[hourOf(timeMs)] as number) / MEAN_VOLUME;
}

/** The volume on the weekday of `timeMs`, relative to the average day. The epoch was a Thursday. */
function weekSeason(timeMs: number): number {
  return WEEK[(Math.floor(timeMs / DAY_MS) + 4) % 7] as number;
}

function hourOf(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS) % 24;
}

// The generator.

/**
 * The average distance of the high above open and close, and of the low below them, as a fraction of the usual move.
 */
const REACH = 0.4;
const MOST_LOTS = 2 ** 52;
/** How closely the logarithm of volume follows the logarithm of volatility, before noise is added. */
const VOLUME_BY_MOOD = 0.9;
const VOLUME_NOISE = 0.5;
/** Subtracted from the logarithm of volume, because noise and moves raise the mean by this much. */
const VOLUME_BIAS = 0.13;
/** How long noise in volume lasts. */
const VOLUME_LASTS_MS = 20 * 60_000;

/** The candles that open at `sinceMs` or later, in order of time: first daily, then hourly, then minute candles. */
export function generatePast(past: GeneratedPast, sinceMs = 0): PastCandle[] {
  const generator = new PastGenerator(past);
  return levelsOf(past.endMs)
    .flatMap((level) => generator.back(level, Math.max(sinceMs, level.fromMs)).reverse())
    .reverse();
}

/** Generates candles one by one, backwards from the end. A complete history takes a tenth of a second. */
export class PastGenerator {
  readonly #past: GeneratedPast;
  readonly #scale: QuoteScale;
  #weather: Weather;
  #base: AssetWalk;
  #quote: AssetWalk;
  #random: PastRandom;
  readonly #dayMove: number;
  #widthMs = 0;
  #volumeDecay = new Decay(1, VOLUME_LASTS_MS, VOLUME_NOISE);
  #volumeNoise = 0;
  /** Close of the candle that is generated next. */
  #closeTicks: number;
  /** Opening time of the candle that was generated last. */
  #openMs: number;

  constructor(past: GeneratedPast) {
    assert(isKnownGenerator(past.generator), "a past of an unknown generator is not journaled");
    this.#past = past;
    this.#scale = quoteScaleOfPast(past);
    this.#weather = new Weather(past.seed);
    this.#base = new AssetWalk(past.seed, past.base);
    this.#quote = new AssetWalk(past.seed, past.quote);
    this.#random = new PastRandom(past.seed, `symbol ${past.symbol}`);
    this.#dayMove = AssetWalk.moveOf(past.base, past.quote);
    this.#closeTicks = past.endTicks;
    this.#openMs = past.endMs;
  }

  /** A copy of the generator in its current state. */
  copy(): PastGenerator {
    const copy = new PastGenerator(this.#past);
    copy.#weather = this.#weather.copy();
    copy.#base = this.#base.copy();
    copy.#quote = this.#quote.copy();
    copy.#random = this.#random.copy();
    copy.#volumeNoise = this.#volumeNoise;
    copy.#closeTicks = this.#closeTicks;
    copy.#openMs = this.#openMs;
    return copy;
  }

  /**
   * Generates the candles of a level backwards to the one that opens at `fromMs`, and returns them in order of time.
   */
  back({ name, widthMs }: PastLevel, fromMs: number): PastCandle[] {
    const candles: PastCandle[] = [];
    while (this.#openMs - widthMs >= fromMs) {
      this.#openMs -= widthMs;
      candles.push(this.#before(this.#openMs, widthMs, name !== "days"));
    }
    return candles.reverse();
  }

  #before(openTimeMs: number, widthMs: number, isOfDay: boolean): PastCandle {
    const moves = isOfDay ? moveSeason(openTimeMs) : 1;
    const weather = this.#weather;
    weather.step(widthMs);
    this.#base.step(weather, widthMs, moves);
    this.#quote.step(weather, widthMs, moves);
    const closeTicks = this.#closeTicks;
    const openTicks = this.#ticksNow();
    this.#closeTicks = openTicks;
    const move = this.#dayMove * Math.sqrt(widthMs / DAY_MS) * moves * weather.volatility * openTicks;
    const highTicks = Math.max(openTicks, closeTicks) + this.#reach(move);
    const lowTicks = Math.max(this.#past.tickStep, Math.min(openTicks, closeTicks) - this.#reach(move));
    const prices = { openTimeMs, openTicks, highTicks, lowTicks, closeTicks };
    const volumes = isOfDay ? volumeSeason(openTimeMs) : 1;
    return { ...prices, ...this.#traded(prices, widthMs, volumes * weekSeason(openTimeMs), move) };
  }

  #ticksNow(): number {
    const { endTicks, tickStep } = this.#past;
    const exact = endTicks * exponential(this.#base.offset - this.#quote.offset);
    return Math.max(1, Math.round(exact / tickStep)) * tickStep;
  }

  #reach(move: number): number {
    const size = 4 * this.#random.next() * this.#random.next();
    return Math.floor((REACH * size * move) / this.#past.tickStep) * this.#past.tickStep;
  }

  #traded(
    {
      openTicks,
      highTicks,
      lowTicks,
      closeTicks,
    }: Pick<PastCandle, "openTicks" | "highTicks" | "lowTicks" | "closeTicks">,
    widthMs: number,
    season: number,
    move: number,
  ): Pick<PastCandle, "lots" | "quote" | "count" | "takerBuyLots" | "takerBuyQuote"> {
    const { lotStep, dayLots, dayTrades } = this.#past;
    const moved = move === 0 ? 0 : (closeTicks - openTicks) / move;
    const share = (widthMs / DAY_MS) * season * this.#liveliness(widthMs) * (0.6 + 0.5 * Math.min(3, Math.abs(moved)));
    const steps = Math.min(Math.max(1, Math.round((dayLots * share) / lotStep)), Math.floor(MOST_LOTS / lotStep));
    const trades = Math.round(dayTrades * share * (0.8 + 0.4 * this.#random.next()));
    const bought = 0.5 + 0.1 * Math.max(-2, Math.min(2, moved)) + 0.06 * this.#random.normal();
    const boughtSteps = Math.round(steps * Math.max(0.05, Math.min(0.95, bought)));
    const meanTicks = Math.round((openTicks + highTicks + lowTicks + closeTicks) / 4);
    return {
      lots: BigInt(steps * lotStep),
      quote: quoteOf(this.#scale, meanTicks, steps * lotStep),
      count: Math.max(1, Math.min(trades, steps)),
      takerBuyLots: BigInt(boughtSteps * lotStep),
      takerBuyQuote: quoteOf(this.#scale, meanTicks, boughtSteps * lotStep),
    };
  }

  /** The intensity of trading, about 1 on average. */
  #liveliness(widthMs: number): number {
    if (widthMs !== this.#widthMs) {
      this.#widthMs = widthMs;
      this.#volumeDecay = new Decay(widthMs, VOLUME_LASTS_MS, VOLUME_NOISE);
    }
    this.#volumeNoise = this.#volumeDecay.next(this.#volumeNoise, this.#random);
    return exponential(VOLUME_BY_MOOD * this.#weather.mood + this.#volumeNoise - VOLUME_BIAS);
  }
}
