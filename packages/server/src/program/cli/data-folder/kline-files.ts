/** Reads candles of files for `import-klines`, with the reader of replays. */
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { formatDecimal, type ImportedCandle, parseDecimal, PAST_INTERVALS, type PastInterval } from "@pricetime/engine";
import { BadMarketFile } from "../../../research/market-files/bad-market-file.ts";
import { type FileInterval, intervalNames } from "../../../research/market-files/candle-intervals.ts";
import type { Doubts } from "../../../research/market-files/doubts.ts";
import { MarketRows } from "../../../research/market-files/market-rows.ts";
import type { CandleRow } from "../../../research/market-files/rows.ts";
import { CommandFailed } from "../session/failure.ts";

export interface FileCandle {
  readonly candle: ImportedCandle;
  readonly interval: PastInterval;
  /** The candle's place, such as `klines.csv, line 12`. */
  readonly where: string;
}

/** Decimals of files have at most so many digits on either side of the point. */
const MOST_PLACES = 20;

/** Yields the candles of files, the oldest first, one of each interval. Throws `CommandFailed` at the first bad line. */
export async function* readKlines(paths: readonly string[], doubts?: Doubts): AsyncGenerator<FileCandle> {
  const rows = new MarketRows({ paths, layout: "klines", onRepeated: (row, path) => doubts?.repeated(row, path) });
  let held: { readonly row: CandleRow; readonly where: string } | undefined;
  try {
    while (rows.peek() !== undefined || (await rows.more())) {
      const row = rows.peek();
      if (row?.kind !== "candle") throw new TypeError("a file of candles holds candles");
      const { path } = rows;
      doubts?.candle(row, path);
      rows.take();
      const where = `${basename(path)}, line ${row.line}`;
      if (held?.row.slotMs === row.slotMs) held = { row: added(held.row, row), where: held.where };
      else {
        if (held !== undefined) yield fileCandle(held.row, held.where);
        held = { row, where };
      }
    }
    if (held !== undefined) yield fileCandle(held.row, held.where);
  } catch (error) {
    throw error instanceof BadMarketFile ? new CommandFailed(error.message, { cause: error }) : error;
  } finally {
    rows.close();
  }
}

/** Calls `work` with paths of files that can be read twice: `-` is what standard input gives, until then in a file. */
export async function withFiles<T>(
  paths: readonly string[],
  work: (files: readonly string[]) => Promise<T>,
): Promise<T> {
  if (!paths.includes("-")) return work(paths);
  const folder = mkdtempSync(join(tmpdir(), "pricetime-"));
  const input = join(folder, "standard input");
  try {
    await pipeline(process.stdin, createWriteStream(input, { mode: 0o600 }));
    return await work(paths.map((path) => (path === "-" ? input : path)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** An outage within an interval leaves two candles of it: the one that it cut short, and one from its end on. */
function added(earlier: CandleRow, later: CandleRow): CandleRow {
  const decimal = (text: string): bigint => parseDecimal(text, MOST_PLACES) ?? 0n;
  const sum = (a: string, b: string): string => formatDecimal(decimal(a) + decimal(b), MOST_PLACES, MOST_PLACES);
  return {
    ...earlier,
    closeMs: later.closeMs,
    high: decimal(later.high) > decimal(earlier.high) ? later.high : earlier.high,
    low: decimal(later.low) < decimal(earlier.low) ? later.low : earlier.low,
    close: later.close,
    volume: sum(earlier.volume, later.volume),
    quoteVolume: sum(earlier.quoteVolume, later.quoteVolume),
    count: earlier.count + later.count,
    takerBought: sum(earlier.takerBought, later.takerBought),
    takerPaid: sum(earlier.takerPaid, later.takerPaid),
  };
}

function fileCandle(row: CandleRow, where: string): FileCandle {
  const { slotMs, open, high, low, close, volume, quoteVolume, count, takerBought, takerPaid } = row;
  const amounts = [open, high, low, close, volume, quoteVolume] as const;
  return {
    candle: [slotMs, ...amounts, count, takerBought, takerPaid],
    interval: imported(row.interval, where),
    where,
  };
}

/** Throws `CommandFailed` for an interval that cannot be imported. */
function imported(interval: FileInterval | undefined, where: string): PastInterval {
  if (interval === undefined) {
    throw new CommandFailed(`${where}: the length of no candle is one of the intervals ${intervalNames}`);
  }
  const known = PAST_INTERVALS.find((each) => each === interval);
  if (known !== undefined) return known;
  const all = PAST_INTERVALS.join(", ");
  throw new CommandFailed(
    `${where}: candles of ${interval} cannot be imported. Import one of ${all}; longer intervals are computed.`,
  );
}
