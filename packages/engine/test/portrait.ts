/** What can be seen of an engine: two that look the same are the same to everybody outside. */
import { type Engine, type Order, type OrderList, updateTimeOf } from "@pricetime/engine";

export function portrait(engine: Engine): unknown {
  const accountIds = [...engine.accounts()].map(({ accountId }) => accountId);
  return {
    at: [engine.seq, engine.timeMs, engine.hash(), engine.nextDueMs(), engine.openOrderCount],
    orders: accountIds.map((accountId) => engine.openOrders(accountId).map(orderFields)),
    lists: accountIds.map((accountId) => engine.openOrderLists(accountId).map(listFields)),
    balances: accountIds.map((accountId) => engine.assets().map(({ assetId }) => engine.balance(accountId, assetId))),
    accounts: [...engine.accounts()],
    wallet: walletOf(engine, accountIds),
    markets: engine.markets().map((market) => ({
      spec: market.spec,
      scale: market.scale,
      book: [market.bookUpdateId, market.bids(1000), market.asks(1000)],
      prices: [market.lastTradeTicks, market.averagePrice(5, engine.timeMs), market.ticker(engine.timeMs)],
    })),
  };
}

function walletOf(engine: Engine, accountIds: readonly number[]): unknown {
  const networks = [...new Set(engine.assets().flatMap(({ spec }) => spec.networks.map(({ network }) => network)))];
  return {
    venue: [engine.isInMaintenance, engine.dustRules],
    withdrawals: engine.openWithdrawals(),
    networks: networks.map((network) => ({
      deposits: engine.openDeposits(network),
      addresses: [...engine.depositAddresses(network)],
      height: engine.networkHeight(network),
    })),
    accounts: accountIds.map((accountId) => ({
      allowed: engine.allowedAddresses(accountId),
      subs: engine.subAccounts(accountId),
      lock: engine.apiTradingLock(accountId, engine.timeMs),
      withdrawable: engine.assets().map(({ assetId }) => engine.withdrawable(accountId, assetId)),
    })),
  };
}

/** Everything but the links of the book that holds it. */
function orderFields(order: Readonly<Order>): unknown {
  const { previous: _previous, next: _next, level: _level, changedMs: _changedMs, ...fields } = order;
  return { ...fields, updateTimeMs: updateTimeOf(order) };
}

function listFields({ stopLeg, limitLeg, ...fields }: OrderList): unknown {
  return { ...fields, legs: [stopLeg.orderId, limitLeg.orderId] };
}
