/** `pricetime history import-klines` imports recorded candles for the time before a symbol's first trade. */
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import {
  formatDecimal,
  type ImportedCandle,
  MAX_CANDLES_A_COMMAND,
  parseDecimal,
  PAST_INTERVALS,
  PAST_WIDTHS_MS,
  type PastInterval,
} from "@pricetime/engine";
import type { KlineInterval } from "@pricetime/protocol";
import { BadMarketFile, type CandleRow, intervalNames } from "../../../research/market-files/rows.ts";
import { Doubts } from "../../../research/market-files/doubts.ts";
import { MarketRows } from "../../../research/market-files/market-rows.ts";
import { CommandFailed } from "../session/terminal.ts";
import type { BackfilledCandles as Past } from "../../../people/admin/answers.ts";
import { candleFault } from "../../../platform/config/candle-fault.ts";
import type { Connection } from "../session/connection.ts";
import type { Session } from "../session/session.ts";
import { escape } from "../session/values.ts";

// Reads the candles of files with the reader of replays.

interface FileCandle {
  readonly candle: ImportedCandle;
  readonly interval: PastInterval;
  /** Where the candle is in the files, such as `klines.csv, line 12`. */
  readonly where: string;
}

/** Maximum number of digits on either side of the decimal point. */
const MOST_PLACES = 20;

/** Yields the candles of files, oldest first, one per interval. Throws `CommandFailed` at the first invalid line. */
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

/** Calls `work` with paths of files that can be read twice. Standard input (`-`) is copied to a temporary file. */
async function withFiles<T>(paths: readonly string[], work: (files: readonly string[]) => Promise<T>): Promise<T> {
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

/** Adds up two candles of one interval that an outage has split. */
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

/** Returns the interval to import. Throws `CommandFailed` if candles of this interval cannot be imported. */
function imported(interval: KlineInterval | undefined, where: string): PastInterval {
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

interface ImportOptions {
  readonly symbol: string;
  readonly files: readonly string[];
}

export async function importKlines({ connection, output }: Session, { symbol, files }: ImportOptions): Promise<void> {
  const importing = new Importing(connection, symbol);
  const past = await importing.begin();
  await withFiles(files, async (paths) => {
    const examined = await examine(new Sorting(symbol, past), paths);
    output.note(examined.summary);
    for (const doubt of examined.doubts) output.note(doubt);
    const sorting = new Sorting(symbol, past);
    for await (const candle of readKlines(paths)) if (sorting.isNew(candle)) await importing.take(candle);
    await importing.send();
    output.one(importing.report(examined));
  });
}

interface Examined {
  readonly alreadyImported: number;
  readonly doubts: readonly string[];
  readonly summary: string;
}

/** Validates all files before anything is imported. Throws `CommandFailed` if a candle cannot be imported. */
async function examine(sorting: Sorting, files: readonly string[]): Promise<Examined> {
  const doubts = new Doubts();
  let [fresh, alreadyImported] = [0, 0];
  for await (const candle of readKlines(files, doubts)) {
    if (sorting.isNew(candle)) fresh++;
    else alreadyImported++;
  }
  const of = files.length === 1 ? "1 file" : `${files.length} files`;
  const summary = `${of}: ${fresh + alreadyImported} candles, ${fresh} to import, ${alreadyImported} already imported`;
  return { alreadyImported, doubts: doubts.told, summary };
}

/** Determines which candles of the files are new and whether they can be imported. */
class Sorting {
  readonly #symbol: string;
  readonly #past: Past;
  #interval: PastInterval | undefined;

  constructor(symbol: string, past: Past) {
    this.#symbol = symbol;
    this.#past = past;
  }

  /** Returns false if the candle is already imported. Throws `CommandFailed` if it cannot be imported. */
  isNew({ candle, interval, where }: FileCandle): boolean {
    const [openMs] = candle;
    const { firstMs, endMs, firstTradeMs, scale } = this.#past;
    const known = this.#past.interval ?? this.#interval;
    if (known !== undefined && known !== interval) {
      throw new CommandFailed(
        `${where}: the candle's interval is ${interval}, and that of ${this.#symbol} is ${known}`,
      );
    }
    this.#interval = interval;
    if (openMs < (endMs ?? 0)) {
      // Existing candles are skipped. New candles before the existing ones cannot be imported.
      if (openMs >= (firstMs ?? 0)) return false;
      throw new CommandFailed(
        `${where}: the candle is older than those of ${this.#symbol}. Import the oldest candles first.`,
      );
    }
    if (firstTradeMs !== null && openMs + PAST_WIDTHS_MS[interval] > firstTradeMs) {
      throw new CommandFailed(`${where}: the candle ends after the first trade of ${this.#symbol}`);
    }
    const fault = candleFault(candle, scale);
    if (fault !== null) throw new CommandFailed(`${where}: ${fault}`);
    return true;
  }
}

class Importing {
  readonly #connection: Connection;
  readonly #symbol: string;
  readonly #path: string;
  #past: Past | undefined;
  #interval: PastInterval | undefined;
  #batch: ImportedCandle[] = [];
  /** Where each candle of the batch is in the files. */
  #places: string[] = [];
  #imported = 0;

  constructor(connection: Connection, symbol: string) {
    this.#connection = connection;
    this.#symbol = symbol;
    this.#path = `/v1/symbols/${escape(symbol)}/backfilled-candles`;
  }

  /** Returns the range of candles that existed before this import. */
  async begin(): Promise<Past> {
    this.#past = await this.#connection.call<Past>("GET", this.#path);
    if (this.#past.interval === "generated") {
      throw new CommandFailed(
        `${this.#symbol} has synthetic history. Candles can be imported only for a symbol without it.`,
      );
    }
    return this.#past;
  }

  async take({ candle, interval, where }: FileCandle): Promise<void> {
    this.#interval = interval;
    this.#batch.push(candle);
    this.#places.push(where);
    if (this.#batch.length === MAX_CANDLES_A_COMMAND) await this.send();
  }

  async send(): Promise<void> {
    const candles = this.#batch;
    if (candles.length === 0) return;
    const places = this.#places;
    this.#batch = [];
    this.#places = [];
    try {
      this.#past = await this.#connection.call<Past>("POST", this.#path, { interval: this.#interval, candles });
    } catch (error) {
      throw located(error, places);
    }
    this.#imported += candles.length;
  }

  report({ alreadyImported, doubts }: Examined): Readonly<Record<string, unknown>> {
    const { interval = null, firstMs = null, endMs = null } = this.#past ?? {};
    const time = (timeMs: number | null): string | null => (timeMs === null ? null : new Date(timeMs).toISOString());
    const counts = { imported: this.#imported, alreadyImported };
    const strange = doubts.length === 0 ? {} : { doubts };
    return { symbol: this.#symbol, interval, ...counts, from: time(firstMs), until: time(endMs), ...strange };
  }
}

/** Replaces the index of a candle in the node's error by the candle's place in the files. */
function located(error: unknown, places: readonly string[]): unknown {
  if (!(error instanceof CommandFailed)) return error;
  const [, place, why] = /^candles\.([0-9]+) \([^)]*\): (.*)$/s.exec(error.message) ?? [];
  const said = place === undefined ? `${places[0]} and later candles: ${error.message}` : undefined;
  return new CommandFailed(said ?? `${places[Number(place)]}: ${why}`, { cause: error });
}
