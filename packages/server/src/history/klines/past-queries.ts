/** Reads klines from before a symbol's first trade: computed from a generated past, or as imported. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { CandleScale, GeneratedPast } from "@pricetime/engine";
import { GeneratedKlines } from "./generated-klines.ts";
import { type Kline, klineFromRow, selectKline } from "./kline.ts";
import type { KlineInterval } from "@pricetime/protocol";

/** The symbols whose generated past is kept in memory: about 1.5 MB each, and a tenth of a second to make again. */
const MOST_KEPT = 12;

const SELECT = `${selectKline("past_klines")} AND interval = ?`;

export const PAST_QUERIES = {
  generated: "SELECT past FROM pasts WHERE symbol_id = ?",
  scale: `SELECT price_decimals AS priceDecimals, quantity_decimals AS quantityDecimals,
    quote_decimals AS quoteDecimals FROM past_scales WHERE symbol_id = ?`,
  between: `${SELECT} AND open_time_ms BETWEEN ? AND ? ORDER BY open_time_ms`,
  first: `${SELECT} ORDER BY open_time_ms LIMIT 1`,
  lastBefore: `${SELECT} AND open_time_ms < ? ORDER BY open_time_ms DESC LIMIT 1`,
};

export class PastQueries {
  readonly #statements: Readonly<Record<keyof typeof PAST_QUERIES, StatementSync>>;
  /** Kept pasts; the most recently used comes last. */
  readonly #kept = new Map<number, GeneratedKlines>();

  constructor(database: DatabaseSync) {
    const prepared = Object.entries(PAST_QUERIES).map(([name, query]) => [name, database.prepare(query)]);
    this.#statements = Object.fromEntries(prepared) as Record<keyof typeof PAST_QUERIES, StatementSync>;
  }

  /** Returns the klines that open from `from` to `to`, ascending. */
  between(symbolId: number, interval: KlineInterval, from: number, to: number): Kline[] {
    const generated = this.#generated(symbolId);
    if (generated !== undefined) return generated.between(interval, from, to);
    return this.#statements.between.all(symbolId, interval, from, to).map((row) => klineFromRow(row) as Kline);
  }

  /** Returns the open time of the first kline. */
  first(symbolId: number, interval: KlineInterval): number | undefined {
    const generated = this.#generated(symbolId);
    if (generated !== undefined) return generated.first(interval);
    return klineFromRow(this.#statements.first.get(symbolId, interval))?.openTimeMs;
  }

  /** Returns the last kline that opens before `timeMs`. */
  lastBefore(symbolId: number, interval: KlineInterval, timeMs: number): Kline | undefined {
    const generated = this.#generated(symbolId);
    if (generated !== undefined) return generated.lastBefore(interval, timeMs);
    return klineFromRow(this.#statements.lastBefore.get(symbolId, interval, timeMs));
  }

  /** The units of a symbol's imported candles; undefined where they are those of the symbol. */
  scale(symbolId: number): CandleScale | undefined {
    return this.#statements.scale.get(symbolId) as CandleScale | undefined;
  }

  /**
   * Returns the last price before `timeMs`, as an integer of 10^-decimals; undefined when there is no past, or it ends
   * later. `symbolDecimals` are those of the symbol's own prices.
   */
  closeBefore(
    symbolId: number,
    timeMs: number,
    symbolDecimals: number,
  ): { readonly ticks: number; readonly decimals: number } | undefined {
    const past = this.#pastOf(symbolId);
    if (past !== undefined)
      return past.endMs <= timeMs ? { ticks: past.endTicks, decimals: symbolDecimals } : undefined;
    const kline = klineFromRow(this.#statements.lastBefore.get(symbolId, "1d", timeMs));
    return kline && { ticks: kline.closeTicks, decimals: this.scale(symbolId)?.priceDecimals ?? symbolDecimals };
  }

  #generated(symbolId: number): GeneratedKlines | undefined {
    const past = this.#kept.has(symbolId) ? undefined : this.#pastOf(symbolId);
    const klines = past === undefined ? this.#kept.get(symbolId) : new GeneratedKlines(symbolId, past);
    if (klines === undefined) return undefined;
    this.#kept.delete(symbolId);
    this.#kept.set(symbolId, klines);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return klines;
  }

  #pastOf(symbolId: number): GeneratedPast | undefined {
    const row = this.#statements.generated.get(symbolId) as { past: string } | undefined;
    return row && (JSON.parse(row.past) as GeneratedPast);
  }
}
