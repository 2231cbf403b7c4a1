/** Reads the rows of several files of one market, one file after another, as one stream in limited memory. */
import { withoutTrailingZeros } from "@pricetime/engine";
import { BadMarketFile, type CandleRow, type Layout, type MarketRow } from "./rows.ts";
import { layoutOf, isHeader, type ReadRow } from "./layouts.ts";
import { LineReader, openMarketFile } from "./market-file.ts";
import { BadLine } from "./public-archive.ts";

/** A position before a row. Contains the last time and id, because neither may decrease. */
export interface RowPlace {
  /** The index of the file. */
  readonly file: number;
  readonly line: number;
  readonly byte: number;
  readonly lastMs: number;
  /** The id of the last row in the file; -1 before the first row. */
  readonly lastId: number;
}

const FIRST_ROW: RowPlace = { file: 0, line: 0, byte: 0, lastMs: -1, lastId: -1 };

export interface MarketRowsOptions {
  readonly paths: readonly string[];
  /** The layout of all files. By default, it is detected for each file. */
  readonly layout?: Layout | undefined;
  readonly from?: RowPlace;
  /** Called for each candle that is skipped because it repeats the previous one. */
  readonly onRepeated?: ((row: CandleRow, path: string) => void) | undefined;
}

export class MarketRows {
  readonly #paths: readonly string[];
  readonly #told: Layout | undefined;
  #layout: Layout | undefined;
  #reader: LineReader | undefined;
  #read: ReadRow | undefined;
  #isByArrival = false;
  readonly #onRepeated: MarketRowsOptions["onRepeated"];
  /** The last candle; undefined when continuing in the middle of a file. */
  #lastCandle: CandleRow | undefined;
  #next: MarketRow | undefined;
  /** The positions before and after the next row. */
  #place: RowPlace;
  #after: RowPlace;
  #isOver = false;

  constructor({ paths, layout, from = FIRST_ROW, onRepeated }: MarketRowsOptions) {
    this.#onRepeated = onRepeated;
    this.#paths = paths;
    this.#told = layout;
    this.#place = from;
    this.#after = from;
  }

  /** The position before the row that `peek` returns. */
  get place(): RowPlace {
    return this.#place;
  }

  /** The layout of the files; undefined until there is a row. */
  get layout(): Layout | undefined {
    return this.#layout;
  }

