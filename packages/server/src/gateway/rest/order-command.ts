/** From the decimals of a request to a command in ticks and lots. */
import { parseDecimal, toScale } from "@pricetime/engine";
import type { EngineView, ListLeg, MarketView, PlaceOco, PlaceOrder } from "@pricetime/engine";
import {
  aboveBelowRequest,
  BAD_PRECISION,
  isApiError,
  ocoRequest,
  orderRequest,
  SELF_TRADE_PREVENTION_NOT_ALLOWED,
} from "@pricetime/protocol";
import type { ApiError, LegRequest, ListRequest, OrderRequest } from "@pricetime/protocol";
import type { Call } from "../call.ts";
import { Refused } from "../refusals.ts";

type Reader<T> = (values: Call["values"], baseDecimals: number, quoteDecimals: number) => T | ApiError;

function requestOf<T extends object>(call: Call, market: MarketView, read: Reader<T>): T {
  if ((call.optionalText("selfTradePreventionMode") ?? "NONE") !== "NONE") {
    throw new Refused(SELF_TRADE_PREVENTION_NOT_ALLOWED);
  }
  const { engine } = call.venue;
  const baseDecimals = engine.asset(market.baseAssetId).spec.precision;
  const quoteDecimals = engine.asset(market.quoteAssetId).spec.precision;
  const request = read(call.values, baseDecimals, quoteDecimals);
  if (isApiError(request)) throw new Refused(request);
  return request;
}

export function orderRequestOf(call: Call, market: MarketView): OrderRequest {
  return requestOf(call, market, orderRequest);
}

/** Of POST order/oco and of POST orderList/oco, which name the same things differently. */
export function listRequestOf(call: Call, market: MarketView): ListRequest {
  const read: Reader<ListRequest> = call.endpoint.id === "orderList.place" ? ocoRequest : aboveBelowRequest;
  return requestOf(call, market, read);
}

/** 0 when it was not sent; OFF_SCALE when the symbol cannot hold it, which then fails the symbol's filter. */
function scaled(text: string, decimals: number): number {
  return text === "" ? 0 : toScale(text, decimals);
}

function quoteUnits(engine: EngineView, market: MarketView, text: string): bigint {
  if (text === "") return 0n;
  const units = parseDecimal(text, engine.asset(market.quoteAssetId).spec.precision);
  if (units === null) throw new Refused(BAD_PRECISION);
  return units;
}

/** A client order id as it was sent, or a new one. */
export function orGenerated(call: Call, clientOrderId: string): string {
  return clientOrderId === "" ? call.venue.ids.clientOrderId() : clientOrderId;
}

export function placeCommand(call: Call, market: MarketView, request: OrderRequest): PlaceOrder {
  const { priceDecimals, quantityDecimals } = market.scale;
  return {
    type: "placeOrder",
    accountId: call.accountId(),
    symbolId: market.symbolId,
    side: request.side,
    orderType: request.type,
    timeInForce: request.timeInForce,
    priceTicks: scaled(request.price, priceDecimals),
    quantityLots: scaled(request.quantity, quantityDecimals),
    stopTicks: scaled(request.stopPrice, priceDecimals),
    icebergLots: scaled(request.icebergQty, quantityDecimals),
    quoteOrderQty: quoteUnits(call.venue.engine, market, request.quoteOrderQty),
    clientOrderId: orGenerated(call, request.newClientOrderId),
  };
}

export function placeListCommand(call: Call, market: MarketView, request: ListRequest): PlaceOco {
  return {
    type: "placeOco",
    accountId: call.accountId(),
    symbolId: market.symbolId,
    side: request.side,
    quantityLots: scaled(request.quantity, market.scale.quantityDecimals),
    stopLeg: legOf(call, market, request.stopLeg),
    limitLeg: legOf(call, market, request.limitLeg),
    listClientOrderId: orGenerated(call, request.listClientOrderId),
  };
}

function legOf(call: Call, { scale }: MarketView, leg: LegRequest): ListLeg {
  return {
    orderType: leg.type,
    timeInForce: leg.timeInForce,
    priceTicks: scaled(leg.price, scale.priceDecimals),
    stopTicks: scaled(leg.stopPrice, scale.priceDecimals),
    icebergLots: scaled(leg.icebergQty, scale.quantityDecimals),
    clientOrderId: orGenerated(call, leg.clientOrderId),
  };
}
