/**
 * The klines of a generated past, made where they are read: kept, they would be ninety thousand rows a symbol. What
 * takes long to make is kept in memory: quarters of an hour, hours and days; and where the generator stood at each
 * midnight, so that the minutes of a day are a few milliseconds. docs/decisions/0025
 */
import {
  type GeneratedPast,
  levelsOf,
  type PastCandle,
  PastGenerator,
  type PastLevel,
  PAST_WIDTHS_MS,
  HOUR_MS,
  DAY_MS,
} from "@pricetime/engine";
import { nextOpenTime, openTimeOf } from "@pricetime/protocol";
import { foldKlines, type Kline, widthOf } from "./kline.ts";
import { PastColumns } from "./past-columns.ts";
import type { KlineInterval } from "@pricetime/protocol";

const QUARTER_MS = PAST_WIDTHS_MS["15m"];

/** Of minutes: a day's, and the generator that is to draw them. */
interface Midnight {
  readonly fromMs: number;
  readonly generator: PastGenerator;
}

export class GeneratedKlines {
  readonly #symbolId: number;
  readonly #minutes: PastLevel;
  /** The latest first. */
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
    // A stretch at a time, so that little is in memory at once.
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

  /** Those that open from `from` to `to`, which are open times of the interval. */
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

  /** What the interval is made of, the oldest first. */
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

/** Where stretches of a level begin, the latest first: whole days. */
function* stretches({ fromMs, toMs }: PastLevel, stretchMs: number): Generator<number> {
  for (let end = toMs; end > fromMs; ) {
    end = Math.max(fromMs, openTimeOf("1d", end - stretchMs + DAY_MS - 1));
    yield end;
  }
}
