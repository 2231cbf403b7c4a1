/** Orders: one row each, written once a transaction however often it changed. */
import assert from "node:assert/strict";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type OrderOpened, type OrderRecord, waitsForStop } from "@pricetime/engine";
import { BulkInsert } from "../table/bulk-insert.ts";
import { ORDER_COLUMNS, PROGRESS_COLUMNS } from "./order-columns.ts";

export class OrderRows {
  private readonly inserts: BulkInsert;
  private readonly update: StatementSync;
  /** Placed in this transaction, by rising ids. */
  private readonly placed: OrderRecord[] = [];
  /** Placed before, changed in this transaction. */
  private readonly changed = new Map<number, OrderRecord>();

  constructor(database: DatabaseSync) {
    const columns = ORDER_COLUMNS.map(({ column }) => column);
    this.inserts = new BulkInsert(database, "orders", columns);
    const changes = PROGRESS_COLUMNS.map(({ column }) => `${column} = ?`);
    this.update = database.prepare(`UPDATE orders SET ${changes.join(", ")} WHERE order_id = ?`);
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
    this.inserts.add(...ORDER_COLUMNS.map(({ toSql }) => toSql(order)));
  }

  private updateRow(order: OrderRecord): void {
    const { changes } = this.update.run(...PROGRESS_COLUMNS.map(({ toSql }) => toSql(order)), order.orderId);
    assert.equal(changes, 1, "an order that changes was opened before");
  }
}
