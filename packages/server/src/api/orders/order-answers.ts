/**
 * The JSON of orders and order lists. Interface 2.2, 2.3, 2.9, 3.5. Written by hand for speed, because every order's
 * response needs it.
 */
import {
  type EngineView,
  type Event,
  type Fill,
  fromScale,
  lossesOf,
  type MarketView,
  NO_STRATEGY,
  NO_TRADE_GROUP,
  orderNumberOf,
  type OrderEnded,
  type OrderListRecord,
  type OrderRecord,
  type Trade,
  trailingTimeMs,
  workingTimeMs,
} from "@pricetime/engine";
import type { OrderListRecord as ListShape, OrderRecord as OrderShape, ResponseType } from "@pricetime/protocol";
import { unitsText as decimalText } from "../../history/shapes/amounts.ts";
import {
  type AssetUnits,
  executionIdOf,
  orderListShape,
  orderShape,
  preventedMatch,
} from "../../history/shapes/orders.ts";

/** The asset that an order receives. Commission is paid in it. */
function receivedAssetId(market: MarketView, order: OrderRecord): number {
  return order.side === "BUY" ? market.baseAssetId : market.quoteAssetId;
}

function unitsText(engine: EngineView, assetId: number, units: bigint): string {
  return decimalText(units, engine.asset(assetId).spec.precision);
}

/** The fields from `price` to `side`, plus those that only some orders have. */
function stateJson(engine: EngineView, market: MarketView, order: OrderRecord, hasQuantity = true): string {
  const { priceDecimals, quantityDecimals } = market.scale;
  return (
    `"price":"${fromScale(order.priceTicks, priceDecimals)}",` +
    (hasQuantity ? `"origQty":"${fromScale(order.quantityLots, quantityDecimals)}",` : "") +
    `"executedQty":"${fromScale(order.executedLots, quantityDecimals)}","cummulativeQuoteQty":"` +
    `${unitsText(engine, market.quoteAssetId, order.executedQuote)}","origQuoteOrderQty":"` +
    `${unitsText(engine, market.quoteAssetId, order.quoteOrderQty)}","status":"${order.status}","timeInForce":"` +
    `${order.timeInForce}","type":"${order.type}","side":"${order.side}"` +
    stopAndIcebergJson(market, order) +
    laterJson(market, order) +
    preventedJson(market, order)
  );
}

function stopAndIcebergJson({ scale }: MarketView, { stopTicks, icebergLots }: OrderRecord): string {
  return (
    (stopTicks === 0 ? "" : `,"stopPrice":"${fromScale(stopTicks, scale.priceDecimals)}"`) +
    (icebergLots === 0 ? "" : `,"icebergQty":"${fromScale(icebergLots, scale.quantityDecimals)}"`)
  );
}

/** The fields of later versions of the original interface. Interface 2.2. */
function laterJson(market: MarketView, order: OrderRecord): string {
  const { strategyId = NO_STRATEGY, strategyType = 0, selfTradePrevention = "NONE", expiryReason = "NONE" } = order;
  const { trailingDelta = 0 } = order;
  return (
    (trailingDelta === 0 ? "" : `,"trailingDelta":${trailingDelta},"trailingTime":${trailingTimeMs(order)}`) +
    pegJson(market, order) +
    (strategyId === NO_STRATEGY ? "" : `,"strategyId":${strategyId}`) +
    (strategyType === 0 ? "" : `,"strategyType":${strategyType}`) +
    `,"selfTradePreventionMode":"${selfTradePrevention}"` +
    (expiryReason === "NONE" ? "" : `,"expiryReason":"${expiryReason}"`)
  );
}

