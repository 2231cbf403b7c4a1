/** The handler of each endpoint. The compiler checks that the table is complete. */
import type { EndpointId } from "@pricetime/protocol";
import type { Handler } from "./call.ts";
import * as coins from "./wallet/coins.ts";
import * as deposits from "./wallet/deposits.ts";
import * as gains from "./wallet/dust-and-dividends.ts";
import * as status from "./wallet/status.ts";
import * as subAccounts from "./wallet/sub-accounts.ts";
import * as transfers from "./wallet/transfers.ts";
import * as withdrawals from "./wallet/withdrawals.ts";
import * as account from "./account.ts";
import * as orders from "./orders/place-and-cancel.ts";
import * as market from "./market-data.ts";
import * as queries from "./orders/order-queries.ts";
import * as session from "./ws-api.ts";

// Handlers of wallet endpoints. Where /wapi and /sapi differ in the shape of their responses, each has its own handler.

const WALLET_HANDLERS = {
  "wapi.withdraw": withdrawals.wapiWithdraw,
  "wapi.deposits": deposits.depositHistory,
  "wapi.withdrawals": withdrawals.withdrawHistory,
  "wapi.depositAddress": deposits.wapiDepositAddress,
  "wapi.accountStatus": status.wapiAccountStatus,
  "wapi.systemStatus": status.systemStatus,
  "wapi.apiTradingStatus": status.wapiApiTradingStatus,
  "wapi.dustLog": status.wapiDustLog,
  "wapi.tradeFee": coins.wapiTradeFee,
  "wapi.assetDetail": coins.wapiAssetDetail,
  "wapi.subAccounts": subAccounts.wapiSubAccounts,
  "wapi.subAccountTransfers": transfers.wapiTransfers,
  "wapi.subAccountTransfer": transfers.wapiTransfer,
  "wapi.subAccountAssets": subAccounts.wapiSubAccountAssets,
  "capital.coins": coins.coins,
  "capital.withdraw": withdrawals.withdrawApply,
  "capital.withdrawals": withdrawals.coinWithdrawals,
  "capital.deposits": deposits.coinDeposits,
  "capital.depositAddress": deposits.coinDepositAddress,
  "asset.tradeFee": coins.tradeFees,
  "asset.detail": coins.assetDetail,
  "asset.dust": gains.convertDust,
  "asset.dustLog": gains.dustLog,
  "discount.show": account.discountSwitch,
  "discount.switch": account.switchDiscount,
  "asset.dividends": gains.dividends,
  "wallet.accountStatus": status.accountStatus,
  "wallet.apiTradingStatus": status.apiTradingStatus,
  "wallet.apiRestrictions": status.apiRestrictions,
  "wallet.snapshots": gains.snapshots,
  "subAccount.list": subAccounts.subAccounts,
  "subAccount.transfers": transfers.subAccountTransfers,
  "subAccount.transfer": transfers.universalTransfer,
  "subAccount.universalTransfers": transfers.universalTransfers,
  "subAccount.assets": subAccounts.subAccountAssets,
  "subAccount.assetsV4": subAccounts.subAccountAssetsV4,
  "system.status": status.systemStatus,
} satisfies Partial<Record<EndpointId, Handler>>;

export const HANDLERS: Readonly<Record<EndpointId, Handler>> = {
  ping: market.ping,
  time: market.time,
  exchangeInfo: market.exchangeInfo,
  depth: market.depth,
  "trades.recent": market.recentTrades,
  "trades.historical": market.historicalTrades,
  "blockTrades.historical": market.blockTrades,
  "trades.aggregate": market.aggTrades,
  klines: market.klines,
  uiKlines: market.klines,
  avgPrice: market.averagePrice,
  executionRules: market.executionRules,
  referencePrice: market.referencePrice,
  "referencePrice.calculation": market.referencePriceCalculation,
  "ticker.24hr": market.dayTickers,
  "ticker.tradingDay": market.tradingDayTickers,
  ticker: market.windowTickers,
  "ticker.price": market.priceTickers,
  "ticker.book": market.bookTickers,
  "ticker.allPrices": market.allPrices,
  "ticker.allBookTickers": market.allBookTickers,
  "order.place": orders.placeOrder,
  "order.test": orders.testOrder,
  "order.status": queries.orderStatus,
  "order.cancel": orders.cancelOrder,
  "order.cancelReplace": orders.cancelReplace,
  "order.amend.keepPriority": orders.amendOrder,
  "order.amendments": queries.amendments,
  "openOrders.status": queries.openOrders,
  "openOrders.cancelAll": orders.cancelOpenOrders,
  allOrders: queries.allOrders,
  "orderList.place": orders.placeList,
  "orderList.place.oco": orders.placeList,
  "orderList.cancel": orders.cancelList,
  "orderList.status": queries.orderListStatus,
  allOrderLists: queries.allOrderLists,
  "openOrderLists.status": queries.openOrderLists,
  "account.status": account.account,
  "account.commission": account.commission,
  "account.rateLimits.orders": account.orderLimits,
  myFilters: account.myFilters,
  myTrades: account.myTrades,
  myPreventedMatches: account.myPreventedMatches,
  "userDataStream.start": account.openStream,
  "userDataStream.ping": account.keepStream,
  "userDataStream.stop": account.closeStream,
  "session.logon": session.logOn,
  "session.status": session.sessionStatus,
  "session.logout": session.logOut,
  "session.subscriptions": session.subscriptions,
  "userDataStream.subscribe": session.subscribe,
  "userDataStream.subscribe.signature": session.subscribeBySignature,
  "userDataStream.unsubscribe": session.unsubscribe,
  ...WALLET_HANDLERS,
  "margin.pairs": market.marginPairs,
  "futures.exchangeInfo": market.futuresExchangeInfo,
};
