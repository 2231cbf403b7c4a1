/** The engine's state, for what no event or view tells: what an order has locked and what of it the book shows. */
import type { Engine } from "@pricetime/engine";
import { present } from "../src/assert.ts";
import type { ExchangeState } from "../src/state/exchange-state.ts";
import type { Order } from "../src/state/order/order.ts";

function stateOf(engine: Engine): ExchangeState {
  return (engine as unknown as { readonly state: ExchangeState }).state;
}

export function liveOrder(engine: Engine, orderId: number): Order {
  return present(stateOf(engine).orders.get(orderId), "the order is open");
}
