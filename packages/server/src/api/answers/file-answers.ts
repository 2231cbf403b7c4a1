/** Answers that are files: rows as CSV, and how many files are written at once. */

// Rows as CSV, RFC 4180: lines end in CRLF, and a cell that holds a comma, a quote or an end of line is quoted. A text
// of others that a spreadsheet would take for a formula gets an apostrophe before it; a number stays one.

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

// How many files are written at once: each takes its part of every turn of the event loop.

export class FilePlaces {
  readonly #most: number;
  #taken = 0;
  readonly #holders = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Returns what gives the place back, once; undefined where none is left. A `holder` has one at a time, so that nobody
   * takes all of them.
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

/** The lines, with an end that is told at least once: at the last, at an error, and when a reader goes, also before the first. */
export function endTold(lines: AsyncGenerator<Buffer>, onEnd: () => void): AsyncIterable<Buffer> {
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
