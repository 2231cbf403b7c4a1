/**
 * Version 1 of the generator of pasts: makes the candles of five years from a few numbers. Pure, with integers and
 * operations that IEEE 754 defines to the last bit, so that it gives the same candles on every machine and for ever: it
 * is never changed, and another version stands beside it. docs/decisions/0025
 */
import { DAY_MS } from "../number/duration.ts";
import { assert } from "../assert.ts";
import { quoteOf, type QuoteScale } from "../number/quote-scale.ts";
import { AssetWalk } from "./asset-walk.ts";
import type { PastCandle } from "../entry/past-candle.ts";
import { exponential } from "./exponential.ts";
import {
  type GeneratedPast,
  isKnownGenerator,
  levelsOf,
  type PastLevel,
  quoteScaleOfPast,
} from "../entry/generated-past.ts";
import { PastRandom } from "./random.ts";
import { moveSeason, volumeSeason, weekSeason } from "./seasons.ts";
import { Decay, Weather } from "./weather.ts";

/** A candle reaches beyond its open and close by this much of its usual move, on average, to either side. */
const REACH = 0.4;
const MOST_LOTS = 2 ** 52;
/** How closely the logarithm of volume follows that of volatility; the noise below is added. */
const VOLUME_BY_MOOD = 0.9;
const VOLUME_NOISE = 0.5;
/** What noise and moves add to the mean. */
const VOLUME_BIAS = 0.13;
/** How long noise in volume lasts. */
const VOLUME_LASTS_MS = 20 * 60_000;

/** The candles that open at `sinceMs` or later, in order of time: days, hours, minutes, each where the other ends. */
export function generatePast(past: GeneratedPast, sinceMs = 0): PastCandle[] {
  const generator = new PastGenerator(past);
  return levelsOf(past.endMs)
    .flatMap((level) => generator.back(level, Math.max(sinceMs, level.fromMs)).reverse())
    .reverse();
}

/** Draws candles one by one, back from the end. A whole past takes a tenth of a second. */
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
  /** Close of the candle that is drawn next. */
  #closeTicks: number;
  /** Opening time of the candle drawn last. */
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

  /** A copy of the generator in its present state. */
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

  /** The next candles of a level, from the latest back to the one that opens at `fromMs`, returned in order of time. */
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

  /** Liveliness of trading, around 1. */
  #liveliness(widthMs: number): number {
    if (widthMs !== this.#widthMs) {
      this.#widthMs = widthMs;
      this.#volumeDecay = new Decay(widthMs, VOLUME_LASTS_MS, VOLUME_NOISE);
    }
    this.#volumeNoise = this.#volumeDecay.next(this.#volumeNoise, this.#random);
    return exponential(VOLUME_BY_MOOD * this.#weather.mood + this.#volumeNoise - VOLUME_BIAS);
  }
}
