/** The terminal of a command: environment, errors, and output as tables or JSON. */
import { visible } from "../../../platform/observe/readable.ts";

export interface Terminal {
  /** Prints a line to standard output. */
  readonly print: (text: string) => void;
  /** Prints a line to standard error. */
  readonly complain: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Calls `task` at the first Ctrl-C instead of ending the program. The returned function restores the default. Absent
   * in tests.
   */
  readonly onInterrupt?: (task: () => void) => () => void;
  /** Runs a node with these flags. Resolves to the exit code. */
  readonly serve: (argv: readonly string[]) => Promise<number>;
}

/** The command failed; the message is one line for the user. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
  readonly exitCode: number;

  constructor(message: string, options?: ErrorOptions, exitCode = 1) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

// Formats names and values of the API for tables.

/** Millisecond values below this (before 2001) are durations, others are times. */
const FIRST_MOMENT_MS = 1_000_000_000_000;
const MOMENT = /(?:Ms|[tT]ime)$/;

/** `makerBps` -> `maker bps`, `isDefault` -> `default`, `insertTimeMs` -> `insert time`. */
function title(name: string): string {
  const words = name
    .replace(/Ms$/, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.replace(/^is /, "");
}

/** Formats a value on one line, without braces or quotes. `name` is the name of its field. */
function cell(name: string, value: unknown): string {
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
  // Addresses, labels and order IDs are untrusted, so control characters are escaped.
  return visible(String(value));
}

/** Formats a time in UTC as `2026-11-22 09:30:00Z`; adds milliseconds unless they are 0. */
export function moment(timeMs: number): string {
  return new Date(timeMs).toISOString().replace("T", " ").replace(".000Z", "Z");
}

function duration(name: string, value: number): string {
  return name.endsWith("Ms") ? `${value} ms` : String(value);
}

/** Whether a cell is right-aligned like a number. Empty cells are. */
function isNumeric(text: string): boolean {
  return /^(?:-?\d+(?:\.\d+)?)?$/.test(text);
}

export type Row = Readonly<Record<string, unknown>>;

export interface Output {
  readonly isJson: boolean;
  /** Prints rows as a table with these columns, or as a JSON array. */
  rows(rows: readonly Row[], columns: readonly string[]): void;
  /** Prints one object as lines of name and value, or as a JSON object. */
  one(row: Row): void;
  /** Prints a sentence for people; omitted with JSON output. */
  note(text: string): void;
}

export function createOutput(asJson: boolean, print: (text: string) => void): Output {
  if (asJson) {
    const json = (value: unknown): void => print(JSON.stringify(value, null, 2));
    return { isJson: true, rows: json, one: json, note: () => {} };
  }
  return {
    isJson: false,
    rows: (rows, columns) => print(table(rows, columns)),
    one: (row) => print(lines(row)),
    note: print,
  };
}

/** Formats aligned columns under a header line. Numbers are right-aligned. */
export function table(rows: readonly Row[], columns: readonly string[]): string {
  const body = rows.map((row) => columns.map((column) => cell(column, row[column])));
  const cells = [columns.map(title), ...body];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  const areNumbers = columns.map((_, at) => body.length > 0 && body.every((line) => isNumeric(line[at] ?? "")));
  const padded = (text: string, at: number): string =>
    areNumbers[at] === true ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0);
  const shown = cells.map((line) => line.map(padded).join("  ").trimEnd());
  return (rows.length === 0 ? [...shown, "(none)"] : shown).join("\n");
}

/** Formats an object as lines of name and value, followed by its nested objects, and its lists as tables. */
function lines(row: Row): string {
  const entries = Object.entries(row);
  const lists = entries.filter((entry): entry is [string, Row[]] => isListOfRows(entry[1]));
  const things = entries.filter((entry): entry is [string, Row] => isRowOfRows(entry[1]));
  const plain = entries.filter(([, value]) => !isListOfRows(value) && !isRowOfRows(value));
  const width = Math.max(0, ...plain.map(([name]) => title(name).length));
  const text = plain.map(([name, value]) => `${title(name).padEnd(width)}  ${cell(name, value)}`.trimEnd()).join("\n");
  const tables = lists.map(([name, rows]) => `\n${title(name)}\n${table(rows, Object.keys(rows[0] ?? {}))}`);
  const parts = things.map(([name, thing]) => `\n${title(name)}\n${lines(thing)}`);
  return [...(text === "" ? [] : [text]), ...parts, ...tables].join("\n");
}

function isRowOfRows(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).some((inner) => typeof inner === "object" && inner !== null);
}

function isListOfRows(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === "object";
}
