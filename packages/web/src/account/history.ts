/** The history of an account's orders and fills. Older rows are fetched page by page; new rows are added at the top. */
import type { AccountTrade, OrderRecord } from "@pricetime/protocol";
import { type ReadonlySignal, signal } from "@preact/signals";
import { refusalOf, type Rest, type Access } from "../wire/rest.ts";
import type { Fill, OrderRow, Pages, Refusal } from "./port.ts";
import { fillKey, fillOfAnswer, rowOfOrder } from "./own-orders.ts";

/** The number of rows per page. The request weight does not depend on it (Interface 8.2). */
export const ROWS_OF_A_PAGE = 500;
/** Maximum number of rows, unless the user has fetched more by pages. Above it, new rows replace the oldest ones. */
export const MOST_ROWS_UNASKED = 2000;

interface Kind<Row> {
  /**
   * Fetches the newest rows up to a time (inclusive), or the newest rows of all if it is null. They may be in any
   * order.
   */
  fetch(untilMs: number | null): Promise<readonly Row[]>;
  keyOf(row: Row): string;
  timeOf(row: Row): number;
  /** Compares two rows. Negative if `one` is newer. */
  order(one: Row, other: Row): number;
}

export class HistoryPages<Row> implements Pages<Row> {
  readonly #kind: Kind<Row>;
  readonly #rows = signal<readonly Row[]>([]);
  readonly rows: ReadonlySignal<readonly Row[]> = this.#rows;
  readonly #state = signal<"idle" | "loading" | "done" | Refusal>("idle");
  readonly state: ReadonlySignal<"idle" | "loading" | "done" | Refusal> = this.#state;
  #byKey = new Map<string, Row>();
  /** The time of the oldest fetched row; null before the first fetch. */
  #oldestMs: number | null = null;
  #newestMs = 0;
  /** The number of rows when the last page of older rows had arrived. */
  #askedFor = 0;

  constructor(kind: Kind<Row>) {
    this.#kind = kind;
  }

