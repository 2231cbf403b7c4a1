/** Candles of the parent's public archive: twelve columns, of which the last means nothing, and some leave it out. */
import { BadLine, countOf, decimalOf, timeOf } from "./columns.ts";

export const KLINE_COLUMNS: readonly number[] = [12, 11];

export interface ArchiveKline {
  readonly openMs: number;
  /** The last millisecond of it. */
  readonly closeMs: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  readonly quoteVolume: string;
  readonly count: number;
  readonly takerVolume: string;
  readonly takerQuoteVolume: string;
}

/** Throws `BadLine`. */
export function readArchiveKline(line: string): ArchiveKline {
  const fields = line.split(",").map((field) => field.trim());
  if (!KLINE_COLUMNS.includes(fields.length))
    throw new BadLine(`a candle has 12 columns, and here are ${fields.length}`);
  const [openTime, open, high, low, close, volume, closeTime, quoteVolume, count, takerVolume, takerQuoteVolume] =
    fields as [string, string, string, string, string, string, string, string, string, string, string];
  const openMs = timeOf(openTime);
  const closeMs = timeOf(closeTime);
  if (closeMs < openMs) throw new BadLine("it closes before it opens");
  return {
    ...{ openMs, closeMs, open: decimalOf(open), high: decimalOf(high), low: decimalOf(low), close: decimalOf(close) },
    ...{ volume: decimalOf(volume), quoteVolume: decimalOf(quoteVolume), count: countOf(count) },
    ...{ takerVolume: decimalOf(takerVolume), takerQuoteVolume: decimalOf(takerQuoteVolume) },
  };
}
