/** Durations as text such as `10m` or `1h30m`. */
import { z } from "zod";

/** The number of milliseconds in each unit. */
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const PART = /([0-9]{1,12}(?:\.[0-9]{1,3})?)(ms|s|m|h|d)/g;

/** Parses `250ms`, `10m`, `1h30m` or `1.5s`. Returns null for anything else, and for fractions of a millisecond. */
export function durationMs(text: string): number | null {
  if (text.replace(PART, "") !== "" || text === "") return null;
  const parts = [...text.matchAll(PART)].map(
    ([, number = "", unit = ""]) => Number(number) * (UNITS[unit] ?? Number.NaN),
  );
  const ms = parts.reduce((sum, part) => sum + part, 0);
  // Rounds floating-point errors: 1.1s is 1100.0000000000002 milliseconds.
  const whole = Math.round(ms);
  return Math.abs(ms - whole) < 1e-6 && Number.isSafeInteger(whole) ? whole : null;
}

/** Formats milliseconds as text, such as `10m` or `1h30m`. */
export function durationText(ms: number): string {
  if (ms === 0) return "0s";
  let rest = ms;
  let text = "";
  for (const unit of ["d", "h", "m", "s", "ms"]) {
    const count = Math.floor(rest / (UNITS[unit] ?? 1));
    rest -= count * (UNITS[unit] ?? 1);
    if (count > 0) text += `${count}${unit}`;
  }
  return text;
}

/** Parses a duration in a scenario: text such as `10m`, or a number of milliseconds. */
export const spanOf = (maxMs: number) =>
  z.union([z.number(), z.string()]).transform((said, context) => {
    const ms = typeof said === "number" ? said : durationMs(said);
    if (ms !== null && Number.isSafeInteger(ms) && ms >= 0 && ms <= maxMs) return ms;
    context.addIssue({ code: "custom", message: `${String(said)} is no span of time, as 250ms, 30s, 10m or 1h30m` });
    return z.NEVER;
  });

/**
 * Converts durations in the fields `ms` and `…Ms` to numbers: `overMs: 30s` becomes 30000. Other values are unchanged.
 */
export function withSpans(sent: unknown, name = ""): unknown {
  if (typeof sent === "string") return /^ms$|Ms$/.test(name) ? (durationMs(sent) ?? sent) : sent;
  if (Array.isArray(sent)) return sent.map((value) => withSpans(value));
  if (typeof sent !== "object" || sent === null) return sent;
  return Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, withSpans(value, key)]));
}
