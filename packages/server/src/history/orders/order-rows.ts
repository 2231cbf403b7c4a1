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
  /** Placed in this transaction, by rising ids. */
  private readonly placed: OrderRecord[] = [];
  /** Placed before, changed in this transaction. */
  private readonly changed = new Map<number, OrderRecord>();

  constructor(database: DatabaseSync) {
    this.inserts = new BulkInsert(database, "orders", COLUMNS);
    this.update = database.prepare(
      `UPDATE orders SET status = ?, is_working = ?, executed_lots = ?, executed_quote = ?, commission = ?,
         update_time_ms = ? WHERE order_id = ?`,
    );
  }

  /** An order that waits for its stop price opens once more when it is reached. */
  open({ order, isWorking }: OrderOpened): void {
    if (isWorking === waitsForStop(order.type)) return this.change(order);
    assert(order.orderId > (this.placed.at(-1)?.orderId ?? 0), "order ids rise");
    this.placed.push(order);
  }

  change(order: OrderRecord): void {
    const isPlacedNow = order.orderId >= (this.placed[0]?.orderId ?? Number.POSITIVE_INFINITY);
    if (!isPlacedNow) this.changed.set(order.orderId, order);
  }

  /** Writes them as they are now: the engine is at the entry that this transaction ends with. */
  flush(): void {
    for (const order of this.placed) this.insertRow(order);
    this.inserts.flush();
    this.placed.length = 0;
    for (const [orderId, order] of this.changed) {
      assert.equal(order.orderId, orderId, "an order's record is its own for ever");
      this.updateRow(order);
    }
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
