/**
 * What published clients of today's interface are called with, endpoint by endpoint, and the names of their own
 * methods for it. The tests call every method of each client for spot trading, market data and accounts.
 */
import { ENDPOINT_ROWS } from "../../todays-interface/endpoints.ts";
import { NO_BLOCK_TRADES } from "../../todays-interface/rows.ts";

/** Numbers of an order and of an order list that are open, which a call may read or end. */
export interface Own {
  readonly orderId: number;
  readonly orderListId: number;
}

type Values = Readonly<Record<string, unknown>>;

export interface ClientCall {
  /** The request, or the WebSocket API method without one, as in the table of endpoints. */
  readonly endpoint: string;
  readonly parameters: (own: Own) => Values;
  /** The names of the methods by client; absent if the client has none. */
  readonly spot?: string;
  readonly spotWs?: string;
  readonly sieblyio?: string;
  readonly sieblyioWs?: string;
  /** Why a client's method is not called, or why it fails. */
  readonly note?: string;
}

const symbol = "BTCUSDT";
const LIMIT = { symbol, side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: 0.01, price: 40_000 };
/** Without a price of its own, which it takes from the account's open order. */
const PEGGED = { symbol, side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: 0.01, pegPriceType: "PRIMARY_PEG" };
const OCO = { symbol, side: "SELL", quantity: 0.01 };
const PAIR = { aboveType: "LIMIT_MAKER", abovePrice: 60_000, belowType: "STOP_LOSS", belowStopPrice: 45_000 };
const WORKING = { workingType: "LIMIT", workingSide: "BUY", workingPrice: 41_000, workingTimeInForce: "GTC" };
const PENDING = { pendingType: "LIMIT", pendingPrice: 61_000, pendingTimeInForce: "GTC", pendingSide: "SELL" };
const PENDING_PAIR = {
  ...{ pendingAboveType: "LIMIT_MAKER", pendingAbovePrice: 60_000, pendingSide: "SELL" },
  ...{ pendingBelowType: "STOP_LOSS", pendingBelowStopPrice: 40_000 },
};
const QUANTITIES = { workingQuantity: 0.01, pendingQuantity: 0.01 };
const nothing = (): Values => ({});
const ofSymbol = (): Values => ({ symbol });

