/**
 * Candles of before the first trade. Imported ones are written as they come. Those of a generated past are many, and
 * are written behind everything else, a piece at a time: whoever asks for them waits (`progress.ts`).
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { GeneratedPast, KlinesImported, PastAdded } from "@pricetime/engine";
import { transaction } from "../disk/transaction.ts";
import { BulkInsert } from "./bulk-insert.ts";
import { type Kline, KLINE_COLUMNS, klineFromRow, klineToRow, mergeKline, selectKline } from "./kline.ts";
import { foldKlines, intervalsFrom, klinesOfPast, type PastKline } from "./past-klines.ts";
import type { KlineInterval } from "./port.ts";

/** Some milliseconds: history is not kept from what is new for longer. */
const ROWS_A_PIECE = 2_000;

interface PendingPast {
  readonly symbolId: number;
  readonly past: string;
  readonly written: number;
}

const PENDING = `SELECT symbol_id AS symbolId, past, written FROM pasts WHERE is_done = 0 ORDER BY symbol_id LIMIT 1`;

export class PastRows {
  private readonly database: DatabaseSync;
  private readonly bulk: BulkInsert;
  private readonly insertPast: StatementSync;
  private readonly selectPending: StatementSync;
  private readonly setWritten: StatementSync;
  private readonly selectKline: StatementSync;
  private readonly replaceKline: StatementSync;
  /** Of the past that is being written. */
  private klines: { readonly symbolId: number; readonly all: readonly PastKline[] } | undefined;

  constructor(database: DatabaseSync) {
    this.database = database;
    this.bulk = new BulkInsert(database, "past_klines", KLINE_COLUMNS);
    this.insertPast = database.prepare("INSERT INTO pasts VALUES (?, ?, 0, 0)");
    this.selectPending = database.prepare(PENDING);
    this.setWritten = database.prepare("UPDATE pasts SET written = ?, is_done = ? WHERE symbol_id = ?");
    this.selectKline = database.prepare(`${selectKline("past_klines")} AND interval = ? AND open_time_ms = ?`);
    const places = KLINE_COLUMNS.map(() => "?").join(", ");
    this.replaceKline = database.prepare(`INSERT OR REPLACE INTO past_klines VALUES (${places})`);
  }

  add({ symbolId, past }: PastAdded): void {
    this.insertPast.run(symbolId, JSON.stringify(past));
  }

  /** They come after those that are there: what is open of a longer kline goes on. Gives the rows written. */
  addImported({ symbolId, interval, candles }: KlinesImported): number {
    let rows = 0;
    for (const each of intervalsFrom(interval)) {
      const klines = foldKlines(symbolId, each, candles);
      rows += klines.length;
      for (const [at, kline] of klines.entries()) {
        const open = at === 0 ? this.klineAt(symbolId, each, kline.openTimeMs) : undefined;
        this.replaceKline.run(...klineToRow(each, open === undefined ? kline : mergeKline(open, kline)));
      }
    }
    return rows;
  }

  private klineAt(symbolId: number, interval: KlineInterval, openTimeMs: number): Kline | undefined {
    return klineFromRow(this.selectKline.get(symbolId, interval, openTimeMs));
  }

  /** Writes on, in a transaction of its own; false: nothing is left. */
  writePiece(rows = ROWS_A_PIECE): boolean {
    const pending = this.selectPending.get() as PendingPast | undefined;
    if (pending === undefined) {
      this.klines = undefined;
      return false;
    }
    this.write(pending, pending.written + rows);
    return true;
  }

  /** Writes one past until so many of its klines are there. */
  writeUntil(symbolId: number, written: number): void {
    const row = this.database.prepare("SELECT symbol_id AS symbolId, past, written FROM pasts WHERE symbol_id = ?");
    const pending = row.get(symbolId) as PendingPast | undefined;
    if (pending !== undefined && pending.written < written) this.write(pending, written);
  }

  private write({ symbolId, past, written }: PendingPast, until: number): void {
    if (this.klines?.symbolId !== symbolId) {
      this.klines = { symbolId, all: klinesOfPast(symbolId, JSON.parse(past) as GeneratedPast) };
    }
    const { all } = this.klines;
    const end = Math.min(until, all.length);
    transaction(this.database, "IMMEDIATE", () => {
      for (let at = written; at < end; at++) {
        const { interval, kline } = all[at] as PastKline;
        this.bulk.add(...klineToRow(interval, kline));
      }
      this.bulk.flush();
      this.setWritten.run(end, end === all.length ? 1 : 0, symbolId);
    });
  }
}

/** The lowest symbol whose past is not all written; null: all are. */
export function pendingPast(database: DatabaseSync): number | null {
  return (database.prepare(PENDING).get() as PendingPast | undefined)?.symbolId ?? null;
}

/** How far each generated past is written. */
export function writtenPasts(database: DatabaseSync): { readonly symbolId: number; readonly written: number }[] {
  const rows = database.prepare("SELECT symbol_id AS symbolId, written FROM pasts ORDER BY symbol_id").all();
  return rows as unknown as { symbolId: number; written: number }[];
}
