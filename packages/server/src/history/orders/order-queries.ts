/** Reads the orders of an account. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { OrderRow } from "../shapes/rows.ts";
import type { Window } from "../port.ts";
import type { Units } from "../table/units.ts";
import { idRange, type TimeIndex } from "../table/window.ts";
import { orderOfRow, SELECT_ORDERS } from "./order-columns.ts";

/** INDEXED BY is needed: by order id alone SQLite would scan everybody's orders. */
const OF_ACCOUNT = `${SELECT_ORDERS} INDEXED BY orders_by_account
  WHERE account_id = ? AND symbol_id = ? AND order_id BETWEEN ? AND ?`;

export const ORDER_QUERIES = {
  byId: `${SELECT_ORDERS} WHERE order_id = ? AND account_id = ? AND symbol_id = ?`,
  byClientId: `${SELECT_ORDERS} WHERE account_id = ? AND symbol_id = ? AND client_order_id = ? ORDER BY order_id DESC LIMIT 1`,
  oldest: `${OF_ACCOUNT} ORDER BY order_id LIMIT ?`,
  newest: `${OF_ACCOUNT} ORDER BY order_id DESC LIMIT ?`,
  timeFrom: "SELECT order_id AS id, time_ms AS timeMs FROM orders WHERE order_id >= ? ORDER BY order_id LIMIT 1",
  lastId: "SELECT max(order_id) AS id FROM orders",
};

export class OrderQueries {
  readonly #units: Units;
  readonly #statements: { readonly [Name in keyof typeof ORDER_QUERIES]: StatementSync };
  readonly #times: TimeIndex;

  constructor(database: DatabaseSync, units: Units) {
    this.#units = units;
    this.#statements = {
      byId: database.prepare(ORDER_QUERIES.byId),
      byClientId: database.prepare(ORDER_QUERIES.byClientId),
      oldest: database.prepare(ORDER_QUERIES.oldest),
      newest: database.prepare(ORDER_QUERIES.newest),
      timeFrom: database.prepare(ORDER_QUERIES.timeFrom),
      lastId: database.prepare(ORDER_QUERIES.lastId),
    };
    this.#times = this.#statements;
  }

  orderById(accountId: number, symbolId: number, orderId: number): OrderRow | undefined {
    return this.#one(this.#statements.byId.get(orderId, accountId, symbolId));
  }

  orderByClientId(accountId: number, symbolId: number, clientOrderId: string): OrderRow | undefined {
    return this.#one(this.#statements.byClientId.get(accountId, symbolId, clientOrderId));
  }

  orders(accountId: number, symbolId: number, window: Window): OrderRow[] {
    const { lowId, highId, newest } = idRange(window, this.#times, []);
    const statements = this.#statements;
    const rows = (newest ? statements.newest : statements.oldest).all(
      accountId,
      symbolId,
      lowId,
      highId,
      window.limit,
    ) as object[];
    if (newest) rows.reverse();
    return rows.map((row) => this.#shape(row));
  }

  #one(row: object | undefined): OrderRow | undefined {
    return row === undefined ? undefined : this.#shape(row);
  }

  #shape(row: object): OrderRow {
    const units = this.#units;
    const order = orderOfRow(row);
    const { accountId: _, priceTicks, quantityLots, stopTicks, icebergLots, ...rest } = order;
    const { executedLots, executedQuote, quoteOrderQty, commission, ...told } = rest;
    const { symbolId, side } = order;
    const commissionAssetId = units.receivedAssetId(symbolId, side === "BUY");
    return {
      ...told,
      price: units.price(symbolId, priceTicks),
      origQty: units.quantity(symbolId, quantityLots),
      executedQty: units.quantity(symbolId, executedLots),
      cummulativeQuoteQty: units.quote(symbolId, executedQuote),
      origQuoteOrderQty: units.quote(symbolId, quoteOrderQty),
      stopPrice: units.price(symbolId, stopTicks),
      icebergQty: units.quantity(symbolId, icebergLots),
      commission: units.money(commissionAssetId, commission),
      commissionAssetId,
    };
  }
}
