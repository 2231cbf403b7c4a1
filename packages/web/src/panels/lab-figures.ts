/** Figures of the lab's parts as a person reads them. */
import type { LabAssert, LabPoint, LabScenario } from "../lab/port.ts";

const two = (value: number): string => String(value).padStart(2, "0");

/** Whole percents of it that are done: 100 only when all is. */
export function percentOf(done: number, all: number): number {
  return all <= 0 ? 0 : Math.min(100, Math.floor((done / all) * 100));
}

/** `0:05:00`, `26:00:00`; before the start `0:00:00`. */
export function showElapsed(spanMs: number): string {
  const seconds = Math.max(0, Math.floor(spanMs / 1000));
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** How far the lab's time is in the scenario's: not past its end. */
export function elapsedOf({ startMs, endMs }: LabScenario, nowMs: number): readonly [now: string, end: string] {
  return [showElapsed(Math.min(nowMs, endMs) - startMs), showElapsed(endMs - startMs)];
}

/** What is to happen next, the soonest first. */
export function nextPoints(timeline: readonly LabPoint[], atMost: number): readonly LabPoint[] {
  return timeline.filter(({ isDone }) => !isDone).slice(0, atMost);
}

const ORDER: readonly LabAssert["state"][] = ["failed", "waiting", "holds"];

/** What has failed stands first. */
export function assertsByState(asserts: readonly LabAssert[]): readonly LabAssert[] {
  return asserts.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
}
