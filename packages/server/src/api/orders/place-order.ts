/** POST order and order/test. Interface 4.2, 2.3. */
import type { MarketView } from "@pricetime/engine";
import type { ResponseType } from "@pricetime/protocol";
import type { Outcome } from "../../journal/sequencer/port.ts";
import type { Call, DEFERRED } from "../call.ts";
import { marketOf } from "../markets.ts";
import { orderRequestOf, placeCommand } from "./order-command.ts";
import { placedJson } from "./order-shape.ts";
import { reserveOrders } from "./reserve-orders.ts";
import { refusalOf, submit } from "../submit.ts";

function placedBody(call: Call, market: MarketView, type: ResponseType, outcome: Outcome): string {
  const opened = outcome.events[0];
  if (opened?.type !== "orderOpened") throw new TypeError("a placed order opens first");
  return placedJson(call.venue.engine, market, opened.order, outcome.events, outcome.timeMs, type);
}

export function placeOrder(call: Call): typeof DEFERRED {
  const market = marketOf(call);
  const request = orderRequestOf(call, market);
  const command = placeCommand(call, market, request);
  return submit(call, command, {
    context: "place",
    orderType: request.type,
    settled: reserveOrders(call, 1),
    body: (outcome) => placedBody(call, market, request.newOrderRespType, outcome),
  });
}

/** Makes every check except funds; changes nothing and is not counted as an order. */
export function testOrder(call: Call): string {
  const market = marketOf(call);
  const request = orderRequestOf(call, market);
  const reason = call.venue.engine.check(placeCommand(call, market, request), call.nowMs);
  if (reason !== null) throw refusalOf(reason, "place", request.type);
  return "{}";
}
