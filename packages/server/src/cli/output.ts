/** What the command line prints: tables for people, JSON for programs. */

export type Row = Readonly<Record<string, unknown>>;

export interface Output {
  /** Prints rows as a table with these columns, or as a JSON array. */
  rows(rows: readonly Row[], columns: readonly string[]): void;
  /** Prints one thing as lines of name and value, or as a JSON object. */
  one(row: Row): void;
}

export function createOutput(asJson: boolean, print: (text: string) => void): Output {
  if (asJson) {
    const json = (value: unknown): void => print(JSON.stringify(value, null, 2));
    return { rows: json, one: json };
  }
  return {
    rows: (rows, columns) => print(table(rows, columns)),
    one: (row) => print(lines(row)),
  };
}

/** Columns as wide as their widest cell, under a line of names. */
function table(rows: readonly Row[], columns: readonly string[]): string {
  const cells = [columns, ...rows.map((row) => columns.map((column) => cell(row[column])))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Lists of things follow as tables of their own. */
function lines(row: Row): string {
  const entries = Object.entries(row);
  const lists = entries.filter((entry): entry is [string, Row[]] => isListOfRows(entry[1]));
  const plain = entries.filter(([, value]) => !isListOfRows(value));
  const width = Math.max(0, ...plain.map(([name]) => name.length));
  const text = plain.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`).join("\n");
  const tables = lists.map(([name, rows]) => `\n${name}\n${table(rows, Object.keys(rows[0] ?? {}))}`);
  return [text, ...tables].join("\n");
}

function isListOfRows(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === "object";
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value) && value.every((part) => typeof part !== "object")) return value.join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
