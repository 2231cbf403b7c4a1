/** The bodies about orders. Interface 2.2, 2.3. Written by hand: they are the hot path. */
import { formatDecimal, fromScale } from "@pricetime/engine";
import type { EngineView, Event, Fill, MarketView, OrderRecord, OrderEnded, Trade } from "@pricetime/engine";
import type { ResponseType } from "@pricetime/protocol";
import type { OrderRow } from "../shapes/rows.ts";
import { ZERO } from "../shapes/amounts.ts";

/** What an order had done when an event of it was made. */
interface Progress {
  readonly status: string;
  readonly executedLots: number;
  readonly executedQuote: bigint;
}

/** The asset that an order receives, and so pays commission in. */
function receivedAssetId(market: MarketView, order: OrderRecord): number {
  return order.side === "BUY" ? market.baseAssetId : market.quoteAssetId;
}

function unitsText(engine: EngineView, assetId: number, units: bigint): string {
  return units === 0n ? ZERO : formatDecimal(units, engine.asset(assetId).spec.precision);
}

/** From `price` to `side`, and the stop price and iceberg quantity of orders that have them. */
function stateJson(engine: EngineView, market: MarketView, order: OrderRecord, progress: Progress): string {
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

function readPlaced(engine: EngineView, market: MarketView, order: OrderRecord, events: readonly Event[]): PlacedOrder {
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
  order: OrderRecord,
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

/** What changes of an order while it is open. */
export type OrderState = Pick<
  OrderRecord,
  "status" | "executedLots" | "executedQuote" | "commission" | "updateTimeMs" | "isWorking"
>;

/** An order of the engine's memory as history would show it: as it is, or as it was. */
export function openOrderRow(
  engine: EngineView,
  market: MarketView,
  order: OrderRecord,
  state: OrderState = order,
): OrderRow {
  const { priceDecimals, quantityDecimals } = market.scale;
  const assetId = receivedAssetId(market, order);
  return {
    symbolId: order.symbolId,
    orderId: order.orderId,
    orderListId: order.orderListId,
    clientOrderId: order.clientOrderId,
    price: fromScale(order.priceTicks, priceDecimals),
    origQty: fromScale(order.quantityLots, quantityDecimals),
    executedQty: fromScale(state.executedLots, quantityDecimals),
    cummulativeQuoteQty: unitsText(engine, market.quoteAssetId, state.executedQuote),
    origQuoteOrderQty: unitsText(engine, market.quoteAssetId, order.quoteOrderQty),
    status: state.status,
    timeInForce: order.timeInForce,
    type: order.type,
    side: order.side,
    stopPrice: fromScale(order.stopTicks, priceDecimals),
    icebergQty: fromScale(order.icebergLots, quantityDecimals),
    timeMs: order.timeMs,
    updateTimeMs: state.updateTimeMs,
    isWorking: state.isWorking,
    commission: unitsText(engine, assetId, state.commission),
    commissionAssetId: assetId,
  };
}
