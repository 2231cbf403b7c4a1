/** Reads the files before any row is replayed: their first rows, then the remaining ones. */
import { basename } from "node:path";
import { missingOrderbook, OrderbookFile, orderbookOf } from "../../research/market-files/lobster-files.ts";
import { BadMarketFile, type Layout, type MarketRow, type MessageRow } from "../../research/market-files/rows.ts";
import { ReplaySource, type SourceOptions } from "./replay-source.ts";
import { decimalOf, OffGrid, type SymbolGrid } from "./symbol-grid.ts";
import { type KnownOrders, OrdersAhead } from "./lobster/known-orders.ts";
import { type BookReport, LaterMentions, WindowPlanner } from "./lobster/window-plan.ts";
import { Doubts } from "../../research/market-files/doubts.ts";
import { bytesOf } from "../../research/market-files/market-rows.ts";
import { REPLAY_LIMITS } from "./replay-shapes.ts";

// A message file that is checked against its order book file.

interface PlannedFile {
  readonly orderbook: string;
  readonly later: LaterMentions;
  readonly planner: WindowPlanner;
}

class MessageSurvey {
  readonly #grid: SymbolGrid;
  readonly #cuts = new Map<string, number[]>();
  readonly #ahead: OrdersAhead;
  readonly #planned = new Map<number, PlannedFile>();

  /** `orderbooks`: the order book file that accompanies each message file, or null. */
  constructor(grid: SymbolGrid, orderbooks: readonly (string | null)[]) {
    this.#grid = grid;
    this.#ahead = new OrdersAhead(grid, this.#cuts);
    for (const [file, orderbook] of orderbooks.entries()) {
      if (orderbook === null) continue;
      const later = new LaterMentions();
      this.#planned.set(file, { orderbook, later, planner: new WindowPlanner(grid, file, later, this.#cuts) });
    }
  }

