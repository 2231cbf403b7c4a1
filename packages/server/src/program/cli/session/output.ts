/** The output of the command line: tables for users, JSON for programs. */
import { cell, isNumeric, title } from "./cell.ts";

export type Row = Readonly<Record<string, unknown>>;

export interface Output {
  readonly isJson: boolean;
  /** Prints rows as a table with these columns, or as a JSON array. */
  rows(rows: readonly Row[], columns: readonly string[]): void;
  /** Prints one object as lines of name and value, or as a JSON object. */
  one(row: Row): void;
  /** Prints a sentence for users; JSON output omits it. */
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

/** Formats columns as wide as their widest cell, under a line of names; numbers are right-aligned. */
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

/** Formats one thing as lines; lists of things follow as tables, and things of many parts as lines. */
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
