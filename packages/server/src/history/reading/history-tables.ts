/**
 * Reads the tables of history: prepares each statement once, converts stored integers to the interface's decimals and
 * names, and computes windows of lists that grow by id and time. Interface 1.11.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { fromScale } from "@pricetime/engine";
import { unitsText } from "../shapes/amounts.ts";
import type { AssetUnits, SymbolUnits } from "../shapes/orders.ts";
import type { GeneratedKlines } from "./past-klines.ts";

export class HistoryTables {
  readonly database: DatabaseSync;
  /** Cached generated klines by symbol, most recently used last. */
  readonly generatedKlines = new Map<number, GeneratedKlines>();
  readonly #statements = new Map<string, StatementSync>();
  // Cached, because names and scales do not change after a symbol or asset is listed.
  readonly #symbols = new Map<number, SymbolUnits>();
  readonly #assets = new Map<number, AssetUnits>();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  /** Runs a statement. The caller must specify the type of its columns. */
  rows<Row>(sql: string, ...parameters: readonly SQLInputValue[]): Row[] {
    return this.#prepared(sql).all(...parameters) as Row[];
  }
  row<Row>(sql: string, ...parameters: readonly SQLInputValue[]): Row | undefined {
    return this.#prepared(sql).get(...parameters) as Row | undefined;
  }
  /** The rows one by one, without a list of all of them. The same statement must not be run meanwhile. */
  each<Row>(sql: string, ...parameters: readonly SQLInputValue[]): Iterable<Row> {
    return this.#prepared(sql).iterate(...parameters) as unknown as Iterable<Row>;
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  symbol(symbolId: number): SymbolUnits {
    let units = this.#symbols.get(symbolId);
    if (units === undefined) {
      const row = this.row<Omit<SymbolUnits, "base" | "quote"> & { baseId: number; quoteId: number }>(SYMBOL, symbolId);
      if (row === undefined) throw new Error(`history does not know symbol ${symbolId}`);
      units = { ...row, base: this.asset(row.baseId), quote: this.asset(row.quoteId) };
      this.#symbols.set(symbolId, units);
    }
    return units;
  }
  asset(assetId: number): AssetUnits {
    let units = this.#assets.get(assetId);
    if (units === undefined) {
      units = this.row<AssetUnits>("SELECT asset, decimals FROM assets WHERE asset_id = ?", assetId);
      if (units === undefined) throw new Error(`history does not know asset ${assetId}`);
      this.#assets.set(assetId, units);
    }
    return units;
  }

  price(symbolId: number, ticks: number): string {
    return fromScale(ticks, this.symbol(symbolId).priceDecimals);
  }
  quantity(symbolId: number, lots: number): string {
    return fromScale(lots, this.symbol(symbolId).quantityDecimals);
  }
  /** Formats an amount in the symbol's quote asset. */
  quote(symbolId: number, units: string): string {
    return unitsText(BigInt(units), this.symbol(symbolId).quote.decimals);
  }
  money(assetId: number, units: string): string {
    return unitsText(BigInt(units), this.asset(assetId).decimals);
  }
  /** Replaces `assetId` by the asset's name and formats `amount` as a decimal. */
  named<Row extends { readonly assetId: number; readonly amount: string }>({
    assetId,
    amount,
    ...row
  }: Row): Omit<Row, "assetId" | "amount"> & { readonly asset: string; readonly amount: string } {
    return { ...row, asset: this.asset(assetId).asset, amount: this.money(assetId, amount) };
  }
}

const SYMBOL = `SELECT symbol, price_decimals AS priceDecimals, quantity_decimals AS quantityDecimals,
  base_asset_id AS baseId, quote_asset_id AS quoteId FROM symbols WHERE symbol_id = ?`;

/**
 * A page of a list (Interface 1.11). Without bounds: the newest `limit` rows. With a start time or first id: the oldest
 * rows from there. With only an end time: the newest rows up to it.
 */
export interface Window {
  readonly fromId?: number;
  readonly startTimeMs?: number;
  readonly endTimeMs?: number;
  readonly limit: number;
}

/** The inclusive bounds of a window that specifies none. */
const FIRST_ID = 0;
const LAST_ID = Number.MAX_SAFE_INTEGER;

export interface IdRange {
  readonly lowId: number;
  readonly highId: number;
  /** Whether to take the newest rows instead of the oldest. */
  readonly newest: boolean;
}

/**
 * Statements that convert times to ids. Times never decrease as ids grow, so a binary search finds a time without an
 * additional index. The first parameters are those of the scope.
 */
export interface TimeIndex {
  /** Returns `{id, timeMs}` of the first row whose id is at least the last parameter. */
  readonly timeFrom: string;
  /** Returns `{id}` of the last row; null if there are no rows. */
  readonly lastId: string;
  /** The ids that are searched. Default: from 0 to that of the last row. */
  readonly ids?: SearchedIds;
}

interface SearchedIds {
  readonly first: number;
  /** Below `first` if there are no rows. */
  readonly last: number;
}

function searched(tables: HistoryTables, { lastId, ids }: TimeIndex, scope: readonly number[]): SearchedIds {
  if (ids !== undefined) return ids;
  return { first: FIRST_ID, last: tables.row<{ id: number | null }>(lastId, ...scope)?.id ?? FIRST_ID - 1 };
}

/**
 * The ids in a window. `scope`: the first parameters of the statements. If the window has an id, its times are ignored.
 */
export function idRange(tables: HistoryTables, window: Window, times: TimeIndex, ...scope: readonly number[]): IdRange {
  const { fromId, startTimeMs, endTimeMs } = window;
  if (fromId !== undefined) return { lowId: fromId, highId: LAST_ID, newest: false };
  const newest = startTimeMs === undefined;
  if (newest && endTimeMs === undefined) return { lowId: FIRST_ID, highId: LAST_ID, newest };
  const { first, last } = searched(tables, times, scope);
  /** The first id at that time or later; one more than the last id if there is none. */
  const from = (timeMs: number): number => {
    let low = first;
    let high = last + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const row = tables.row<{ id: number; timeMs: number }>(times.timeFrom, ...scope, middle);
      if (row === undefined || row.timeMs >= timeMs) high = middle;
      else low = row.id + 1;
    }
    return low;
  };
  return {
    lowId: newest ? FIRST_ID : from(startTimeMs),
    highId: endTimeMs === undefined ? LAST_ID : from(endTimeMs + 1) - 1,
    newest,
  };
}

/**
 * Returns a window's rows in ascending order. The statements' parameters are `first`, the range of ids, `last`, and the
 * limit.
 */
export function windowRows<Row>(
  tables: HistoryTables,
  statements: TimeIndex & { readonly oldest: string; readonly newest: string },
  window: Window,
  of: { readonly scope: readonly number[]; readonly first?: readonly number[]; readonly last?: readonly number[] },
): Row[] {
  const { scope, first = scope, last = [] } = of;
  const { lowId, highId, newest } = idRange(tables, window, statements, ...scope);
  const sql = newest ? statements.newest : statements.oldest;
  const rows = tables.rows<Row>(sql, ...first, lowId, highId, ...last, window.limit);
  return newest ? rows.reverse() : rows;
}
