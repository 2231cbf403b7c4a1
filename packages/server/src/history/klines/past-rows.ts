/** Writes the pasts of symbols: the numbers of generated ones, the candles of imported ones. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { KlinesImported, PastAdded } from "@pricetime/engine";
import {
  foldKlines,
  intervalsFrom,
  type Kline,
  KLINE_COLUMNS,
  klineFromRow,
  klineToRow,
  mergeKline,
  selectKline,
} from "./kline.ts";
import type { KlineInterval } from "@pricetime/protocol";

export class PastRows {
  readonly #insertPast: StatementSync;
  readonly #selectKline: StatementSync;
  readonly #replaceKline: StatementSync;
  readonly #replaceScale: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insertPast = database.prepare("INSERT INTO pasts VALUES (?, ?)");
    this.#selectKline = database.prepare(`${selectKline("past_klines")} AND interval = ? AND open_time_ms = ?`);
    this.#replaceScale = database.prepare("INSERT OR REPLACE INTO past_scales VALUES (?, ?, ?, ?)");
    const places = KLINE_COLUMNS.map(() => "?").join(", ");
    this.#replaceKline = database.prepare(`INSERT OR REPLACE INTO past_klines VALUES (${places})`);
  }

  add({ symbolId, past }: PastAdded): void {
    this.#insertPast.run(symbolId, JSON.stringify(past));
  }

  /** Adds later candles to the existing ones, continuing open longer klines. Returns the number of rows written. */
  addImported({ symbolId, interval, scale, candles }: KlinesImported): number {
    if (scale !== undefined) {
      this.#replaceScale.run(symbolId, scale.priceDecimals, scale.quantityDecimals, scale.quoteDecimals);
    }
    let rows = 0;
    for (const each of intervalsFrom(interval)) {
      const klines = foldKlines(symbolId, each, candles);
      rows += klines.length;
      for (const [at, kline] of klines.entries()) {
        const open = at === 0 ? this.#klineAt(symbolId, each, kline.openTimeMs) : undefined;
        this.#replaceKline.run(...klineToRow(each, open === undefined ? kline : mergeKline(open, kline)));
      }
    }
    return rows;
  }

  #klineAt(symbolId: number, interval: KlineInterval, openTimeMs: number): Kline | undefined {
    return klineFromRow(this.#selectKline.get(symbolId, interval, openTimeMs));
  }
}
