/** The bodies about orders. Interface 2.2, 2.3. Written by hand: they are the hot path. */
import { formatDecimal, fromScale } from "@pricetime/engine";
import type { EngineView, Event, Fill, MarketView, Order, OrderEnded, Trade } from "@pricetime/engine";
import type { OrderRecord, ResponseType } from "@pricetime/protocol";
import type { OrderRow } from "../../history/port.ts";
import { ZERO } from "./amounts.ts";

/** What an order had done when an event of it was made. */
interface Progress {
  readonly status: string;
  readonly executedLots: number;
  readonly executedQuote: bigint;
}

/** The asset that an order receives, and so pays commission in. */
function receivedAssetId(market: MarketView, order: Readonly<Order>): number {
  return order.side === "BUY" ? market.baseAssetId : market.quoteAssetId;
}

function unitsText(engine: EngineView, assetId: number, units: bigint): string {
  return units === 0n ? ZERO : formatDecimal(units, engine.asset(assetId).spec.precision);
}

/** From `price` to `side`, and the stop price and iceberg quantity of orders that have them. */
function stateJson(engine: EngineView, market: MarketView, order: Readonly<Order>, progress: Progress): string {
  const { priceDecimals, quantityDecimals } = market.scale;
  return (
    `"price":"${fromScale(order.priceTicks, priceDecimals)}","origQty":"${fromScale(order.quantityLots, quantityDecimals)}` +
    `","executedQty":"${fromScale(progress.executedLots, quantityDecimals)}","cummulativeQuoteQty":"` +
    `${unitsText(engine, market.quoteAssetId, progress.executedQuote)}","origQuoteOrderQty":"` +
    `${unitsText(engine, market.quoteAssetId, order.quoteOrderQty)}","status":"${progress.status}","timeInForce":"` +
    `${order.timeInForce}","type":"${order.type}","side":"${order.side}"` +
    (order.stopTicks === 0 ? "" : `,"stopPrice":"${fromScale(order.stopTicks, priceDecimals)}"`) +
    (order.icebergLots === 0 ? "" : `,"icebergQty":"${fromScale(order.icebergLots, quantityDecimals)}"`)
  );
}

/** The order's own side of a trade, or undefined when it is not the order's trade. */
function fillOf(event: Trade, orderId: number): Fill | undefined {
  if (event.taker.order.orderId === orderId) return event.taker;
  return event.maker.order.orderId === orderId ? event.maker : undefined;
}

interface PlacedOrder {
  readonly progress: Progress;
  readonly commission: bigint;
  /** JSON of the fills, without the brackets. */
  readonly fills: string;
}

function readPlaced(
  engine: EngineView,
  market: MarketView,
  order: Readonly<Order>,
  events: readonly Event[],
): PlacedOrder {
  let progress: Progress = { status: "NEW", executedLots: 0, executedQuote: 0n };
  let commission = 0n;
  let fills = "";
  for (const event of events) {
    if (event.type === "orderEnded") {
      if (event.order.orderId === order.orderId) progress = event;
    } else if (event.type === "trade") {
      const fill = fillOf(event, order.orderId);
      if (fill === undefined) continue;
      progress = fill;
      commission += fill.commission;
      fills +=
        `${fills === "" ? "" : ","}{"price":"${fromScale(event.priceTicks, market.scale.priceDecimals)}","qty":"` +
        `${fromScale(event.lots, market.scale.quantityDecimals)}","commission":"` +
        `${unitsText(engine, fill.commissionAssetId, fill.commission)}","commissionAsset":"` +
        `${engine.asset(fill.commissionAssetId).spec.asset}","tradeId":${event.tradeId}}`;
    }
  }
  return { progress, commission, fills };
}

/** ACK, RESULT or FULL: what the events of a placement say of the order that they open with. */
export function placedJson(
  engine: EngineView,
  market: MarketView,
  order: Readonly<Order>,
  events: readonly Event[],
  timeMs: number,
  type: ResponseType,
): string {
  const ack =
    `{"symbol":"${market.spec.symbol}","orderId":${order.orderId},"orderListId":${order.orderListId},"clientOrderId":"` +
    `${order.clientOrderId}","transactTime":${timeMs}`;
  if (type === "ACK") return `${ack}}`;
  const { progress, commission, fills } = readPlaced(engine, market, order, events);
  const assetId = receivedAssetId(market, order);
  const result =
    `${ack},${stateJson(engine, market, order, progress)},"commission":"${unitsText(engine, assetId, commission)}",` +
    `"commissionAsset":"${engine.asset(assetId).spec.asset}"`;
  return type === "RESULT" ? `${result}}` : `${result},"fills":[${fills}]}`;
}

/** The final state of a cancelled order. */
export function canceledJson(engine: EngineView, market: MarketView, event: OrderEnded, timeMs: number): string {
  const { order } = event;
  return (
    `{"symbol":"${market.spec.symbol}","origClientOrderId":"${order.clientOrderId}","orderId":${order.orderId},` +
    `"orderListId":${order.orderListId},"clientOrderId":"${event.cancelClientOrderId}","transactTime":${timeMs},` +
    `${stateJson(engine, market, order, event)}}`
  );
}

/** An order of the engine's memory as history would show it. */
export function openOrderRow(engine: EngineView, market: MarketView, order: Readonly<Order>): OrderRow {
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

/** Interface 2.2. */
export function orderShape(engine: EngineView, row: OrderRow): OrderRecord {
  return {
    symbol: engine.market(row.symbolId).spec.symbol,
    orderId: row.orderId,
    orderListId: row.orderListId,
    clientOrderId: row.clientOrderId,
    price: row.price,
    origQty: row.origQty,
    executedQty: row.executedQty,
    cummulativeQuoteQty: row.cummulativeQuoteQty,
    status: row.status,
    timeInForce: row.timeInForce,
    type: row.type,
    side: row.side,
    stopPrice: row.stopPrice,
    icebergQty: row.icebergQty,
    time: row.timeMs,
    updateTime: row.updateTimeMs,
    isWorking: row.isWorking,
    origQuoteOrderQty: row.origQuoteOrderQty,
    commission: row.commission,
    commissionAsset: engine.asset(row.commissionAssetId).spec.asset,
  };
}
