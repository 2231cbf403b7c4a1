/** Computes klines of generated history when they are read. */
import {
  DAY_MS,
  type GeneratedPast,
  HOUR_MS,
  levelsOf,
  PAST_WIDTHS_MS,
  type PastCandle,
  PastGenerator,
  type PastLevel,
} from "@pricetime/engine";
import { type KlineInterval, nextOpenTime, openTimeOf } from "@pricetime/protocol";
import { foldKlines, type Kline, widthOf } from "../table/columns.ts";

const TWO_32 = 2n ** 32n;

class PastColumns {
  readonly fromMs: number;
  readonly #widthMs: number;
  readonly #length: number;
  readonly #prices: Float64Array;
  /** Each amount is stored as two numbers: the high part and the low 32 bits. */
  readonly #amounts: Float64Array;
  readonly #counts: Float64Array;

  /** Allocates candles of one width, from `fromMs` to the first candle that ends at or after `toMs`. */
  constructor(widthMs: number, fromMs: number, toMs: number) {
    this.fromMs = fromMs;
    this.#widthMs = widthMs;
    this.#length = Math.ceil((toMs - fromMs) / widthMs);
    this.#prices = new Float64Array(4 * this.#length);
    this.#amounts = new Float64Array(8 * this.#length);
    this.#counts = new Float64Array(this.#length);
  }

  put(candle: PastCandle): void {
    const at = (candle.openTimeMs - this.fromMs) / this.#widthMs;
    const { openTicks, highTicks, lowTicks, closeTicks, lots, quote, takerBuyLots, takerBuyQuote } = candle;
    this.#prices.set([openTicks, highTicks, lowTicks, closeTicks], 4 * at);
    for (const [place, amount] of [lots, quote, takerBuyLots, takerBuyQuote].entries()) {
      this.#amounts[8 * at + 2 * place] = Number(amount / TWO_32);
      this.#amounts[8 * at + 2 * place + 1] = Number(amount % TWO_32);
    }
    this.#counts[at] = candle.count;
  }

  /** The candles that open in the range from `fromMs` (inclusive) to `toMs` (exclusive). */
  between(fromMs: number, toMs: number): PastCandle[] {
    const place = (timeMs: number): number =>
      Math.min(this.#length, Math.max(0, Math.ceil((timeMs - this.fromMs) / this.#widthMs)));
    const candles: PastCandle[] = [];
    for (let at = place(fromMs), end = place(toMs); at < end; at++) candles.push(this.#candle(at));
    return candles;
  }

  #candle(at: number): PastCandle {
    const price = (n: number): number => this.#prices[4 * at + n] as number;
    const amount = (n: number): bigint =>
      BigInt(this.#amounts[8 * at + 2 * n] as number) * TWO_32 + BigInt(this.#amounts[8 * at + 2 * n + 1] as number);
    return {
      openTimeMs: this.fromMs + at * this.#widthMs,
      ...{ openTicks: price(0), highTicks: price(1), lowTicks: price(2), closeTicks: price(3) },
      ...{ lots: amount(0), quote: amount(1), takerBuyLots: amount(2), takerBuyQuote: amount(3) },
      count: this.#counts[at] as number,
    };
  }
}

// Generated klines are computed when they are read, because storing them would take 90,000 rows per symbol. The
// expensive parts stay in memory: candles of 15 minutes, hours and days; and the generator's state at each midnight,
// from which the minutes of a day are computed in a few milliseconds. docs/decisions/0025

const QUARTER_MS = PAST_WIDTHS_MS["15m"];

/** The start of a day's minutes, with the generator's state at that point. */
interface Midnight {
  readonly fromMs: number;
  readonly generator: PastGenerator;
}

export class GeneratedKlines {
  readonly #symbolId: number;
  readonly #minutes: PastLevel;
  /** Midnights, the latest first. */
  readonly #midnights: Midnight[] = [];
  readonly #quarters: PastColumns;
  readonly #hours: PastColumns;
  readonly #days: PastColumns;

  constructor(symbolId: number, past: GeneratedPast) {
    this.#symbolId = symbolId;
    const [minutes, hours, days] = levelsOf(past.endMs) as [PastLevel, PastLevel, PastLevel];
    this.#minutes = minutes;
    this.#quarters = new PastColumns(QUARTER_MS, minutes.fromMs, minutes.toMs);
    this.#hours = new PastColumns(HOUR_MS, hours.fromMs, minutes.toMs);
    this.#days = new PastColumns(DAY_MS, days.fromMs, days.toMs);
    // In parts, to limit memory use.
    const generator = new PastGenerator(past);
    for (const fromMs of stretches(minutes, DAY_MS)) {
      this.#midnights.push({ fromMs, generator: generator.copy() });
      const quarters = foldKlines(symbolId, "15m", generator.back(minutes, fromMs));
      for (const quarter of quarters) this.#quarters.put(quarter);
      for (const hour of foldKlines(symbolId, "1h", quarters)) this.#hours.put(hour);
    }
    for (const fromMs of stretches(hours, 30 * DAY_MS))
      for (const hour of generator.back(hours, fromMs)) this.#hours.put(hour);
    for (const fromMs of stretches(days, 500 * DAY_MS))
      for (const day of generator.back(days, fromMs)) this.#days.put(day);
  }

  /** The klines with open times from `from` to `to`, inclusive. */
  between(interval: KlineInterval, from: number, to: number): Kline[] {
    return foldKlines(this.#symbolId, interval, this.#candles(interval, from, nextOpenTime(interval, to)));
  }

  first(interval: KlineInterval): number {
    return openTimeOf(interval, this.#levelOf(interval).at(0)?.fromMs ?? this.#minutes.fromMs);
  }

  lastBefore(interval: KlineInterval, timeMs: number): Kline | undefined {
    const open = openTimeOf(interval, Math.min(timeMs, this.#minutes.toMs) - 1);
    return open < this.first(interval) ? undefined : this.between(interval, open, open)[0];
  }

  /** The candles from which the interval is computed, oldest first. */
  #candles(interval: KlineInterval, fromMs: number, toMs: number): PastCandle[] {
    if (widthOf(interval) < QUARTER_MS) return this.#minutesBetween(fromMs, toMs);
    return this.#levelOf(interval).flatMap((columns) => columns.between(fromMs, toMs));
  }

  #levelOf(interval: KlineInterval): readonly PastColumns[] {
    const widthMs = widthOf(interval);
    if (widthMs < QUARTER_MS) return [];
    if (widthMs < HOUR_MS) return [this.#quarters];
    return widthMs < DAY_MS ? [this.#hours] : [this.#days, this.#hours];
  }

  #minutesBetween(fromMs: number, toMs: number): PastCandle[] {
    return this.#midnights
      .filter((day) => day.fromMs < toMs && day.fromMs + DAY_MS > fromMs)
      .reverse()
      .flatMap((day) => day.generator.copy().back(this.#minutes, day.fromMs))
      .filter(({ openTimeMs }) => openTimeMs >= fromMs && openTimeMs < toMs);
  }
}

/** Splits a level into parts of whole days and yields the start of each part, latest first. */
function* stretches({ fromMs, toMs }: PastLevel, stretchMs: number): Generator<number> {
  for (let end = toMs; end > fromMs; ) {
    end = Math.max(fromMs, openTimeOf("1d", end - stretchMs + DAY_MS - 1));
    yield end;
  }
}
