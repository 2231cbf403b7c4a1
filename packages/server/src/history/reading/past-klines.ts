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
import { nextOpenTime, openTimeOf } from "@pricetime/protocol";
import { foldKlines, type Grid, type Kline, mergeKline, widthOf } from "../table/columns.ts";

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
  /** The minutes of the day that was read last: windows that move minute by minute begin in the same day. */
  #latest: { readonly day: Midnight; readonly minutes: readonly PastCandle[] } | undefined;

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
  between(grid: Grid, from: number, to: number): Kline[] {
    const { interval, offsetMs } = grid;
    const candles = this.#candles(grid, from, nextOpenTime(interval, to, offsetMs));
    return foldKlines(this.#symbolId, interval, candles, offsetMs);
  }

  /** Undefined if no candles fit into the klines of this time zone. */
  first(grid: Grid): number | undefined {
    const levels = this.#levelsOf(grid);
    if (levels === undefined) return undefined;
    return openTimeOf(grid.interval, levels[0]?.fromMs ?? this.#minutes.fromMs, grid.offsetMs);
  }

  /** The last hour that opens before this time. Candles have no gaps, so it is needed only after their end. */
  lastBefore(timeMs: number): Kline | undefined {
    const open = openTimeOf("1h", Math.min(timeMs, this.#minutes.toMs) - 1);
    return this.between({ interval: "1h", offsetMs: 0 }, open, open)[0];
  }

  /** Everything from `fromMs`, a whole minute, until before `toMs`, which is not before the end of the candles. */
  merged(fromMs: number, toMs: number): Kline | undefined {
    if (fromMs >= this.#minutes.toMs) return undefined;
    const quarterMs = Math.ceil(fromMs / QUARTER_MS) * QUARTER_MS;
    const hourMs = Math.ceil(quarterMs / HOUR_MS) * HOUR_MS;
    const [first, ...later] = [
      ...this.#minutesBetween(fromMs, quarterMs),
      ...this.#quarters.between(quarterMs, hourMs),
      ...this.#hours.between(hourMs, toMs),
    ];
    if (first === undefined) return undefined;
    return later.reduce(mergeKline<Kline>, { ...first, symbolId: this.#symbolId, openTimeMs: fromMs });
  }

  /** The candles from which the klines are computed, oldest first. */
  #candles(grid: Grid, fromMs: number, toMs: number): PastCandle[] {
    const levels = this.#levelsOf(grid);
    if (levels?.length === 0) return this.#minutesBetween(fromMs, toMs);
    return (levels ?? []).flatMap((columns) => columns.between(fromMs, toMs));
  }

  /** Empty if the klines are computed from minutes; undefined if they can be computed from nothing in memory. */
  #levelsOf({ interval, offsetMs }: Grid): readonly PastColumns[] | undefined {
    const widthMs = widthOf(interval);
    if (widthMs < QUARTER_MS) return [];
    if (offsetMs % QUARTER_MS !== 0) return undefined;
    if (widthMs < HOUR_MS || offsetMs % HOUR_MS !== 0) return [this.#quarters];
    return widthMs < DAY_MS || offsetMs !== 0 ? [this.#hours] : [this.#days, this.#hours];
  }

  #minutesBetween(fromMs: number, toMs: number): PastCandle[] {
    return this.#midnights
      .filter((day) => day.fromMs < toMs && day.fromMs + DAY_MS > fromMs)
      .reverse()
      .flatMap((day) => this.#minutesOf(day))
      .filter(({ openTimeMs }) => openTimeMs >= fromMs && openTimeMs < toMs);
  }

  #minutesOf(day: Midnight): readonly PastCandle[] {
    if (this.#latest?.day !== day) {
      this.#latest = { day, minutes: [...day.generator.copy().back(this.#minutes, day.fromMs)] };
    }
    return this.#latest.minutes;
  }
}

/** Splits a level into parts of whole days and yields the start of each part, latest first. */
function* stretches({ fromMs, toMs }: PastLevel, stretchMs: number): Generator<number> {
  for (let end = toMs; end > fromMs; ) {
    end = Math.max(fromMs, openTimeOf("1d", end - stretchMs + DAY_MS - 1));
    yield end;
  }
}