/** Called in this order. */
export const CLIENT_CALLS: readonly ClientCall[] = [
  {
    ...{ endpoint: "GET ping", parameters: nothing, spot: "ping", spotWs: "ping" },
    ...{ sieblyio: "testConnectivity", sieblyioWs: "testSpotConnectivity" },
  },
  {
    ...{ endpoint: "GET time", parameters: nothing, spot: "time", spotWs: "time" },
    ...{ sieblyioWs: "getSpotServerTime", note: "the REST method of `binance` ignores the URL that is set" },
  },
  {
    ...{ endpoint: "GET exchangeInfo", parameters: ofSymbol, spot: "exchangeInfo", spotWs: "exchangeInfo" },
    ...{ sieblyio: "getExchangeInfo", sieblyioWs: "getSpotExchangeInfo" },
  },
  {
    ...{ endpoint: "GET executionRules", parameters: ofSymbol, spot: "executionRules", spotWs: "executionRules" },
    ...{ sieblyio: "getExecutionRules", sieblyioWs: "getSpotExecutionRules" },
  },
  {
    ...{ endpoint: "GET referencePrice", parameters: ofSymbol, spot: "referencePrice", spotWs: "referencePrice" },
    ...{ sieblyio: "getReferencePrice", sieblyioWs: "getSpotReferencePrice" },
  },
  {
    ...{ endpoint: "GET referencePrice/calculation", parameters: ofSymbol },
    ...{ spot: "referencePriceCalculation", spotWs: "referencePriceCalculation" },
    ...{ sieblyio: "getReferencePriceCalculation", sieblyioWs: "getSpotReferencePriceCalculation" },
  },
  {
    ...{ endpoint: "GET depth", parameters: () => ({ symbol, limit: 7 }), spot: "depth", spotWs: "depth" },
    ...{ sieblyio: "getOrderBook", sieblyioWs: "getSpotOrderBook" },
  },
  {
    ...{ endpoint: "GET trades", parameters: ofSymbol, spot: "getTrades", spotWs: "tradesRecent" },
    ...{ sieblyio: "getRecentTrades", sieblyioWs: "getSpotRecentTrades" },
  },
  {
    ...{ endpoint: "GET historicalTrades", parameters: () => ({ symbol, fromId: 1 }) },
    ...{ spot: "historicalTrades", spotWs: "tradesHistorical" },
    ...{ sieblyio: "getHistoricalTrades", sieblyioWs: "getSpotHistoricalTrades" },
  },
  {
    ...{ endpoint: "GET historicalBlockTrades", parameters: () => ({ symbol, fromId: 1 }) },
    ...{ spot: "historicalBlockTrades", spotWs: "blockTradesHistorical" },
    ...{ sieblyio: "getHistoricalBlockTrades", sieblyioWs: "getSpotHistoricalBlockTrades" },
  },
  {
    ...{ endpoint: "GET aggTrades", parameters: ofSymbol, spot: "aggTrades", spotWs: "tradesAggregate" },
    ...{ sieblyio: "getAggregateTrades", sieblyioWs: "getSpotAggregateTrades" },
  },
  {
    ...{ endpoint: "GET klines", parameters: () => ({ symbol, interval: "1s", timeZone: "8" }) },
    ...{ spot: "klines", spotWs: "klines", sieblyio: "getKlines", sieblyioWs: "getSpotKlines" },
  },
  {
    ...{ endpoint: "GET uiKlines", parameters: () => ({ symbol, interval: "1d", timeZone: "-1:00" }) },
    ...{ spot: "uiKlines", spotWs: "uiKlines", sieblyio: "getUIKlines", sieblyioWs: "getSpotUIKlines" },
  },
  {
    ...{ endpoint: "GET avgPrice", parameters: ofSymbol, spot: "avgPrice", spotWs: "avgPrice" },
    ...{ sieblyio: "getAvgPrice", sieblyioWs: "getSpotAveragePrice" },
  },
  {
    ...{ endpoint: "GET ticker/24hr", parameters: () => ({ symbols: [symbol, "ETHUSDT"], type: "MINI" }) },
    ...{ spot: "ticker24hr", spotWs: "ticker24hr" },
    ...{ sieblyio: "get24hrChangeStatistics", sieblyioWs: "getSpot24hrTicker" },
  },
  {
    ...{ endpoint: "GET ticker/tradingDay", parameters: () => ({ symbols: [symbol, "ETHUSDT"], timeZone: "8" }) },
    ...{ spot: "tickerTradingDay", spotWs: "tickerTradingDay" },
    ...{ sieblyio: "getTradingDayTicker", sieblyioWs: "getSpotTradingDayTicker" },
  },
  {
    ...{ endpoint: "GET ticker", parameters: () => ({ symbol, windowSize: "4h", type: "FULL" }) },
    ...{ spot: "ticker", spotWs: "ticker", sieblyio: "getRollingWindowTicker", sieblyioWs: "getSpotTicker" },
  },
  {
    ...{ endpoint: "GET ticker/price", parameters: ofSymbol, spot: "tickerPrice", spotWs: "tickerPrice" },
    ...{ sieblyio: "getSymbolPriceTicker", sieblyioWs: "getSpotSymbolPriceTicker" },
  },
  {
    ...{ endpoint: "GET ticker/bookTicker", parameters: () => ({ symbols: [symbol, "ETHUSDT"] }) },
    ...{ spot: "tickerBookTicker", spotWs: "tickerBook" },
    ...{ sieblyio: "getSymbolOrderBookTicker", sieblyioWs: "getSpotSymbolOrderBookTicker" },
  },

  {
    ...{ endpoint: "POST order", spot: "newOrder", spotWs: "orderPlace" },
    ...{ sieblyio: "submitNewOrder", sieblyioWs: "submitNewSpotOrder" },
    parameters: () => ({ ...PEGGED, strategyId: 1, strategyType: 1_000_000, selfTradePreventionMode: "DECREMENT" }),
  },
  {
    ...{ endpoint: "POST order/test", parameters: () => ({ ...LIMIT, computeCommissionRates: true }) },
    ...{ spot: "orderTest", spotWs: "orderTest", sieblyio: "testNewOrder", sieblyioWs: "testSpotOrder" },
  },
  {
    ...{ endpoint: "GET order", parameters: ({ orderId }) => ({ symbol, orderId }) },
    ...{ spot: "getOrder", spotWs: "orderStatus", sieblyio: "getOrder", sieblyioWs: "getSpotOrderStatus" },
  },
  {
    ...{ endpoint: "DELETE order", spot: "deleteOrder", spotWs: "orderCancel" },
    ...{ sieblyio: "cancelOrder", sieblyioWs: "cancelSpotOrder" },
    parameters: ({ orderId }) => ({ symbol, orderId, cancelRestrictions: "ONLY_NEW" }),
  },
  {
    ...{ endpoint: "POST order/cancelReplace", spot: "orderCancelReplace", spotWs: "orderCancelReplace" },
    ...{ sieblyio: "replaceOrder", sieblyioWs: "cancelReplaceSpotOrder" },
    parameters: ({ orderId }) => ({
      ...{ ...LIMIT, pegPriceType: "MARKET_PEG", cancelOrderId: orderId, cancelReplaceMode: "STOP_ON_FAILURE" },
    }),
  },
  {
    ...{ endpoint: "PUT order/amend/keepPriority", spot: "orderAmendKeepPriority", spotWs: "orderAmendKeepPriority" },
    ...{ sieblyioWs: "amendSpotOrderKeepPriority" },
    note: "the REST method of `binance` is for futures",
    parameters: ({ orderId }) => ({ symbol, orderId, newQty: 0.005 }),
  },
  {
    ...{ endpoint: "GET order/amendments", parameters: ({ orderId }) => ({ symbol, orderId }) },
    ...{ spot: "orderAmendments", spotWs: "orderAmendments" },
  },
  {
    ...{ endpoint: "GET openOrders", parameters: ofSymbol, spot: "getOpenOrders", spotWs: "openOrdersStatus" },
    ...{ sieblyio: "getOpenOrders", sieblyioWs: "getSpotOpenOrders" },
  },
  {
    ...{ endpoint: "DELETE openOrders", parameters: ofSymbol, spot: "deleteOpenOrders", spotWs: "openOrdersCancelAll" },
    ...{ sieblyio: "cancelAllSymbolOrders", sieblyioWs: "cancelAllSpotOpenOrders" },
  },
  {
    ...{ endpoint: "GET allOrders", parameters: ofSymbol, spot: "allOrders", spotWs: "allOrders" },
    ...{ sieblyio: "getAllOrders", sieblyioWs: "getSpotAllOrders" },
  },
  {
    ...{ endpoint: "POST order/oco", parameters: () => ({ ...OCO, price: 60_000, stopPrice: 45_000 }) },
    ...{ spot: "orderOco", spotWs: "orderListPlace", sieblyio: "submitNewOCO", sieblyioWs: "placeSpotOrderList" },
  },
  {
    ...{ endpoint: "POST orderList/oco", parameters: () => ({ ...OCO, ...PAIR, abovePegPriceType: "PRIMARY_PEG" }) },
    ...{ spot: "orderListOco", spotWs: "orderListPlaceOco" },
    ...{ sieblyio: "submitNewOrderList", sieblyioWs: "placeSpotOCOOrderList" },
  },
  {
    ...{ endpoint: "POST orderList/oto", spot: "orderListOto", spotWs: "orderListPlaceOto" },
    parameters: () => ({
      ...{ symbol, ...WORKING, ...PENDING, ...QUANTITIES },
      ...{ workingPegPriceType: "PRIMARY_PEG", pendingPegPriceType: "PRIMARY_PEG" },
    }),
    ...{ sieblyio: "submitNewOrderListOTO", sieblyioWs: "placeSpotOTOOrderList" },
  },
  {
    ...{ endpoint: "POST orderList/otoco", parameters: () => ({ symbol, ...WORKING, ...PENDING_PAIR, ...QUANTITIES }) },
    ...{ spot: "orderListOtoco", spotWs: "orderListPlaceOtoco" },
    ...{ sieblyio: "submitNewOrderListOTOCO", sieblyioWs: "placeSpotOTOCOOrderList" },
  },
  {
    ...{ endpoint: "POST orderList/opo", spot: "orderListOpo", spotWs: "orderListPlaceOpo" },
    ...{ sieblyio: "submitNewOrderListOPO", sieblyioWs: "placeSpotOPOOrderList" },
    parameters: () => ({ symbol, ...WORKING, ...PENDING, workingQuantity: 0.01 }),
  },
  {
    ...{ endpoint: "POST orderList/opoco", spot: "orderListOpoco", spotWs: "orderListPlaceOpoco" },
    ...{ sieblyio: "submitNewOrderListOPOCO", sieblyioWs: "placeSpotOPOCOOrderList" },
    parameters: () => ({ symbol, ...WORKING, ...PENDING_PAIR, workingQuantity: 0.01 }),
  },
  {
    ...{ endpoint: "GET orderList", parameters: ({ orderListId }) => ({ orderListId }) },
    ...{ spot: "getOrderList", spotWs: "orderListStatus", sieblyio: "getOCO", sieblyioWs: "getSpotOrderListStatus" },
  },
  {
    ...{ endpoint: "DELETE orderList", parameters: ({ orderListId }) => ({ symbol, orderListId }) },
    ...{ spot: "deleteOrderList", spotWs: "orderListCancel" },
    ...{ sieblyio: "cancelOCO", sieblyioWs: "cancelSpotOrderList" },
  },
  {
    ...{ endpoint: "GET allOrderList", parameters: nothing, spot: "allOrderList", spotWs: "allOrderLists" },
    ...{ sieblyio: "getAllOCO", sieblyioWs: "getSpotAllOrderLists" },
  },
  {
    ...{ endpoint: "GET openOrderList", parameters: nothing, spot: "openOrderList", spotWs: "openOrderListsStatus" },
    ...{ sieblyio: "getAllOpenOCO", sieblyioWs: "getSpotOpenOrderLists" },
  },
  {
    ...{ endpoint: "POST sor/order", parameters: () => LIMIT, spot: "sorOrder", spotWs: "sorOrderPlace" },
    ...{ sieblyio: "submitNewSOROrder", sieblyioWs: "placeSpotSOROrder" },
  },
  {
    ...{ endpoint: "POST sor/order/test", parameters: () => LIMIT, spot: "sorOrderTest", spotWs: "sorOrderTest" },
    ...{ sieblyio: "testNewSOROrder", sieblyioWs: "testSpotSOROrder" },
  },

  {
    ...{ endpoint: "GET account", parameters: () => ({ omitZeroBalances: true }) },
    ...{ spot: "getAccount", spotWs: "accountStatus" },
    ...{ sieblyio: "getAccountInformation", sieblyioWs: "getSpotAccountInformation" },
  },
  {
    ...{ endpoint: "GET account/commission", parameters: ofSymbol },
    ...{ spot: "accountCommission", spotWs: "accountCommission" },
    ...{ sieblyio: "getCommissionRates", sieblyioWs: "getSpotAccountCommission" },
  },
  {
    ...{ endpoint: "GET rateLimit/order", parameters: nothing },
    ...{ spot: "rateLimitOrder", spotWs: "accountRateLimitsOrders" },
    ...{ sieblyio: "getOrderRateLimit", sieblyioWs: "getSpotOrderRateLimits" },
  },
  {
    ...{ endpoint: "GET myTrades", parameters: ofSymbol, spot: "myTrades", spotWs: "myTrades" },
    ...{ sieblyio: "getAccountTradeList", sieblyioWs: "getSpotMyTrades" },
  },
  {
    ...{ endpoint: "GET myPreventedMatches", parameters: () => ({ symbol, preventedMatchId: 0 }) },
    ...{ spot: "myPreventedMatches", spotWs: "myPreventedMatches" },
    ...{ sieblyio: "getPreventedMatches", sieblyioWs: "getSpotPreventedMatches" },
  },
  {
    ...{ endpoint: "GET myAllocations", parameters: ofSymbol, spot: "myAllocations", spotWs: "myAllocations" },
    ...{ sieblyio: "getAllocations", sieblyioWs: "getSpotAllocations" },
  },
  { endpoint: "GET myFilters", parameters: ofSymbol, spot: "myFilters", spotWs: "myFilters" },
  { endpoint: "session.logon", parameters: nothing, spotWs: "sessionLogon", note: "needs an Ed25519 key" },
  {
    ...{ endpoint: "session.status", parameters: nothing },
    ...{ spotWs: "sessionStatus", sieblyioWs: "getSpotSessionStatus" },
  },
  { endpoint: "userDataStream.subscribe", parameters: nothing, spotWs: "userDataStreamSubscribe" },
  { endpoint: "session.subscriptions", parameters: nothing, spotWs: "sessionSubscriptions" },
  { endpoint: "userDataStream.unsubscribe", parameters: nothing, spotWs: "userDataStreamUnsubscribe" },
  { endpoint: "userDataStream.subscribe.signature", parameters: nothing, spotWs: "userDataStreamSubscribeSignature" },
  { endpoint: "session.logout", parameters: nothing, spotWs: "sessionLogout" },
];

