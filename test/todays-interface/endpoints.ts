/** Endpoints of today's interface, with their WebSocket API methods, weights and parameters. */
import { type Missing, NO_SOR } from "./rows.ts";

export interface EndpointRow {
  /** Method and path below /api/v3; "" if it exists only in the WebSocket API. */
  readonly request: string;
  /** The method of the WebSocket API; "" if there is none. */
  readonly method: string;
  /** The request weight of each of these requests. */
  readonly weights: Readonly<Record<string, number>>;
  /** Names of the parameters, without those of every signed endpoint. */
  readonly parameters: string;
  readonly missing?: Missing;
  /** Parameters that only this exchange has. */
  readonly added?: string;
  /** Why the endpoint is left out. */
  readonly isMissing?: string;
  /** Parameters or contents that differ. */
  readonly note?: string;
}

const ORDER =
  "symbol side type timeInForce quantity quoteOrderQty price newClientOrderId strategyId strategyType stopPrice " +
  "trailingDelta pegPriceType pegOffsetType pegOffsetValue icebergQty newOrderRespType selfTradePreventionMode";
const SOR_ORDER = ORDER.replace(" quoteOrderQty", "").replace(/ stopPrice .+ pegOffsetValue/, "");

/** The parameters that each order of a list has, with its prefix. */
function prefixed(prefix: string, names: string): string {
  return names.replaceAll(/\S+/g, (name) => prefix + name);
}
const LEG =
  "Type ClientOrderId IcebergQty Price TimeInForce StrategyId StrategyType PegPriceType PegOffsetType PegOffsetValue";
const STOP_LEG = `${LEG} StopPrice TrailingDelta`;
const LIST = "symbol listClientOrderId newOrderRespType selfTradePreventionMode";
const WORKING = prefixed("working", `${LEG} Side Quantity`);
const PENDING_PAIR = `${prefixed("pendingAbove", STOP_LEG)} ${prefixed("pendingBelow", STOP_LEG)}`;

const TICKERS = "symbol symbols";
const KLINES = "symbol interval startTime endTime timeZone limit";
const S = "symbol=BTCUSDT";
const TWENTY_ONE = `symbols=[${Array.from({ length: 21 }, (_, i) => `"S${i}"`).join(",")}]`;

