/** Writes trades and aggregate trades. */
import type { DatabaseSync } from "node:sqlite";
import type { Trade } from "@pricetime/engine";
import { BulkInsert } from "../table/bulk-insert.ts";
import { moneyToSql } from "../table/money.ts";

/** The trades of one taker order at one price, all from one entry. */
interface AggTrade {
  readonly first: Trade;
  lots: number;
  lastTradeId: number;
}

const TRADE_COLUMNS = [
  "symbol_id",
  "trade_id",
  "time_ms",
  "price_ticks",
  "lots",
  "quote",
  "is_buyer_maker",
  "taker_account_id",
  "taker_order_id",
  "taker_order_list_id",
  "taker_commission",
  "maker_account_id",
  "maker_order_id",
  "maker_order_list_id",
  "maker_commission",
];
const AGG_TRADE_COLUMNS = [
  "symbol_id",
  "agg_trade_id",
  "time_ms",
  "price_ticks",
  "lots",
  "is_buyer_maker",
  "first_trade_id",
  "last_trade_id",
];

export class TradeRows {
  readonly #trades: BulkInsert;
  readonly #aggTrades: BulkInsert;
  #aggTrade: AggTrade | undefined;

  constructor(database: DatabaseSync) {
    this.#trades = new BulkInsert(database, "trades", TRADE_COLUMNS);
    this.#aggTrades = new BulkInsert(database, "agg_trades", AGG_TRADE_COLUMNS);
  }

  add(trade: Trade): void {
    const { taker, maker } = trade;
    this.#trades.add(
      trade.symbolId,
      trade.tradeId,
      trade.timeMs,
      trade.priceTicks,
      trade.lots,
      moneyToSql(trade.quote),
      trade.takerSide === "SELL" ? 1 : 0,
      taker.order.accountId,
      taker.order.orderId,
      taker.order.orderListId,
      moneyToSql(taker.commission),
      maker.order.accountId,
      maker.order.orderId,
      maker.order.orderListId,
      moneyToSql(maker.commission),
    );
    this.#aggregate(trade);
  }

  /** Closes aggregate trades, which end with their entry. */
  endEntry(): void {
    if (this.#aggTrade === undefined) return;
    const { first, lots, lastTradeId } = this.#aggTrade;
    this.#aggTrades.add(
      first.symbolId,
      first.aggTradeId,
      first.timeMs,
      first.priceTicks,
      lots,
      first.takerSide === "SELL" ? 1 : 0,
      first.tradeId,
      lastTradeId,
    );
    this.#aggTrade = undefined;
  }

  /** Writes pending rows at the end of a transaction. */
  flush(): void {
    this.#trades.flush();
    this.#aggTrades.flush();
  }

  #aggregate(trade: Trade): void {
    const current = this.#aggTrade;
    if (current?.first.symbolId === trade.symbolId && current.first.aggTradeId === trade.aggTradeId) {
      current.lots += trade.lots;
      current.lastTradeId = trade.tradeId;
      return;
    }
    this.endEntry();
    this.#aggTrade = { first: trade, lots: trade.lots, lastTradeId: trade.tradeId };
  }
}