/** The price of the book that a pegged order takes, and the one that it has taken; "" for other orders. */
function pegJson({ scale }: MarketView, { pegTo = "NONE", pegLevel = 0, peggedTicks = 0 }: OrderRecord): string {
  if (pegTo === "NONE") return "";
  return (
    `,"pegPriceType":"${pegTo}"` +
    (pegLevel === 0 ? "" : `,"pegOffsetType":"PRICE_LEVEL","pegOffsetValue":${pegLevel}`) +
    (peggedTicks === 0 ? "" : `,"peggedPrice":"${fromScale(peggedTicks, scale.priceDecimals)}"`)
  );
}

/** What self-trade prevention took from the order; "" if nothing. */
function preventedJson({ scale }: MarketView, { preventedLots = 0, preventedMatchId }: OrderRecord): string {
  if (preventedLots === 0) return "";
  const quantity = fromScale(preventedLots, scale.quantityDecimals);
  return `,"preventedMatchId":${preventedMatchId},"preventedQuantity":"${quantity}"`;
}

/** The order's side of a trade; undefined if the order is not part of the trade. */
function fillOf(event: Trade, orderId: number): Fill | undefined {
  if (event.taker.order.orderId === orderId) return event.taker;
  return event.maker.order.orderId === orderId ? event.maker : undefined;
}

interface PlacedOrder {
  /** The state of the order after its last event. */
  readonly order: OrderRecord;
  /** JSON of the fills, without the brackets. */
  readonly fills: string;
  /** JSON of the matches that were prevented, with the order as the taker. */
  readonly preventedMatches: string;
  readonly tradeGroupId: number;
}

function readPlaced(
  engine: EngineView,
  market: MarketView,
  opened: OrderRecord,
  events: readonly Event[],
): PlacedOrder {
  let order = opened;
  let fills = "";
  let preventedMatches = "";
  let tradeGroupId = NO_TRADE_GROUP;
  for (const event of events) {
    if (event.type === "orderEnded") {
      if (event.order.orderId === opened.orderId) order = event.order;
    } else if (event.type === "tradePrevented") {
      order = lossesOf(event).find((loss) => loss.order.orderId === opened.orderId)?.order ?? order;
      if (event.taker.orderId !== opened.orderId) continue;
      preventedMatches += `${preventedMatches === "" ? "" : ","}${JSON.stringify(preventedMatchShape(market, event))}`;
      tradeGroupId = event.tradeGroupId;
    } else if (event.type === "trade") {
      const fill = fillOf(event, opened.orderId);
      if (fill === undefined) continue;
      order = fill.order;
      fills +=
        `${fills === "" ? "" : ","}{"price":"${fromScale(event.priceTicks, market.scale.priceDecimals)}","qty":"` +
        `${fromScale(event.lots, market.scale.quantityDecimals)}","commission":"` +
        `${unitsText(engine, fill.commissionAssetId, fill.commission)}","commissionAsset":"` +
        `${engine.asset(fill.commissionAssetId).spec.asset}","tradeId":${event.tradeId}}`;
    }
  }
  return { order, fills, preventedMatches, tradeGroupId };
}

/** The ACK, RESULT or FULL response to a placement, from the placement's events. */
export function placedJson(
  engine: EngineView,
  market: MarketView,
  opened: OrderRecord,
  events: readonly Event[],
  timeMs: number,
  type: ResponseType,
): string {
  const { orderListId, clientOrderId } = opened;
  const ack =
    `{"symbol":"${market.spec.symbol}","orderId":${orderNumberOf(opened.orderId)},"orderListId":${orderListId},` +
    `"clientOrderId":"${clientOrderId}","transactTime":${timeMs}`;
  if (type === "ACK") return `${ack}}`;
  const { order, fills, preventedMatches, tradeGroupId } = readPlaced(engine, market, opened, events);
  const assetId = receivedAssetId(market, order);
  // The quantity of a pending OPO order is what the working order buys.
  const hasQuantity = order.quantityLots !== 0 || order.quoteOrderQty !== 0n;
  const result =
    `${ack},${stateJson(engine, market, order, hasQuantity)},"workingTime":${workingTimeMs(order)},"commission":"${unitsText(engine, assetId, order.commission)}",` +
    `"commissionAsset":"${engine.asset(assetId).spec.asset}"` +
    (tradeGroupId === NO_TRADE_GROUP ? "" : `,"tradeGroupId":${tradeGroupId}`);
  if (type === "RESULT") return `${result}}`;
  const prevented = preventedMatches === "" ? "" : `,"preventedMatches":[${preventedMatches}]`;
  return `${result},"fills":[${fills}]${prevented}}`;
}

