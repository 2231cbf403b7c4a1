/** From the integers of history to the decimals of the wire. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { formatDecimal, fromScale } from "@pricetime/engine";

interface SymbolUnits {
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  readonly quoteDecimals: number;
  readonly baseAssetId: number;
  readonly quoteAssetId: number;
}

/** Scales are fixed when a symbol or asset is listed, so they are read once. */
export class Units {
  private readonly symbolRow: StatementSync;
  private readonly assetRow: StatementSync;
  private readonly symbols = new Map<number, SymbolUnits>();
  private readonly assets = new Map<number, number>();

  constructor(database: DatabaseSync) {
    this.symbolRow = database.prepare(
      `SELECT price_decimals AS priceDecimals, quantity_decimals AS quantityDecimals,
         base_asset_id AS baseAssetId, quote_asset_id AS quoteAssetId
       FROM symbols WHERE symbol_id = ?`,
    );
    this.assetRow = database.prepare("SELECT decimals FROM assets WHERE asset_id = ?");
  }

  price(symbolId: number, ticks: number): string {
    return fromScale(ticks, this.symbol(symbolId).priceDecimals);
  }
  quantity(symbolId: number, lots: number): string {
    return fromScale(lots, this.symbol(symbolId).quantityDecimals);
  }
  /** Of a sum of lots, as digits. */
  volume(symbolId: number, lots: string): string {
    return formatDecimal(BigInt(lots), this.symbol(symbolId).quantityDecimals);
  }
  /** Of money in the symbol's quote asset, as digits. */
  quote(symbolId: number, units: string): string {
    return formatDecimal(BigInt(units), this.symbol(symbolId).quoteDecimals);
  }
  money(assetId: number, units: string): string {
    return formatDecimal(BigInt(units), this.assetDecimals(assetId));
  }

  /** What a side receives: its commission is in that. */
  receivedAssetId(symbolId: number, isBuyer: boolean): number {
    const { baseAssetId, quoteAssetId } = this.symbol(symbolId);
    return isBuyer ? baseAssetId : quoteAssetId;
  }

  private symbol(symbolId: number): SymbolUnits {
    let units = this.symbols.get(symbolId);
    if (units === undefined) {
      const row = this.symbolRow.get(symbolId) as Omit<SymbolUnits, "quoteDecimals"> | undefined;
      if (row === undefined) throw new Error(`history does not know symbol ${symbolId}`);
      units = { ...row, quoteDecimals: this.assetDecimals(row.quoteAssetId) };
      this.symbols.set(symbolId, units);
    }
    return units;
  }

  private assetDecimals(assetId: number): number {
    let decimals = this.assets.get(assetId);
    if (decimals === undefined) {
      const row = this.assetRow.get(assetId) as { decimals: number } | undefined;
      if (row === undefined) throw new Error(`history does not know asset ${assetId}`);
      decimals = row.decimals;
      this.assets.set(assetId, decimals);
    }
    return decimals;
  }
}
