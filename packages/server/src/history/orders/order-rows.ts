/** Writes orders, one row each, once per transaction however often they changed. */
import assert from "node:assert/strict";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { type OrderOpened, type OrderRecord, waitsForStop } from "@pricetime/engine";
import { BulkInsert } from "../table/bulk-insert.ts";
import { addValues, ORDER_COLUMNS, PROGRESS_COLUMNS } from "./order-columns.ts";

export class OrderRows {
  readonly #inserts: BulkInsert;
  readonly #update: StatementSync;
  /** Orders placed in this transaction in their latest state, by ascending id. */
  readonly #placed = new Map<number, OrderRecord>();
  /** Older orders that changed in this transaction. */
  readonly #changed = new Map<number, OrderRecord>();
  #lastPlacedId = 0;

  constructor(database: DatabaseSync) {
    const columns = ORDER_COLUMNS.map(({ column }) => column);
    this.#inserts = new BulkInsert(database, "orders", columns);
    const changes = PROGRESS_COLUMNS.map(({ column }) => `${column} = ?`);
    this.#update = database.prepare(`UPDATE orders SET ${changes.join(", ")} WHERE order_id = ?`);
  }

  /** An order that waits for its stop price is opened a second time when the price is reached. */
  open({ order }: OrderOpened): void {
    if (order.isWorking === waitsForStop(order.type)) return this.change(order);
    assert(order.orderId > this.#lastPlacedId, "order ids rise");
    this.#lastPlacedId = order.orderId;
    this.#placed.set(order.orderId, order);
  }

  change(order: OrderRecord): void {
    const orders = this.#placed.has(order.orderId) ? this.#placed : this.#changed;
    orders.set(order.orderId, order);
  }

  /** Writes pending rows at the end of a transaction. */
  flush(): void {
    for (const order of this.#placed.values()) this.#insertRow(order);
    this.#inserts.flush();
    this.#placed.clear();
    for (const order of this.#changed.values()) this.#updateRow(order);
    this.#changed.clear();
  }

  #insertRow(order: OrderRecord): void {
    addValues(this.#inserts.row, order, ORDER_COLUMNS);
    this.#inserts.endRow();
  }

  #updateRow(order: OrderRecord): void {
    const values: SQLInputValue[] = [];
    addValues(values, order, PROGRESS_COLUMNS);
    values.push(order.orderId);
    const { changes } = this.#update.run(...values);
    assert.equal(changes, 1, "an order that changes was opened before");
  }
}