function preventedMatchShape({ spec, scale }: MarketView, event: Event<"tradePrevented">): object {
  return preventedMatch({ ...scale, symbol: spec.symbol }, { ...event, makerOrderId: event.maker.orderId });
}

/** The final state of a canceled order. */
function canceledJson(engine: EngineView, market: MarketView, event: OrderEnded, timeMs: number): string {
  const { order } = event;
  return (
    `{"symbol":"${market.spec.symbol}","origClientOrderId":"${order.clientOrderId}",` +
    `"orderId":${orderNumberOf(order.orderId)},"orderListId":${order.orderListId},"clientOrderId":"${event.cancelClientOrderId}","transactTime":${timeMs},` +
    `${stateJson(engine, market, order)}}`
  );
}

/** The response to an amendment, from its events: the order with this client id, and its list if that executed. */
export function amendedJson(
  engine: EngineView,
  market: MarketView,
  clientOrderId: string,
  events: readonly Event[],
  timeMs: number,
): string {
  const index = events.findIndex(
    (event) => event.type === "orderAmended" && event.order.clientOrderId === clientOrderId,
  );
  const amended = events[index];
  if (amended?.type !== "orderAmended") throw new TypeError("an amended order is reported first");
  const { orderListId } = amended.order;
  const orderId = orderNumberOf(amended.order.orderId);
  const order = readPlaced(engine, market, amended.order, events).order;
  const { priceDecimals, quantityDecimals } = market.scale;
  const quantity = (lots: number): string => fromScale(lots, quantityDecimals);
  const quote = (units: bigint): string => unitsText(engine, market.quoteAssetId, units);
  const ended = events.findLast((event) => event.type === "orderListChanged");
  const list = engine.openOrderList(orderListId) ?? ended?.list;
  return (
    `{"transactTime":${timeMs},"executionId":${executionIdOf(engine, events, index)},"amendedOrder":{"symbol":"` +
    `${market.spec.symbol}","orderId":${orderId},"orderListId":${orderListId},"origClientOrderId":"` +
    `${amended.origClientOrderId}","clientOrderId":"${clientOrderId}","price":"` +
    `${fromScale(order.priceTicks, priceDecimals)}","qty":"${quantity(order.quantityLots)}","executedQty":"` +
    `${quantity(order.executedLots)}","preventedQty":"${quantity(order.preventedLots ?? 0)}","quoteOrderQty":"` +
    `${quote(order.quoteOrderQty)}","cumulativeQuoteQty":"${quote(order.executedQuote)}","status":"${order.status}",` +
    `"timeInForce":"${order.timeInForce}","type":"${order.type}","side":"${order.side}",` +
    `"workingTime":${workingTimeMs(order)}${stopAndIcebergJson(market, order)}${laterJson(market, order)}}` +
    `${list === undefined ? "" : `,"listStatus":${listStatusJson(market, list, ended?.listOrderStatus === "ALL_DONE")}`}}`
  );
}

function listStatusJson(market: MarketView, list: OrderListRecord, isDone: boolean): string {
  const { listStatusType: _type, transactionTime: _time, ...status } = orderListShape(market.spec.symbol, list, isDone);
  return JSON.stringify(status);
}

