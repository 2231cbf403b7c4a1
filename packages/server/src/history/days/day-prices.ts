/** What an asset was worth in another when a day was over, by the last trade up to then, or the past of before the first. */
import { DAY_MS } from "@pricetime/engine";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { PastQueries } from "../klines/past-queries.ts";

/** The second parameter, if any, is an asset. */
export const PRICE_QUERIES = {
  ofBase: `SELECT symbol_id AS symbolId, price_decimals AS priceDecimals, quote_asset_id AS otherId
    FROM symbols INDEXED BY symbols_by_base WHERE base_asset_id = ?`,
  ofQuote: `SELECT symbol_id AS symbolId, price_decimals AS priceDecimals, base_asset_id AS otherId
    FROM symbols INDEXED BY symbols_by_quote WHERE quote_asset_id = ?`,
  close: `SELECT close_ticks AS ticks FROM klines WHERE symbol_id = ? AND interval = '1m' AND open_time_ms < ?
    ORDER BY open_time_ms DESC LIMIT 1`,
};

/** An exact fraction. */
export interface Price {
  readonly numerator: bigint;
  readonly denominator: bigint;
}
interface Market {
  readonly symbolId: number;
  readonly priceDecimals: number;
  /** The asset on the other side. */
  readonly otherId: number;
}

const ONE: Price = { numerator: 1n, denominator: 1n };

export class DayPrices {
  readonly #ofBase: StatementSync;
  readonly #ofQuote: StatementSync;
  readonly #close: StatementSync;
  readonly #past: PastQueries;

  constructor(database: DatabaseSync) {
    this.#ofBase = database.prepare(PRICE_QUERIES.ofBase);
    this.#ofQuote = database.prepare(PRICE_QUERIES.ofQuote);
    this.#close = database.prepare(PRICE_QUERIES.close);
    this.#past = new PastQueries(database);
  }

  /** Returns the price of one `assetId` in `inAssetId`, over one market or two; undefined when there is none. */
  price(assetId: number, inAssetId: number, day: number): Price | undefined {
    if (assetId === inAssetId) return ONE;
    const markets = this.#marketsOf(assetId);
    const direct = markets.find(({ otherId }) => otherId === inAssetId);
    const price = direct && this.#closing(direct, day);
    if (price !== undefined) return price;
    for (const first of markets) {
      const second = this.#marketsOf(first.otherId).find(({ otherId }) => otherId === inAssetId);
      const [a, b] = [this.#closing(first, day), second && this.#closing(second, day)];
      if (a === undefined || b === undefined) continue;
      return { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator };
    }
    return undefined;
  }

  #marketsOf(assetId: number): readonly (Market & { readonly isBase: boolean })[] {
    const of = (statement: StatementSync, isBase: boolean) =>
      (statement.all(assetId) as unknown as Market[]).map((market) => ({ ...market, isBase }));
    return [...of(this.#ofBase, true), ...of(this.#ofQuote, false)];
  }

  #closing(market: Market & { readonly isBase: boolean }, day: number): Price | undefined {
    const until = [market.symbolId, (day + 1) * DAY_MS] as const;
    const row = this.#close.get(...until) as { ticks: number } | undefined;
    const { priceDecimals } = market;
    const close = row ? { ...row, decimals: priceDecimals } : this.#past.closeBefore(...until, priceDecimals);
    if (close === undefined) return undefined;
    const ticks = BigInt(close.ticks);
    const whole = 10n ** BigInt(close.decimals);
    return market.isBase ? { numerator: ticks, denominator: whole } : { numerator: whole, denominator: ticks };
  }
}
