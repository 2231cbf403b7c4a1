/** POST order/oco and orderList/oco, DELETE orderList. Interface 4.3, 3.5. */
import { type MarketView, ORDERS_OF_A_LIST, type OrderType } from "@pricetime/engine";
import type { ListRequest } from "@pricetime/protocol";
import type { Call, DEFERRED } from "../call.ts";
import { marketOf } from "../markets.ts";
import { listRequestOf, orGenerated, placeListCommand } from "./order-command.ts";
import { canceledBodies, placedListJson } from "./order-list-shape.ts";
import { reserveOrders } from "./reserve-orders.ts";
import { submit } from "../submit.ts";

/** The order type that a refusal would name. */
function refusedType({ spec }: MarketView, { stopLeg, limitLeg }: ListRequest): OrderType {
  return spec.orderTypes.includes(stopLeg.type) ? limitLeg.type : stopLeg.type;
}

export function placeList(call: Call): typeof DEFERRED {
  const market = marketOf(call);
  const request = listRequestOf(call, market);
  const command = placeListCommand(call, market, request);
  return submit(call, command, {
    context: "place",
    orderType: refusedType(market, request),
    settled: reserveOrders(call, ORDERS_OF_A_LIST),
    body: ({ events }) => {
      const placed = events.find((event) => event.type === "orderListChanged");
      if (placed === undefined) throw new TypeError("a placed list says so");
      return placedListJson(call.venue.engine, market, placed, events, request.newOrderRespType);
    },
  });
}

/** No list has this id, and its successor can still be journaled. */
const LARGEST_LIST_ID = Number.MAX_SAFE_INTEGER - 1;

export function cancelList(call: Call): typeof DEFERRED {
  const market = marketOf(call);
  const command = {
    type: "cancelOrderList",
    accountId: call.accountId(),
    symbolId: market.symbolId,
    orderListId: Math.min(call.integer("orderListId") ?? -1, LARGEST_LIST_ID),
    listClientOrderId: call.optionalText("listClientOrderId") ?? "",
    newClientOrderId: orGenerated(call, call.optionalText("newClientOrderId") ?? ""),
  } as const;
  return submit(call, command, {
    context: "cancel",
    body: ({ events, timeMs }) => canceledBodies(call.venue.engine, market, events, timeMs).join(""),
  });
}
