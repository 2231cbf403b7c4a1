/**
 * Columns and rows shared by writing and reading: big integers, orders, and klines in their symbol's units. A big
 * integer is stored as INTEGER if it fits into 64 bits, otherwise as decimal digits in TEXT.
 */
import assert from "node:assert/strict";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import {
  type Bucket,
  DAY_MS,
  type DepositStatus,
  type Field,
  ORDER_FIELDS,
  type OrderRecord,
  type PastInterval,
  PROGRESS_FIELDS,
} from "@pricetime/engine";
import {
  type KlineInterval,
  nextOpenTime,
  openTimeOf,
  STORED_INTERVALS,
  type StoredInterval,
} from "@pricetime/protocol";

/** Append only, because history stores the index. */
export const BUCKETS: readonly Bucket[] = ["free", "locked"];

/** The status codes of Interface 2.10. Dropped deposits have no row. */
const DEPOSIT_STATUSES = { 0: "pending", 6: "credited", 1: "success" } as const;
export type DepositStatusCode = keyof typeof DEPOSIT_STATUSES;

export function depositStatus(code: number): Exclude<DepositStatus, "dropped"> {
  return DEPOSIT_STATUSES[code as DepositStatusCode];
}
export function depositCode(status: Exclude<DepositStatus, "dropped">): DepositStatusCode {
  return ([0, 6, 1] as const).find((code) => DEPOSIT_STATUSES[code] === status) as DepositStatusCode;
}

/** Conduct is summed per period. History covers the periods of the rules' window. */
export const CONDUCT_PERIOD_MS = 30_000;
export const CONDUCT_WINDOW_MS = 600_000;

const LARGEST_INTEGER = 2n ** 63n - 1n;

export function moneyToSql(amount: bigint): bigint | string {
  return isInteger(amount) ? amount : amount.toString();
}

/** Formats an amount as JSON for SQLite. Long numbers become strings, because SQLite would round them. */
export function moneyToJson(amount: bigint): string {
  return isInteger(amount) ? `${amount}` : `"${amount}"`;
}

function isInteger(amount: bigint): boolean {
  return amount <= LARGEST_INTEGER && amount >= -LARGEST_INTEGER;
}

/** Selects a big integer column as digits, regardless of its storage type. */
export function moneyColumn(column: string, name: string): string {
  return `CAST(${column} AS TEXT) AS ${name}`;
}

function tableColumns(database: DatabaseSync, table: string): string[] {
  return database
    .prepare(`SELECT * FROM ${table}`)
    .columns()
    .map(({ name }) => name);
}

/** Inserts rows given as objects. Each column gets the field of its name in camel case; big integers are converted. */
export class NamedInsert {
  readonly #names: readonly string[];
  readonly #statement: StatementSync;

  /** `after` is appended to the SQL statement. */
  constructor(database: DatabaseSync, table: string, { or = "", after = "" } = {}) {
    const columns = tableColumns(database, table);
    this.#names = columns.map((column) => column.replace(/_[a-z]/g, (part) => part.slice(1).toUpperCase()));
    const places = columns.map(() => "?").join(", ");
    this.#statement = database.prepare(`INSERT ${or} INTO ${table} VALUES (${places}) ${after}`);
  }

  /** Inserts a row. Throws if a column has no value. */
  run(row: object): void {
    const values = row as Readonly<Record<string, SQLInputValue>>;
    this.#statement.run(
      ...this.#names.map((name) => {
        const value = values[name] as SQLInputValue;
        return typeof value === "bigint" ? moneyToSql(value) : value;
      }),
    );
  }
}

// With 16 rows per statement, a row costs a quarter less than with one. More rows gain nothing.

const ROWS_A_STATEMENT = 16;

export class BulkInsert {
  readonly #columns: number;
  readonly #insertOne: StatementSync;
  readonly #insertMany: StatementSync;
  /** The values of unwritten rows, row by row. */
  readonly #pending: SQLInputValue[] = [];