export const ENDPOINT_ROWS: readonly EndpointRow[] = [
  { request: "GET ping", method: "ping", weights: { "": 1 }, parameters: "" },
  { request: "GET time", method: "time", weights: { "": 1 }, parameters: "" },
  {
    ...{ request: "GET exchangeInfo", method: "exchangeInfo", weights: { "": 20 } },
    parameters: "symbol symbols permissions showPermissionSets symbolStatus",
  },
  {
    ...{ request: "GET executionRules", method: "executionRules", weights: { [S]: 2, "": 40 } },
    parameters: "symbol symbols symbolStatus",
    note: "price ranges that an operator sets",
  },
  {
    ...{ request: "GET referencePrice", method: "referencePrice", weights: { [S]: 2 }, parameters: "symbol" },
    note: "-2043 without a price range",
  },
  {
    ...{ request: "GET referencePrice/calculation", method: "referencePrice.calculation", weights: { [S]: 2 } },
    parameters: "symbol symbolStatus",
    note: "-2043 without a price range",
  },
  {
    ...{ request: "GET depth", method: "depth", parameters: "symbol limit symbolStatus" },
    weights: { [S]: 5, [`${S}&limit=500`]: 25, [`${S}&limit=1000`]: 50, [`${S}&limit=5000`]: 250 },
  },
  { request: "GET trades", method: "trades.recent", weights: { [S]: 25 }, parameters: "symbol limit" },
  {
    request: "GET historicalTrades",
    method: "trades.historical",
    weights: { [S]: 25 },
    parameters: "symbol limit fromId",
  },
  {
    ...{ request: "GET historicalBlockTrades", method: "blockTrades.historical", weights: { [S]: 25 } },
    parameters: "symbol fromId limit",
    note: "the list is empty: there are no block trades",
  },
  {
    ...{ request: "GET aggTrades", method: "trades.aggregate", weights: { [S]: 4 } },
    parameters: "symbol fromId startTime endTime limit",
  },
  {
    ...{ request: "GET klines", method: "klines", weights: { [`${S}&interval=1m`]: 2 }, parameters: KLINES },
    note: "computed klines (`1s`, or a `timeZone` other than UTC) weigh 10",
  },
  {
    ...{ request: "GET uiKlines", method: "uiKlines", weights: { [`${S}&interval=1m`]: 2 }, parameters: KLINES },
    note: "the same rows as `klines`",
  },
  { request: "GET avgPrice", method: "avgPrice", weights: { [S]: 2 }, parameters: "symbol" },
  {
    ...{ request: "GET ticker/24hr", method: "ticker.24hr", weights: { [S]: 2, [TWENTY_ONE]: 40, "": 80 } },
    parameters: `${TICKERS} type symbolStatus`,
  },
  {
    ...{ request: "GET ticker/tradingDay", method: "ticker.tradingDay", weights: { [S]: 4, [TWENTY_ONE]: 84 } },
    parameters: `${TICKERS} timeZone type symbolStatus`,
  },
  {
    ...{ request: "GET ticker", method: "ticker", weights: { [S]: 4, [TWENTY_ONE]: 84 } },
    parameters: `${TICKERS} windowSize type symbolStatus`,
  },
  {
    ...{ request: "GET ticker/price", method: "ticker.price", weights: { [S]: 2, "": 4 } },
    parameters: `${TICKERS} symbolStatus`,
  },
  {
    ...{ request: "GET ticker/bookTicker", method: "ticker.book", weights: { [S]: 2, "": 4 } },
    parameters: `${TICKERS} symbolStatus`,
  },
  { request: "POST order", method: "order.place", weights: { "": 1 }, parameters: ORDER },
  {
    ...{ request: "POST order/test", method: "order.test", weights: { "": 1, "computeCommissionRates=true": 20 } },
    ...{ parameters: `${ORDER} computeCommissionRates` },
  },
  {
    ...{ request: "GET order", method: "order.status", weights: { "": 4 } },
    parameters: "symbol orderId origClientOrderId",
  },
  {
    ...{ request: "DELETE order", method: "order.cancel", weights: { "": 1 } },
    parameters: "symbol orderId origClientOrderId newClientOrderId cancelRestrictions",
  },
  { request: "DELETE openOrders", method: "openOrders.cancelAll", weights: { "": 1 }, parameters: "symbol" },
  {
    ...{ request: "POST order/cancelReplace", method: "order.cancelReplace", weights: { "": 1 } },
    parameters: `${ORDER} cancelReplaceMode cancelNewClientOrderId cancelOrigClientOrderId cancelOrderId cancelRestrictions orderRateLimitExceededMode`,
  },
  {
    ...{ request: "PUT order/amend/keepPriority", method: "order.amend.keepPriority", weights: { "": 4 } },
    parameters: "symbol orderId origClientOrderId newClientOrderId newQty",
  },
  {
    ...{ request: "GET order/amendments", method: "order.amendments", weights: { "": 4 } },
    parameters: "symbol orderId fromExecutionId limit",
  },
  {
    ...{ request: "GET openOrders", method: "openOrders.status", weights: { [S]: 6, "": 80 } },
    parameters: "symbol",
  },
  {
    ...{ request: "GET allOrders", method: "allOrders", weights: { "": 20 } },
    parameters: "symbol orderId startTime endTime limit",
  },
  {
    ...{ request: "POST order/oco", method: "orderList.place", weights: { "": 1 } },
    parameters:
      `${LIST} side quantity limitClientOrderId price limitIcebergQty limitStrategyId limitStrategyType ` +
      "stopClientOrderId stopPrice stopLimitPrice stopIcebergQty stopLimitTimeInForce stopStrategyId stopStrategyType " +
      "trailingDelta",
    note: "deprecated by Binance",
  },
  {
    ...{ request: "POST orderList/oco", method: "orderList.place.oco", weights: { "": 1 } },
    parameters: `${LIST} side quantity ${prefixed("above", STOP_LEG)} ${prefixed("below", STOP_LEG)}`,
  },
  {
    ...{ request: "POST orderList/oto", method: "orderList.place.oto", weights: { "": 1 } },
    parameters: `${LIST} ${WORKING} pendingSide pendingQuantity ${prefixed("pending", STOP_LEG)}`,
  },
  {
    ...{ request: "POST orderList/otoco", method: "orderList.place.otoco", weights: { "": 1 } },
    parameters: `${LIST} ${WORKING} pendingSide pendingQuantity ${PENDING_PAIR}`,
  },
  {
    ...{ request: "POST orderList/opo", method: "orderList.place.opo", weights: { "": 1 } },
    parameters: `${LIST} ${WORKING} pendingSide ${prefixed("pending", STOP_LEG)}`,
  },
  {
    ...{ request: "POST orderList/opoco", method: "orderList.place.opoco", weights: { "": 1 } },
    parameters: `${LIST} ${WORKING} pendingSide ${PENDING_PAIR}`,
  },
  {
    ...{ request: "DELETE orderList", method: "orderList.cancel", weights: { "": 1 } },
    parameters: "symbol orderListId listClientOrderId newClientOrderId",
  },
  {
    ...{ request: "GET orderList", method: "orderList.status", weights: { "": 4 } },
    ...{ parameters: "orderListId origClientOrderId", added: "listClientOrderId" },
  },
  {
    ...{ request: "GET allOrderList", method: "allOrderLists", weights: { "": 20 } },
    parameters: "fromId startTime endTime limit",
  },
  { request: "GET openOrderList", method: "openOrderLists.status", weights: { "": 6 }, parameters: "" },
  {
    ...{ request: "POST sor/order", method: "sor.order.place", weights: { "": 1 } },
    parameters: SOR_ORDER,
    isMissing: NO_SOR,
  },
  {
    ...{
      request: "POST sor/order/test",
      method: "sor.order.test",
      weights: { "": 1, "computeCommissionRates=true": 20 },
    },
    parameters: `${SOR_ORDER} computeCommissionRates`,
    isMissing: NO_SOR,
  },
  { request: "GET account", method: "account.status", weights: { "": 20 }, parameters: "omitZeroBalances" },
  {
    ...{ request: "GET account/commission", method: "account.commission", weights: { "": 20 } },
    parameters: "symbol",
  },
  { request: "GET rateLimit/order", method: "account.rateLimits.orders", weights: { "": 40 }, parameters: "" },
  {
    ...{ request: "GET myTrades", method: "myTrades", weights: { [S]: 20, [`${S}&orderId=1`]: 5 } },
    parameters: "symbol orderId startTime endTime fromId limit",
  },
  {
    ...{ request: "GET myPreventedMatches", method: "myPreventedMatches" },
    weights: { [`${S}&preventedMatchId=0`]: 2, [`${S}&orderId=1`]: 20 },
    parameters: "symbol preventedMatchId orderId fromPreventedMatchId limit",
  },
  {
    ...{ request: "GET myAllocations", method: "myAllocations", weights: { [S]: 20 } },
    parameters: "symbol startTime endTime fromAllocationId limit orderId",
    isMissing: NO_SOR,
  },
  { request: "GET myFilters", method: "myFilters", weights: { "": 40 }, parameters: "symbol" },
  { request: "", method: "session.logon", weights: { "": 2 }, parameters: "" },
  { request: "", method: "session.status", weights: { "": 2 }, parameters: "" },
  { request: "", method: "session.logout", weights: { "": 2 }, parameters: "" },
  { request: "", method: "session.subscriptions", weights: { "": 2 }, parameters: "" },
  { request: "", method: "userDataStream.subscribe", weights: { "": 2 }, parameters: "" },
  { request: "", method: "userDataStream.subscribe.signature", weights: { "": 2 }, parameters: "" },
  { request: "", method: "userDataStream.unsubscribe", weights: { "": 2 }, parameters: "subscriptionId" },
];

/** Endpoints that the interface no longer has. */
export const RETIRED_ENDPOINTS: readonly string[] = [
  "POST userDataStream",
  "PUT userDataStream",
  "DELETE userDataStream",
];
