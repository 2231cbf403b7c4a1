/** The bodies about order lists. Interface 2.9, FACTS 2.5. */
import type { EngineView, Event, MarketView, OrderEnded, OrderList, OrderListChanged } from "@pricetime/engine";
import type { OrderListRecord, ResponseType } from "@pricetime/protocol";
import type { OrderListRow } from "../../history/port.ts";
import { canceledJson, placedJson } from "./order-shape.ts";

/** A list of the engine's memory as history would show it. */
export function openOrderListRow(list: OrderList): OrderListRow {
  return listRow(list, "EXECUTING", list.timeMs);
}

function listRow(list: OrderList, listOrderStatus: OrderListRow["listOrderStatus"], timeMs: number): OrderListRow {
  return {
    orderListId: list.orderListId,
    symbolId: list.symbolId,
    listClientOrderId: list.listClientOrderId,
    listOrderStatus,
    timeMs,
    orders: [list.stopLeg, list.limitLeg].map(({ orderId, clientOrderId }) => ({ orderId, clientOrderId })),
  };
}

export function orderListShape(engine: EngineView, row: OrderListRow): OrderListRecord {
  const { symbol } = engine.market(row.symbolId).spec;
  return {
    orderListId: row.orderListId,
    contingencyType: "OCO",
    listStatusType: row.listOrderStatus === "EXECUTING" ? "EXEC_STARTED" : "ALL_DONE",
    listOrderStatus: row.listOrderStatus,
    listClientOrderId: row.listClientOrderId,
    transactionTime: row.timeMs,
    symbol,
    orders: row.orders.map(({ orderId, clientOrderId }) => ({ symbol, orderId, clientOrderId })),
  };
}

function withReports(engine: EngineView, row: OrderListRow, reports: readonly string[]): string {
  const list = JSON.stringify(orderListShape(engine, row));
  return `${list.slice(0, -1)},"orderReports":[${reports.join(",")}]}`;
}

/** What the events of a placement say of the list and its two orders. */
export function placedListJson(
  engine: EngineView,
  market: MarketView,
  { list }: OrderListChanged,
  events: readonly Event[],
  type: ResponseType,
): string {
  const reports = [list.stopLeg, list.limitLeg].map((leg) =>
    placedJson(engine, market, leg, events, list.timeMs, type),
  );
  return withReports(engine, openOrderListRow(list), reports);
}

/**
 * A body for each order and each list that a cancel has ended, in order. The end of a list follows
 * right behind the ends of its two orders; an order that has outlived its list is cancelled as any other.
 */
export function canceledBodies(
  engine: EngineView,
  market: MarketView,
  events: readonly Event[],
  timeMs: number,
): string[] {
  const bodies: string[] = [];
  let ended: OrderEnded[] = [];
  const report = (event: OrderEnded): string => canceledJson(engine, market, event, timeMs);
  for (const event of events) {
    if (event.type === "orderEnded") ended.push(event);
    if (event.type !== "orderListChanged") continue;
    const legs = ended.splice(-2);
    bodies.push(...ended.map(report));
    bodies.push(withReports(engine, listRow(event.list, "ALL_DONE", timeMs), legs.map(report)));
    ended = [];
  }
  bodies.push(...ended.map(report));
  return bodies;
}
