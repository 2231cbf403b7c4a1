/**
 * Writes klines of all intervals, and backfilled klines. Every interval starts at a whole minute, so trades are first
 * combined into minutes. A transaction writes only the latest minute. It is folded into the 14 longer klines when a
 * later minute begins; until then, readers add it (`stored-klines.ts`).
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Event, MINUTE_MS, type Trade } from "@pricetime/engine";
import { openTimeOf, STORED_INTERVALS, type StoredInterval } from "@pricetime/protocol";
import {
  foldKlines,
  intervalsFrom,
  type Kline,
  klineFromRow,
  mergeKline,
  NamedInsert,
  selectKline,
} from "../table/columns.ts";

/** The latest kline of each interval of a symbol. Earlier ones no longer change, because time never goes back. */
interface SymbolKlines {
  /** The minute that is not yet folded into the longer klines. */
  minute: Kline | undefined;
  readonly latest: Map<StoredInterval, Kline>;
  readonly dirty: Set<StoredInterval>;
}

const LONGER_INTERVALS = STORED_INTERVALS.filter((interval) => interval !== "1m");
const SELECT = selectKline("klines");

export class KlineRows {
  readonly #select: StatementSync;
  readonly #selectMinute: StatementSync;
  readonly #replace: NamedInsert;
  readonly #symbols = new Map<number, SymbolKlines>();
  readonly #touched = new Set<SymbolKlines>();

  constructor(database: DatabaseSync) {
    this.#select = database.prepare(`${SELECT} AND interval = ? AND open_time_ms = ?`);
    this.#selectMinute = database.prepare(`${SELECT} AND interval = '1m' ORDER BY open_time_ms DESC LIMIT 1`);
    this.#replace = new NamedInsert(database, "klines", { or: "OR REPLACE" });
  }

  add(trade: Trade): void {
    const klines = this.#symbolKlines(trade.symbolId);
    this.#touched.add(klines);
    const openTimeMs = trade.timeMs - (trade.timeMs % MINUTE_MS);
    if (klines.minute !== undefined && klines.minute.openTimeMs !== openTimeMs) this.#fold(klines, klines.minute);
    const piece = pieceOf(trade, openTimeMs);
    if (klines.minute === undefined) klines.minute = piece;
    else mergeKline(klines.minute, piece);
  }

  /** Writes pending klines. Call it at the end of a transaction. */
  flush(): void {
    for (const klines of this.#touched) {
      if (klines.minute !== undefined) this.#write("1m", klines.minute);
      for (const interval of klines.dirty) this.#write(interval, klines.latest.get(interval) as Kline);
      klines.dirty.clear();
    }
    this.#touched.clear();
  }

  #symbolKlines(symbolId: number): SymbolKlines {
    let klines = this.#symbols.get(symbolId);
    if (klines === undefined) {
      // The minute may have begun before a restart.
      const minute = klineFromRow(this.#selectMinute.get(symbolId));
      klines = { minute, latest: new Map(), dirty: new Set() };
      this.#symbols.set(symbolId, klines);
    }
    return klines;
  }

  /** Folds a completed minute into the longer klines. */
  #fold(klines: SymbolKlines, minute: Kline): void {
    klines.minute = undefined;
    this.#write("1m", minute);
    for (const interval of LONGER_INTERVALS) {
      const openTimeMs = openTimeOf(interval, minute.openTimeMs);
      let kline = klines.latest.get(interval);
      if (kline?.openTimeMs !== openTimeMs) {
        if (kline !== undefined && klines.dirty.has(interval)) this.#write(interval, kline);
        kline = klineFromRow(this.#select.get(minute.symbolId, interval, openTimeMs));
      }
      if (kline === undefined) klines.latest.set(interval, { ...minute, openTimeMs });
      else klines.latest.set(interval, mergeKline(kline, minute));
      klines.dirty.add(interval);
    }
  }

  #write(interval: StoredInterval, kline: Kline): void {
    this.#replace.run({ ...kline, interval });
  }
}

function pieceOf({ symbolId, priceTicks, lots, quote, takerSide }: Trade, openTimeMs: number): Kline {
  const takerBuys = takerSide === "BUY";
  return {
    symbolId,
    openTimeMs,
    openTicks: priceTicks,
    highTicks: priceTicks,
    lowTicks: priceTicks,
    closeTicks: priceTicks,
    lots: BigInt(lots),
    quote,
    count: 1,
    takerBuyLots: takerBuys ? BigInt(lots) : 0n,
    takerBuyQuote: takerBuys ? quote : 0n,
  };
}

export class PastRows {
  readonly #insertPast: StatementSync;
  readonly #selectKline: StatementSync;
  readonly #replaceKline: NamedInsert;
  readonly #replaceScale: NamedInsert;

  constructor(database: DatabaseSync) {
    this.#insertPast = database.prepare("INSERT INTO pasts VALUES (?, ?)");
    this.#selectKline = database.prepare(`${selectKline("past_klines")} AND interval = ? AND open_time_ms = ?`);
    this.#replaceScale = new NamedInsert(database, "past_scales", { or: "OR REPLACE" });
    this.#replaceKline = new NamedInsert(database, "past_klines", { or: "OR REPLACE" });
  }

  add({ symbolId, past }: Event<"pastAdded">): void {
    this.#insertPast.run(symbolId, JSON.stringify(past));
  }

  /**
   * Adds imported candles, which are later than the existing ones, and continues longer klines that are still open.
   * Returns the number of rows written.
   */
  addImported({ symbolId, interval, scale, candles }: Event<"klinesImported">): number {
    if (scale !== undefined) this.#replaceScale.run({ symbolId, ...scale });
    let rows = 0;
    for (const each of intervalsFrom(interval)) {
      const klines = foldKlines(symbolId, each, candles);
      rows += klines.length;
      for (const [at, kline] of klines.entries()) {
        const open = at === 0 ? this.#klineAt(symbolId, each, kline.openTimeMs) : undefined;
        this.#replaceKline.run({ ...(open === undefined ? kline : mergeKline(open, kline)), interval: each });
      }
    }
    return rows;
  }

  #klineAt(symbolId: number, interval: StoredInterval, openTimeMs: number): Kline | undefined {
    return klineFromRow(this.#selectKline.get(symbolId, interval, openTimeMs));
  }
}
