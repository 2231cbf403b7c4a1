/** A date and time that is entered in a stated time zone: in UTC or in the zone of the browser. */
import type { TimeZone } from "../../preferences.ts";
import { consoleForms as words } from "../../words/words.ts";

interface Props {
  readonly id: string;
  readonly zone: TimeZone;
  /** Milliseconds since 1970; undefined while no time is entered. */
  readonly timeMs: number | undefined;
  readonly onTime: (timeMs: number | undefined) => void;
}

export function ZonedTime({ id, zone, timeMs, onTime }: Props) {
  return (
    <div class="zoned-time">
      <input
        id={id}
        type="datetime-local"
        value={timeMs === undefined ? "" : textOf(timeMs, zone)}
        onInput={({ currentTarget: { value } }) => onTime(timeOf(value, zone))}
      />
      <span class="muted">{zoneName(zone)}</span>
    </div>
  );
}

/** The time of a text such as `2026-11-26T14:05` in the zone; undefined if it is not complete. */
function timeOf(text: string, zone: TimeZone): number | undefined {
  const timeMs = zone === "utc" ? Date.parse(`${text}Z`) : new Date(text).getTime();
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** The inverse of `timeOf`. */
function textOf(timeMs: number, zone: TimeZone): string {
  const offsetMs = zone === "utc" ? 0 : new Date(timeMs).getTimezoneOffset() * 60_000;
  return new Date(timeMs - offsetMs).toISOString().slice(0, "2026-11-26T14:05".length);
}

/** The name of the zone, as people know it: `UTC`, or `Europe/Berlin`. */
function zoneName(zone: TimeZone): string {
  return zone === "utc" ? words.utc : new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
