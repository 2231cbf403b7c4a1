/** The rows that a replay uses, in order: the rows within its time range, with candles converted to trades. */
import {
  BadMarketFile,
  type CandleRow,
  type Layout,
  type MarketRow,
  type TradeRow,
} from "../../research/market-files/rows.ts";
import type { Doubts } from "../../research/market-files/doubts.ts";
import { MarketRows, type RowPlace } from "../../research/market-files/market-rows.ts";
import { OffGrid, type SymbolGrid } from "./symbol-grid.ts";

export interface SourceOptions {
  readonly paths: readonly string[];
  readonly layout?: Layout | undefined;
  /** The time range of the file: rows before `fromMs` and from `toMs` on are skipped. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly grid: SymbolGrid;
  /** Checks each candle in the range, and each repeated row, for anomalies. */
  readonly doubts?: Pick<Doubts, "candle" | "repeated">;
}

/** A position in the files. `part`: the number of trades of the current candle that were taken. */
export interface SourcePlace extends RowPlace {
  readonly part: number;
}

export class ReplaySource {
  readonly #options: SourceOptions;
  readonly #rows: MarketRows;
  /** The trades of the current candle. */
  #parts: readonly TradeRow[] = [];
  #part: number;

  constructor(options: SourceOptions, from?: SourcePlace) {
    this.#options = options;
    const { paths, layout, doubts, fromMs = 0 } = options;
    this.#rows = new MarketRows({
      ...{ paths, layout, ...(from && { from }) },
      onRepeated: (row, path) => {
        if (row.timeMs >= fromMs) doubts?.repeated(row, path);
      },
    });
    this.#part = from?.part ?? 0;
  }

  get layout(): Layout | undefined {
    return this.#rows.layout;
  }

  get place(): SourcePlace {
    return { ...this.#rows.place, part: this.#part };
  }

  get path(): string {
    return this.#rows.path;
  }

  /** Returns the next row, if it has been read. Throws `BadMarketFile`. */
  peek(): MarketRow | undefined {
    const { fromMs = 0, toMs = Number.POSITIVE_INFINITY } = this.#options;
    for (;;) {
      const row = this.#rows.peek();
      if (row === undefined || row.timeMs >= toMs) return undefined;
      if (row.kind !== "candle") {
        if (row.timeMs >= fromMs) return row;
        this.#rows.take();
        continue;
      }
      const part = this.#partOf(row);
      if (part !== undefined && part.timeMs >= fromMs) return part;
      if (part === undefined) this.#endCandle();
      else this.#part++;
    }
  }

  take(): void {
    const row = this.#rows.peek();
    if (row?.kind === "candle") {
      this.#part++;
      if (this.#part >= this.#parts.length) this.#endCandle();
    } else {
      this.#rows.take();
    }
  }

  /** Reads more rows. Resolves to false at the end. Throws `BadMarketFile`. */
  async more(): Promise<boolean> {
    const { toMs = Number.POSITIVE_INFINITY } = this.#options;
    for (;;) {
      if (this.peek() !== undefined) return true;
      const beyond = this.#rows.peek();
      if (beyond !== undefined && beyond.timeMs >= toMs) return false;
      if (!(await this.#rows.more())) return false;
    }
  }

  close(): void {
    this.#rows.close();
  }

  /**
   * Returns the error with file and line if it concerns a value that the symbol's units cannot represent; otherwise the
   * same error.
   */
  bad(row: MarketRow, error: unknown): unknown {
    return error instanceof OffGrid ? new BadMarketFile(this.path, row.line, error.message, { cause: error }) : error;
  }

  #endCandle(): void {
    const { doubts, fromMs = 0 } = this.#options;
    const row = this.#rows.peek();
    if (doubts !== undefined && row?.kind === "candle" && row.timeMs >= fromMs) doubts.candle(row, this.path);
    this.#rows.take();
    this.#parts = [];
    this.#part = 0;
  }

  #partOf(row: CandleRow): TradeRow | undefined {
    if (this.#parts[0]?.line !== row.line || this.#parts[0].timeMs !== row.timeMs) {
      try {
        this.#parts = tradesOf(row, this.#options.grid);
      } catch (error) {
        throw this.bad(row, error);
      }
    }
    return this.#parts[this.#part];
  }
}

/**
 * Converts a candle to four trades in an assumed order, spread over its time: open, the nearer extreme, the other
 * extreme, close. Each has a quarter of the volume, and is a buy if the price rises. Returns no trades for a candle
 * without volume.
 */
function tradesOf(candle: CandleRow, grid: SymbolGrid): TradeRow[] {
  const { open, high, low, close, volume, takerBought, timeMs, closeMs, line } = candle;
  const lots = grid.lotsOf(volume);
  if (lots === 0) return [];
  const ticks = [open, high, low, close].map((price) => grid.ticksOf(price)) as [number, number, number, number];
  if (ticks[1] < Math.max(...ticks) || ticks[2] > Math.min(...ticks))
    throw new OffGrid("its high and low do not hold its prices");
  const isHighFirst = ticks[1] - ticks[0] <= ticks[0] - ticks[2];
  const prices = isHighFirst ? [open, high, low, close] : [open, low, high, close];
  const quarter = grid.wholeLots(lots / 4);
  const quantities = [quarter, quarter, quarter, lots - 3 * quarter].filter((each) => each > 0);
  // If the volume is too small for four trades, it is traded at the close.
  const first = 4 - quantities.length;
  const spanMs = closeMs - timeMs;
  let before = 2 * grid.lotsOf(takerBought) >= lots ? 0 : Number.POSITIVE_INFINITY;
  return quantities.map((each, index) => {
    const place = first + index;
    const price = prices[place] as string;
    const now = grid.ticksOf(price);
    const takerSide = now >= before ? "BUY" : "SELL";
    before = now;
    const atMs = timeMs + Math.floor((spanMs * place) / 3);
    return { kind: "trade", timeMs: atMs, line, price, quantity: grid.quantityOf(each), takerSide };
  });
}
