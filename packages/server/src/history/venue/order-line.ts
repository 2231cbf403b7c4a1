/** An account's orders of all symbols, at the time they were placed. Ids grow with time, so a time is found by its id. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { ORDER_QUERIES, type OrderQueries } from "../orders/order-queries.ts";
import type { TimeIndex } from "../table/window.ts";
import type { Units } from "../table/units.ts";
import type { TimeLineRow } from "../venue-port.ts";
import { highIdOf, type Line, type LineItem, type LineQuestion, NO_SYMBOL, symbolsOf } from "./line.ts";

export const ORDER_LINE_QUERIES = {
  nextSymbol:
    "SELECT min(symbol_id) AS id FROM orders INDEXED BY orders_by_account WHERE account_id = ? AND symbol_id > ?",
  newest: `SELECT order_id AS id FROM orders INDEXED BY orders_by_account
    WHERE account_id = ? AND symbol_id = ? AND order_id <= ? ORDER BY order_id DESC LIMIT ?`,
  timeOf: "SELECT time_ms AS timeMs FROM orders WHERE order_id = ?",
};

export class OrderLine implements Line {
  readonly kinds = ["order"] as const;
  readonly #units: Units;
  readonly #orders: OrderQueries;
  readonly #nextSymbol: StatementSync;
  readonly #newest: StatementSync;
  readonly #timeOf: StatementSync;
  readonly #times: TimeIndex;

  constructor(database: DatabaseSync, units: Units, orders: OrderQueries) {
    this.#units = units;
    this.#orders = orders;
    this.#nextSymbol = database.prepare(ORDER_LINE_QUERIES.nextSymbol);
    this.#newest = database.prepare(ORDER_LINE_QUERIES.newest);
    this.#timeOf = database.prepare(ORDER_LINE_QUERIES.timeOf);
    const { timeFrom, lastId } = ORDER_QUERIES;
    this.#times = { timeFrom: database.prepare(timeFrom), lastId: database.prepare(lastId) };
  }

  newest(accountId: number, { before, limit }: LineQuestion): LineItem[] {
    const highId = highIdOf(before, this.#times, []);
    const found: { id: number; symbolId: number }[] = [];
    for (const symbolId of symbolsOf(this.#nextSymbol, accountId)) {
      const rows = this.#newest.all(accountId, symbolId, highId, limit) as { id: number }[];
      found.push(...rows.map(({ id }) => ({ id, symbolId })));
    }
    found.sort((a, b) => b.id - a.id);
    return found.slice(0, limit).map(({ id, symbolId }) => {
      const { timeMs } = this.#timeOf.get(id) as { timeMs: number };
      return { timeMs, symbolId: NO_SYMBOL, id, row: () => this.#row(accountId, symbolId, id) };
    });
  }

  #row(accountId: number, symbolId: number, orderId: number): TimeLineRow {
    const order = this.#orders.orderById(accountId, symbolId, orderId);
    if (order === undefined) throw new Error(`the index of orders has ${orderId}, which is not there`);
    return {
      ...{ timeMs: order.timeMs, kind: "order", what: "order", id: orderId },
      ...{ symbol: this.#units.symbol(symbolId), side: order.side, type: order.type, status: order.status },
      ...{ price: order.price, quantity: order.origQty, executed: order.executedQty },
      ...{ executedQuote: order.cummulativeQuoteQty, clientOrderId: order.clientOrderId },
      updateTimeMs: order.updateTimeMs,
    };
  }
}
