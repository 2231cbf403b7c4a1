/** The JSON bodies about orders and order lists. Interface 2.2, 2.3, 2.9, 3.5. JSON is written by hand on this hot path. */
import {
  type EngineView,
  type Event,
  type Fill,
  formatDecimal,
  fromScale,
  type MarketView,
  type OrderEnded,
  type OrderListChanged,
  type OrderListRecord,
  type OrderRecord,
  type Trade,
} from "@pricetime/engine";
import type { ResponseType } from "@pricetime/protocol";
import type { OrderListRow, OrderRow } from "../../history/shapes/rows.ts";
import { ZERO } from "../../history/shapes/amounts.ts";
import { orderListShape } from "../../history/shapes/pages.ts";
import { namesOf } from "../parameters.ts";

/** The asset that an order receives, in which it pays commission. */
function receivedAssetId(market: MarketView, order: OrderRecord): number {
  return order.side === "BUY" ? market.baseAssetId : market.quoteAssetId;
}

function unitsText(engine: EngineView, assetId: number, units: bigint): string {
  return units === 0n ? ZERO : formatDecimal(units, engine.asset(assetId).spec.precision);
}

/** The fields from `price` to `side`, and the stop price and iceberg quantity of orders that have them. */
function stateJson(engine: EngineView, market: MarketView, order: OrderRecord): string {
  const { priceDecimals, quantityDecimals } = market.scale;
  return (
    `"price":"${fromScale(order.priceTicks, priceDecimals)}","origQty":"${fromScale(order.quantityLots, quantityDecimals)}` +
    `","executedQty":"${fromScale(order.executedLots, quantityDecimals)}","cummulativeQuoteQty":"` +
    `${unitsText(engine, market.quoteAssetId, order.executedQuote)}","origQuoteOrderQty":"` +
    `${unitsText(engine, market.quoteAssetId, order.quoteOrderQty)}","status":"${order.status}","timeInForce":"` +
    `${order.timeInForce}","type":"${order.type}","side":"${order.side}"` +
    (order.stopTicks === 0 ? "" : `,"stopPrice":"${fromScale(order.stopTicks, priceDecimals)}"`) +
    (order.icebergLots === 0 ? "" : `,"icebergQty":"${fromScale(order.icebergLots, quantityDecimals)}"`)
  );
}

/** The order's own side of a trade, or undefined when the trade is not the order's. */
function fillOf(event: Trade, orderId: number): Fill | undefined {
  if (event.taker.order.orderId === orderId) return event.taker;
  return event.maker.order.orderId === orderId ? event.maker : undefined;
}

interface PlacedOrder {
  /** The order as of the last event. */
  readonly order: OrderRecord;
  /** JSON of the fills, without the brackets. */
  readonly fills: string;
}

