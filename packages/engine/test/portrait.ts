/** The visible state of an engine. Engines with equal portraits cannot be told apart from outside. */
import type { Engine, OrderListRecord, OrderRecord } from "@pricetime/engine";
import { liveOrder } from "./inside.ts";

export function portrait(engine: Engine): unknown {
  const accountIds = [...engine.accounts()].map(({ accountId }) => accountId);
  return {
    at: [engine.seq, engine.timeMs, engine.eventDigest(), engine.edition, engine.nextDueMs(), engine.openOrderCount],
    orders: accountIds.map((accountId) => engine.openOrders(accountId).map((order) => orderFields(engine, order))),
    lists: accountIds.map((accountId) => engine.openOrderLists(accountId).map(listFields)),
    balances: accountIds.map((accountId) => engine.assets().map(({ assetId }) => engine.balance(accountId, assetId))),
    accounts: [...engine.accounts()],
    wallet: walletOf(engine, accountIds),
    markets: engine.markets().map((market) => ({
      spec: market.spec,
      scale: market.scale,
      book: [market.bookUpdateId, market.bids(1000), market.asks(1000)],
      prices: [
        market.lastTradeTicks,
        market.averagePrice(5, engine.timeMs),
        market.referencePrice(engine.timeMs),
        market.ticker(engine.timeMs),
      ],
    })),
  };
}

function walletOf(engine: Engine, accountIds: readonly number[]): unknown {
  const networks = [...new Set(engine.assets().flatMap(({ spec }) => spec.networks.map(({ network }) => network)))];
  return {
    venue: [engine.isInMaintenance, engine.funds.dustRules],
    withdrawals: engine.funds.openWithdrawals(),
    networks: networks.map((network) => ({
      deposits: engine.funds.openDeposits(network),
      addresses: [...engine.funds.depositAddresses(network)],
      height: engine.funds.networkHeight(network),
    })),
    accounts: accountIds.map((accountId) => ({
      allowed: engine.funds.allowedAddresses(accountId),
      subs: engine.subAccounts(accountId),
      lock: engine.apiTradingLock(accountId, engine.timeMs),
      withdrawable: engine.assets().map(({ assetId }) => engine.funds.withdrawable(accountId, assetId)),
    })),
  };
}

const ORDER_FIELDS = [
  ...(["orderId", "symbolId", "accountId", "clientOrderId", "side", "type", "timeInForce", "priceTicks"] as const),
  ...(["quantityLots", "stopTicks", "icebergLots", "quoteOrderQty", "orderListId", "timeMs", "updateTimeMs"] as const),
  ...(["status", "isWorking", "executedLots", "executedQuote", "commission"] as const),
  ...(["pegTo", "pegLevel", "peggedTicks"] as const),
];

function orderFields(engine: Engine, order: OrderRecord): unknown {
  const { visibleLots, hiddenLots, extras } = liveOrder(engine, order.orderId);
  return [ORDER_FIELDS.map((field) => order[field]), visibleLots, hiddenLots, extras?.locked];
}

function listFields({ orders, ...fields }: OrderListRecord): unknown {
  return { ...fields, orders: orders.map(({ orderId }) => orderId) };
}
