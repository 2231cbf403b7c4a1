/** Queries of orders: open ones in the engine's memory, all others in history. Interface 4.2. */
import type { MarketView } from "@pricetime/engine";
import { NO_SUCH_ORDER } from "@pricetime/protocol";
import type { OrderRow } from "../../history/shapes/rows.ts";
import { orderShape } from "../../history/shapes/orders.ts";
import type { Call } from "../call.ts";
import { Refused } from "../edge/refusals.ts";
import { marketOf, namesOf } from "../markets.ts";
import { openOrderRow } from "./order-shape.ts";
import { windowOf, ACCOUNT_LIST_MAX_HOURS } from "../windows.ts";

async function byOrderId(call: Call, market: MarketView, orderId: number): Promise<OrderRow | undefined> {
  const { engine, history } = call.venue;
  const open = engine.openOrder(orderId);
  if (open === undefined) return history.orderById(engine.seq, call.accountId(), market.symbolId, orderId);
  const isAsked = open.accountId === call.accountId() && open.symbolId === market.symbolId;
  return isAsked ? openOrderRow(engine, market, open) : undefined;
}

/** The latest order with the id; an open one is the latest, because no second can be opened beside it. */
async function byClientId(call: Call, market: MarketView, clientOrderId: string): Promise<OrderRow | undefined> {
  const { engine, history } = call.venue;
  const open = engine.openOrderByClientId(call.accountId(), market.symbolId, clientOrderId);
  if (open !== undefined) return openOrderRow(engine, market, open);
  return history.orderByClientId(engine.seq, call.accountId(), market.symbolId, clientOrderId);
}

/** Looks up by `orderId` first; when both ids are sent they must belong to the same order (Interface 3.4). */
export async function orderStatus(call: Call): Promise<string> {
  const market = marketOf(call);
  const orderId = call.integer("orderId");
  const clientOrderId = call.optionalText("origClientOrderId");
  const row =
    orderId === undefined
      ? await byClientId(call, market, clientOrderId ?? "")
      : await byOrderId(call, market, orderId);
  if (row === undefined) throw new Refused(NO_SUCH_ORDER);
  if (clientOrderId !== undefined && row.clientOrderId !== clientOrderId) throw new Refused(NO_SUCH_ORDER);
  return JSON.stringify(orderShape(namesOf(call.venue.engine), row));
}

export async function allOrders(call: Call): Promise<string> {
  const { engine, history } = call.venue;
  const market = marketOf(call);
  const window = windowOf(call, { fromId: "orderId", maxHours: ACCOUNT_LIST_MAX_HOURS, backwards: "refused" });
  if (window === null) return "[]";
  return history.orderPage(engine.seq, call.accountId(), market.symbolId, window);
}