const TRAILING_PAIR = {
  ...{ pendingAboveType: "TAKE_PROFIT", pendingAboveTrailingDelta: 300, pendingSide: "SELL" },
  ...{ pendingBelowType: "STOP_LOSS", pendingBelowTrailingDelta: 100 },
};
const TRAILING_PENDING = { pendingType: "STOP_LOSS", pendingTrailingDelta: 100, pendingSide: "SELL" };

/** Orders and lists that trail the price: the endpoint, the parameters, and the trailing delta of each such order. */
export const TRAILING: readonly (readonly [string, Values, ...number[]])[] = [
  ["POST order", { ...OCO, type: "STOP_LOSS", trailingDelta: 100 }, 100],
  ["POST order", { ...OCO, type: "TAKE_PROFIT", stopPrice: 90_000, trailingDelta: 250 }, 250],
  ["POST order/oco", { ...OCO, price: 60_000, stopPrice: 45_000, trailingDelta: 200 }, 200],
  ["POST orderList/oco", { ...OCO, ...PAIR, belowTrailingDelta: 100 }, 100],
  ["POST orderList/oto", { symbol, ...WORKING, ...TRAILING_PENDING, ...QUANTITIES }, 100],
  ["POST orderList/otoco", { symbol, ...WORKING, ...TRAILING_PAIR, ...QUANTITIES }, 100, 300],
  ["POST orderList/opo", { symbol, ...WORKING, ...TRAILING_PENDING, workingQuantity: 0.01 }, 100],
  ["POST orderList/opoco", { symbol, ...WORKING, ...TRAILING_PAIR, workingQuantity: 0.01 }, 100, 300],
];

