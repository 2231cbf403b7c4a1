/**
 * The intervals of klines and their opening times, which are aligned to UTC or to the local time of another time zone:
 * `3d` to the epoch, `1w` to Mondays, `1M` to the first of the month. Interface 2.1, 2.6. Times are milliseconds, 0 or
 * later.
 */

/** The intervals whose klines history stores. */
export const STORED_INTERVALS = [
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
export type StoredInterval = (typeof STORED_INTERVALS)[number];

/** All intervals. Klines of a second are computed from trades when they are requested. */
export const KLINE_INTERVALS = ["1s", ...STORED_INTERVALS] as const;
export type KlineInterval = (typeof KLINE_INTERVALS)[number];

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** The first Monday after the epoch, which was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** Widths of all intervals except the month, whose width varies. */
export const KLINE_WIDTHS_MS: ReadonlyMap<KlineInterval, number> = new Map([
  ["1s", SECOND_MS],
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

/**
 * Opening time of the kline that contains `timeMs`. `offsetMs`: how far the local time, to which klines are aligned, is
 * ahead of UTC.
 */
export function openTimeOf(interval: KlineInterval, timeMs: number, offsetMs = 0): number {
  const localMs = timeMs + offsetMs;
  const widthMs = KLINE_WIDTHS_MS.get(interval);
  if (widthMs === undefined) return monthStart(monthOf(localMs)) - offsetMs;
  const originMs = interval === "1w" ? FIRST_MONDAY_MS - WEEK_MS : 0;
  return Math.floor((localMs - originMs) / widthMs) * widthMs + originMs - offsetMs;
}

/**
 * Opening time of the kline after the one that contains `timeMs`. The earlier kline's close time is one millisecond
 * less.
 */
export function nextOpenTime(interval: KlineInterval, timeMs: number, offsetMs = 0): number {
  const widthMs = KLINE_WIDTHS_MS.get(interval);
  if (widthMs === undefined) return monthStart(monthOf(timeMs + offsetMs) + 1) - offsetMs;
  return openTimeOf(interval, timeMs, offsetMs) + widthMs;
}

/** The earliest opening time at `timeMs` or later. */
export function openTimeAtOrAfter(interval: KlineInterval, timeMs: number, offsetMs = 0): number {
  const open = openTimeOf(interval, timeMs, offsetMs);
  return open === timeMs ? open : nextOpenTime(interval, timeMs, offsetMs);
}

// Time zones and windows as parameters.

const TIME_ZONE = /^([+-]?)([0-9]{1,2})(?::([0-5][0-9]))?$/;
export const TIME_ZONE_PATTERN = TIME_ZONE.source;
const LOWEST_OFFSET_MS = -12 * HOUR_MS;
const HIGHEST_OFFSET_MS = 14 * HOUR_MS;

/** How far the local time of a time zone (`8`, `-1:00`, `+05:45`) is ahead of UTC; null if the text is none. */
export function timeZoneOffset(text: string): number | null {
  const [, sign, hours, minutes = "0"] = TIME_ZONE.exec(text) ?? [];
  if (hours === undefined) return null;
  const distanceMs = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  const offsetMs = sign === "-" ? 0 - distanceMs : distanceMs;
  return offsetMs >= LOWEST_OFFSET_MS && offsetMs <= HIGHEST_OFFSET_MS ? offsetMs : null;
}

const WINDOW_SIZE = /^([1-9][0-9]?)([mhd])$/;
export const WINDOW_SIZE_PATTERN = WINDOW_SIZE.source;
const WINDOW_UNITS: Readonly<Record<string, readonly [unitMs: number, most: number]>> = {
  m: [MINUTE_MS, 59],
  h: [HOUR_MS, 23],
  d: [DAY_MS, 7],
};

/** The length of a window: `1m` to `59m`, `1h` to `23h`, `1d` to `7d`. Null for any other text. */
export function windowSizeMs(text: string): number | null {
  const [, count, unit = ""] = WINDOW_SIZE.exec(text) ?? [];
  const [unitMs, most] = WINDOW_UNITS[unit] ?? [0, 0];
  return count !== undefined && Number(count) <= most ? Number(count) * unitMs : null;
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
