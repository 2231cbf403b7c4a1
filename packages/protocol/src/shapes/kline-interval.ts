/**
 * The intervals of klines and their opening times, which are aligned to UTC: `3d` to the epoch, `1w` to Mondays, `1M`
 * to the first of the month. Interface 2.1, 2.6. Times are milliseconds, 0 or later.
 */

export const KLINE_INTERVALS = [
  "1m",
  "3m",
  "5m",
  "15m",
  "30m",
  "1h",
  "2h",
  "4h",
  "6h",
  "8h",
  "12h",
  "1d",
  "3d",
  "1w",
  "1M",
] as const;
export type KlineInterval = (typeof KLINE_INTERVALS)[number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** The first Monday after the epoch, which was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** Widths of all intervals except the month, whose width varies. */
export const KLINE_WIDTHS_MS: ReadonlyMap<KlineInterval, number> = new Map([
  ["1m", MINUTE_MS],
  ["3m", 3 * MINUTE_MS],
  ["5m", 5 * MINUTE_MS],
  ["15m", 15 * MINUTE_MS],
  ["30m", 30 * MINUTE_MS],
  ["1h", HOUR_MS],
  ["2h", 2 * HOUR_MS],
  ["4h", 4 * HOUR_MS],
  ["6h", 6 * HOUR_MS],
  ["8h", 8 * HOUR_MS],
  ["12h", 12 * HOUR_MS],
  ["1d", DAY_MS],
  ["3d", 3 * DAY_MS],
  ["1w", WEEK_MS],
]);

/** Opening time of the kline that contains `timeMs`. */
export function openTimeOf(interval: KlineInterval, timeMs: number): number {
  const widthMs = KLINE_WIDTHS_MS.get(interval);
  if (widthMs === undefined) return monthStart(monthOf(timeMs));
  const originMs = interval === "1w" ? FIRST_MONDAY_MS - WEEK_MS : 0;
  return Math.floor((timeMs - originMs) / widthMs) * widthMs + originMs;
}

/**
 * Opening time of the kline after the one that contains `timeMs`. The earlier kline's close time is one millisecond
 * less.
 */
export function nextOpenTime(interval: KlineInterval, timeMs: number): number {
  const widthMs = KLINE_WIDTHS_MS.get(interval);
  if (widthMs === undefined) return monthStart(monthOf(timeMs) + 1);
  return openTimeOf(interval, timeMs) + widthMs;
}

// Calendar arithmetic. Years are counted from March, so that a leap day is the last day of its year, and in eras of 400
// years, which all have the same number of days.

const DAYS_PER_ERA = 146_097;
/** Days from 1 March of year 0 to 1 January 1970. */
const DAYS_TO_EPOCH = 719_468;

/** Days from March 1 to the first day of the `month`th month after March. */
function daysBefore(month: number): number {
  return Math.floor((153 * month + 2) / 5);
}

/** Months since March of year 0. */
function monthOf(timeMs: number): number {
  const day = Math.floor(timeMs / DAY_MS) + DAYS_TO_EPOCH;
  const era = Math.floor(day / DAYS_PER_ERA);
  const dayOfEra = day - era * DAYS_PER_ERA;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - daysBeforeYear(yearOfEra);
  const month = Math.floor((5 * dayOfYear + 2) / 153);
  return (era * 400 + yearOfEra) * 12 + month;
}

function daysBeforeYear(yearOfEra: number): number {
  return 365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
}

function monthStart(month: number): number {
  const year = Math.floor(month / 12);
  const era = Math.floor(year / 400);
  const day = era * DAYS_PER_ERA + daysBeforeYear(year - era * 400) + daysBefore(month - year * 12);
  return (day - DAYS_TO_EPOCH) * DAY_MS;
}