export function openOrderShape(engine: EngineView, order: OrderRecord): OrderShape {
  const { spec, scale, baseAssetId, quoteAssetId } = engine.market(order.symbolId);
  const asset = (assetId: number): AssetUnits => {
    const { asset: name, precision } = engine.asset(assetId).spec;
    return { asset: name, decimals: precision };
  };
  const { priceDecimals, quantityDecimals } = scale;
  const [base, quote] = [asset(baseAssetId), asset(quoteAssetId)];
  return orderShape({ symbol: spec.symbol, priceDecimals, quantityDecimals, base, quote }, order);
}

// Order lists.

export function openListShape(engine: EngineView, list: OrderListRecord): ListShape {
  return orderListShape(engine.market(list.symbolId).spec.symbol, list);
}

function withReports(shape: ListShape, reports: readonly string[]): string {
  return `${JSON.stringify(shape).slice(0, -1)},"orderReports":[${reports.join(",")}]}`;
}

/** Whether the list's working order was filled, and this event places or rejects a pending order. */
function releases(event: Event, orderListId: number): boolean {
  if (event.type !== "orderReleased" && event.type !== "orderEnded") return false;
  if (event.order.orderListId !== orderListId) return false;
  const { expiryReason } = event.order;
  return event.type === "orderReleased" || expiryReason === "REJECTED" || expiryReason === "OCO_TRIGGER";
}

/**
 * The response to the placement of a list, with its orders, from the placement's events. It does not show what becomes
 * of pending orders that are placed at once, because the working order was filled.
 */
export function placedListJson(
  engine: EngineView,
  market: MarketView,
  events: readonly Event[],
  type: ResponseType,
): string {
  const placed = events.find((event) => event.type === "orderListChanged");
  if (placed === undefined) throw new TypeError("a placed list is reported");
  const { list } = placed;
  const released = events.findIndex((event) => releases(event, list.orderListId));
  const shown = released === -1 ? events : events.slice(0, released);
  const isDone = shown.some(
    (event) =>
      event.type === "orderListChanged" &&
      event.listOrderStatus === "ALL_DONE" &&
      event.list.orderListId === list.orderListId,
  );
  const reports = shown
    .filter((event) => event.type === "orderOpened")
    .filter(({ order }) => order.orderListId === list.orderListId)
    .map(({ order }) => placedJson(engine, market, order, shown, list.timeMs, type));
  return withReports(orderListShape(market.spec.symbol, list, isDone), reports);
}

/** A canceled order, or a canceled list with its open orders. */
export interface Ending {
  readonly list: OrderListRecord | undefined;
  readonly orders: readonly OrderEnded[];
}

/**
 * The canceled orders and lists in the order of their events. The end of a list directly follows the ends of its open
 * orders. An order whose list has ended before counts as a single order.
 */
export function endingsIn(events: readonly Event[]): Ending[] {
  const endings: Ending[] = [];
  for (const event of events) {
    if (event.type === "orderEnded") endings.push({ list: undefined, orders: [event] });
    if (event.type !== "orderListChanged") continue;
    const { orderListId } = event.list;
    const isOther = ({ list, orders }: Ending): boolean =>
      list !== undefined || orders[0]?.order.orderListId !== orderListId;
    const ended = endings.splice(endings.findLastIndex(isOther) + 1).flatMap(({ orders }) => orders);
    endings.push({ list: event.list, orders: ended });
  }
  return endings;
}

export function endingJson(engine: EngineView, market: MarketView, { list, orders }: Ending, timeMs: number): string {
  const bodies = orders.map((event) => canceledJson(engine, market, event, timeMs));
  if (list === undefined) return bodies.join("");
  return withReports(orderListShape(market.spec.symbol, { ...list, timeMs }, true), bodies);
}

/** One response body per canceled order and list. */
export function canceledBodies(
  engine: EngineView,
  market: MarketView,
  events: readonly Event[],
  timeMs: number,
): string[] {
  return endingsIn(events).map((ending) => endingJson(engine, market, ending, timeMs));
}
