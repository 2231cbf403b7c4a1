/**
 * Rows as CSV, RFC 4180: lines end in CRLF, and a cell that holds a comma, a quote or an end of line is quoted. A text of
 * others that a spreadsheet would take for a formula gets an apostrophe before it; a number stays one.
 */

export const CSV_TYPE = "text/csv;charset=UTF-8";

export type Row = Readonly<Record<string, unknown>>;

/** What begins a formula in one spreadsheet or another; some take the wide signs of East Asian keyboards for the others. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;
/** A semicolon parts cells where commas part decimals. */
const NEEDS_QUOTES = /[",;\r\n\t]/;

export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

/** A line of the columns of each row, in this order; what a row lacks is an empty cell. */
export function csvLines(rows: readonly Row[], columns: readonly string[]): string {
  return rows.map((row) => csvLine(columns.map((column) => row[column]))).join("");
}

function cell(value: unknown): string {
  const text = textOf(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Lists of words stand in one cell, with blanks between; what is made of parts is JSON. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  const isOfWords = Array.isArray(value) && value.every((item) => typeof item !== "object");
  return isOfWords ? value.join(" ") : JSON.stringify(value);
}
