/** Reads the order lists of an account. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { OrderListRow } from "../shapes/rows.ts";
import type { Window } from "../port.ts";
import { idRange, type TimeIndex } from "../table/window.ts";

interface Row {
  readonly orderListId: number;
  readonly symbolId: number;
  readonly listClientOrderId: string;
  readonly timeMs: number;
  readonly isDone: number;
  readonly stopOrderId: number;
  readonly stopClientOrderId: string;
  readonly limitOrderId: number;
  readonly limitClientOrderId: string;
}

const COLUMNS = `SELECT lists.order_list_id AS orderListId, lists.symbol_id AS symbolId,
  lists.list_client_order_id AS listClientOrderId, lists.time_ms AS timeMs, lists.is_done AS isDone,
  stop.order_id AS stopOrderId, stop.client_order_id AS stopClientOrderId,
  limited.order_id AS limitOrderId, limited.client_order_id AS limitClientOrderId`;
/** CROSS makes SQLite read each list first, then its two orders by their ids. */
const LEGS = `CROSS JOIN orders AS stop ON stop.order_id = lists.stop_order_id
  CROSS JOIN orders AS limited ON limited.order_id = lists.limit_order_id`;
const SELECT = `${COLUMNS} FROM order_lists AS lists ${LEGS}`;

/** INDEXED BY is needed: by list id alone SQLite would scan everybody's lists. */
const OF_ACCOUNT = `${COLUMNS} FROM order_lists AS lists INDEXED BY order_lists_by_account ${LEGS}
  WHERE lists.account_id = ? AND lists.order_list_id BETWEEN ? AND ?`;

export const ORDER_LIST_QUERIES = {
  byId: `${SELECT} WHERE lists.order_list_id = ? AND lists.account_id = ?`,
  byClientId: `${SELECT} WHERE lists.account_id = ? AND lists.list_client_order_id = ?
    ORDER BY lists.order_list_id DESC LIMIT 1`,
  oldest: `${OF_ACCOUNT} ORDER BY lists.order_list_id LIMIT ?`,
  newest: `${OF_ACCOUNT} ORDER BY lists.order_list_id DESC LIMIT ?`,
  timeFrom: `SELECT order_list_id AS id, time_ms AS timeMs FROM order_lists WHERE order_list_id >= ?
    ORDER BY order_list_id LIMIT 1`,
  lastId: "SELECT max(order_list_id) AS id FROM order_lists",
};

export class OrderListQueries {
  readonly #statements: Readonly<Record<keyof typeof ORDER_LIST_QUERIES, StatementSync>>;
  readonly #times: TimeIndex;

  constructor(database: DatabaseSync) {
    this.#statements = {
      byId: database.prepare(ORDER_LIST_QUERIES.byId),
      byClientId: database.prepare(ORDER_LIST_QUERIES.byClientId),
      oldest: database.prepare(ORDER_LIST_QUERIES.oldest),
      newest: database.prepare(ORDER_LIST_QUERIES.newest),
      timeFrom: database.prepare(ORDER_LIST_QUERIES.timeFrom),
      lastId: database.prepare(ORDER_LIST_QUERIES.lastId),
    };
    this.#times = this.#statements;
  }

  orderListById(accountId: number, orderListId: number): OrderListRow | undefined {
    return one(this.#statements.byId.get(orderListId, accountId));
  }

  orderListByClientId(accountId: number, listClientOrderId: string): OrderListRow | undefined {
    return one(this.#statements.byClientId.get(accountId, listClientOrderId));
  }

  orderLists(accountId: number, window: Window): OrderListRow[] {
    const { lowId, highId, newest } = idRange(window, this.#times, []);
    const statement = newest ? this.#statements.newest : this.#statements.oldest;
    const rows = statement.all(accountId, lowId, highId, window.limit) as unknown as Row[];
    if (newest) rows.reverse();
    return rows.map(shape);
  }
}

function one(row: unknown): OrderListRow | undefined {
  return row === undefined ? undefined : shape(row as Row);
}

function shape(row: Row): OrderListRow {
  return {
    orderListId: row.orderListId,
    symbolId: row.symbolId,
    listClientOrderId: row.listClientOrderId,
    listOrderStatus: row.isDone === 1 ? "ALL_DONE" : "EXECUTING",
    timeMs: row.timeMs,
    orders: [
      { orderId: row.stopOrderId, clientOrderId: row.stopClientOrderId },
      { orderId: row.limitOrderId, clientOrderId: row.limitClientOrderId },
    ],
  };
}
