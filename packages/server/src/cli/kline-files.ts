/**
 * Reads candles as the parent publishes them: CSV of twelve columns, with or without a header; times in milliseconds,
 * or in microseconds since 2025.
 */
import { PLAIN_DECIMAL } from "../config/decimal-text.ts";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { type ImportedCandle, PAST_INTERVALS, PAST_WIDTHS_MS, type PastInterval } from "@pricetime/engine";
import { CommandFailed } from "./failure.ts";

export interface FileCandle {
  readonly candle: ImportedCandle;
  readonly interval: PastInterval;
  /** The candle's place, such as `klines.csv, line 12`. */
  readonly where: string;
}

const LEAST_COLUMNS = 11;
const COUNT = /^[0-9]{1,15}$/;

/** Yields the candles of a file, `-` for standard input. Throws `CommandFailed` at the first invalid line. */
export async function* readKlines(path: string): AsyncGenerator<FileCandle> {
  const input = path === "-" ? process.stdin : createReadStream(path);
  const name = path === "-" ? "standard input" : path;
  let number = 0;
  try {
    for await (const read of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number++;
      // Spreadsheets begin a file with a byte order mark.
      const line = number === 1 ? read.replace(/^\uFEFF/, "") : read;
      if (number === 1 && line.startsWith("PK")) {
        throw new CommandFailed(`${name} is a ZIP: unpack it, and name the CSV that is in it`);
      }
      const isHeader = number === 1 && !/^[\s"']*[0-9]/.test(line);
      if (line.trim() !== "" && !isHeader) yield readLine(line, `${name}, line ${number}`);
    }
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(`${name}: ${(error as Error).message}`, { cause: error });
  }
}

function readLine(line: string, where: string): FileCandle {
  const columns = line.split(",").map((column) => column.trim());
  if (columns.length < LEAST_COLUMNS) {
    throw new CommandFailed(`${where}: a candle has 12 columns, and here are ${columns.length}`);
  }
  const [openTime, open, high, low, close, volume, closeTime, quoteVolume, count, takerVolume, takerQuoteVolume] =
    columns as [string, string, string, string, string, string, string, string, string, string, string];
  const decimals = [open, high, low, close, volume, quoteVolume, takerVolume, takerQuoteVolume];
  const odd = decimals.find((text) => !PLAIN_DECIMAL.test(text)) ?? [count].find((text) => !COUNT.test(text));
  if (odd !== undefined) throw new CommandFailed(`${where}: ${odd} is no number`);
  const openMs = timeOf(openTime, where);
  const interval = intervalOf(openMs, timeOf(closeTime, where), where);
  const amounts = [open, high, low, close, volume, quoteVolume] as const;
  return { candle: [openMs, ...amounts, Number(count), takerVolume, takerQuoteVolume], interval, where };
}

/** Reads a time by its digits: 13 are milliseconds, 16 microseconds, cut to milliseconds. */
function timeOf(text: string, where: string): number {
  if (/^[0-9]{13}$/.test(text)) return Number(text);
  if (/^[0-9]{16}$/.test(text)) return Math.floor(Number(text) / 1000);
  throw new CommandFailed(`${where}: ${text} is no time in milliseconds (13 digits) or microseconds (16)`);
}

function intervalOf(openMs: number, closeMs: number, where: string): PastInterval {
  const interval = PAST_INTERVALS.find((each) => PAST_WIDTHS_MS[each] === closeMs + 1 - openMs);
  if (interval !== undefined && openMs % PAST_WIDTHS_MS[interval] === 0) return interval;
  throw new CommandFailed(
    `${where}: it can be a candle of ${PAST_INTERVALS.join(", ")}; longer ones follow from those, so import a shorter one`,
  );
}
