/** All open orders of an account, or those on one symbol: an account may have many thousands. Interface 4.2. */
import type { EngineView, MarketView, OrderRecord } from "@pricetime/engine";
import { orderShape } from "../../history/shapes/orders.ts";
import type { Call } from "../call.ts";
import { type MaybeLong, writeRows } from "../answers/long-list.ts";
import { type LongBody, LongTextWriter } from "../answers/long-text.ts";
import { atOnce, type Pieces } from "../answers/turns.ts";
import { marketsOf, namesOf } from "../markets.ts";
import { openOrderRow } from "./order-shape.ts";

/** Orders written in one turn. */
export const ORDERS_A_PIECE = 64;
/** Orders sorted in one turn. */
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
  const names = namesOf(engine);
  const write = (order: OrderRecord): string =>
    JSON.stringify(orderShape(names, openOrderRow(engine, engine.market(order.symbolId), order)));
  const text = new LongTextWriter();
  yield* writeRows(text, merged(runs), { rowsAPiece: ORDERS_A_PIECE, write });
  return { head: "", text: text.text() };
}

/** Merges runs that ascend by id. */
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