  /** The orders known from the messages; complete once all rows were read. */
  get known(): KnownOrders {
    const plans = new Map([...this.#planned].map(([file, { planner }]) => [file, planner.plan]));
    return { ...this.#ahead.known, cuts: this.#cuts, plans };
  }

  /** The comparison with the order book files; null if there are none. */
  get report(): BookReport | null {
    const reports = [...this.#planned.values()].map(({ planner }) => planner.report);
    if (reports.length === 0) return null;
    const sum = (field: keyof BookReport): number => reports.reduce((all, report) => all + report[field], 0);
    return { rows: sum("rows"), equalRows: sum("equalRows"), came: sum("came"), vanished: sum("vanished") };
  }

  get doubts(): string[] {
    return [...this.#planned.values()].flatMap(({ orderbook, planner: { report, firstOther } }) => {
      const { rows, equalRows } = report;
      if (equalRows === rows) return [];
      const where = `${basename(orderbook)}, line ${firstOther}`;
      return [`${where}: messages do not lead to this book; they do at ${equalRows} of ${rows} rows`];
    });
  }

  /** Reads a row for the first time. Throws `OffGrid`. */
  take(row: MessageRow, file: number): { readonly ticks: number; readonly lots: number } {
    const planned = this.#planned.get(file);
    if (planned === undefined) return this.#ahead.take(row, file);
    const { type } = row;
    if (type === "auction" || type === "halt" || type === "executed hidden") return { ticks: 0, lots: 0 };
    const ticks = this.#grid.ticksOf(decimalOf(row.price, row.priceScale));
    const lots = this.#grid.lotsOf(decimalOf(row.size, row.sizeScale));
    if (lots === 0) throw new OffGrid("its size is 0");
    planned.later.take(row, lots);
    return { ticks, lots };
  }

  /** Reads the rows again, together with the order book files. Throws `BadMarketFile`. */
  async plan(source: ReplaySource, isClosed: () => boolean): Promise<void> {
    if (this.#planned.size === 0) return;
    let books: OrderbookFile | undefined;
    try {
      for (let at = -1; !isClosed() && (source.peek() !== undefined || (await source.more())); source.take()) {
        const row = source.peek();
        const { file } = source.place;
        const planned = this.#planned.get(file);
        if (row?.kind !== "message" || planned === undefined) continue;
        if (file !== at) {
          books?.close();
          books = await OrderbookFile.open(planned.orderbook);
          at = file;
        }
        const shown = await books?.rowAt(row.line);
        try {
          planned.planner.take(row, shown);
        } catch (error) {
          throw source.bad(row, error);
        }
      }
    } finally {
      books?.close();
    }
  }
}

/** What the first rows of the files show. */
export interface FirstRows {
  readonly layout: Layout;
  /** The file time of the first row. */
  readonly firstMs: number;
  readonly firstTicks: number;
  /** The mean quantity of the first rows. */
  readonly meanLots: number;
}

export class Survey {
  /** The uncompressed size of each file. */
  readonly bytes: readonly number[];
  readonly first: FirstRows;
  readonly #source: ReplaySource;
  readonly #options: SourceOptions;
  readonly #messages: MessageSurvey;
  readonly #doubts: Doubts;
  #isOver = false;
  #isClosed = false;

  private constructor(options: SourceOptions, source: ReplaySource, beginning: Beginning) {
    this.#options = options;
    this.#source = source;
    this.#messages = beginning.messages;
    this.#doubts = beginning.doubts;
    this.bytes = beginning.bytes;
    this.first = beginning.first;
  }

  /** Opens all files, and reads the first rows. Throws `BadMarketFile`. */
  static async begin(options: SourceOptions): Promise<Survey> {
    const bytes = await bytesOf(options.paths);
    const doubts = new Doubts();
    const source = new ReplaySource({ ...options, doubts });
    try {
      const messages = new MessageSurvey(options.grid, options.paths.map(orderbookOf));
      const first = await firstRows(options, source, { messages, doubts });
      return new Survey(options, source, { bytes, messages, doubts, first });
    } catch (error) {
      source.close();
      throw error;
    }
  }

  get totalBytes(): number {
    return sum(this.bytes);
  }

  /** The number of bytes that were checked. */
  get checkedBytes(): number {
    if (this.#isOver) return this.totalBytes;
    const { file, byte } = this.#source.place;
    return sum(this.bytes.slice(0, file)) + byte;
  }

  /** Facts about the messages that their player needs in advance; null for other layouts. Complete after `toEnd`. */
  get known(): KnownOrders | null {
    return this.first.layout === "lobster" ? this.#messages.known : null;
  }

  /** How well the messages and the order book files agree; null without order book files. Complete after `toEnd`. */
  get book(): BookReport | null {
    return this.first.layout === "lobster" ? this.#messages.report : null;
  }

  /** Anomalies in the rows read so far. */
  get doubts(): string[] {
    return this.first.layout === "lobster" ? [...this.#doubts.told, ...this.#messages.doubts] : this.#doubts.told;
  }

  /**
   * Reads the remaining rows in bounded memory; other work gets a turn between two chunks of a file. Resolves to false
   * if the survey is closed meanwhile. Throws `BadMarketFile`.
   */
  async toEnd(): Promise<boolean> {
    const source = this.#source;
    try {
      while (!this.#isClosed && (source.peek() !== undefined || (await source.more()))) {
        look(source, this.#options, { messages: this.#messages, doubts: this.#doubts });
      }
      if (this.first.layout === "lobster") await this.#plan();
      return (this.#isOver = !this.#isClosed);
    } catch (error) {
      // If the survey was closed, the error is only the pending read that failed.
      if (this.#isClosed) return false;
      throw error;
    } finally {
      source.close();
    }
  }

  async #plan(): Promise<void> {
    const source = new ReplaySource(this.#options);
    try {
      await this.#messages.plan(source, () => this.#isClosed);
    } finally {
      source.close();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#source.close();
  }
}

interface Notes {
  readonly messages: MessageSurvey;
  readonly doubts: Doubts;
}

interface Beginning extends Notes {
  readonly bytes: readonly number[];
  readonly first: FirstRows;
}

async function firstRows(options: SourceOptions, source: ReplaySource, notes: Notes): Promise<FirstRows> {
  let [rows, lots, firstMs, firstTicks] = [0, 0, 0, 0];
  while (rows < REPLAY_LIMITS.measuredRows && (source.peek() !== undefined || (await source.more()))) {
    const row = look(source, options, notes);
    if (rows === 0) [firstMs, firstTicks] = [row.timeMs, row.ticks];
    lots += row.lots;
    rows++;
  }
  const { layout } = source;
  if (rows === 0 || layout === undefined) {
    throw new BadMarketFile(options.paths[0] ?? "", undefined, "no row is within the span");
  }
  return { layout, firstMs, firstTicks, meanLots: lots / rows };
}

interface Seen {
  readonly timeMs: number;
  readonly ticks: number;
  readonly lots: number;
}

/** Reads the next row, which must already be available. Throws `BadMarketFile`. */
function look(source: ReplaySource, { grid }: SourceOptions, { messages, doubts }: Notes): Seen {
  const row = source.peek() as MarketRow;
  try {
    const { ticks, lots } = row.kind === "message" ? messages.take(row, source.place.file) : sizesOf(row, grid);
    // The four trades of a candle are computed, so they are not checked.
    if (row.kind === "trade" && source.layout !== "klines") doubts.trade(row, source.path);
    source.take();
    return { timeMs: row.timeMs, ticks, lots };
  } catch (error) {
    const isUntrue = row.kind === "message" && error instanceof OffGrid;
    throw source.bad(row, isUntrue ? new OffGrid(error.message + missingOrderbook(source.path)) : error);
  }
}

function sizesOf(row: MarketRow, grid: SourceOptions["grid"]): { readonly ticks: number; readonly lots: number } {
  if (row.kind !== "trade") throw new TypeError("a source gives candles as trades");
  return { ticks: grid.ticksOf(row.price), lots: grid.lotsOf(row.quantity) };
}

function sum(all: readonly number[]): number {
  return all.reduce((total, each) => total + each, 0);
}