  /** The next row. Undefined if it is not in memory: call `more`. Throws `BadMarketFile`. */
  peek(): MarketRow | undefined {
    if (this.#next !== undefined) return this.#next;
    const reader = this.#reader;
    if (reader === undefined || this.#read === undefined) return undefined;
    for (let line = reader.next(); line !== undefined; line = reader.next()) {
      const row = this.#rowOf(line, reader);
      if (row !== null) return (this.#next = row);
    }
    return undefined;
  }

  take(): void {
    this.#next = undefined;
    this.#place = this.#after;
  }

  /** Reads on. Resolves to false when all rows of all files were taken. Throws `BadMarketFile`. */
  async more(): Promise<boolean> {
    if (this.peek() !== undefined) return true;
    while (!this.#isOver) {
      const reader = this.#reader ?? (await this.#open());
      if (await reader.more()) {
        if (this.#read === undefined) await this.#begin(reader);
        if (this.peek() !== undefined) return true;
        continue;
      }
      if (this.#read === undefined) throw new BadMarketFile(reader.path, undefined, "it has no rows");
      reader.close();
      this.#reader = undefined;
      this.#read = undefined;
      this.#after = { ...this.#after, file: this.#after.file + 1, line: 0, byte: 0, lastId: -1 };
      this.#place = this.#after;
      this.#isOver = this.#after.file >= this.#paths.length;
    }
    return false;
  }

  close(): void {
    this.#reader?.close();
    this.#reader = undefined;
    this.#isOver = true;
  }

  get path(): string {
    return this.#paths[Math.min(this.#place.file, this.#paths.length - 1)] as string;
  }

  async #open(): Promise<LineReader> {
    const { line, byte } = this.#after;
    const path = this.#paths[this.#after.file] as string;
    const reader = await LineReader.open(path, { line, byte });
    this.#reader = reader;
    // The first row of the file determines the layout, even when continuing in the middle of it.
    if (line > 0) await this.#beginInTheMidst(path);
    return reader;
  }

  async #beginInTheMidst(path: string): Promise<void> {
    const first = await LineReader.open(path);
    try {
      await first.more();
      await this.#begin(first);
    } finally {
      first.close();
    }
  }

  /** Detects the layout from the first row without consuming it. */
  async #begin(reader: LineReader): Promise<void> {
    const beginning = reader === this.#reader ? await LineReader.open(reader.path) : reader;
    let line = 0;
    try {
      let first = await nextOf(beginning);
      const header = first !== undefined && isHeader(first) ? first : undefined;
      if (header !== undefined) first = await nextOf(beginning);
      while (first?.trim() === "") first = await nextOf(beginning);
      if (first === undefined) throw new BadMarketFile(reader.path, undefined, emptiness(header));
      line = beginning.place.line;
      const next = (): Promise<string | undefined> => nextOf(beginning);
      const { layout, read, isByArrival = false } = await layoutOf({ path: reader.path, header, first, next });
      const wanted = this.#told ?? this.#layout ?? layout;
      if (layout !== wanted) throw new BadLine(`it has the columns of ${layout}, not of ${wanted}`);
      this.#layout = layout;
      this.#read = read;
      this.#isByArrival = isByArrival;
    } catch (error) {
      throw error instanceof BadLine ? this.#bad(reader.path, line, error) : error;
    } finally {
      if (beginning !== reader) beginning.close();
    }
  }

  #rowOf(text: string, reader: LineReader): MarketRow | null {
    const place = reader.place;
    const { lastMs, lastId, file } = this.#after;
    if (text.trim() === "" || (place.line === 1 && isHeader(text))) {
      this.#place = this.#after = { ...this.#after, ...place };
      return null;
    }
    try {
      const read = (this.#read as ReadRow)(text, place.line);
      if (read === null) {
        this.#place = this.#after = { ...this.#after, ...place };
        return null;
      }
      const { id = lastId + 1 } = read;
      const isLate = this.#isByArrival && read.row.timeMs < lastMs;
      const row = isLate ? { ...read.row, timeMs: lastMs } : read.row;
      if (row.kind === "candle" && this.#isRepeated(row, reader.path)) {
        this.#place = this.#after = { ...this.#after, ...place };
        return null;
      }
      if (row.timeMs < lastMs) throw new BadLine(`it is before the row before it: ${row.timeMs} after ${lastMs}`);
      if (id <= lastId) throw new BadLine(`its id ${id} does not follow ${lastId}`);
      this.#after = { file, line: place.line, byte: place.byte, lastMs: row.timeMs, lastId: id };
      return row;
    } catch (error) {
      throw error instanceof BadLine ? this.#bad(reader.path, place.line, error) : error;
    }
  }

  /** Whether the candle repeats the previous one. Throws `BadLine` if both have the same time but differ. */
  #isRepeated(row: CandleRow, path: string): boolean {
    const last = this.#lastCandle;
    this.#lastCandle = row;
    if (row.timeMs !== this.#after.lastMs) return false;
    if (last !== undefined && !sayTheSame(last, row)) {
      throw new BadLine("it opens when the candle before it does, and says something else");
    }
    this.#onRepeated?.(row, path);
    return true;
  }

  #bad(path: string, line: number, error: BadLine): BadMarketFile {
    return new BadMarketFile(path, line, error.message, { cause: error });
  }
}

/** The uncompressed size of each file in bytes. Throws `BadMarketFile`. */
export async function bytesOf(paths: readonly string[]): Promise<readonly number[]> {
  const bytes: number[] = [];
  for (const path of paths) {
    const file = await openMarketFile(path);
    bytes.push(file.totalBytes);
    file.close();
  }
  return bytes;
}

/** Whether two candles are equal except for line numbers and trailing zeros. */
function sayTheSame(one: CandleRow, other: CandleRow): boolean {
  const plain = (row: CandleRow): unknown[] =>
    Object.values({ ...row, line: 0 }).map((value) =>
      typeof value === "string" ? withoutTrailingZeros(value) : value,
    );
  const others = plain(other);
  return plain(one).every((value, at) => value === others[at]);
}

const emptiness = (header: string | undefined): string =>
  header === undefined ? "it has no rows" : `it has no rows after its first line: ${header.slice(0, 100)}`;

async function nextOf(reader: LineReader): Promise<string | undefined> {
  let line = reader.next();
  while (line === undefined && (await reader.more())) line = reader.next();
  return line;
}
