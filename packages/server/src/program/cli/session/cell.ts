/** Formats names and values of the API for tables. */
import { visible } from "../../../platform/observe/visible.ts";

/** The least number of milliseconds that is a moment (2001); a smaller one is a duration. */
const FIRST_MOMENT_MS = 1_000_000_000_000;
const MOMENT = /(?:Ms|[tT]ime)$/;

/** Turns `makerBps` into `maker bps`, `isDefault` into `default`, `insertTimeMs` into `insert time`. */
export function title(name: string): string {
  const words = name
    .replace(/Ms$/, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.replace(/^is /, "");
}

/** Formats a value on one line, without braces or quotes. `name` is the value's name. */
export function cell(name: string, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" && MOMENT.test(name))
    return value >= FIRST_MOMENT_MS ? moment(value) : duration(name, value);
  if (Array.isArray(value)) return value.map((part) => cell("", part)).join(", ");
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([inner, each]) => `${title(inner)} ${cell(inner, each)}`)
      .join(", ");
  }
  // Clients choose addresses, labels and order ids, so control characters are made visible.
  return visible(String(value));
}

/** Formats a time in UTC, as `2026-11-22 09:30:00Z`, with milliseconds unless they are 0. */
export function moment(timeMs: number): string {
  return new Date(timeMs).toISOString().replace("T", " ").replace(".000Z", "Z");
}

function duration(name: string, value: number): string {
  return name.endsWith("Ms") ? `${value} ms` : String(value);
}

/** Whether a cell is aligned like numbers; empty cells are. */
export function isNumeric(text: string): boolean {
  return /^(?:-?\d+(?:\.\d+)?)?$/.test(text);
}
