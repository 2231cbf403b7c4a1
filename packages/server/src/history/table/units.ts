/** Converts the history's integers to the decimals and names of the wire. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type CandleScale, formatDecimal, fromScale } from "@pricetime/engine";
import type { Names } from "../shapes/names.ts";

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
