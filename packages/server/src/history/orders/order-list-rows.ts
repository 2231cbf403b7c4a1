/** Writes order lists: a row when one is placed, a mark on it when it is over. */
import assert from "node:assert/strict";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { OrderListChanged } from "@pricetime/engine";

export class OrderListRows {
  readonly #insert: StatementSync;
  readonly #finish: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare("INSERT INTO order_lists VALUES (?, ?, ?, ?, ?, ?, ?, 0)");
    this.#finish = database.prepare("UPDATE order_lists SET is_done = 1 WHERE order_list_id = ? AND is_done = 0");
  }

  changed({ list, listOrderStatus }: OrderListChanged): void {
    if (listOrderStatus === "ALL_DONE") {
      const { changes } = this.#finish.run(list.orderListId);
      assert.equal(changes, 1, "a list ends once, and was placed before");
      return;
    }
    this.#insert.run(
      list.orderListId,
      list.accountId,
      list.symbolId,
      list.listClientOrderId,
      list.stopLeg.orderId,
      list.limitLeg.orderId,
      list.timeMs,
    );
  }
}