function readPlaced(
  engine: EngineView,
  market: MarketView,
  opened: OrderRecord,
  events: readonly Event[],
): PlacedOrder {
  let order = opened;
  let fills = "";
  for (const event of events) {
    if (event.type === "orderEnded") {
      if (event.order.orderId === opened.orderId) order = event.order;
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
  return { order, fills };
}

/** ACK, RESULT or FULL: the order that the events of a placement begin with, as they report it. */
export function placedJson(
  engine: EngineView,
  market: MarketView,
  opened: OrderRecord,
  events: readonly Event[],
  timeMs: number,
  type: ResponseType,
): string {
  const { orderId, orderListId, clientOrderId } = opened;
  const ack =
    `{"symbol":"${market.spec.symbol}","orderId":${orderId},"orderListId":${orderListId},"clientOrderId":"` +
    `${clientOrderId}","transactTime":${timeMs}`;
  if (type === "ACK") return `${ack}}`;
  const { order, fills } = readPlaced(engine, market, opened, events);
  const assetId = receivedAssetId(market, order);
  const result =
    `${ack},${stateJson(engine, market, order)},"commission":"${unitsText(engine, assetId, order.commission)}",` +
    `"commissionAsset":"${engine.asset(assetId).spec.asset}"`;
  return type === "RESULT" ? `${result}}` : `${result},"fills":[${fills}]}`;
}

/** The final state of a cancelled order. */
function canceledJson(engine: EngineView, market: MarketView, event: OrderEnded, timeMs: number): string {
  const { order } = event;
  return (
    `{"symbol":"${market.spec.symbol}","origClientOrderId":"${order.clientOrderId}","orderId":${order.orderId},` +
    `"orderListId":${order.orderListId},"clientOrderId":"${event.cancelClientOrderId}","transactTime":${timeMs},` +
    `${stateJson(engine, market, order)}}`
  );
}

/** An order in the engine's memory in the form of a row of history. */
export function openOrderRow(engine: EngineView, market: MarketView, order: OrderRecord): OrderRow {
  const { priceDecimals, quantityDecimals } = market.scale;
  const assetId = receivedAssetId(market, order);
  return {
    symbolId: order.symbolId,
    orderId: order.orderId,
    orderListId: order.orderListId,
    clientOrderId: order.clientOrderId,
    price: fromScale(order.priceTicks, priceDecimals),
    origQty: fromScale(order.quantityLots, quantityDecimals),
    executedQty: fromScale(order.executedLots, quantityDecimals),
    cummulativeQuoteQty: unitsText(engine, market.quoteAssetId, order.executedQuote),
    origQuoteOrderQty: unitsText(engine, market.quoteAssetId, order.quoteOrderQty),
    status: order.status,
    timeInForce: order.timeInForce,
    type: order.type,
    side: order.side,
    stopPrice: fromScale(order.stopTicks, priceDecimals),
    icebergQty: fromScale(order.icebergLots, quantityDecimals),
    timeMs: order.timeMs,
    updateTimeMs: order.updateTimeMs,
    isWorking: order.isWorking,
    commission: unitsText(engine, assetId, order.commission),
    commissionAssetId: assetId,
  };
}

// Order lists.

/** A list in the engine's memory in the form of a row of history. */
export function openOrderListRow(list: OrderListRecord): OrderListRow {
  return listRow(list, "EXECUTING", list.timeMs);
}

function listRow(
  list: OrderListRecord,
  listOrderStatus: OrderListRow["listOrderStatus"],
  timeMs: number,
): OrderListRow {
  return {
    orderListId: list.orderListId,
    symbolId: list.symbolId,
    listClientOrderId: list.listClientOrderId,
    listOrderStatus,
    timeMs,
    orders: [list.stopLeg, list.limitLeg].map(({ orderId, clientOrderId }) => ({ orderId, clientOrderId })),
  };
}

function withReports(engine: EngineView, row: OrderListRow, reports: readonly string[]): string {
  const list = JSON.stringify(orderListShape(namesOf(engine), row));
  return `${list.slice(0, -1)},"orderReports":[${reports.join(",")}]}`;
}

/** The list and its two orders as the events of a placement report them. */
export function placedListJson(
  engine: EngineView,
  market: MarketView,
  { list }: OrderListChanged,
  events: readonly Event[],
  type: ResponseType,
): string {
  const reports = events
    .filter((event) => event.type === "orderOpened")
    .map(({ order }) => placedJson(engine, market, order, events, list.timeMs, type));
  return withReports(engine, openOrderListRow(list), reports);
}

/** The ended order, or the ended list with its two orders. */
export interface Ending {
  readonly list: OrderListRecord | undefined;
  readonly orders: readonly OrderEnded[];
}

/**
 * In order. The end of a list follows directly after the ends of its two orders; an order that has outlived its list is
 * cancelled like any other.
 */
export function endingsIn(events: readonly Event[]): Ending[] {
  const endings: Ending[] = [];
  for (const event of events) {
    if (event.type === "orderEnded") endings.push({ list: undefined, orders: [event] });
    if (event.type !== "orderListChanged") continue;
    const legs = endings.splice(-2).flatMap(({ orders }) => orders);
    endings.push({ list: event.list, orders: legs });
  }
  return endings;
}

export function endingJson(engine: EngineView, market: MarketView, { list, orders }: Ending, timeMs: number): string {
  const bodies = orders.map((event) => canceledJson(engine, market, event, timeMs));
  return list === undefined ? bodies.join("") : withReports(engine, listRow(list, "ALL_DONE", timeMs), bodies);
}

/** A body for each order and each list that a cancel ended. */
export function canceledBodies(
  engine: EngineView,
  market: MarketView,
  events: readonly Event[],
  timeMs: number,
): string[] {
  return endingsIn(events).map((ending) => endingJson(engine, market, ending, timeMs));
}
