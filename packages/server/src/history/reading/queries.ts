/** Answers all questions to the history at once, from one connection. */
import type { DatabaseSync } from "node:sqlite";
import { orderListPage } from "../shapes/order-lists.ts";
import { orderPage } from "../shapes/orders.ts";
import { accountTradePage, aggTradePage, klinePage, tradePage } from "../shapes/trades.ts";
import { SnapshotQueries } from "../days/snapshot-queries.ts";
import { StatementQueries } from "../statement/statement-queries.ts";
import { ActQueries } from "../audit/act-queries.ts";
import { openDeskQueries } from "../desk/desk-queries.ts";
import { KlineQueries } from "../klines/kline-queries.ts";
import { OrderListQueries } from "../orders/order-list-queries.ts";
import { OrderQueries } from "../orders/order-queries.ts";
import type { Queries } from "../question.ts";
import { TradeQueries } from "../trades/trade-queries.ts";
import { Units } from "../table/units.ts";
import { FindQueries } from "../venue/find-queries.ts";
import { PastQueries } from "../venue/past-queries.ts";
import { TimeLineQueries } from "../venue/time-line-queries.ts";
import { openWalletQueries } from "../wallet/wallet-queries.ts";

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
