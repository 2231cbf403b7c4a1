/** POST order and order/test. Interface 4.2, 2.3. */
import { parseDecimal, toScale } from "@pricetime/engine";
import type { EngineView, MarketView, PlaceOrder } from "@pricetime/engine";
import { BAD_PRECISION, isApiError, orderRequest } from "@pricetime/protocol";
import type { OrderRequest, ResponseType } from "@pricetime/protocol";
import type { Outcome } from "../../sequencer/port.ts";
import type { Call, DEFERRED } from "../call.ts";
import { newClientOrderId } from "../ids.ts";
import { orderLimitRefusal } from "../limits/refusal.ts";
import { Refused } from "../refusals.ts";
import { marketOf } from "./markets.ts";
import { placedJson } from "./order-shape.ts";
import { refusalOf, submit } from "./submit.ts";

function requestOf(call: Call, market: MarketView): OrderRequest {
  const { engine } = call.venue;
  const baseDecimals = engine.asset(market.baseAssetId).spec.precision;
  const quoteDecimals = engine.asset(market.quoteAssetId).spec.precision;
  const request = orderRequest(call.values, baseDecimals, quoteDecimals);
  if (isApiError(request)) throw new Refused(request);
  return request;
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

function commandOf(call: Call, market: MarketView, request: OrderRequest): PlaceOrder {
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
    clientOrderId: request.newClientOrderId === "" ? newClientOrderId() : request.newClientOrderId,
  };
}

function placedBody(call: Call, market: MarketView, type: ResponseType, outcome: Outcome): string {
  const opened = outcome.events[0];
  if (opened?.type !== "orderOpened") throw new TypeError("a placed order opens first");
  call.placedOrders = true;
  return placedJson(call.venue.engine, market, opened.order, outcome.events, outcome.timeMs, type);
}

/** Takes the order's place in the ORDERS limits before anything is written to the journal. */
export function placeOrder(call: Call): typeof DEFERRED {
  const market = marketOf(call);
  const request = requestOf(call, market);
  const command = commandOf(call, market, request);
  const { orderLimiter } = call.venue;
  const over = orderLimiter.reserve(command.accountId, 1, call.wallMs);
  if (over !== null) throw orderLimitRefusal(over);
  return submit(call, command, {
    context: "place",
    orderType: request.type,
    body: (outcome) => placedBody(call, market, request.newOrderRespType, outcome),
    undone: () => orderLimiter.release(command.accountId, 1, call.wallMs),
  });
}

/** Every check but funds; changes nothing and is not counted as an order. */
export function testOrder(call: Call): string {
  const market = marketOf(call);
  const request = requestOf(call, market);
  const reason = call.venue.engine.check(commandOf(call, market, request), call.nowMs);
  if (reason !== null) throw refusalOf(reason, "place", request.type);
  return "{}";
}
