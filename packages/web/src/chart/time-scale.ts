/** The chart's time axis in UTC or the machine's time zone: how times are formatted, and which are emphasized. */
import type { TimeZone } from "../preferences.ts";
import { MONTHS } from "../words/words.ts";
import {
  defaultHorzScaleBehavior,
  type TickMarkFormatter,
  TickMarkType,
  type TickMarkWeightValue,
  type Time,
  type UTCTimestamp,
} from "lightweight-charts";

/** A time as calendar fields; `month` counts from 0. */
interface Moment {
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
 * How prominent a time is on the axis, compared with the time before it, as a weight of the chart library (0 to 70).
 * The library computes weights only in UTC, so days in other time zones would begin at odd hours.
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

/**
 * The axis label: the year, month or day if one begins, otherwise the time of day. `part` corresponds to the library's
 * tick mark type.
 */
export function axisWords(timeMs: number, part: "year" | "month" | "day" | "time", zone: TimeZone): string {
  const { year, month, day, hour, minute } = momentOf(timeMs, zone);
  if (part === "year") return String(year);
  if (part === "month") return MONTHS[month] ?? "";
  return part === "day" ? String(day) : `${two(hour)}:${two(minute)}`;
}

/** Formats a date, and with `isIntraday` also the time of day: `2026-03-01 14:05`. */
export function timeWords(timeMs: number, isIntraday: boolean, zone: TimeZone): string {
  const { year, month, day, hour, minute } = momentOf(timeMs, zone);
  const date = `${year}-${two(month + 1)}-${two(day)}`;
  return isIntraday ? `${date} ${two(hour)}:${two(minute)}` : date;
}

// The chart library's time axis, with weights and labels in the selected time zone.

const Base = defaultHorzScaleBehavior();

/** Converts a time to UTC seconds, which the chart library uses. */
export function chartTime(timeMs: number): UTCTimestamp {
  return (timeMs / 1000) as UTCTimestamp;
}

function millis(time: unknown): number {
  return typeof time === "number" ? time * 1000 : 0;
}

export class ZonedTimeScale extends Base {
  readonly #zone: TimeZone;

  constructor(zone: TimeZone) {
    super();
    this.#zone = zone;
  }

  override fillWeightsForPoints(
    points: readonly { timeWeight: TickMarkWeightValue; readonly originalTime: unknown }[],
    startIndex: number,
  ): void {
    let before: Moment | null = null;
    for (let at = Math.max(0, startIndex - 1); at < points.length; at++) {
      const point = points[at];
      if (point === undefined) continue;
      const moment = momentOf(millis(point.originalTime), this.#zone);
      if (at >= startIndex)
        point.timeWeight = (before === null ? 0 : markWeight(before, moment)) as TickMarkWeightValue;
      before = moment;
    }
  }
}

export function markFormatter(zone: TimeZone): TickMarkFormatter {
  return (time: Time, type: TickMarkType) => {
    const part =
      type === TickMarkType.Year
        ? "year"
        : type === TickMarkType.Month
          ? "month"
          : type === TickMarkType.DayOfMonth
            ? "day"
            : "time";
    return axisWords(millis(time), part, zone);
  };
}

export function crosshairFormatter(zone: TimeZone, isIntraday: boolean): (time: Time) => string {
  return (time) => timeWords(millis(time), isIntraday, zone);
}
