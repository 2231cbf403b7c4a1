/** Reads the trades of a symbol, single and aggregated, and those of an account. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { moneyColumn } from "../table/money.ts";
import type { AccountTradeRow, AggTradeRow, TradeRow } from "../shapes/rows.ts";
import type { TradeWindow, Window } from "../port.ts";
import type { Units } from "../table/units.ts";
import { idRange, type TimeIndex } from "../table/window.ts";

const TRADE = `SELECT trade_id AS tradeId, price_ticks AS priceTicks, lots, ${moneyColumn("quote", "quote")},
  time_ms AS timeMs, is_buyer_maker AS isBuyerMaker FROM trades WHERE symbol_id = ? AND trade_id BETWEEN ? AND ?`;
const AGG_TRADE = `SELECT agg_trade_id AS aggTradeId, price_ticks AS priceTicks, lots, first_trade_id AS firstTradeId,
  last_trade_id AS lastTradeId, time_ms AS timeMs, is_buyer_maker AS isBuyerMaker
  FROM agg_trades WHERE symbol_id = ? AND agg_trade_id BETWEEN ? AND ?`;
/** Parameters: account, symbol, trade ids from and to; then those of `where`. */
function ownTrades(role: "taker" | "maker", index: string, where = ""): string {
  const [isMaker, isBuyer] = role === "maker" ? [1, "is_buyer_maker"] : [0, "1 - is_buyer_maker"];
  return `SELECT trade_id AS tradeId, ${role}_order_id AS orderId, ${role}_order_list_id AS orderListId,
    price_ticks AS priceTicks, lots, ${moneyColumn("quote", "quote")},
    ${moneyColumn(`${role}_commission`, "commission")}, time_ms AS timeMs, ${isBuyer} AS isBuyer, ${isMaker} AS isMaker
    FROM trades INDEXED BY ${index}
    WHERE ${role}_account_id = ?1 AND symbol_id = ?2 AND trade_id BETWEEN ?3 AND ?4 ${where}`;
}
const OF_ACCOUNT = [ownTrades("taker", "trades_by_taker"), ownTrades("maker", "trades_by_maker")] as const;
const OF_ORDER = [
  ownTrades("taker", "trades_by_taker_order", "AND taker_order_id = ?5"),
  ownTrades("maker", "trades_by_maker_order", "AND maker_order_id = ?5"),
] as const;

/** A trade with oneself has both sides. The two lists are merged; of equals SQLite takes the first list's. */
function oldest([taker, maker]: readonly [string, string], limit: string): string {
  return `${taker} UNION ALL ${maker} ORDER BY tradeId LIMIT ${limit}`;
}
function newest([taker, maker]: readonly [string, string], limit: string): string {
  return `${maker} UNION ALL ${taker} ORDER BY tradeId DESC LIMIT ${limit}`;
}

export const TRADE_QUERIES = {
  oldest: `${TRADE} ORDER BY trade_id LIMIT ?`,
  newest: `${TRADE} ORDER BY trade_id DESC LIMIT ?`,
  timeFrom: `SELECT trade_id AS id, time_ms AS timeMs FROM trades WHERE symbol_id = ? AND trade_id >= ?
    ORDER BY trade_id LIMIT 1`,
  lastId: "SELECT max(trade_id) AS id FROM trades WHERE symbol_id = ?",
  aggOldest: `${AGG_TRADE} ORDER BY agg_trade_id LIMIT ?`,
  aggNewest: `${AGG_TRADE} ORDER BY agg_trade_id DESC LIMIT ?`,
  aggTimeFrom: `SELECT agg_trade_id AS id, time_ms AS timeMs FROM agg_trades WHERE symbol_id = ? AND agg_trade_id >= ?
    ORDER BY agg_trade_id LIMIT 1`,
  aggLastId: "SELECT max(agg_trade_id) AS id FROM agg_trades WHERE symbol_id = ?",
  ofAccountOldest: oldest(OF_ACCOUNT, "?5"),
  ofAccountNewest: newest(OF_ACCOUNT, "?5"),
  ofOrderOldest: oldest(OF_ORDER, "?6"),
  ofOrderNewest: newest(OF_ORDER, "?6"),
};

