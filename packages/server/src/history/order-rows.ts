/** Orders: one row each, written once a transaction however often it changed. */
import assert from "node:assert/strict";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type EngineView, ORDER_STATUSES, ORDER_TYPES, type Order, SIDES, TIMES_IN_FORCE } from "@pricetime/engine";
import { moneyToSql } from "./money.ts";

interface Touched {
  readonly order: Readonly<Order>;
  /** It may be new in this transaction: insert it. */
  readonly opened: boolean;
}

export class OrderRows {
  private readonly insert: StatementSync;
  private readonly update: StatementSync;
  private readonly touched = new Map<number, Touched>();

  constructor(database: DatabaseSync) {
    this.insert = database.prepare(
      `INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (order_id) DO UPDATE SET status = excluded.status, is_working = excluded.is_working,
         executed_lots = excluded.executed_lots, executed_quote = excluded.executed_quote,
         commission = excluded.commission, update_time_ms = excluded.update_time_ms`,
    );
    this.update = database.prepare(
      `UPDATE orders SET status = ?, is_working = ?, executed_lots = ?, executed_quote = ?, commission = ?,
         update_time_ms = ? WHERE order_id = ?`,
    );
  }

  opened(order: Readonly<Order>): void {
    this.touched.set(order.orderId, { order, opened: true });
  }

  changed(order: Readonly<Order>): void {
    if (!this.touched.has(order.orderId)) this.touched.set(order.orderId, { order, opened: false });
  }

  /** Writes what was touched, as it is now: the engine is at the entry that this transaction ends with. */
  flush(engine: EngineView): void {
    for (const [orderId, { order, opened }] of this.touched) {
      assert.equal(order.orderId, orderId, "an order's record is its own for ever");
      if (opened) this.insertRow(engine, order);
      else this.updateRow(order);
    }
    this.touched.clear();
  }

  private insertRow(engine: EngineView, order: Readonly<Order>): void {
    const market = engine.market(order.symbolId);
    this.insert.run(
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
      order.side === "BUY" ? market.baseAssetId : market.quoteAssetId,
      ORDER_STATUSES.indexOf(order.status),
      order.isWorking ? 1 : 0,
      order.executedLots,
      moneyToSql(order.executedQuote),
      moneyToSql(order.commission),
      order.updateTimeMs,
    );
  }

  private updateRow(order: Readonly<Order>): void {
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
