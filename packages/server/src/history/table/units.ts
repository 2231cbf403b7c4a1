/**
 * For reading: converts the history's integers to the decimals and names of the wire, and selects a window of a list
 * that grows by id and time. Interface 1.11, 2.10.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type CandleScale, type DepositStatus, formatDecimal, fromScale } from "@pricetime/engine";
import type { Names } from "../shapes/pages.ts";
import type { DepositStatusCode } from "../shapes/rows.ts";
import type { Window } from "../port.ts";

interface SymbolUnits {
  readonly symbol: string;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  readonly quoteDecimals: number;
  readonly baseAssetId: number;
  readonly quoteAssetId: number;
}

interface AssetUnits {
  readonly asset: string;
  readonly decimals: number;
}

/** Names and scales are fixed when a symbol or asset is listed, so they are read once. */
export class Units implements Names {
  readonly #symbolRow: StatementSync;
  readonly #assetRow: StatementSync;
  readonly #symbols = new Map<number, SymbolUnits>();
  readonly #assets = new Map<number, AssetUnits>();

  constructor(database: DatabaseSync) {
    this.#symbolRow = database.prepare(
      `SELECT symbol, price_decimals AS priceDecimals, quantity_decimals AS quantityDecimals,
         base_asset_id AS baseAssetId, quote_asset_id AS quoteAssetId
       FROM symbols WHERE symbol_id = ?`,
    );
    this.#assetRow = database.prepare("SELECT asset, decimals FROM assets WHERE asset_id = ?");
  }

  symbol(symbolId: number): string {
    return this.#symbolUnits(symbolId).symbol;
  }
  asset(assetId: number): string {
    return this.#assetUnits(assetId).asset;
  }
  price(symbolId: number, ticks: number): string {
    return fromScale(ticks, this.#symbolUnits(symbolId).priceDecimals);
  }
  quantity(symbolId: number, lots: number): string {
    return fromScale(lots, this.#symbolUnits(symbolId).quantityDecimals);
  }
  /** Formats money in the symbol's quote asset, given as a number or as digits. */
  quote(symbolId: number, units: string | bigint): string {
    return decimalOf(units, this.#symbolUnits(symbolId).quoteDecimals);
  }
  /** The units of candles that a symbol's own trades make. */
  candleScale(symbolId: number): CandleScale {
    return this.#symbolUnits(symbolId);
  }
  money(assetId: number, units: string | bigint): string {
    return decimalOf(units, this.#assetUnits(assetId).decimals);
  }

  /** Returns the asset that a side receives, in which its commission is charged. */
  receivedAssetId(symbolId: number, isBuyer: boolean): number {
    const { baseAssetId, quoteAssetId } = this.#symbolUnits(symbolId);
    return isBuyer ? baseAssetId : quoteAssetId;
  }

  #symbolUnits(symbolId: number): SymbolUnits {
    let units = this.#symbols.get(symbolId);
    if (units === undefined) {
      const row = this.#symbolRow.get(symbolId) as Omit<SymbolUnits, "quoteDecimals"> | undefined;
      if (row === undefined) throw new Error(`history does not know symbol ${symbolId}`);
      units = { ...row, quoteDecimals: this.#assetUnits(row.quoteAssetId).decimals };
      this.#symbols.set(symbolId, units);
    }
    return units;
  }

  #assetUnits(assetId: number): AssetUnits {
    let units = this.#assets.get(assetId);
    if (units === undefined) {
      units = this.#assetRow.get(assetId) as AssetUnits | undefined;
      if (units === undefined) throw new Error(`history does not know asset ${assetId}`);
      this.#assets.set(assetId, units);
    }
    return units;
  }
}

/** Formats units; half of an order's amounts are zero. */
function decimalOf(units: string | bigint, decimals: number): string {
  return units === "0" || units === 0n ? "0.00000000" : formatDecimal(BigInt(units), decimals);
}

const WORDS: Readonly<Record<DepositStatusCode, DepositStatus>> = { 0: "pending", 6: "credited", 1: "success" };

export function depositStatus(code: number): DepositStatus {
  return WORDS[code as DepositStatusCode];
}

/** The inclusive bounds for what a window leaves open. */
const FIRST_ID = 0;
const LAST_ID = Number.MAX_SAFE_INTEGER;

export interface IdRange {
  readonly lowId: number;
  readonly highId: number;
  /** Take the newest of them instead of the oldest. */
  readonly newest: boolean;
}

/**
 * Converts times to ids. Times never decrease as ids grow, so bisection finds a time, without an index that every row
 * would have to be written to. The parameters begin with the scope.
 */
export interface TimeIndex {
  /** Returns `{id, timeMs}` of the first row whose id is not below the last parameter. */
  readonly timeFrom: StatementSync;
  /** Returns `{id}` of the last row; null when there is none. */
  readonly lastId: StatementSync;
}

/** `scope` comes first in the statements' parameters. A given id takes precedence over times. */
export function idRange(window: Window, times: TimeIndex, scope: readonly number[]): IdRange {
  const { fromId, startTimeMs, endTimeMs } = window;
  if (fromId !== undefined) return { lowId: fromId, highId: LAST_ID, newest: false };
  const newest = startTimeMs === undefined;
  if (newest && endTimeMs === undefined) return { lowId: FIRST_ID, highId: LAST_ID, newest };
  const lastId = (times.lastId.get(...scope) as { id: number | null }).id ?? FIRST_ID - 1;
  const from = (timeMs: number): number => firstIdFrom(timeMs, lastId, times.timeFrom, scope);
  return {
    lowId: newest ? FIRST_ID : from(startTimeMs),
    highId: endTimeMs === undefined ? LAST_ID : from(endTimeMs + 1) - 1,
    newest,
  };
}

/** Returns the first id of that time or later; one after the last when there is none. */
function firstIdFrom(timeMs: number, lastId: number, timeFrom: StatementSync, scope: readonly number[]): number {
  let low = FIRST_ID;
  let high = lastId + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = timeFrom.get(...scope, middle) as { id: number; timeMs: number };
    if (row.timeMs >= timeMs) high = middle;
    else low = row.id + 1;
  }
  return low;
}
