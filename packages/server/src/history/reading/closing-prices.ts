/** Closing prices of days, and the conversion of amounts to another asset at these prices. */
import { DAY_MS } from "@pricetime/engine";
import type { HistoryTables } from "./history-tables.ts";
import { pastCloseBefore } from "./stored-klines.ts";

/** Statements for prices. The first parameter is an asset. */
export const PRICES = {
  ofBase: `SELECT symbol_id AS symbolId, price_decimals AS priceDecimals, quote_asset_id AS otherId
    FROM symbols INDEXED BY symbols_by_base WHERE base_asset_id = ?`,
  ofQuote: `SELECT symbol_id AS symbolId, price_decimals AS priceDecimals, base_asset_id AS otherId
    FROM symbols INDEXED BY symbols_by_quote WHERE quote_asset_id = ?`,
  close: `SELECT close_ticks AS ticks FROM klines WHERE symbol_id = ? AND interval = '1m' AND open_time_ms < ?
    ORDER BY open_time_ms DESC LIMIT 1`,
};

/** A price as an exact fraction. */
export interface Price {
  readonly numerator: bigint;
  readonly denominator: bigint;
}
interface Market {
  readonly symbolId: number;
  readonly priceDecimals: number;
  /** The other asset of the market. */
  readonly otherId: number;
  readonly isBase: boolean;
}

const ONE: Price = { numerator: 1n, denominator: 1n };

/**
 * The price of one `assetId` in `inAssetId` at the end of the day (UTC, counted from 1970), using one or two markets;
 * undefined if there is none. On a day without trades, and on the current day, it is the latest price.
 */
export function priceAt(tables: HistoryTables, day: number, assetId: number, inAssetId: number): Price | undefined {
  return priceBefore(tables, (day + 1) * DAY_MS, assetId, inAssetId);
}

/** The last price of the minutes that began before this time, as `priceAt`. */
export function priceBefore(
  tables: HistoryTables,
  untilMs: number,
  assetId: number,
  inAssetId: number,
): Price | undefined {
  if (assetId === inAssetId) return ONE;
  const markets = marketsOf(tables, assetId);
  const direct = markets.find(({ otherId }) => otherId === inAssetId);
  const price = direct && closing(tables, direct, untilMs);
  if (price !== undefined) return price;
  for (const first of markets) {
    const second = marketsOf(tables, first.otherId).find(({ otherId }) => otherId === inAssetId);
    const [a, b] = [closing(tables, first, untilMs), second && closing(tables, second, untilMs)];
    if (a === undefined || b === undefined) continue;
    return { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator };
  }
  return undefined;
}

function marketsOf(tables: HistoryTables, assetId: number): readonly Market[] {
  const of = (sql: string, isBase: boolean): Market[] =>
    tables.rows<Omit<Market, "isBase">>(sql, assetId).map((market) => ({ ...market, isBase }));
  return [...of(PRICES.ofBase, true), ...of(PRICES.ofQuote, false)];
}

function closing(tables: HistoryTables, market: Market, untilMs: number): Price | undefined {
  const until = [market.symbolId, untilMs] as const;
  const row = tables.row<{ readonly ticks: number }>(PRICES.close, ...until);
  const { priceDecimals } = market;
  const close = row ? { ...row, decimals: priceDecimals } : pastCloseBefore(tables, ...until, priceDecimals);
  if (close === undefined) return undefined;
  const ticks = BigInt(close.ticks);
  const whole = 10n ** BigInt(close.decimals);
  return market.isBase ? { numerator: ticks, denominator: whole } : { numerator: whole, denominator: ticks };
}

/** The value of an amount at a price, in the same decimals as the amount, rounded towards zero. */
export function valueOf(amount: bigint, { numerator, denominator }: Price): bigint {
  return (amount * numerator) / denominator;
}

/** The value of an amount of an asset with other decimals than the asset of values, rounded towards zero. */
export function valueAcross(
  amount: bigint,
  { numerator, denominator }: Price,
  decimals: number,
  valueDecimals: number,
): bigint {
  return (amount * numerator * 10n ** BigInt(valueDecimals)) / (denominator * 10n ** BigInt(decimals));
}
