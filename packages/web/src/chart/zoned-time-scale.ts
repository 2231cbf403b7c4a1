/** The chart library's axis of times, weighed and worded in one's own time zone. */
import {
  defaultHorzScaleBehavior,
  type TickMarkFormatter,
  TickMarkType,
  type TickMarkWeightValue,
  type Time,
  type UTCTimestamp,
} from "lightweight-charts";
import type { TimeZone } from "../preferences.ts";
import { axisWords, type Moment, markWeight, momentOf, timeWords } from "./time-marks.ts";

const Base = defaultHorzScaleBehavior();

/** Times are always given as seconds of UTC. */
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
