/**
 * Queries of orders and order lists. Open ones are read from the engine's state, all others from history. Interface
 * 4.2, 4.3.
 */
import { type EngineView, type MarketView, namedOrderId, type OrderRecord, trailingTimeMs } from "@pricetime/engine";
import { NO_SUCH_ORDER, NO_SUCH_ORDER_LIST } from "@pricetime/protocol";
import type { OrderListRecord as ListShape, OrderRecord as OrderShape } from "@pricetime/protocol";
import type { Call } from "../call.ts";
import { Refused } from "../edge/refusals.ts";
import { ACCOUNT_LIST_MAX_HOURS, marketOf, marketsOf, orderIdOf, windowOf } from "../parameters.ts";
import { openListShape, openOrderShape } from "./order-answers.ts";
import { atOnce, longList, type MaybeLong, type Pieces, writeRows } from "../answers/long-list.ts";
import { type LongBody, LongTextWriter } from "../answers/long-text.ts";

async function byOrderId(call: Call, market: MarketView, orderId: number): Promise<OrderShape | undefined> {
  const { engine, history } = call.venue;
  const open = engine.openOrder(orderId);
  const [accountId, { symbolId }] = [call.accountId(), market];
  if (open === undefined) return history.query(engine.seq, "orderById", { accountId, symbolId, orderId });
  return open.accountId === accountId && open.symbolId === symbolId ? openOrderShape(engine, open) : undefined;
}

/**
 * The latest order with the client order id. An open order is the latest, because its id cannot be used again while it
 * is open.
 */
async function byClientId(call: Call, market: MarketView, clientOrderId: string): Promise<OrderShape | undefined> {
  const { engine, history } = call.venue;
  const [accountId, { symbolId }] = [call.accountId(), market];
  const open = engine.openOrderByClientId(accountId, symbolId, clientOrderId);
  if (open !== undefined) return openOrderShape(engine, open);
  return history.query(engine.seq, "orderByClientId", { accountId, symbolId, clientOrderId });
}

/**
 * Looks the order up by `orderId` if it is sent. If both ids are sent, they must belong to the same order (Interface
 * 3.4).
 */
export async function orderStatus(call: Call): Promise<string> {
  const market = marketOf(call);
  const orderId = orderIdOf(call, market);
  const clientOrderId = call.optionalText("origClientOrderId");
  const row =
    orderId === undefined
      ? await byClientId(call, market, clientOrderId ?? "")
      : await byOrderId(call, market, orderId);
  if (row === undefined) throw new Refused(NO_SUCH_ORDER);
  if (clientOrderId !== undefined && row.clientOrderId !== clientOrderId) {
    throw new Refused(call.venue.venueInterface.otherOrderId ?? NO_SUCH_ORDER);
  }
  return JSON.stringify(row);
}

export async function allOrders(call: Call): Promise<string> {
  const { engine, history } = call.venue;
  const market = marketOf(call);
  const rules = { maxHours: ACCOUNT_LIST_MAX_HOURS, backwards: "refused" } as const;
  const window = windowOf(call, { fromId: orderIdOf(call, market), ...rules });
  if (window === null) return "[]";
  const asked = { accountId: call.accountId(), symbolId: market.symbolId, ...window };
  const text = await history.query(engine.seq, "orderPage", asked);
  return text.includes('"trailingTime":-1') ? withTrailingTimes(engine, market, text) : text;
}

/** Sets the times at which open orders began to follow the price, which history has only from their next event on. */
function withTrailingTimes(engine: EngineView, { symbolId }: MarketView, text: string): string {
  const rows = (JSON.parse(text) as OrderShape[]).map((row) => {
    const orderId = namedOrderId(engine.orderIds, symbolId, row.orderId);
    const open = row.trailingTime === -1 ? engine.openOrder(orderId) : undefined;
    return open === undefined ? row : { ...row, trailingTime: trailingTimeMs(open) };
  });
  return JSON.stringify(rows);
}

/** Without `fromExecutionId`, the latest ones. An order that the account does not have has none. */
export async function amendments(call: Call): Promise<string> {
  const { engine, history } = call.venue;
  const market = marketOf(call);
  const orderId = orderIdOf(call, market) ?? 0;
  const asked = {
    accountId: call.accountId(),
    symbolId: market.symbolId,
    orderId,
    fromId: call.integer("fromExecutionId"),
  };
  return history.query(engine.seq, "amendmentPage", { ...asked, limit: call.limit() });
}

// All open orders of an account, or only those of one symbol. An account may have many thousands. Interface 4.2.

