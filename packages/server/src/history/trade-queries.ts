/** Trades of a symbol, one by one and aggregated, and those of an account. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { moneyColumn } from "./money.ts";
import type { AccountTradeRow, AggTradeRow, TradeRow, Window } from "./port.ts";
import type { Units } from "./units.ts";
import { idRange, type TimeIndex } from "./window.ts";

const TRADE = `SELECT trade_id AS tradeId, price_ticks AS priceTicks, lots, ${moneyColumn("quote", "quote")},
  time_ms AS timeMs, is_buyer_maker AS isBuyerMaker FROM trades WHERE symbol_id = ? AND trade_id BETWEEN ? AND ?`;
const AGG_TRADE = `SELECT agg_trade_id AS aggTradeId, price_ticks AS priceTicks, lots, first_trade_id AS firstTradeId,
  last_trade_id AS lastTradeId, time_ms AS timeMs, is_buyer_maker AS isBuyerMaker
  FROM agg_trades WHERE symbol_id = ? AND agg_trade_id BETWEEN ? AND ?`;
const ACCOUNT_TRADE_COLUMNS = `SELECT trade_id AS tradeId, order_id AS orderId, order_list_id AS orderListId,
  price_ticks AS priceTicks, lots, ${moneyColumn("quote", "quote")}, ${moneyColumn("commission", "commission")},
  commission_asset_id AS commissionAssetId, time_ms AS timeMs, is_buyer AS isBuyer, is_maker AS isMaker
  FROM account_trades`;
const OF_ACCOUNT = `${ACCOUNT_TRADE_COLUMNS} WHERE account_id = ? AND symbol_id = ? AND trade_id BETWEEN ? AND ?`;
const OF_ORDER = `${ACCOUNT_TRADE_COLUMNS} INDEXED BY account_trades_by_order
  WHERE account_id = ? AND symbol_id = ? AND trade_id BETWEEN ? AND ? AND order_id = ?`;
const OLDEST_TRADES = "ORDER BY trade_id, is_maker LIMIT ?";
const NEWEST_TRADES = "ORDER BY trade_id DESC, is_maker DESC LIMIT ?";

export const TRADE_QUERIES = {
  oldest: `${TRADE} ORDER BY trade_id LIMIT ?`,
  newest: `${TRADE} ORDER BY trade_id DESC LIMIT ?`,
  firstAt: "SELECT trade_id AS id FROM trades WHERE symbol_id = ? AND time_ms >= ? ORDER BY time_ms, trade_id LIMIT 1",
  lastAt: `SELECT trade_id AS id FROM trades WHERE symbol_id = ? AND time_ms <= ?
    ORDER BY time_ms DESC, trade_id DESC LIMIT 1`,
  aggOldest: `${AGG_TRADE} ORDER BY agg_trade_id LIMIT ?`,
  aggNewest: `${AGG_TRADE} ORDER BY agg_trade_id DESC LIMIT ?`,
  aggFirstAt: `SELECT agg_trade_id AS id FROM agg_trades WHERE symbol_id = ? AND time_ms >= ?
    ORDER BY time_ms, agg_trade_id LIMIT 1`,
  aggLastAt: `SELECT agg_trade_id AS id FROM agg_trades WHERE symbol_id = ? AND time_ms <= ?
    ORDER BY time_ms DESC, agg_trade_id DESC LIMIT 1`,
  ofAccountOldest: `${OF_ACCOUNT} ${OLDEST_TRADES}`,
  ofAccountNewest: `${OF_ACCOUNT} ${NEWEST_TRADES}`,
  ofOrderOldest: `${OF_ORDER} ORDER BY trade_id LIMIT ?`,
  ofOrderNewest: `${OF_ORDER} ORDER BY trade_id DESC LIMIT ?`,
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
  readonly commissionAssetId: number;
  readonly isBuyer: number;
  readonly isMaker: number;
}

export class TradeQueries {
  private readonly units: Units;
  private readonly statements: Readonly<Record<keyof typeof TRADE_QUERIES, StatementSync>>;
  private readonly times: TimeIndex;
  private readonly aggTimes: TimeIndex;

  constructor(database: DatabaseSync, units: Units) {
    this.units = units;
    const prepared = Object.entries(TRADE_QUERIES).map(([name, sql]) => [name, database.prepare(sql)]);
    this.statements = Object.fromEntries(prepared) as typeof this.statements;
    this.times = this.statements;
    this.aggTimes = { firstAt: this.statements.aggFirstAt, lastAt: this.statements.aggLastAt };
  }

  trades(symbolId: number, window: Window): TradeRow[] {
    const { lowId, highId, newest } = idRange(window, this.times, [symbolId]);
    const statement = newest ? this.statements.newest : this.statements.oldest;
    const rows = ascending(statement.all(symbolId, lowId, highId, window.limit), newest) as Row[];
    return rows.map((row) => ({
      tradeId: row.tradeId,
      price: this.units.price(symbolId, row.priceTicks),
      qty: this.units.quantity(symbolId, row.lots),
      quoteQty: this.units.quote(symbolId, row.quote),
      timeMs: row.timeMs,
      isBuyerMaker: row.isBuyerMaker === 1,
    }));
  }

  aggTrades(symbolId: number, window: Window): AggTradeRow[] {
    const { lowId, highId, newest } = idRange(window, this.aggTimes, [symbolId]);
    const statement = newest ? this.statements.aggNewest : this.statements.aggOldest;
    const rows = ascending(statement.all(symbolId, lowId, highId, window.limit), newest) as AggRow[];
    return rows.map((row) => ({
      aggTradeId: row.aggTradeId,
      price: this.units.price(symbolId, row.priceTicks),
      qty: this.units.quantity(symbolId, row.lots),
      firstTradeId: row.firstTradeId,
      lastTradeId: row.lastTradeId,
      timeMs: row.timeMs,
      isBuyerMaker: row.isBuyerMaker === 1,
    }));
  }

  accountTrades(
    accountId: number,
    symbolId: number,
    window: Window & { readonly orderId?: number },
  ): AccountTradeRow[] {
    const { lowId, highId, newest } = idRange(window, this.times, [symbolId]);
    const { statements } = this;
    const of = [accountId, symbolId, lowId, highId];
    const found =
      window.orderId === undefined
        ? (newest ? statements.ofAccountNewest : statements.ofAccountOldest).all(...of, window.limit)
        : (newest ? statements.ofOrderNewest : statements.ofOrderOldest).all(...of, window.orderId, window.limit);
    return (ascending(found, newest) as AccountRow[]).map((row) => this.shapeAccountTrade(symbolId, row));
  }

  private shapeAccountTrade(symbolId: number, row: AccountRow): AccountTradeRow {
    return {
      tradeId: row.tradeId,
      orderId: row.orderId,
      orderListId: row.orderListId,
      price: this.units.price(symbolId, row.priceTicks),
      qty: this.units.quantity(symbolId, row.lots),
      quoteQty: this.units.quote(symbolId, row.quote),
      commission: this.units.money(row.commissionAssetId, row.commission),
      commissionAssetId: row.commissionAssetId,
      timeMs: row.timeMs,
      isBuyer: row.isBuyer === 1,
      isMaker: row.isMaker === 1,
    };
  }
}

function ascending(rows: unknown[], newest: boolean): unknown[] {
  return newest ? rows.reverse() : rows;
}
