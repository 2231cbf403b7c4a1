/** Pages of trades, aggregate trades and klines as JSON. Interface 2.5, 2.6, 4.1. */
import type { AccountTrade, AggregateTrade, Kline, PublicTrade } from "@pricetime/protocol";
import type { AccountTradeRow, AggTradeRow, KlineRow, TradeRow } from "./rows.ts";
import type { Names } from "./names.ts";

/** All rows are of `symbolId`. */
export function accountTradePage(names: Names, symbolId: number, rows: readonly AccountTradeRow[]): string {
  const symbol = names.symbol(symbolId);
  const shape = (row: AccountTradeRow): AccountTrade => ({
    symbol,
    id: row.tradeId,
    orderId: row.orderId,
    orderListId: row.orderListId,
    price: row.price,
    qty: row.qty,
    quoteQty: row.quoteQty,
    commission: row.commission,
    commissionAsset: names.asset(row.commissionAssetId),
    time: row.timeMs,
    isBuyer: row.isBuyer,
    isMaker: row.isMaker,
    isBestMatch: true,
  });
  return JSON.stringify(rows.map(shape));
}

export function tradePage(rows: readonly TradeRow[]): string {
  const shape = (row: TradeRow): PublicTrade => ({
    id: row.tradeId,
    price: row.price,
    qty: row.qty,
    quoteQty: row.quoteQty,
    time: row.timeMs,
    isBuyerMaker: row.isBuyerMaker,
    isBestMatch: true,
  });
  return JSON.stringify(rows.map(shape));
}

export function aggTradePage(rows: readonly AggTradeRow[]): string {
  const shape = (row: AggTradeRow): AggregateTrade => ({
    a: row.aggTradeId,
    p: row.price,
    q: row.qty,
    f: row.firstTradeId,
    l: row.lastTradeId,
    T: row.timeMs,
    m: row.isBuyerMaker,
    M: true,
  });
  return JSON.stringify(rows.map(shape));
}

export function klinePage(rows: readonly KlineRow[]): string {
  const shape = (row: KlineRow): Kline => [
    row.openTimeMs,
    row.open,
    row.high,
    row.low,
    row.close,
    row.volume,
    row.closeTimeMs,
    row.quoteVolume,
    row.count,
    row.takerBuyBase,
    row.takerBuyQuote,
    "0",
  ];
  return JSON.stringify(rows.map(shape));
}
