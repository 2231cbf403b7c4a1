/** Reads candles as the parent publishes them, from CSV or the ZIP around it, for `import-klines`. */
import { createInterface } from "node:readline";
import { type ImportedCandle, PAST_INTERVALS, PAST_WIDTHS_MS, type PastInterval } from "@pricetime/engine";
import { BadMarketFile } from "../../market-files/bad-market-file.ts";
import { isHeader } from "../../market-files/layouts.ts";
import { LineReader } from "../../market-files/line-reader.ts";
import { BadLine } from "../../market-files/public-archive/columns.ts";
import { readArchiveKline } from "../../market-files/public-archive/kline-columns.ts";
import { CommandFailed } from "../session/failure.ts";

export interface FileCandle {
  readonly candle: ImportedCandle;
  readonly interval: PastInterval;
  /** The candle's place, such as `klines.csv, line 12`. */
  readonly where: string;
}

/** The last column means nothing, and some leave it out. */
const LEAST_COLUMNS = 11;

/** Yields the candles of a file, `-` for standard input. Throws `CommandFailed` at the first invalid line. */
export async function* readKlines(path: string): AsyncGenerator<FileCandle> {
  const name = path === "-" ? "standard input" : path;
  let number = 0;
  try {
    for await (const read of path === "-" ? standardInput() : linesOf(path)) {
      number++;
      // Spreadsheets begin a file with a byte order mark.
      const line = number === 1 ? read.replace(/^\uFEFF/, "") : read;
      if (line.trim() === "" || (number === 1 && isHeader(line))) continue;
      yield readLine(line, `${name}, line ${number}`);
    }
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    const { message } = error as Error;
    throw new CommandFailed(error instanceof BadMarketFile ? message : `${name}: ${message}`, { cause: error });
  }
}

function standardInput(): AsyncIterable<string> {
  return createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const reader = await LineReader.open(path);
  try {
    do {
      for (let line = reader.next(); line !== undefined; line = reader.next()) yield line;
    } while (await reader.more());
  } finally {
    reader.close();
  }
}

function readLine(line: string, where: string): FileCandle {
  try {
    const { openMs, closeMs, open, high, low, close, volume, ...rest } = readArchiveKline(line, LEAST_COLUMNS);
    const { quoteVolume, count, takerVolume, takerQuoteVolume } = rest;
    const interval = intervalOf(openMs, closeMs);
    const amounts = [open, high, low, close, volume, quoteVolume] as const;
    return { candle: [openMs, ...amounts, count, takerVolume, takerQuoteVolume], interval, where };
  } catch (error) {
    throw error instanceof BadLine ? new CommandFailed(`${where}: ${error.message}`, { cause: error }) : error;
  }
}

function intervalOf(openMs: number, closeMs: number): PastInterval {
  const interval = PAST_INTERVALS.find((each) => PAST_WIDTHS_MS[each] === closeMs + 1 - openMs);
  if (interval !== undefined && openMs % PAST_WIDTHS_MS[interval] === 0) return interval;
  const known = PAST_INTERVALS.join(", ");
  throw new BadLine(`it can be a candle of ${known}; longer ones follow from those, so import a shorter one`);
}
