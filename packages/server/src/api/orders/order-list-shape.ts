/** The bodies about order lists. Interface 2.9, 3.5. */
import type { EngineView, Event, MarketView, OrderEnded, OrderListChanged, OrderListRecord } from "@pricetime/engine";
import type { ResponseType } from "@pricetime/protocol";
import type { OrderListRow } from "../../history/shapes/rows.ts";
import { orderListShape } from "../../history/shapes/order-lists.ts";
import { namesOf } from "../markets.ts";
import { canceledJson, placedJson } from "./order-shape.ts";

/** A list in the engine's memory in the form of a row of history. */
export function openOrderListRow(list: OrderListRecord): OrderListRow {
  return listRow(list, "EXECUTING", list.timeMs);
}

function listRow(
  list: OrderListRecord,
  listOrderStatus: OrderListRow["listOrderStatus"],
  timeMs: number,
): OrderListRow {
  return {
    orderListId: list.orderListId,
    symbolId: list.symbolId,
    listClientOrderId: list.listClientOrderId,
    listOrderStatus,
    timeMs,
    orders: [list.stopLeg, list.limitLeg].map(({ orderId, clientOrderId }) => ({ orderId, clientOrderId })),
  };
}

function withReports(engine: EngineView, row: OrderListRow, reports: readonly string[]): string {
  const list = JSON.stringify(orderListShape(namesOf(engine), row));
  return `${list.slice(0, -1)},"orderReports":[${reports.join(",")}]}`;
}

/** The list and its two orders as the events of a placement report them. */
export function placedListJson(
  engine: EngineView,
  market: MarketView,
  { list }: OrderListChanged,
  events: readonly Event[],
  type: ResponseType,
): string {
  const reports = events
    .filter((event) => event.type === "orderOpened")
    .map(({ order }) => placedJson(engine, market, order, events, list.timeMs, type));
  return withReports(engine, openOrderListRow(list), reports);
}

/** The ended order, or the ended list with its two orders. */
export interface Ending {
  readonly list: OrderListRecord | undefined;
  readonly orders: readonly OrderEnded[];
}

/**
 * In order. The end of a list follows directly after the ends of its two orders; an order that has outlived its list is
 * cancelled like any other.
 */
export function endingsIn(events: readonly Event[]): Ending[] {
  const endings: Ending[] = [];
  for (const event of events) {
    if (event.type === "orderEnded") endings.push({ list: undefined, orders: [event] });
    if (event.type !== "orderListChanged") continue;
    const legs = endings.splice(-2).flatMap(({ orders }) => orders);
    endings.push({ list: event.list, orders: legs });
  }
  return endings;
}

export function endingJson(engine: EngineView, market: MarketView, { list, orders }: Ending, timeMs: number): string {
  const bodies = orders.map((event) => canceledJson(engine, market, event, timeMs));
  return list === undefined ? bodies.join("") : withReports(engine, listRow(list, "ALL_DONE", timeMs), bodies);
}

/** A body for each order and each list that a cancel ended. */
export function canceledBodies(
  engine: EngineView,
  market: MarketView,
  events: readonly Event[],
  timeMs: number,
): string[] {
  return endingsIn(events).map((ending) => endingJson(engine, market, ending, timeMs));
}
