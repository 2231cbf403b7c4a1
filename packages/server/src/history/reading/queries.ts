/** Answers all questions to the history at once, from one connection. */
import type { DatabaseSync } from "node:sqlite";
import { accountTradePage, aggTradePage, klinePage, orderListPage, orderPage, tradePage } from "../shapes/pages.ts";
import { SnapshotQueries, StatementQueries } from "./statement-queries.ts";
import { ActQueries, openDeskQueries, PastQueries } from "./operator-queries.ts";
import { KlineQueries } from "./kline-queries.ts";
import { OrderListQueries, OrderQueries, TradeQueries } from "./trading-queries.ts";
import type { Queries } from "../port.ts";
import { Units } from "../table/units.ts";
import { FindQueries } from "./find-queries.ts";
import { TimeLineQueries } from "./time-line-queries.ts";
import { openWalletQueries } from "./wallet-queries.ts";

export function openQueries(database: DatabaseSync): Queries {
  const units = new Units(database);
  const orders = new OrderQueries(database, units);
  const orderLists = new OrderListQueries(database);
  const trades = new TradeQueries(database, units);
  const klines = new KlineQueries(database, units);
  const acts = new ActQueries(database);
  const timeLines = new TimeLineQueries(database, units, orders);
  const finder = new FindQueries(database, units);
  const pasts = new PastQueries(database);
  const statements = new StatementQueries(database, new SnapshotQueries(database, units));
  return {
    orderById: (...args) => orders.orderById(...args),
    orderByClientId: (...args) => orders.orderByClientId(...args),
    orders: (...args) => orders.orders(...args),
    orderListById: (...args) => orderLists.orderListById(...args),
    orderListByClientId: (...args) => orderLists.orderListByClientId(...args),
    orderLists: (...args) => orderLists.orderLists(...args),
    accountTrades: (...args) => trades.accountTrades(...args),
    trades: (...args) => trades.trades(...args),
    aggTrades: (...args) => trades.aggTrades(...args),
    klines: (...args) => klines.klines(...args),
    acts: (...args) => acts.acts(...args),
    timeLine: (...args) => timeLines.timeLine(...args),
    find: (...args) => finder.find(...args),
    withdrawalPasts: (...args) => pasts.withdrawalPasts(...args),
    statementBounds: (...args) => statements.bounds(...args),
    statementPage: (...args) => statements.page(...args),
    orderListPage: (...args) => orderListPage(units, orderLists.orderLists(...args)),
    orderPage: (...args) => orderPage(units, orders.orders(...args)),
    accountTradePage: (accountId, symbolId, window) =>
      accountTradePage(units, symbolId, trades.accountTrades(accountId, symbolId, window)),
    tradePage: (...args) => tradePage(trades.trades(...args)),
    aggTradePage: (...args) => aggTradePage(trades.aggTrades(...args)),
    klinePage: (...args) => klinePage(klines.klines(...args)),
    ...openWalletQueries(database, units),
    ...openDeskQueries(database, units),
  };
}
