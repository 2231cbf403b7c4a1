/** Reads a time that a user typed. */
import { InvalidArgumentError } from "commander";

/** A day is its midnight in UTC; a time says its zone, so that it means the same on every machine. */
const ISO_MOMENT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2}))?$/;

/** Reads milliseconds since 1970, or a moment as ISO 8601 writes it. Throws `InvalidArgumentError`. */
export function moment(text: string): number {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  const timeMs = ISO_MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(timeMs))
    throw new InvalidArgumentError("It must be a time such as 2026-01-01T00:00:00Z, or milliseconds since 1970.");
  return timeMs;
}
