/** Names and values of the API as a person reads them. */
import { visible } from "../observe/visible.ts";

/** Milliseconds from here on are a moment, and less a duration: 2001. */
const FIRST_MOMENT_MS = 1_000_000_000_000;
const MOMENT = /(?:Ms|[tT]ime)$/;

/** `makerBps` is `maker bps`, `isDefault` is `default`, `insertTimeMs` is `insert time`. */
export function title(name: string): string {
  const words = name
    .replace(/Ms$/, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.replace(/^is /, "");
}

/** A value on one line, without braces or quotes. `name`: whose value it is. */
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
  // Clients name addresses, labels and orders.
  return visible(String(value));
}

/** UTC, as `2026-11-22 09:30:00Z`; with milliseconds where there are any. */
export function moment(timeMs: number): string {
  return new Date(timeMs).toISOString().replace("T", " ").replace(".000Z", "Z");
}

function duration(name: string, value: number): string {
  return name.endsWith("Ms") ? `${value} ms` : String(value);
}

/** Nothing at all stands with the numbers. */
export function isNumeric(text: string): boolean {
  return /^(?:-?\d+(?:\.\d+)?)?$/.test(text);
}
