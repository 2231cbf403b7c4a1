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

const row = (
  request: string,
  method: string,
  weights: EndpointRow["weights"],
  parameters: string,
  more: Partial<EndpointRow> = {},
): EndpointRow => ({ request, method, weights, parameters, ...more });

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
  row("GET ping", "ping", { "": 1 }, ""),
  row("GET time", "time", { "": 1 }, ""),
  row("GET exchangeInfo", "exchangeInfo", { "": 20 }, "symbol symbols permissions showPermissionSets symbolStatus"),
  row("GET executionRules", "executionRules", { [S]: 2, "": 40 }, "symbol symbols symbolStatus", {
    note: "price ranges that an operator sets",
  }),
  row("GET referencePrice", "referencePrice", { [S]: 2 }, "symbol", { note: "-2043 without a price range" }),
  row("GET referencePrice/calculation", "referencePrice.calculation", { [S]: 2 }, "symbol symbolStatus", {
    note: "-2043 without a price range",
  }),
  row(
    "GET depth",
    "depth",
    { [S]: 5, [`${S}&limit=500`]: 25, [`${S}&limit=1000`]: 50, [`${S}&limit=5000`]: 250 },
    "symbol limit symbolStatus",
  ),
  row("GET trades", "trades.recent", { [S]: 25 }, "symbol limit"),
  row("GET historicalTrades", "trades.historical", { [S]: 25 }, "symbol limit fromId"),
  row("GET historicalBlockTrades", "blockTrades.historical", { [S]: 25 }, "symbol fromId limit", {
    note: "the list is empty: there are no block trades",
  }),
  row("GET aggTrades", "trades.aggregate", { [S]: 4 }, "symbol fromId startTime endTime limit"),
  row("GET klines", "klines", { [`${S}&interval=1m`]: 2 }, KLINES, {
    note: "computed klines (`1s`, or a `timeZone` other than UTC) weigh 10",
  }),
  row("GET uiKlines", "uiKlines", { [`${S}&interval=1m`]: 2 }, KLINES, { note: "the same rows as `klines`" }),
  row("GET avgPrice", "avgPrice", { [S]: 2 }, "symbol"),
  row("GET ticker/24hr", "ticker.24hr", { [S]: 2, [TWENTY_ONE]: 40, "": 80 }, `${TICKERS} type symbolStatus`),
  row(
    "GET ticker/tradingDay",
    "ticker.tradingDay",
    { [S]: 4, [TWENTY_ONE]: 84 },
    `${TICKERS} timeZone type symbolStatus`,
  ),
  row("GET ticker", "ticker", { [S]: 4, [TWENTY_ONE]: 84 }, `${TICKERS} windowSize type symbolStatus`),
  row("GET ticker/price", "ticker.price", { [S]: 2, "": 4 }, `${TICKERS} symbolStatus`),
  row("GET ticker/bookTicker", "ticker.book", { [S]: 2, "": 4 }, `${TICKERS} symbolStatus`),
  row("POST order", "order.place", { "": 1 }, ORDER),
  row("POST order/test", "order.test", { "": 1, "computeCommissionRates=true": 20 }, `${ORDER} computeCommissionRates`),
  row("GET order", "order.status", { "": 4 }, "symbol orderId origClientOrderId"),
  row(
    "DELETE order",
    "order.cancel",
    { "": 1 },
    "symbol orderId origClientOrderId newClientOrderId cancelRestrictions",
  ),
  row("DELETE openOrders", "openOrders.cancelAll", { "": 1 }, "symbol"),
  row(
    "POST order/cancelReplace",
    "order.cancelReplace",
    { "": 1 },
    `${ORDER} cancelReplaceMode cancelNewClientOrderId cancelOrigClientOrderId cancelOrderId cancelRestrictions orderRateLimitExceededMode`,
  ),
  row(
    "PUT order/amend/keepPriority",
    "order.amend.keepPriority",
    { "": 4 },
    "symbol orderId origClientOrderId newClientOrderId newQty",
  ),
  row("GET order/amendments", "order.amendments", { "": 4 }, "symbol orderId fromExecutionId limit"),
  row("GET openOrders", "openOrders.status", { [S]: 6, "": 80 }, "symbol"),
  row("GET allOrders", "allOrders", { "": 20 }, "symbol orderId startTime endTime limit"),
  row(
    "POST order/oco",
    "orderList.place",
    { "": 1 },
    `${LIST} side quantity limitClientOrderId price limitIcebergQty limitStrategyId limitStrategyType ` +
      "stopClientOrderId stopPrice stopLimitPrice stopIcebergQty stopLimitTimeInForce stopStrategyId stopStrategyType " +
      "trailingDelta",
    { note: "deprecated by Binance" },
  ),
  row(
    "POST orderList/oco",
    "orderList.place.oco",
    { "": 1 },
    `${LIST} side quantity ${prefixed("above", STOP_LEG)} ${prefixed("below", STOP_LEG)}`,
  ),
  row(
    "POST orderList/oto",
    "orderList.place.oto",
    { "": 1 },
    `${LIST} ${WORKING} pendingSide pendingQuantity ${prefixed("pending", STOP_LEG)}`,
  ),
  row(
    "POST orderList/otoco",
    "orderList.place.otoco",
    { "": 1 },
    `${LIST} ${WORKING} pendingSide pendingQuantity ${PENDING_PAIR}`,
  ),
  row(
    "POST orderList/opo",
    "orderList.place.opo",
    { "": 1 },
    `${LIST} ${WORKING} pendingSide ${prefixed("pending", STOP_LEG)}`,
  ),
  row("POST orderList/opoco", "orderList.place.opoco", { "": 1 }, `${LIST} ${WORKING} pendingSide ${PENDING_PAIR}`),
  row("DELETE orderList", "orderList.cancel", { "": 1 }, "symbol orderListId listClientOrderId newClientOrderId"),
  row("GET orderList", "orderList.status", { "": 4 }, "orderListId origClientOrderId", { added: "listClientOrderId" }),
  row("GET allOrderList", "allOrderLists", { "": 20 }, "fromId startTime endTime limit"),
  row("GET openOrderList", "openOrderLists.status", { "": 6 }, ""),
  row("POST sor/order", "sor.order.place", { "": 1 }, SOR_ORDER, { isMissing: NO_SOR }),
  row(
    "POST sor/order/test",
    "sor.order.test",
    { "": 1, "computeCommissionRates=true": 20 },
    `${SOR_ORDER} computeCommissionRates`,
    { isMissing: NO_SOR },
  ),
  row("GET account", "account.status", { "": 20 }, "omitZeroBalances"),
  row("GET account/commission", "account.commission", { "": 20 }, "symbol"),
  row("GET rateLimit/order", "account.rateLimits.orders", { "": 40 }, ""),
  row("GET myTrades", "myTrades", { [S]: 20, [`${S}&orderId=1`]: 5 }, "symbol orderId startTime endTime fromId limit"),
  row(
    "GET myPreventedMatches",
    "myPreventedMatches",
    { [`${S}&preventedMatchId=0`]: 2, [`${S}&orderId=1`]: 20 },
    "symbol preventedMatchId orderId fromPreventedMatchId limit",
  ),
  row("GET myAllocations", "myAllocations", { [S]: 20 }, "symbol startTime endTime fromAllocationId limit orderId", {
    isMissing: NO_SOR,
  }),
  row("GET myFilters", "myFilters", { "": 40 }, "symbol"),
  row("", "session.logon", { "": 2 }, ""),
  row("", "session.status", { "": 2 }, ""),
  row("", "session.logout", { "": 2 }, ""),
  row("", "session.subscriptions", { "": 2 }, ""),
  row("", "userDataStream.subscribe", { "": 2 }, ""),
  row("", "userDataStream.subscribe.signature", { "": 2 }, ""),
  row("", "userDataStream.unsubscribe", { "": 2 }, "subscriptionId"),
];

/** Endpoints that the interface no longer has. */
export const RETIRED_ENDPOINTS: readonly string[] = [
  "POST userDataStream",
  "PUT userDataStream",
  "DELETE userDataStream",
];
