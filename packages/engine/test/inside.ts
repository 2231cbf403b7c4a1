/** The engine's state, for what no event or view tells: what an order has locked and what of it the book shows. */
import type { Engine } from "@pricetime/engine";
import { present } from "../src/assert.ts";
import type { Order } from "../src/state/order/order.ts";

export function liveOrder(engine: Engine, orderId: number): Order {
  return present(engine.state.orders.get(orderId), "the order is open");
}
