/** Times of the chart in UTC or in the machine's own zone: what they are called, and which of them stand out. */
import type { TimeZone } from "../preferences.ts";
import { MONTHS } from "../words/words.ts";

/** Fields as people read them; `month` from 0. */
export interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export function momentOf(timeMs: number, zone: TimeZone): Moment {
  const date = new Date(timeMs);
  if (zone === "utc") {
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth(),
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
    };
  }
  return {
    year: date.getFullYear(),
    month: date.getMonth(),
    day: date.getDate(),
    hour: date.getHours(),
    minute: date.getMinutes(),
    second: date.getSeconds(),
  };
}

/**
 * How much a time stands out on the axis after the one before it, as the chart library's own weights count (0 to 70).
 * The library weighs in UTC only: in another zone its days would begin at odd hours.
 */
export function markWeight(before: Moment, at: Moment): number {
  if (at.year !== before.year) return 70;
  if (at.month !== before.month) return 60;
  if (at.day !== before.day) return 50;
  const turns = (each: number, minutes: (moment: Moment) => number): boolean =>
    Math.floor(minutes(at) / each) !== Math.floor(minutes(before) / each);
  const minutesOf = ({ hour, minute }: Moment): number => hour * 60 + minute;
  if (turns(720, minutesOf)) return 33;
  if (turns(360, minutesOf)) return 32;
  if (turns(180, minutesOf)) return 31;
  if (turns(60, minutesOf)) return 30;
  if (turns(30, minutesOf)) return 22;
  if (turns(5, minutesOf)) return 21;
  return turns(1, minutesOf) ? 20 : 10;
}

const two = (value: number): string => String(value).padStart(2, "0");

/** On the axis: the year, the month or the day where one begins, else the time of day. `part` as the library names them. */
export function axisWords(timeMs: number, part: "year" | "month" | "day" | "time", zone: TimeZone): string {
  const { year, month, day, hour, minute } = momentOf(timeMs, zone);
  if (part === "year") return String(year);
  if (part === "month") return MONTHS[month] ?? "";
  return part === "day" ? String(day) : `${two(hour)}:${two(minute)}`;
}

/** The day, and with `isIntraday` the time of day: `2026-03-01 14:05`. */
export function timeWords(timeMs: number, isIntraday: boolean, zone: TimeZone): string {
  const { year, month, day, hour, minute } = momentOf(timeMs, zone);
  const date = `${year}-${two(month + 1)}-${two(day)}`;
  return isIntraday ? `${date} ${two(hour)}:${two(minute)}` : date;
}
