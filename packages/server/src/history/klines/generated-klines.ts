/**
 * The klines of a generated past, computed when they are read: stored, they would be ninety thousand rows a symbol.
 * Slow parts are kept in memory: quarters of an hour, hours and days; and the generator's state at each midnight, so
 * that computing the minutes of a day takes a few milliseconds. docs/decisions/0025
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

/** The start of a day's minutes, and the generator that will draw them. */
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
    // One stretch at a time, so that little is in memory at once.
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

  /** Returns the klines that open from `from` to `to`, which are open times of the interval. */
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

  /** Returns the candles that make up the interval, the oldest first. */
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

/** Yields where the stretches of a level begin, in whole days, the latest first. */
function* stretches({ fromMs, toMs }: PastLevel, stretchMs: number): Generator<number> {
  for (let end = toMs; end > fromMs; ) {
    end = Math.max(fromMs, openTimeOf("1d", end - stretchMs + DAY_MS - 1));
    yield end;
  }
}