/** What becomes of a sell order and of a buy order of half its quantity, by the mode of self-trade prevention of both. */
export const PREVENTED: readonly (readonly [string, string, string])[] = [
  ["EXPIRE_TAKER", "NEW 0", "EXPIRED_IN_MATCH 0.01"],
  ["EXPIRE_MAKER", "EXPIRED_IN_MATCH 0.02", "NEW 0"],
  ["EXPIRE_BOTH", "EXPIRED_IN_MATCH 0.02", "EXPIRED_IN_MATCH 0.01"],
  ["DECREMENT", "NEW 0.01", "EXPIRED_IN_MATCH 0.01"],
];

/** The code with which the call is rejected, and why; undefined if it must succeed. */
export function refusalOf({ endpoint }: ClientCall): { readonly code: number; readonly why: string } | undefined {
  const row = ENDPOINT_ROWS.find(({ request, method }) => (request === "" ? method : request) === endpoint);
  if (row === undefined) throw new Error(`no endpoint is called ${endpoint}`);
  return row.isMissing === undefined ? undefined : { code: -1099, why: row.isMissing };
}

export interface StreamCall {
  readonly method: string;
  readonly parameters?: Values;
  readonly isMissing?: string;
}

/** The methods of `@binance/spot` for streams. */
export const CLIENT_STREAMS: readonly StreamCall[] = [
  { method: "aggTrade", parameters: { symbol } },
  { method: "allMarketRollingWindowTicker", parameters: { windowSize: "1h" } },
  { method: "allMiniTicker" },
  { method: "avgPrice", parameters: { symbol } },
  { method: "blockTrade", parameters: { symbol }, isMissing: NO_BLOCK_TRADES },
  { method: "bookTicker", parameters: { symbol } },
  { method: "diffBookDepth", parameters: { symbol, updateSpeed: "100ms" } },
  { method: "kline", parameters: { symbol, interval: "1s" } },
  { method: "klineOffset", parameters: { symbol, interval: "1d" } },
  { method: "miniTicker", parameters: { symbol } },
  { method: "partialBookDepth", parameters: { symbol, levels: "5", updateSpeed: "100ms" } },
  { method: "referencePrice", parameters: { symbol } },
  { method: "rollingWindowTicker", parameters: { symbol, windowSize: "4h" } },
  { method: "ticker", parameters: { symbol } },
  { method: "trade", parameters: { symbol } },
];
