/** Queries of order lists: executing ones in the engine's memory, all others in history. Interface 4.3. */
import type { OrderListRecord } from "@pricetime/engine";
import { NO_SUCH_ORDER_LIST } from "@pricetime/protocol";
import type { OrderListRow } from "../../history/shapes/rows.ts";
import { orderListShape } from "../../history/shapes/order-lists.ts";
import type { Call } from "../call.ts";
import { longList, type MaybeLong } from "../answers/long-list.ts";
import { Refused } from "../edge/refusals.ts";
import { namesOf } from "../markets.ts";
import { openOrderListRow } from "./order-list-shape.ts";
import { windowOf, ACCOUNT_LIST_MAX_HOURS } from "../windows.ts";

const LISTS_A_PIECE = 100;

async function byId(call: Call, orderListId: number): Promise<OrderListRow | undefined> {
  const { engine, history } = call.venue;
  const open: OrderListRecord | undefined = engine.openOrderList(orderListId);
  if (open === undefined) return history.orderListById(engine.seq, call.accountId(), orderListId);
  return open.accountId === call.accountId() ? openOrderListRow(open) : undefined;
}

/** The latest list with the id; an executing one is the latest, because no second can be placed beside it. */
async function byClientId(call: Call, listClientOrderId: string): Promise<OrderListRow | undefined> {
  const { engine, history } = call.venue;
  const open = engine.openOrderListByClientId(call.accountId(), listClientOrderId);
  if (open !== undefined) return openOrderListRow(open);
  return history.orderListByClientId(engine.seq, call.accountId(), listClientOrderId);
}

/** The client's id has two names (Interface 4.3); all ids that are sent must belong to the same list. */
export async function orderListStatus(call: Call): Promise<string> {
  const orderListId = call.integer("orderListId");
  const clientIds = ["origClientOrderId", "listClientOrderId"].flatMap((name) => call.optionalText(name) ?? []);
  const row = orderListId === undefined ? await byClientId(call, clientIds[0] ?? "") : await byId(call, orderListId);
  if (row === undefined || clientIds.some((id) => id !== row.listClientOrderId)) throw new Refused(NO_SUCH_ORDER_LIST);
  return JSON.stringify(orderListShape(namesOf(call.venue.engine), row));
}

/** Shows only fields of executing lists that never change. */
export function openOrderLists(call: Call): MaybeLong {
  const { engine, turns } = call.venue;
  const accountId = call.accountId();
  return longList(turns, {
    key: `openOrderLists ${accountId}`,
    count: engine.countOpenOrderLists(accountId),
    rowsAPiece: LISTS_A_PIECE,
    read: () => ({ rows: engine.openOrderLists(accountId) }),
    write: (list) => JSON.stringify(orderListShape(namesOf(engine), openOrderListRow(list))),
  });
}

export async function allOrderLists(call: Call): Promise<string> {
  const { engine, history } = call.venue;
  const window = windowOf(call, { fromId: "fromId", maxHours: ACCOUNT_LIST_MAX_HOURS, backwards: "refused" });
  if (window === null) return "[]";
  return history.orderListPage(engine.seq, call.accountId(), window);
}
