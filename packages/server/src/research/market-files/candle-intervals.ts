/** The intervals that candles of files have, and where each of them begins. */
import { SECOND_MS } from "@pricetime/engine";
import { KLINE_INTERVALS, nextOpenTime, openTimeOf } from "@pricetime/protocol";

/** Archives have candles of a second too. */
const FILE_INTERVALS = ["1s", ...KLINE_INTERVALS] as const;
export type FileInterval = (typeof FILE_INTERVALS)[number];

interface Span {
  readonly openMs: number;
  readonly closeMs: number;
}

/** Open time of the interval that a time lies in. */
export function slotOf(interval: FileInterval, timeMs: number): number {
  return interval === "1s" ? timeMs - (timeMs % SECOND_MS) : openTimeOf(interval, timeMs);
}

/** The length of the interval that a time lies in: months differ. */
export function lengthAt(interval: FileInterval, timeMs: number): number {
  return interval === "1s" ? SECOND_MS : nextOpenTime(interval, timeMs) - openTimeOf(interval, timeMs);
}

/** The intervals between two open times of an interval, both left out. */
export function slotsBetween(interval: FileInterval, fromMs: number, toMs: number): number {
  if (interval !== "1M") return Math.max(0, Math.round((toMs - fromMs) / lengthAt(interval, fromMs)) - 1);
  let count = 0;
  for (let at = nextOpenTime(interval, fromMs); at < toMs; at = nextOpenTime(interval, at)) count++;
  return count;
}

/** The interval whose length most of the candles have: outages cut some short. Undefined: none has that of any. */
export function intervalOfMost(candles: readonly Span[]): FileInterval | undefined {
  const counts = new Map<FileInterval, number>();
  for (const { openMs, closeMs } of candles) {
    const lasts = closeMs + 1 - openMs;
    const interval = FILE_INTERVALS.find((each) => lengthAt(each, openMs) === lasts && isPlausible(each, openMs));
    if (interval !== undefined) counts.set(interval, (counts.get(interval) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** A month is known by its first day, since other intervals are as long as none of it. */
function isPlausible(interval: FileInterval, openMs: number): boolean {
  return interval !== "1M" || openTimeOf(interval, openMs) === openMs;
}

export const intervalNames = FILE_INTERVALS.join(", ");
