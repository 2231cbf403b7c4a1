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
  readonly spot: string | undefined;
  readonly spotWs: string | undefined;
  readonly sieblyio: string | undefined;
  readonly sieblyioWs: string | undefined;
  /** Why a client's method is not called, or why it fails. */
  readonly note: string | undefined;
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
const PEGS = { workingPegPriceType: "PRIMARY_PEG", pendingPegPriceType: "PRIMARY_PEG" };
const REPLACING = { ...LIMIT, pegPriceType: "MARKET_PEG", cancelReplaceMode: "STOP_ON_FAILURE" };
const symbols = [symbol, "ETHUSDT"];

/** The parameters of each endpoint; those that are not here take a symbol, or nothing. */
const PARAMETERS: Readonly<Record<string, Values | ((own: Own) => Values)>> = {
  "GET depth": { symbol, limit: 7 },
  "GET historicalTrades": { symbol, fromId: 1 },
  "GET historicalBlockTrades": { symbol, fromId: 1 },
  "GET klines": { symbol, interval: "1s", timeZone: "8" },
  "GET uiKlines": { symbol, interval: "1d", timeZone: "-1:00" },
  "GET ticker/24hr": { symbols, type: "MINI" },
  "GET ticker/tradingDay": { symbols, timeZone: "8" },
  "GET ticker": { symbol, windowSize: "4h", type: "FULL" },
  "GET ticker/bookTicker": { symbols },
  "POST order": { ...PEGGED, strategyId: 1, strategyType: 1_000_000, selfTradePreventionMode: "DECREMENT" },
  "POST order/test": { ...LIMIT, computeCommissionRates: true },
  "GET order": ({ orderId }) => ({ symbol, orderId }),
  "DELETE order": ({ orderId }) => ({ symbol, orderId, cancelRestrictions: "ONLY_NEW" }),
  "POST order/cancelReplace": ({ orderId: cancelOrderId }) => ({ ...REPLACING, cancelOrderId }),
  "PUT order/amend/keepPriority": ({ orderId }) => ({ symbol, orderId, newQty: 0.005 }),
  "GET order/amendments": ({ orderId }) => ({ symbol, orderId }),
  "POST order/oco": { ...OCO, price: 60_000, stopPrice: 45_000 },
  "POST orderList/oco": { ...OCO, ...PAIR, abovePegPriceType: "PRIMARY_PEG" },
  "POST orderList/oto": { symbol, ...WORKING, ...PENDING, ...QUANTITIES, ...PEGS },
  "POST orderList/otoco": { symbol, ...WORKING, ...PENDING_PAIR, ...QUANTITIES },
  "POST orderList/opo": { symbol, ...WORKING, ...PENDING, workingQuantity: 0.01 },
  "POST orderList/opoco": { symbol, ...WORKING, ...PENDING_PAIR, workingQuantity: 0.01 },
  "GET orderList": ({ orderListId }) => ({ orderListId }),
  "DELETE orderList": ({ orderListId }) => ({ symbol, orderListId }),
  "POST sor/order": LIMIT,
  "POST sor/order/test": LIMIT,
  "GET account": { omitZeroBalances: true },
  "GET myPreventedMatches": { symbol, preventedMatchId: 0 },
};

const WITHOUT_SYMBOL = /^GET (ping|time|allOrderList|openOrderList|rateLimit\/order)$|^(session|userDataStream)\./;

const NOTES: Readonly<Record<string, string>> = {
  "GET time": "the REST method of `binance` ignores the URL that is set",
  "PUT order/amend/keepPriority": "the REST method of `binance` is for futures",
  "session.logon": "needs an Ed25519 key",
};

