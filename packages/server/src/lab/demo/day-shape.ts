/** How busy a day is by the hour and by the weekday, UTC: one hump when New York opens, and quiet weekends. */
import { HOUR_MS } from "@pricetime/engine";
import { power } from "./exact.ts";

const HOURS = 24;
const WEEKDAYS = 7;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 4;

/** Percent of a day's volume, for the hours 00 to 23; measured on BTCUSDT, ETHUSDT, DOGEUSDT and AVAXUSDT of 2025. */
const VOLUME_BY_HOUR = [
  4.3, 3.6, 3.2, 2.8, 2.4, 2.3, 2.7, 3.3, 3.9, 3.8, 3.6, 3.7, 4.6, 6.9, 9.2, 7.0, 5.6, 4.7, 4.3, 4.2, 4.1, 3.6, 3.2,
  3.0,
];
/** The volume from Sunday to Saturday, as a multiple of an average day's. */
const VOLUME_BY_WEEKDAY = [0.76, 1.28, 1.12, 1.12, 1.12, 1.11, 0.49];
/** An hour's moves grow with its volume to this power: 1.6 times the average at 14 hours, 0.7 times at 5. */
const MOVE_EXPONENT = 0.6;

/** Returns the volume around `timeMs` as a multiple of the week's average, without leaps between hours. */
export function volumeFactor(timeMs: number): number {
  const hours = timeMs / HOUR_MS - 0.5;
  const whole = Math.floor(hours);
  return ofHour(whole) + (hours - whole) * (ofHour(whole + 1) - ofHour(whole));
}

/** Returns the size of price moves around `timeMs` as a multiple of the average: a standard deviation. */
export function moveFactor(timeMs: number): number {
  return power(volumeFactor(timeMs), MOVE_EXPONENT);
}

function ofHour(hourSince1970: number): number {
  const weekday = (Math.floor(hourSince1970 / HOURS) + FIRST_WEEKDAY) % WEEKDAYS;
  const share = VOLUME_BY_HOUR[hourSince1970 % HOURS] ?? 0;
  return ((share * HOURS) / 100) * (VOLUME_BY_WEEKDAY[weekday] ?? 1);
}