interface PricedRow {
  readonly priceTicks: number;
  readonly lots: number;
  readonly timeMs: number;
}
interface Row extends PricedRow {
  readonly tradeId: number;
  readonly quote: string;
  readonly isBuyerMaker: number;
}
interface AggRow extends PricedRow {
  readonly aggTradeId: number;
  readonly firstTradeId: number;
  readonly lastTradeId: number;
  readonly isBuyerMaker: number;
}
interface AccountRow extends PricedRow {
  readonly tradeId: number;
  readonly orderId: number;
  readonly orderListId: number;
  readonly quote: string;
  readonly commission: string;
  readonly isBuyer: number;
  readonly isMaker: number;
}

type Statements = Readonly<Record<keyof typeof TRADE_QUERIES, StatementSync>>;

export class TradeQueries {
  readonly #units: Units;
  readonly #statements: Statements;
  readonly #times: TimeIndex;
  readonly #aggTimes: TimeIndex;

  constructor(database: DatabaseSync, units: Units) {
    this.#units = units;
    const prepared = Object.entries(TRADE_QUERIES).map(([name, sql]) => [name, database.prepare(sql)]);
    this.#statements = Object.fromEntries(prepared) as Statements;
    this.#times = this.#statements;
    this.#aggTimes = { timeFrom: this.#statements.aggTimeFrom, lastId: this.#statements.aggLastId };
  }

  trades(symbolId: number, window: Window): TradeRow[] {
    const { lowId, highId, newest } = idRange(window, this.#times, [symbolId]);
    const statement = newest ? this.#statements.newest : this.#statements.oldest;
    const rows = ascending(statement.all(symbolId, lowId, highId, window.limit), newest) as Row[];
    return rows.map((row) => ({
      tradeId: row.tradeId,
      price: this.#units.price(symbolId, row.priceTicks),
      qty: this.#units.quantity(symbolId, row.lots),
      quoteQty: this.#units.quote(symbolId, row.quote),
      timeMs: row.timeMs,
      isBuyerMaker: row.isBuyerMaker === 1,
    }));
  }

  aggTrades(symbolId: number, window: Window): AggTradeRow[] {
    const { lowId, highId, newest } = idRange(window, this.#aggTimes, [symbolId]);
    const statement = newest ? this.#statements.aggNewest : this.#statements.aggOldest;
    const rows = ascending(statement.all(symbolId, lowId, highId, window.limit), newest) as AggRow[];
    return rows.map((row) => ({
      aggTradeId: row.aggTradeId,
      price: this.#units.price(symbolId, row.priceTicks),
      qty: this.#units.quantity(symbolId, row.lots),
      firstTradeId: row.firstTradeId,
      lastTradeId: row.lastTradeId,
      timeMs: row.timeMs,
      isBuyerMaker: row.isBuyerMaker === 1,
    }));
  }

  accountTrades(accountId: number, symbolId: number, window: TradeWindow): AccountTradeRow[] {
    const { lowId, highId, newest } = idRange(window, this.#times, [symbolId]);
    const statements = this.#statements;
    const of = [accountId, symbolId, lowId, highId];
    const found =
      window.orderId === undefined
        ? (newest ? statements.ofAccountNewest : statements.ofAccountOldest).all(...of, window.limit)
        : (newest ? statements.ofOrderNewest : statements.ofOrderOldest).all(...of, window.orderId, window.limit);
    return (ascending(found, newest) as AccountRow[]).map((row) => this.#shapeAccountTrade(symbolId, row));
  }

  #shapeAccountTrade(symbolId: number, row: AccountRow): AccountTradeRow {
    const isBuyer = row.isBuyer === 1;
    const commissionAssetId = this.#units.receivedAssetId(symbolId, isBuyer);
    return {
      tradeId: row.tradeId,
      orderId: row.orderId,
      orderListId: row.orderListId,
      price: this.#units.price(symbolId, row.priceTicks),
      qty: this.#units.quantity(symbolId, row.lots),
      quoteQty: this.#units.quote(symbolId, row.quote),
      commission: this.#units.money(commissionAssetId, row.commission),
      commissionAssetId,
      timeMs: row.timeMs,
      isBuyer,
      isMaker: row.isMaker === 1,
    };
  }
}

function ascending(rows: unknown[], newest: boolean): unknown[] {
  return newest ? rows.reverse() : rows;
}