/** An endpoint, and the methods: `@binance/spot` over REST and the WebSocket API, `binance` over both. */
const METHODS = `
GET ping                           | ping                      | ping                             | testConnectivity             | testSpotConnectivity
GET time                           | time                      | time                             |                              | getSpotServerTime
GET exchangeInfo                   | exchangeInfo              | exchangeInfo                     | getExchangeInfo              | getSpotExchangeInfo
GET executionRules                 | executionRules            | executionRules                   | getExecutionRules            | getSpotExecutionRules
GET referencePrice                 | referencePrice            | referencePrice                   | getReferencePrice            | getSpotReferencePrice
GET referencePrice/calculation     | referencePriceCalculation | referencePriceCalculation        | getReferencePriceCalculation | getSpotReferencePriceCalculation
GET depth                          | depth                     | depth                            | getOrderBook                 | getSpotOrderBook
GET trades                         | getTrades                 | tradesRecent                     | getRecentTrades              | getSpotRecentTrades
GET historicalTrades               | historicalTrades          | tradesHistorical                 | getHistoricalTrades          | getSpotHistoricalTrades
GET historicalBlockTrades          | historicalBlockTrades     | blockTradesHistorical            | getHistoricalBlockTrades     | getSpotHistoricalBlockTrades
GET aggTrades                      | aggTrades                 | tradesAggregate                  | getAggregateTrades           | getSpotAggregateTrades
GET klines                         | klines                    | klines                           | getKlines                    | getSpotKlines
GET uiKlines                       | uiKlines                  | uiKlines                         | getUIKlines                  | getSpotUIKlines
GET avgPrice                       | avgPrice                  | avgPrice                         | getAvgPrice                  | getSpotAveragePrice
GET ticker/24hr                    | ticker24hr                | ticker24hr                       | get24hrChangeStatistics      | getSpot24hrTicker
GET ticker/tradingDay              | tickerTradingDay          | tickerTradingDay                 | getTradingDayTicker          | getSpotTradingDayTicker
GET ticker                         | ticker                    | ticker                           | getRollingWindowTicker       | getSpotTicker
GET ticker/price                   | tickerPrice               | tickerPrice                      | getSymbolPriceTicker         | getSpotSymbolPriceTicker
GET ticker/bookTicker              | tickerBookTicker          | tickerBook                       | getSymbolOrderBookTicker     | getSpotSymbolOrderBookTicker
POST order                         | newOrder                  | orderPlace                       | submitNewOrder               | submitNewSpotOrder
POST order/test                    | orderTest                 | orderTest                        | testNewOrder                 | testSpotOrder
GET order                          | getOrder                  | orderStatus                      | getOrder                     | getSpotOrderStatus
DELETE order                       | deleteOrder               | orderCancel                      | cancelOrder                  | cancelSpotOrder
POST order/cancelReplace           | orderCancelReplace        | orderCancelReplace               | replaceOrder                 | cancelReplaceSpotOrder
PUT order/amend/keepPriority       | orderAmendKeepPriority    | orderAmendKeepPriority           |                              | amendSpotOrderKeepPriority
GET order/amendments               | orderAmendments           | orderAmendments                  |                              |
GET openOrders                     | getOpenOrders             | openOrdersStatus                 | getOpenOrders                | getSpotOpenOrders
DELETE openOrders                  | deleteOpenOrders          | openOrdersCancelAll              | cancelAllSymbolOrders        | cancelAllSpotOpenOrders
GET allOrders                      | allOrders                 | allOrders                        | getAllOrders                 | getSpotAllOrders
POST order/oco                     | orderOco                  | orderListPlace                   | submitNewOCO                 | placeSpotOrderList
POST orderList/oco                 | orderListOco              | orderListPlaceOco                | submitNewOrderList           | placeSpotOCOOrderList
POST orderList/oto                 | orderListOto              | orderListPlaceOto                | submitNewOrderListOTO        | placeSpotOTOOrderList
POST orderList/otoco               | orderListOtoco            | orderListPlaceOtoco              | submitNewOrderListOTOCO      | placeSpotOTOCOOrderList
POST orderList/opo                 | orderListOpo              | orderListPlaceOpo                | submitNewOrderListOPO        | placeSpotOPOOrderList
POST orderList/opoco               | orderListOpoco            | orderListPlaceOpoco              | submitNewOrderListOPOCO      | placeSpotOPOCOOrderList
GET orderList                      | getOrderList              | orderListStatus                  | getOCO                       | getSpotOrderListStatus
DELETE orderList                   | deleteOrderList           | orderListCancel                  | cancelOCO                    | cancelSpotOrderList
GET allOrderList                   | allOrderList              | allOrderLists                    | getAllOCO                    | getSpotAllOrderLists
GET openOrderList                  | openOrderList             | openOrderListsStatus             | getAllOpenOCO                | getSpotOpenOrderLists
POST sor/order                     | sorOrder                  | sorOrderPlace                    | submitNewSOROrder            | placeSpotSOROrder
POST sor/order/test                | sorOrderTest              | sorOrderTest                     | testNewSOROrder              | testSpotSOROrder
GET account                        | getAccount                | accountStatus                    | getAccountInformation        | getSpotAccountInformation
GET account/commission             | accountCommission         | accountCommission                | getCommissionRates           | getSpotAccountCommission
GET rateLimit/order                | rateLimitOrder            | accountRateLimitsOrders          | getOrderRateLimit            | getSpotOrderRateLimits
GET myTrades                       | myTrades                  | myTrades                         | getAccountTradeList          | getSpotMyTrades
GET myPreventedMatches             | myPreventedMatches        | myPreventedMatches               | getPreventedMatches          | getSpotPreventedMatches
GET myAllocations                  | myAllocations             | myAllocations                    | getAllocations               | getSpotAllocations
GET myFilters                      | myFilters                 | myFilters                        |                              |
session.logon                      |                           | sessionLogon                     |                              |
session.status                     |                           | sessionStatus                    |                              | getSpotSessionStatus
userDataStream.subscribe           |                           | userDataStreamSubscribe          |                              | subscribeUserDataStream
session.subscriptions              |                           | sessionSubscriptions             |                              |
userDataStream.unsubscribe         |                           | userDataStreamUnsubscribe        |                              | unsubscribeUserDataStream
userDataStream.subscribe.signature |                           | userDataStreamSubscribeSignature |                              |
session.logout                     |                           | sessionLogout                    |                              |
`;

/** Called in this order. */
export const CLIENT_CALLS: readonly ClientCall[] = METHODS.trim()
  .split("\n")
  .map((line) => {
    const [endpoint = "", ...names] = line.split("|").map((cell) => cell.trim());
    const [spot, spotWs, sieblyio, sieblyioWs] = names.map((name) => (name === "" ? undefined : name));
    const given = PARAMETERS[endpoint] ?? (WITHOUT_SYMBOL.test(endpoint) ? {} : { symbol });
    const parameters = typeof given === "function" ? given : (): Values => given;
    return { endpoint, parameters, spot, spotWs, sieblyio, sieblyioWs, note: NOTES[endpoint] };
  });

const ABOVE = { pendingAboveType: "TAKE_PROFIT", pendingAboveTrailingDelta: 300, pendingSide: "SELL" };
const TRAILING_PAIR = { ...ABOVE, pendingBelowType: "STOP_LOSS", pendingBelowTrailingDelta: 100 };
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