  /** `columns`: default all columns of the table, in order. */
  constructor(database: DatabaseSync, table: string, columns: readonly string[] = tableColumns(database, table)) {
    this.#columns = columns.length;
    // OR ROLLBACK avoids the cost of statement journals: a failed statement ends the whole transaction anyway.
    const into = `INSERT OR ROLLBACK INTO ${table} (${columns.join(", ")}) VALUES`;
    const row = `(${columns.map(() => "?").join(", ")})`;
    this.#insertOne = database.prepare(`${into} ${row}`);
    this.#insertMany = database.prepare(`${into} ${Array(ROWS_A_STATEMENT).fill(row).join(", ")}`);
  }

  /** `row` has a value for each column. */
  add(...row: readonly SQLInputValue[]): void {
    for (const value of row) this.#pending.push(value);
    this.endRow();
  }

  /** For adding a row value by value. Call `endRow` after the last value. */
  get row(): SQLInputValue[] {
    return this.#pending;
  }

  endRow(): void {
    assert(this.#pending.length % this.#columns === 0, "a row has a value for each column");
    if (this.#pending.length < this.#columns * ROWS_A_STATEMENT) return;
    this.#insertMany.run(...this.#pending);
    this.#pending.length = 0;
  }

  /** Writes the remaining rows. Call it at the end of a transaction. */
  flush(): void {
    for (let at = 0; at < this.#pending.length; at += this.#columns) {
      this.#insertOne.run(...this.#pending.slice(at, at + this.#columns));
    }
    this.#pending.length = 0;
  }
}

// Columns of an order. They are derived from the engine's table of order fields.

export interface OrderColumn {
  readonly column: string;
  readonly field: keyof OrderRecord;
  readonly kind: Field<unknown>["kind"];
  /** The values of an enum field, which is stored by index. */
  readonly words: readonly string[];
  /** The value stored for orders without the field. When an order is read, a field with this value is omitted. */
  readonly before: unknown;
}

function columnsOf(table: Readonly<Record<string, Field<unknown>>>): readonly OrderColumn[] {
  return Object.entries(table).map(([name, { kind, words = [], ...of }]) => {
    const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const before = (of as { readonly before?: unknown }).before;
    return { column, field: name as keyof OrderRecord, kind, words, before };
  });
}

/** Adds the values of an order. A loop with a switch, because a function per column made history 5% slower. */
export function addValues(values: SQLInputValue[], order: OrderRecord, columns: readonly OrderColumn[]): void {
  for (const { field, kind, words, before } of columns) {
    const value = order[field] ?? before;
    switch (kind) {
      case "word":
        values.push(words.indexOf(value as string));
        break;
      case "big":
        values.push(moneyToSql(value as bigint));
        break;
      case "bool":
        values.push(value === true ? 1 : 0);
        break;
      default:
        values.push(value as number | string);
    }
  }
}

function fromSql({ kind, words }: OrderColumn, value: unknown): unknown {
  switch (kind) {
    case "word":
      return words[value as number];
    case "big":
      return BigInt(value as string);
    case "bool":
      return value === 1;
    default:
      return value;
  }
}

export const ORDER_COLUMNS = columnsOf(ORDER_FIELDS);
/** The columns that change while an order is open. */
export const PROGRESS_COLUMNS = columnsOf(PROGRESS_FIELDS);

const BIG_FIELDS = new Set(Object.entries(ORDER_FIELDS).flatMap(([name, { kind }]) => (kind === "big" ? [name] : [])));

/** Selects each order column under the name of its field. */
export const SELECT_ORDERS = `SELECT ${ORDER_COLUMNS.map(({ column, field }) =>
  BIG_FIELDS.has(field) ? moneyColumn(column, field) : `${column} AS ${field}`,
).join(", ")} FROM orders`;

/** `row`: a result of `SELECT_ORDERS`. */
export function orderOfRow(row: object): OrderRecord {
  const values = row as Readonly<Record<string, unknown>>;
  const fields = ORDER_COLUMNS.flatMap((column) => {
    const value = fromSql(column, values[column.field]);
    return value === column.before ? [] : [[column.field, value]];
  });
  const order: OrderRecord = Object.fromEntries(fields);
  return order;
}

export interface Kline {
  readonly symbolId: number;
  readonly openTimeMs: number;
  readonly openTicks: number;
  highTicks: number;
  lowTicks: number;
  closeTicks: number;
  lots: bigint;
  quote: bigint;
  count: number;
  takerBuyLots: bigint;
  takerBuyQuote: bigint;
}

const SHORTEST_MONTH_MS = 28 * DAY_MS;

type MoneyOfKline = "lots" | "quote" | "takerBuyLots" | "takerBuyQuote";

/** Selects kline columns under the names of their fields. */
export function selectKline(table: "klines" | "past_klines"): string {
  return `SELECT symbol_id AS symbolId, open_time_ms AS openTimeMs, open_ticks AS openTicks,
  high_ticks AS highTicks, low_ticks AS lowTicks, close_ticks AS closeTicks, ${moneyColumn("lots", "lots")},
  ${moneyColumn("quote", "quote")}, count, ${moneyColumn("taker_buy_lots", "takerBuyLots")},
  ${moneyColumn("taker_buy_quote", "takerBuyQuote")} FROM ${table} WHERE symbol_id = ?`;
}

export function klineFromRow(found: unknown): Kline | undefined {
  if (found === undefined) return undefined;
  const row = found as Omit<Kline, MoneyOfKline> & Record<MoneyOfKline, string>;
  // Field by field, because spreading a row of SQLite takes as long as reading it.
  return {
    symbolId: row.symbolId,
    openTimeMs: row.openTimeMs,
    openTicks: row.openTicks,
    highTicks: row.highTicks,
    lowTicks: row.lowTicks,
    closeTicks: row.closeTicks,
    count: row.count,
    lots: BigInt(row.lots),
    quote: BigInt(row.quote),
    takerBuyLots: BigInt(row.takerBuyLots),
    takerBuyQuote: BigInt(row.takerBuyQuote),
  };
}

/** Adds a later kline to an earlier one. */
export function mergeKline<T extends Omit<Kline, "symbolId">>(
  kline: T,
  later: Omit<Kline, "symbolId" | "openTimeMs" | "openTicks">,
): T {
  kline.highTicks = Math.max(kline.highTicks, later.highTicks);
  kline.lowTicks = Math.min(kline.lowTicks, later.lowTicks);
  kline.closeTicks = later.closeTicks;
  kline.lots += later.lots;
  kline.quote += later.quote;
  kline.count += later.count;
  kline.takerBuyLots += later.takerBuyLots;
  kline.takerBuyQuote += later.takerBuyQuote;
  return kline;
}

/** Klines of an interval whose local time is ahead of UTC by `offsetMs`. */
export interface Grid {
  readonly interval: StoredInterval;
  readonly offsetMs: number;
}

/** Combines consecutive candles into klines of the interval. No candle may be in two of them. */
export function foldKlines(
  symbolId: number,
  interval: StoredInterval,
  candles: readonly Omit<Kline, "symbolId">[],
  offsetMs = 0,
): Kline[] {
  const klines: Kline[] = [];
  let nextMs = 0;
  for (const candle of candles) {
    const last = klines.at(-1);
    if (last !== undefined && candle.openTimeMs < nextMs) {
      mergeKline(last, candle);
      continue;
    }
    const openTimeMs = openTimeOf(interval, candle.openTimeMs, offsetMs);
    nextMs = nextOpenTime(interval, openTimeMs, offsetMs);
    klines.push({ ...candle, symbolId, openTimeMs });
  }
  return klines;
}

/** The width of the interval; for a month, the width of the shortest month. */
export function widthOf(interval: KlineInterval): number {
  return interval === "1M" ? SHORTEST_MONTH_MS : nextOpenTime(interval, 0) - openTimeOf(interval, 0);
}

/**
 * The interval, and all longer intervals that can be computed from its candles. The engine's intervals are a subset of
 * the interface's.
 */
export function intervalsFrom(interval: PastInterval): readonly StoredInterval[] {
  const widthMs = widthOf(interval);
  const longer = STORED_INTERVALS.filter((each) => widthOf(each) > widthMs && widthOf(each) % widthMs === 0);
  return [interval, ...longer];
}