/** Number of orders written per piece. */
export const ORDERS_A_PIECE = 64;
/** Number of orders sorted per piece. */
const ORDERS_A_RUN = 512;

export function openOrders(call: Call): MaybeLong {
  const { engine, turns } = call.venue;
  const accountId = call.accountId();
  const symbolId = (marketsOf(call) as MarketView | undefined)?.symbolId;
  const pieces = (): Pieces<LongBody> => openOrderPieces(engine, accountId, symbolId);
  if (engine.countOpenOrders(accountId, symbolId) <= ORDERS_A_PIECE) return atOnce(pieces());
  return turns.make(`openOrders ${accountId} ${symbolId}`, pieces);
}

function* openOrderPieces(engine: EngineView, accountId: number, symbolId: number | undefined): Pieces<LongBody> {
  const orders: OrderRecord[] = [];
  engine.visitOpenOrders(accountId, symbolId, (order) => orders.push(order));
  yield;
  const runs: OrderRecord[][] = [];
  for (let at = 0; at < orders.length; at += ORDERS_A_RUN) {
    runs.push(orders.slice(at, at + ORDERS_A_RUN).sort((a, b) => a.orderId - b.orderId));
    yield;
  }
  const write = (order: OrderRecord): string => JSON.stringify(openOrderShape(engine, order));
  const text = new LongTextWriter();
  yield* writeRows(text, merged(runs), { rowsAPiece: ORDERS_A_PIECE, write });
  return { head: "", text: text.text() };
}

/** Merges runs, each sorted by order id, into one sequence. */
function* merged(runs: readonly OrderRecord[][]): Iterable<OrderRecord> {
  const places = runs.map((run) => ({ run, at: 0 }));
  for (;;) {
    let first: OrderRecord | undefined;
    let from: (typeof places)[number] | undefined;
    for (const place of places) {
      const next = place.run[place.at];
      if (next === undefined || (first !== undefined && next.orderId > first.orderId)) continue;
      [first, from] = [next, place];
    }
    if (first === undefined || from === undefined) return;
    from.at++;
    yield first;
  }
}

// Order lists.

const LISTS_A_PIECE = 100;

async function listById(call: Call, orderListId: number): Promise<ListShape | undefined> {
  const { engine, history } = call.venue;
  const open = engine.openOrderList(orderListId);
  const accountId = call.accountId();
  if (open === undefined) return history.query(engine.seq, "orderListById", { accountId, orderListId });
  return open.accountId === accountId ? openListShape(engine, open) : undefined;
}

/**
 * The latest list with the client's id. An executing list is the latest, because its id cannot be used again while it
 * is executing.
 */
async function listByClientId(call: Call, listClientOrderId: string): Promise<ListShape | undefined> {
  const { engine, history } = call.venue;
  const accountId = call.accountId();
  const open = engine.openOrderListByClientId(accountId, listClientOrderId);
  if (open !== undefined) return openListShape(engine, open);
  return history.query(engine.seq, "orderListByClientId", { accountId, listClientOrderId });
}

/** The client's id has two parameter names (Interface 4.3). All ids in the request must belong to the same list. */
export async function orderListStatus(call: Call): Promise<string> {
  const orderListId = call.integer("orderListId");
  const clientIds = ["origClientOrderId", "listClientOrderId"].flatMap((name) => call.optionalText(name) ?? []);
  const row =
    orderListId === undefined ? await listByClientId(call, clientIds[0] ?? "") : await listById(call, orderListId);
  if (row === undefined || clientIds.some((id) => id !== row.listClientOrderId)) throw new Refused(NO_SUCH_ORDER_LIST);
  return JSON.stringify(row);
}

/** Reads only fields that never change while a list is executing. */
export function openOrderLists(call: Call): MaybeLong {
  const { engine, turns } = call.venue;
  const accountId = call.accountId();
  return longList(turns, {
    key: `openOrderLists ${accountId}`,
    count: engine.countOpenOrderLists(accountId),
    rowsAPiece: LISTS_A_PIECE,
    read: () => ({ rows: engine.openOrderLists(accountId) }),
    write: (list) => JSON.stringify(openListShape(engine, list)),
  });
}

export async function allOrderLists(call: Call): Promise<string> {
  const { engine, history } = call.venue;
  const window = windowOf(call, {
    fromId: call.integer("fromId"),
    maxHours: ACCOUNT_LIST_MAX_HOURS,
    backwards: "refused",
  });
  if (window === null) return "[]";
  return history.query(engine.seq, "orderListPage", { accountId: call.accountId(), ...window });
}
