/** Orders of an account. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  ORDER_STATUSES,
  ORDER_TYPES,
  type OrderStatus,
  type OrderType,
  SIDES,
  type Side,
  TIMES_IN_FORCE,
  type TimeInForce,
} from "@pricetime/engine";
import { moneyColumn } from "../table/money.ts";
import type { OrderRow } from "../../shapes/rows.ts";
import type { Window } from "../port.ts";
import type { Units } from "../table/units.ts";
import { idRange, type TimeIndex } from "../table/window.ts";

interface Row {
  readonly symbolId: number;
  readonly orderId: number;
  readonly orderListId: number;
  readonly clientOrderId: string;
  readonly side: number;
  readonly type: number;
  readonly timeInForce: number;
  readonly priceTicks: number;
  readonly quantityLots: number;
  readonly stopTicks: number;
  readonly icebergLots: number;
  readonly quoteOrderQty: string;
  readonly timeMs: number;
  readonly status: number;
  readonly isWorking: number;
  readonly executedLots: number;
  readonly executedQuote: string;
  readonly commission: string;
  readonly updateTimeMs: number;
}

const SELECT = `SELECT symbol_id AS symbolId, order_id AS orderId, order_list_id AS orderListId,
  client_order_id AS clientOrderId, side, type, time_in_force AS timeInForce, price_ticks AS priceTicks,
  quantity_lots AS quantityLots, stop_ticks AS stopTicks, iceberg_lots AS icebergLots,
  ${moneyColumn("quote_order_qty", "quoteOrderQty")}, time_ms AS timeMs, status, is_working AS isWorking, executed_lots AS executedLots, ${moneyColumn("executed_quote", "executedQuote")},
  ${moneyColumn("commission", "commission")}, update_time_ms AS updateTimeMs
  FROM orders`;

/** Said outright: by order id alone the database would walk through everybody's orders. */
const OF_ACCOUNT = `${SELECT} INDEXED BY orders_by_account
  WHERE account_id = ? AND symbol_id = ? AND order_id BETWEEN ? AND ?`;

export const ORDER_QUERIES = {
  byId: `${SELECT} WHERE order_id = ? AND account_id = ? AND symbol_id = ?`,
  byClientId: `${SELECT} WHERE account_id = ? AND symbol_id = ? AND client_order_id = ? ORDER BY order_id DESC LIMIT 1`,
  oldest: `${OF_ACCOUNT} ORDER BY order_id LIMIT ?`,
  newest: `${OF_ACCOUNT} ORDER BY order_id DESC LIMIT ?`,
  timeFrom: "SELECT order_id AS id, time_ms AS timeMs FROM orders WHERE order_id >= ? ORDER BY order_id LIMIT 1",
  lastId: "SELECT max(order_id) AS id FROM orders",
};

export class OrderQueries {
  private readonly units: Units;
  private readonly statements: { readonly [Name in keyof typeof ORDER_QUERIES]: StatementSync };
  private readonly times: TimeIndex;

  constructor(database: DatabaseSync, units: Units) {
    this.units = units;
    this.statements = {
      byId: database.prepare(ORDER_QUERIES.byId),
      byClientId: database.prepare(ORDER_QUERIES.byClientId),
      oldest: database.prepare(ORDER_QUERIES.oldest),
      newest: database.prepare(ORDER_QUERIES.newest),
      timeFrom: database.prepare(ORDER_QUERIES.timeFrom),
      lastId: database.prepare(ORDER_QUERIES.lastId),
    };
    this.times = this.statements;
  }

  orderById(accountId: number, symbolId: number, orderId: number): OrderRow | undefined {
    return this.one(this.statements.byId.get(orderId, accountId, symbolId));
  }

  orderByClientId(accountId: number, symbolId: number, clientOrderId: string): OrderRow | undefined {
    return this.one(this.statements.byClientId.get(accountId, symbolId, clientOrderId));
  }

  orders(accountId: number, symbolId: number, window: Window): OrderRow[] {
    const { lowId, highId, newest } = idRange(window, this.times, []);
    const { statements } = this;
    const rows = (newest ? statements.newest : statements.oldest).all(
      accountId,
      symbolId,
      lowId,
      highId,
      window.limit,
    ) as unknown as Row[];
    if (newest) rows.reverse();
    return rows.map((row) => this.shape(row));
  }

  private one(row: unknown): OrderRow | undefined {
    return row === undefined ? undefined : this.shape(row as Row);
  }

  private shape(row: Row): OrderRow {
    const { units } = this;
    const { symbolId } = row;
    const side = SIDES[row.side] as Side;
    const commissionAssetId = units.receivedAssetId(symbolId, side === "BUY");
    return {
      symbolId,
      orderId: row.orderId,
      orderListId: row.orderListId,
      clientOrderId: row.clientOrderId,
      price: units.price(symbolId, row.priceTicks),
      origQty: units.quantity(symbolId, row.quantityLots),
      executedQty: units.quantity(symbolId, row.executedLots),
      cummulativeQuoteQty: units.quote(symbolId, row.executedQuote),
      origQuoteOrderQty: units.quote(symbolId, row.quoteOrderQty),
      status: ORDER_STATUSES[row.status] as OrderStatus,
      timeInForce: TIMES_IN_FORCE[row.timeInForce] as TimeInForce,
      type: ORDER_TYPES[row.type] as OrderType,
      side,
      stopPrice: units.price(symbolId, row.stopTicks),
      icebergQty: units.quantity(symbolId, row.icebergLots),
      timeMs: row.timeMs,
      updateTimeMs: row.updateTimeMs,
      isWorking: row.isWorking === 1,
      commission: units.money(commissionAssetId, row.commission),
      commissionAssetId,
    };
  }
}