  async more(): Promise<void> {
    if (this.#state.value === "loading" || this.#state.value === "done") return;
    await this.#load(this.#oldestMs);
  }

  /**
   * Fetches the rows added while the connection was lost. If they fill more than a page, older rows are dropped and
   * must be fetched again.
   */
  async refresh(): Promise<void> {
    if (this.#oldestMs === null || this.#state.value === "loading") return;
    const newestMs = this.#newestMs;
    const page = await this.#load(null);
    if (page === null || page.length < ROWS_OF_A_PAGE) return;
    const oldestMs = Math.min(...page.map((row) => this.#kind.timeOf(row)));
    if (oldestMs <= newestMs) return;
    this.#byKey = new Map();
    this.#oldestMs = oldestMs;
    this.#askedFor = page.length;
    this.#state.value = "idle";
    this.#put(page);
  }

  /** Adds or replaces one row. */
  put(row: Row): void {
    this.#put([row]);
    this.#drop();
  }

  /** Drops the oldest rows if there are too many. They can be fetched again by pages. */
  #drop(): void {
    const rows = this.#rows.value;
    const most = Math.max(MOST_ROWS_UNASKED, this.#askedFor);
    // While a page is being fetched, no rows are dropped, because the page must adjoin the oldest row.
    if (rows.length <= most || this.#state.value === "loading") return;
    const remaining = rows.slice(0, most);
    const dropped = rows.slice(most);
    for (const row of dropped) this.#byKey.delete(this.#kind.keyOf(row));
    if (this.#oldestMs !== null) this.#oldestMs = Math.max(...dropped.map((row) => this.#kind.timeOf(row)));
    if (this.#state.value === "done") this.#state.value = "idle";
    this.#rows.value = remaining;
  }

  async #load(untilMs: number | null): Promise<readonly Row[] | null> {
    const before = this.#state.value;
    this.#state.value = "loading";
    try {
      const page = await this.#kind.fetch(untilMs);
      const times = page.map((row) => this.#kind.timeOf(row));
      const known = this.#byKey.size;
      this.#put(page);
      const isOlder = untilMs !== null || this.#oldestMs === null;
      if (isOlder) {
        this.#oldestMs = this.#nextBefore(untilMs, times, known);
        this.#askedFor = this.#byKey.size;
      }
      this.#newestMs = Math.max(this.#newestMs, ...times);
      const isLast = page.length < ROWS_OF_A_PAGE;
      this.#state.value = isOlder && isLast ? "done" : before === "done" ? "done" : "idle";
      return page;
    } catch (error) {
      this.#state.value = refusalOf(error);
      return null;
    }
  }

  /**
   * The end of the next page: the time of the oldest row (inclusive), because other rows may have the same time. If a
   * page contained no new rows, all its rows have the same time, and the next page ends before it.
   */
  #nextBefore(untilMs: number | null, times: readonly number[], known: number): number {
    const oldestMs = Math.min(untilMs ?? Infinity, ...times);
    return this.#byKey.size === known && untilMs !== null ? untilMs - 1 : oldestMs;
  }

  #put(rows: readonly Row[]): void {
    for (const row of rows) this.#byKey.set(this.#kind.keyOf(row), row);
    this.#rows.value = [...this.#byKey.values()].sort((one, other) => this.#kind.order(one, other));
  }
}

// The requested histories, by market. They are updated while the account is signed in.

/** Maximum number of markets whose history is kept. Histories viewed longer ago are fetched again. */
const MOST_MARKETS = 10;

export class HistoryBook {
  readonly #rest: Rest;
  readonly #access: Access;
  readonly #orders = new Map<string, HistoryPages<OrderRow>>();
  readonly #fills = new Map<string, HistoryPages<Fill>>();

  constructor(rest: Rest, access: Access) {
    this.#rest = rest;
    this.#access = access;
  }

  orders(symbol: string): HistoryPages<OrderRow> {
    return cached(this.#orders, symbol, () => this.#newOrders(symbol));
  }

  fills(symbol: string): HistoryPages<Fill> {
    return cached(this.#fills, symbol, () => this.#newFills(symbol));
  }

  order(row: OrderRow): void {
    this.#orders.get(row.symbol)?.put(row);
  }

  fill(fill: Fill): void {
    this.#fills.get(fill.symbol)?.put(fill);
  }

  async refresh(): Promise<void> {
    await Promise.all([...this.#orders.values(), ...this.#fills.values()].map((pages) => pages.refresh()));
  }

  #newOrders(symbol: string): HistoryPages<OrderRow> {
    return new HistoryPages<OrderRow>({
      fetch: async (untilMs) => (await this.#page<OrderRecord>("/api/v3/allOrders", symbol, untilMs)).map(rowOfOrder),
      keyOf: ({ orderId }) => String(orderId),
      timeOf: ({ timeMs }) => timeMs,
      order: (one, other) => other.orderId - one.orderId,
    });
  }

  #newFills(symbol: string): HistoryPages<Fill> {
    return new HistoryPages<Fill>({
      fetch: async (untilMs) => (await this.#page<AccountTrade>("/api/v3/myTrades", symbol, untilMs)).map(fillOfAnswer),
      keyOf: fillKey,
      timeOf: ({ timeMs }) => timeMs,
      order: (one, other) => other.tradeId - one.tradeId || one.side.localeCompare(other.side),
    });
  }

  #page<Answer>(path: string, symbol: string, untilMs: number | null): Promise<readonly Answer[]> {
    const parameters = { symbol, limit: ROWS_OF_A_PAGE, endTime: untilMs ?? undefined };
    return this.#rest.authorized<readonly Answer[]>("GET", path, this.#access, parameters);
  }
}

function cached<Value>(all: Map<string, Value>, symbol: string, make: () => Value): Value {
  const value = all.get(symbol) ?? make();
  all.delete(symbol);
  all.set(symbol, value);
  const [oldest] = all.keys();
  if (all.size > MOST_MARKETS && oldest !== undefined) all.delete(oldest);
  return value;
}
