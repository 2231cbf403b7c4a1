/** The handler of each endpoint. The compiler checks that the table is complete. */
import type { EndpointId } from "@pricetime/protocol";
import type { Handler } from "./call.ts";
import { account, myTrades } from "./account/account.ts";
import { cancelOpenOrders, cancelOrder } from "./orders/cancel-order.ts";
import { cancelReplace } from "./orders/cancel-replace.ts";
import { depth } from "./market/depth.ts";
import { exchangeInfo, futuresExchangeInfo, marginPairs, ping, time } from "./market/general.ts";
import { allOrderLists, openOrderLists, orderListStatus } from "./orders/order-lists.ts";
import { openOrders } from "./orders/open-orders.ts";
import { allOrders, orderStatus } from "./orders/orders.ts";
import { cancelList, placeList } from "./orders/place-list.ts";
import { placeOrder, testOrder } from "./orders/place-order.ts";
import { allBookTickers, allPrices, averagePrice, bookTickers, dayTickers, priceTickers } from "./market/tickers.ts";
import { aggTrades, historicalTrades, klines, recentTrades } from "./market/trades.ts";
import { closeStream, keepStream, openStream } from "./account/user-stream.ts";
import { WALLET_HANDLERS } from "./wallet/handlers.ts";
import {
  logOn,
  logOut,
  sessionStatus,
  subscribe,
  subscribeBySignature,
  subscriptions,
  unsubscribe,
} from "./ws/session-methods.ts";

export const HANDLERS: Readonly<Record<EndpointId, Handler>> = {
  ping,
  time,
  exchangeInfo,
  depth,
  "trades.recent": recentTrades,
  "trades.historical": historicalTrades,
  "trades.aggregate": aggTrades,
  klines,
  avgPrice: averagePrice,
  "ticker.24hr": dayTickers,
  "ticker.price": priceTickers,
  "ticker.book": bookTickers,
  "ticker.allPrices": allPrices,
  "ticker.allBookTickers": allBookTickers,
  "order.place": placeOrder,
  "order.test": testOrder,
  "order.status": orderStatus,
  "order.cancel": cancelOrder,
  "order.cancelReplace": cancelReplace,
  "openOrders.status": openOrders,
  "openOrders.cancelAll": cancelOpenOrders,
  allOrders,
  "orderList.place": placeList,
  "orderList.place.oco": placeList,
  "orderList.cancel": cancelList,
  "orderList.status": orderListStatus,
  allOrderLists,
  "openOrderLists.status": openOrderLists,
  "account.status": account,
  myTrades,
  "userDataStream.start": openStream,
  "userDataStream.ping": keepStream,
  "userDataStream.stop": closeStream,
  "session.logon": logOn,
  "session.status": sessionStatus,
  "session.logout": logOut,
  "session.subscriptions": subscriptions,
  "userDataStream.subscribe": subscribe,
  "userDataStream.subscribe.signature": subscribeBySignature,
  "userDataStream.unsubscribe": unsubscribe,
  ...WALLET_HANDLERS,
  "margin.pairs": marginPairs,
  "futures.exchangeInfo": futuresExchangeInfo,
};
