/** Writes events to SQL. Rows and position are written in one transaction, so each entry is included exactly once. */
import assert from "node:assert/strict";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type EngineView, type Entry, type Event, innerCommand, lossesOf, type Posting } from "@pricetime/engine";
import { AccessRows, AuditRows, isAccessAct, isOperatorAct } from "./audit-rows.ts";
import { ConductRows } from "./conduct-rows.ts";
import { DayRows, OperatorRows, WalletRows } from "./wallet-rows.ts";
import { commissionAssetsOf, FundsDays, TradingDays } from "../table/day-totals.ts";
import { KlineRows, PastRows } from "./kline-rows.ts";
import { OrderListRows, OrderRows, PreventedMatchRows, TradeRows } from "./trading-rows.ts";
import { PostingBlocks } from "../table/posting-blocks.ts";
import { executionIdOf } from "../shapes/orders.ts";
import { statSync } from "node:fs";
import { isDiskTrouble } from "../../platform/disk.ts";

/** History's position in the journal, which is always at the end of a row. */
export interface HistoryPosition {
  readonly seq: number;
  /** The journal's chain hash after that entry; "" at entry 0. */
  readonly chainHash: string;
}

/** `candles`: only assets, symbols and klines are written. Used only in a lab. */
export type HistoryScope = "all" | "candles";

/** The events needed for a history of klines only: listings and backfilled klines. */
const CANDLES_NEED: ReadonlySet<Event["type"]> = new Set([
  ...(["assetListed", "symbolListed", "pastAdded", "klinesImported"] as const),
]);

const MAX_IMPORTED_ROWS = 100_000;

export class HistoryWriter {
  readonly #database: DatabaseSync;
  readonly #scope: HistoryScope;
  readonly #orders: OrderRows;
  readonly #orderLists: OrderListRows;
  readonly #trades: TradeRows;
  readonly #klines: KlineRows;
  readonly #pasts: PastRows;
  readonly #conduct: ConductRows;
  readonly #preventedMatches: PreventedMatchRows;
  readonly #wallet: WalletRows;
  readonly #operators: OperatorRows;
  readonly #days: DayRows;
  readonly #tradingDays: TradingDays;
  readonly #fundsDays: FundsDays;
  readonly #audit: AuditRows;
  readonly #blocks: PostingBlocks;
  readonly #access: AccessRows;
  readonly #setPosition: StatementSync;
  #recordedSeq: number;
  #inTransaction = false;
  #importedRows = 0;

  constructor(database: DatabaseSync, scope: HistoryScope = "all") {
    this.#database = database;
    this.#scope = scope;
    this.#orders = new OrderRows(database);
    this.#orderLists = new OrderListRows(database);
    this.#trades = new TradeRows(database);
    this.#klines = new KlineRows(database);
    this.#pasts = new PastRows(database);
    this.#conduct = new ConductRows(database);
    this.#wallet = new WalletRows(database);
    this.#operators = new OperatorRows(database);
    this.#days = new DayRows(database);
    this.#tradingDays = new TradingDays(database);
    this.#fundsDays = new FundsDays(database);
    this.#audit = new AuditRows(database);
    this.#blocks = new PostingBlocks(database);
    this.#access = new AccessRows(database);
    this.#preventedMatches = new PreventedMatchRows(database);
    this.#setPosition = database.prepare("INSERT OR REPLACE INTO position VALUES (1, ?, ?)");
    this.#recordedSeq = readPosition(database).seq;
  }

  /**
   * Records the result of the next entry. `engine` is in the state after the entry. If this or `commit` throws, roll
   * the transaction back and discard the writer.
   */
  record(engine: EngineView, entry: Entry, events: readonly Event[], postings: readonly Posting[]): void {
    assert.equal(entry.seq, this.#recordedSeq + 1, "history takes every entry, once");
    this.#recordedSeq = entry.seq;
    if (!this.#inTransaction) {
      this.#database.exec("BEGIN IMMEDIATE");
      this.#inTransaction = true;
    }
    if (this.#scope === "candles") {
      for (const event of events) this.#recordCandles(engine, event);
      return;
    }
    this.#conduct.begin(entry);
    let index = 0;
    for (const event of events) {
      this.recordEvent(engine, event);
      if (event.type === "orderAmended") this.#orders.amend(event, executionIdOf(engine, events, index));
      this.#conduct.add(engine, event);
      index++;
    }
    this.#trades.endEntry();
    if (postings.length > 0) {
      this.#audit.addPostings(entry, postings);
      this.#blocks.add(entry.seq, postings);
      this.#days.add(engine, postings);
      this.#fundsDays.add(entry.timeMs, postings);
    }
    const command = innerCommand(entry.command);
    if (isOperatorAct(command)) this.#audit.addAct(entry, command, events);
    else if (isAccessAct(command)) this.#access.add(entry, command, events);
  }

  /** Whether there are enough recorded rows for a transaction. One entry may contain hundreds of imported candles. */
  get isFull(): boolean {
    return this.#importedRows >= MAX_IMPORTED_ROWS;
  }

