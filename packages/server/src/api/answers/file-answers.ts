/** Responses that are files: rows as CSV, and a limit on the number of concurrent files. */

// CSV, RFC 4180: lines end in CRLF, and cells with a comma, quote or line end are quoted. Text that a spreadsheet would
// interpret as a formula is prefixed with an apostrophe.

export const CSV_TYPE = "text/csv;charset=UTF-8";

export type Row = Readonly<Record<string, unknown>>;

/** The first characters of formulas in spreadsheets. Some also accept the full-width forms. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;
/** Includes the semicolon, because spreadsheets use it as the separator in locales with decimal commas. */
const NEEDS_QUOTES = /[",;\r\n\t]/;

export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

/** Writes one line per row, with these columns in this order. Missing values become empty cells. */
export function csvLines(rows: readonly Row[], columns: readonly string[]): string {
  return rows.map((row) => csvLine(columns.map((column) => row[column]))).join("");
}

function cell(value: unknown): string {
  const text = textOf(value);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Lists of words are joined by spaces; other objects and lists are written as JSON. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  const isOfWords = Array.isArray(value) && value.every((item) => typeof item !== "object");
  return isOfWords ? value.join(" ") : JSON.stringify(value);
}

// Limits the number of files written at a time, because each takes part of every turn of the event loop.

export class FileSlots {
  readonly #most: number;
  #taken = 0;
  readonly #holders = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Returns a function that releases the slot; undefined if no slot is free. Each `holder` has at most one slot, so
   * that one client cannot occupy all of them.
   */
  take(holder?: string): (() => void) | undefined {
    if (this.#taken >= this.#most || (holder !== undefined && this.#holders.has(holder))) return undefined;
    this.#taken++;
    if (holder !== undefined) this.#holders.add(holder);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken--;
      if (holder !== undefined) this.#holders.delete(holder);
    };
  }
}

/**
 * Passes the lines on and calls `onEnd` at least once: after the last line, on an error, or when the reader stops, even
 * before the first line.
 */
export function withEnd(lines: AsyncGenerator<Buffer>, onEnd: () => void): AsyncIterable<Buffer> {
  const iterator: AsyncIterator<Buffer> = {
    next: async () => {
      try {
        const line = await lines.next();
        if (line.done === true) onEnd();
        return line;
      } catch (error) {
        onEnd();
        throw error;
      }
    },
    return: async () => {
      onEnd();
      return lines.return(undefined);
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
