/** Public trades, aggregate trades and klines, from history. Interface 2.6, 4.1. */
import type { AggregateTrade, Kline, PublicTrade } from "@pricetime/protocol";
import type { AggTradeRow, KlineInterval, KlineRow, TradeRow, Window } from "../../history/port.ts";
import type { Call } from "../call.ts";
import { marketOf } from "./markets.ts";
import { windowOf } from "./windows.ts";

const AGG_TRADES_MAX_HOURS = 1;

function tradeShape(row: TradeRow): PublicTrade {
  return {
    id: row.tradeId,
    price: row.price,
    qty: row.qty,
    quoteQty: row.quoteQty,
    time: row.timeMs,
    isBuyerMaker: row.isBuyerMaker,
    isBestMatch: true,
  };
}

async function tradesIn(call: Call, window: Window): Promise<string> {
  const { engine, history } = call.venue;
  const rows = await history.trades(engine.seq, marketOf(call).symbolId, window);
  return JSON.stringify(rows.map(tradeShape));
}

export function recentTrades(call: Call): Promise<string> {
  return tradesIn(call, { limit: call.limit() });
}

export function historicalTrades(call: Call): Promise<string> {
  const fromId = call.integer("fromId");
  return tradesIn(call, fromId === undefined ? { limit: call.limit() } : { fromId, limit: call.limit() });
}

function aggTradeShape(row: AggTradeRow): AggregateTrade {
  return {
    a: row.aggTradeId,
    p: row.price,
    q: row.qty,
    f: row.firstTradeId,
    l: row.lastTradeId,
    T: row.timeMs,
    m: row.isBuyerMaker,
    M: true,
  };
}

export async function aggTrades(call: Call): Promise<string> {
  const { engine, history } = call.venue;
  const market = marketOf(call);
  const window = windowOf(call, { fromId: "fromId", maxHours: AGG_TRADES_MAX_HOURS, backwards: "empty" });
  if (window === null) return "[]";
  const rows = await history.aggTrades(engine.seq, market.symbolId, window);
  return JSON.stringify(rows.map(aggTradeShape));
}

function klineShape(row: KlineRow): Kline {
  return [
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
}

export async function klines(call: Call): Promise<string> {
  const { engine, history } = call.venue;
  const market = marketOf(call);
  const window = windowOf(call, { fromId: undefined, maxHours: undefined, backwards: "empty" });
  if (window === null) return "[]";
  const interval = call.text("interval") as KlineInterval;
  const rows = await history.klines(engine.seq, market.symbolId, interval, window, call.nowMs);
  return JSON.stringify(rows.map(klineShape));
}
