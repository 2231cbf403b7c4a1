/** Public trades, aggregate trades and klines, from history. Interface 2.6, 4.1. */
import type { KlineInterval } from "@pricetime/protocol";
import type { Window } from "../../history/port.ts";
import type { Call } from "../call.ts";
import { marketOf } from "../markets.ts";
import { windowOf } from "../windows.ts";

const AGG_TRADES_MAX_HOURS = 1;

async function tradesIn(call: Call, window: Window): Promise<string> {
  const { engine, history } = call.venue;
  return history.tradePage(engine.seq, marketOf(call).symbolId, window);
}

export function recentTrades(call: Call): Promise<string> {
  return tradesIn(call, { limit: call.limit() });
}

export function historicalTrades(call: Call): Promise<string> {
  const fromId = call.integer("fromId");
  return tradesIn(call, fromId === undefined ? { limit: call.limit() } : { fromId, limit: call.limit() });
}

export async function aggTrades(call: Call): Promise<string> {
  const { engine, history } = call.venue;
  const market = marketOf(call);
  const window = windowOf(call, { fromId: "fromId", maxHours: AGG_TRADES_MAX_HOURS, backwards: "empty" });
  if (window === null) return "[]";
  return history.aggTradePage(engine.seq, market.symbolId, window);
}

export async function klines(call: Call): Promise<string> {
  const { engine, history } = call.venue;
  const market = marketOf(call);
  const window = windowOf(call, { fromId: undefined, maxHours: undefined, backwards: "empty" });
  if (window === null) return "[]";
  const interval = call.text("interval") as KlineInterval;
  return history.klinePage(engine.seq, market.symbolId, interval, window, call.nowMs);
}
