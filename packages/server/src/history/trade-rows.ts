/** Trades, each side of them for its account, and aggregate trades. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Fill, Trade } from "@pricetime/engine";
import { moneyToSql } from "./money.ts";

/** Trades of one taker order at one price; all of one entry. */
interface AggTrade {
  readonly first: Trade;
  lots: number;
  lastTradeId: number;
}

export class TradeRows {
  private readonly insertTrade: StatementSync;
  private readonly insertAccountTrade: StatementSync;
  private readonly insertAggTrade: StatementSync;
  private aggTrade: AggTrade | undefined;

  constructor(database: DatabaseSync) {
    this.insertTrade = database.prepare("INSERT INTO trades VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    this.insertAccountTrade = database.prepare(
      "INSERT INTO account_trades VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    this.insertAggTrade = database.prepare("INSERT INTO agg_trades VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  }

  add(trade: Trade): void {
    this.insertTrade.run(
      trade.symbolId,
      trade.tradeId,
      trade.timeMs,
      trade.priceTicks,
      trade.lots,
      moneyToSql(trade.quote),
      trade.takerSide === "SELL" ? 1 : 0,
      trade.taker.order.orderId,
      trade.maker.order.orderId,
    );
    this.addSide(trade, trade.taker, 0);
    this.addSide(trade, trade.maker, 1);
    this.aggregate(trade);
  }

  /** Aggregate trades end with their entry. */
  endEntry(): void {
    if (this.aggTrade === undefined) return;
    const { first, lots, lastTradeId } = this.aggTrade;
    this.insertAggTrade.run(
      first.symbolId,
      first.aggTradeId,
      first.timeMs,
      first.priceTicks,
      lots,
      first.takerSide === "SELL" ? 1 : 0,
      first.tradeId,
      lastTradeId,
    );
    this.aggTrade = undefined;
  }

  private aggregate(trade: Trade): void {
    const current = this.aggTrade;
    if (current?.first.symbolId === trade.symbolId && current.first.aggTradeId === trade.aggTradeId) {
      current.lots += trade.lots;
      current.lastTradeId = trade.tradeId;
      return;
    }
    this.endEntry();
    this.aggTrade = { first: trade, lots: trade.lots, lastTradeId: trade.tradeId };
  }

  private addSide(trade: Trade, fill: Fill, isMaker: 0 | 1): void {
    const { order } = fill;
    this.insertAccountTrade.run(
      order.accountId,
      trade.symbolId,
      trade.tradeId,
      isMaker,
      order.orderId,
      order.orderListId,
      trade.timeMs,
      trade.priceTicks,
      trade.lots,
      moneyToSql(trade.quote),
      order.side === "BUY" ? 1 : 0,
      moneyToSql(fill.commission),
      fill.commissionAssetId,
    );
  }
}
