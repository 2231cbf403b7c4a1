/** DELETE order and openOrders. Interface 4.2, FACTS 2.4 and 0.16. */
import type { OrderEnded } from "@pricetime/engine";
import type { Outcome } from "../../sequencer/port.ts";
import type { Call, DEFERRED } from "../call.ts";
import { newClientOrderId } from "../ids.ts";
import { marketOf } from "./markets.ts";
import { canceledJson } from "./order-shape.ts";
import { refusalOf, submit } from "./submit.ts";

function canceledOrders(outcome: Outcome): OrderEnded[] {
  return outcome.events.filter((event) => event.type === "orderEnded");
}

export function cancelOrder(call: Call): typeof DEFERRED {
  const market = marketOf(call);
  const orderId = call.integer("orderId");
  // To the engine 0 means that no id was sent; no order has it.
  if (orderId === 0) throw refusalOf("UNKNOWN_ORDER", "cancel");
  return submit(
    call,
    {
      type: "cancelOrder",
      accountId: call.accountId(),
      symbolId: market.symbolId,
      orderId: orderId ?? 0,
      origClientOrderId: call.optionalText("origClientOrderId") ?? "",
      newClientOrderId: call.optionalText("newClientOrderId") ?? newClientOrderId(),
    },
    {
      context: "cancel",
      body: (outcome) => {
        const [canceled] = canceledOrders(outcome);
        if (canceled === undefined) throw new TypeError("a cancel ends an order");
        return canceledJson(call.venue.engine, market, canceled, outcome.timeMs);
      },
    },
  );
}

export function cancelOpenOrders(call: Call): typeof DEFERRED {
  const market = marketOf(call);
  return submit(
    call,
    {
      type: "cancelOpenOrders",
      accountId: call.accountId(),
      symbolId: market.symbolId,
      newClientOrderId: newClientOrderId(),
    },
    {
      context: "cancel",
      body: (outcome) => {
        const { engine } = call.venue;
        const bodies = canceledOrders(outcome).map((event) => canceledJson(engine, market, event, outcome.timeMs));
        return `[${bodies.join(",")}]`;
      },
    },
  );
}
