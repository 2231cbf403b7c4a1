/** Access to internal state that no event or view contains: locked funds and visible lots of an order. */
import type { Engine } from "@pricetime/engine";
import { present } from "../src/assert.ts";
import type { Order } from "../src/state/order/order.ts";

export function liveOrder(engine: Engine, orderId: number): Order {
  return present(engine.state.orders.get(orderId), "the order is open");
}