  /** Commits the transaction. `engine` and `chainHash` are those after the last entry. */
  commit(engine: EngineView, chainHash: string): void {
    assert.equal(engine.seq, this.#recordedSeq, "history stands where its engine does");
    if (!this.#inTransaction) return;
    this.#orders.flush();
    this.#trades.flush();
    this.#audit.flush();
    this.#klines.flush();
    this.#days.flush(engine);
    this.#fundsDays.flush();
    this.#conduct.flush(engine);
    this.#setPosition.run(engine.seq, chainHash);
    this.#database.exec("COMMIT");
    this.#inTransaction = false;
    this.#importedRows = 0;
  }

  #recordCandles(engine: EngineView, event: Event): void {
    if (event.type === "trade") this.#klines.add(event);
    else if (CANDLES_NEED.has(event.type)) this.recordEvent(engine, event);
  }

  /** Used only by this class. Not private, so that the simulator can plant bugs in it. */
  recordEvent(engine: EngineView, event: Event): void {
    switch (event.type) {
      case "orderOpened":
        return this.#orders.open(event);
      case "orderReleased":
        return this.#orders.release(event);
      case "trade": {
        this.#orders.change(event.taker.order);
        this.#orders.change(event.maker.order);
        const commissionAssets = commissionAssetsOf(engine.market(event.symbolId), event);
        this.#trades.add(event, commissionAssets);
        this.#tradingDays.add(event, commissionAssets);
        return this.#klines.add(event);
      }
      case "orderEnded":
        return this.#orders.change(event.order);
      case "tradePrevented":
        for (const { order } of lossesOf(event)) this.#orders.change(order);
        return this.#preventedMatches.add(event);
      case "orderListChanged":
        return this.#orderLists.changed(event);
      case "assetListed":
        return this.#audit.addAsset(engine, event.assetId);
      case "symbolListed":
        return this.#audit.addSymbol(engine, event.symbolId);
      case "pastAdded":
        return this.#pasts.add(event);
      case "klinesImported":
        this.#importedRows += this.#pasts.addImported(event);
        return;
      default:
        this.#wallet.add(engine, event);
        return this.#operators.add(engine, event);
    }
  }
}

export function readPosition(database: DatabaseSync): HistoryPosition {
  const row = database.prepare("SELECT seq, chain_hash AS chainHash FROM position").get();
  return (row as HistoryPosition | undefined) ?? { seq: 0, chainHash: "" };
}

// SQLite reuses the write-ahead log (the file `-wal`) only after a commit while no reader uses an older state, and
// never shrinks it. With overlapping reads there is always such a reader, so the log's size is limited here.

/** A larger log is truncated. Without overlapping reads, the log stays at a few MiB. */
export const MAX_LOG_BYTES = 64 * 1024 * 1024;
/** How often the log's size is checked. */
const SIZE_LOOK_MS = 1_000;
/** How long to wait for running reads. No history is written meanwhile. */
const PATIENCE_MS = 1_000;
/** The pause after waiting in vain for a long read, such as that of `history verify`. */
const RETRY_MS = 30_000;

export interface WriteAheadLogOptions {
  readonly steadyMs: () => number;
  /** Default: `MAX_LOG_BYTES`. */
  readonly maxBytes?: number;
  /** Default: `PATIENCE_MS`. */
  readonly patienceMs?: number;
}

export class WriteAheadLog {
  readonly #database: DatabaseSync;
  /** The path of the file as SQLite reports it, with links resolved. Undefined for an in-memory database. */
  readonly #path: string | undefined;
  readonly #steadyMs: () => number;
  readonly #maxBytes: number;
  readonly #patienceMs: number;
  #nextLookMs = 0;

  /** `database` must be the only connection that writes to the file. */
  constructor(database: DatabaseSync, { steadyMs, maxBytes, patienceMs }: WriteAheadLogOptions) {
    const path = database.location();
    this.#database = database;
    this.#path = path === null ? undefined : `${path}-wal`;
    this.#steadyMs = steadyMs;
    this.#maxBytes = maxBytes ?? MAX_LOG_BYTES;
    this.#patienceMs = patienceMs ?? PATIENCE_MS;
  }

  /**
   * Truncates the log if it is too large. Call it after each commit. Disk errors are ignored, because the next commit
   * reports them.
   */
  keepSmall(): void {
    if (this.#path === undefined || this.#steadyMs() < this.#nextLookMs) return;
    const bytes = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    const isSmall = bytes <= this.#maxBytes || this.#empty();
    this.#nextLookMs = this.#steadyMs() + (isSmall ? SIZE_LOOK_MS : RETRY_MS);
  }

  /**
   * Waits for running reads, then writes the log back and truncates it. Returns false if the reads have not ended.
   * Reads that begin meanwhile do not matter: they use the newest state, because nothing is written.
   */
  #empty(): boolean {
    try {
      this.#database.exec(`PRAGMA busy_timeout = ${this.#patienceMs};`);
      return this.#database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] === 0;
    } catch (error) {
      if (!isDiskTrouble(error)) throw error;
      return false;
    } finally {
      this.#database.exec("PRAGMA busy_timeout = 0;");
    }
  }
}
