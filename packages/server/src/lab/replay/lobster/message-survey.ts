/** What is to be known of messages before they are played, and how they agree with the files of the book beside them. */
import { basename } from "node:path";
import { OrderbookFile } from "../../../research/market-files/lobster/orderbook-file.ts";
import type { MessageRow } from "../../../research/market-files/rows.ts";
import type { ReplaySource } from "../replay-source.ts";
import { decimalOf, OffGrid, type SymbolGrid } from "../symbol-grid.ts";
import { type KnownOrders, OrdersAhead } from "./known-orders.ts";
import { type BookReport, LaterMentions, WindowPlanner } from "./window-plan.ts";

interface PlannedFile {
  readonly orderbook: string;
  readonly later: LaterMentions;
  readonly planner: WindowPlanner;
}

export class MessageSurvey {
  readonly #grid: SymbolGrid;
  readonly #cuts = new Map<string, number[]>();
  readonly #ahead: OrdersAhead;
  readonly #planned = new Map<number, PlannedFile>();

  /** `orderbooks`: the file of the book beside each file of messages; null: there is none. */
  constructor(grid: SymbolGrid, orderbooks: readonly (string | null)[]) {
    this.#grid = grid;
    this.#ahead = new OrdersAhead(grid, this.#cuts);
    for (const [file, orderbook] of orderbooks.entries()) {
      if (orderbook === null) continue;
      const later = new LaterMentions();
      this.#planned.set(file, { orderbook, later, planner: new WindowPlanner(grid, file, later, this.#cuts) });
    }
  }

  /** To be asked for when all was taken in. */
  get known(): KnownOrders {
    const plans = new Map([...this.#planned].map(([file, { planner }]) => [file, planner.plan]));
    return { ...this.#ahead.known, cuts: this.#cuts, plans };
  }

  /** Null when no file has one of the book beside it. */
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

  /** Takes in a row at first sight. Throws `OffGrid`. */
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

  /** Reads the rows once more, beside the files of the book. Throws `BadMarketFile`. */
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
