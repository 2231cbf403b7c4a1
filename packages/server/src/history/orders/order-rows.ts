/** Orders: one row each, written once a transaction however often it changed. */
import assert from "node:assert/strict";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  ORDER_STATUSES,
  ORDER_TYPES,
  type OrderRecord,
  type OrderOpened,
  SIDES,
  TIMES_IN_FORCE,
  waitsForStop,
} from "@pricetime/engine";
import { BulkInsert } from "../table/bulk-insert.ts";
import { moneyToSql } from "../table/money.ts";

const COLUMNS = [
  "order_id",
  "account_id",
  "symbol_id",
  "order_list_id",
  "client_order_id",
  "side",
  "type",
  "time_in_force",
  "price_ticks",
  "quantity_lots",
  "stop_ticks",
  "iceberg_lots",
  "quote_order_qty",
  "time_ms",
  "status",
  "is_working",
  "executed_lots",
  "executed_quote",
  "commission",
  "update_time_ms",
];

export class OrderRows {
  private readonly inserts: BulkInsert;
  private readonly update: StatementSync;
  /** Placed in this transaction, by rising ids: each as it was told of last. */
  private readonly placed = new Map<number, OrderRecord>();
  /** Placed before, changed in this transaction. */
  private readonly changed = new Map<number, OrderRecord>();
  private lastPlacedId = 0;

  constructor(database: DatabaseSync) {
    this.inserts = new BulkInsert(database, "orders", COLUMNS);
    this.update = database.prepare(
      `UPDATE orders SET status = ?, is_working = ?, executed_lots = ?, executed_quote = ?, commission = ?,
         update_time_ms = ? WHERE order_id = ?`,
    );
  }

  /** An order that waits for its stop price opens once more when it is reached. */
  open({ order }: OrderOpened): void {
    if (order.isWorking === waitsForStop(order.type)) return this.change(order);
    assert(order.orderId > this.lastPlacedId, "order ids rise");
    this.lastPlacedId = order.orderId;
    this.placed.set(order.orderId, order);
  }

  change(order: OrderRecord): void {
    const orders = this.placed.has(order.orderId) ? this.placed : this.changed;
    orders.set(order.orderId, order);
  }

  /** Ends a transaction. */
  flush(): void {
    for (const order of this.placed.values()) this.insertRow(order);
    this.inserts.flush();
    this.placed.clear();
    for (const order of this.changed.values()) this.updateRow(order);
    this.changed.clear();
  }

  private insertRow(order: OrderRecord): void {
    this.inserts.add(
      order.orderId,
      order.accountId,
      order.symbolId,
      order.orderListId,
      order.clientOrderId,
      SIDES.indexOf(order.side),
      ORDER_TYPES.indexOf(order.type),
      TIMES_IN_FORCE.indexOf(order.timeInForce),
      order.priceTicks,
      order.quantityLots,
      order.stopTicks,
      order.icebergLots,
      moneyToSql(order.quoteOrderQty),
      order.timeMs,
      ORDER_STATUSES.indexOf(order.status),
      order.isWorking ? 1 : 0,
      order.executedLots,
      moneyToSql(order.executedQuote),
      moneyToSql(order.commission),
      order.updateTimeMs,
    );
  }

  private updateRow(order: OrderRecord): void {
    const { changes } = this.update.run(
      ORDER_STATUSES.indexOf(order.status),
      order.isWorking ? 1 : 0,
      order.executedLots,
      moneyToSql(order.executedQuote),
      moneyToSql(order.commission),
      order.updateTimeMs,
      order.orderId,
    );
    assert.equal(changes, 1, "an order that changes was opened before");
  }
}
