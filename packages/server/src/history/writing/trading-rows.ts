/** Writes orders, order lists, trades and aggregate trades. */
import assert from "node:assert/strict";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import {
  type Event,
  LIST_KINDS,
  orderNumberOf,
  type OrderOpened,
  type OrderRecord,
  SELF_TRADE_PREVENTION_MODES,
  type Trade,
  waitsForStop,
} from "@pricetime/engine";
import type { CommissionAssets } from "../table/day-totals.ts";
import { addValues, BulkInsert, moneyToSql, NamedInsert, ORDER_COLUMNS, PROGRESS_COLUMNS } from "../table/columns.ts";

/** Stands for all symbols where a symbol is expected. */
const EVERY_SYMBOL = -1;

export class OrderRows {
  readonly #inserts: BulkInsert;
  readonly #update: StatementSync;
  /** The latest states of orders placed in this transaction, in ascending order of ids. */
  readonly #placed = new Map<number, OrderRecord>();
  /** The latest states of older orders that changed in this transaction. */
  readonly #changed = new Map<number, OrderRecord>();
  /** The older orders that got another quantity or client id in this transaction. */
  readonly #amended = new Set<number>();
  readonly #amendments: NamedInsert;
  readonly #setQuantity: StatementSync;
  /** The id of the last order of each symbol; of all symbols in one place if they share their ids. */
  readonly #lastPlacedIds = new Map<number, number>();

  constructor(database: DatabaseSync) {
    const columns = ORDER_COLUMNS.map(({ column }) => column);
    this.#inserts = new BulkInsert(database, "orders", columns);
    const changes = PROGRESS_COLUMNS.map(({ column }) => `${column} = ?`);
    this.#update = database.prepare(`UPDATE orders SET ${changes.join(", ")} WHERE order_id = ?`);
    this.#amendments = new NamedInsert(database, "amendments");
    this.#setQuantity = database.prepare("UPDATE orders SET quantity_lots = ?, client_order_id = ? WHERE order_id = ?");
  }

  /** A stop order is opened again when it is triggered. */
  open({ order }: OrderOpened): void {
    if (order.isWorking === waitsForStop(order.type) && order.status !== "PENDING_NEW") return this.change(order);
    const { orderId } = order;
    const run = orderId === orderNumberOf(orderId) ? EVERY_SYMBOL : order.symbolId;
    assert(orderId > (this.#lastPlacedIds.get(run) ?? 0), "order ids rise");
    this.#lastPlacedIds.set(run, orderId);
    this.#placed.set(order.orderId, order);
  }

  /** A pending order of a list gets its quantity now if it sells what the working order bought. */
  release({ order }: Event<"orderReleased">): void {
    this.change(order);
    if (!this.#placed.has(order.orderId)) this.#amended.add(order.orderId);
  }

  amend({ order, origClientOrderId, origQuantityLots }: Event<"orderAmended">, executionId: number): void {
    const { orderId, updateTimeMs: timeMs, clientOrderId: newClientOrderId } = order;
    this.change(order);
    if (!this.#placed.has(orderId)) this.#amended.add(orderId);
    const lots = { origLots: origQuantityLots, newLots: order.quantityLots };
    this.#amendments.run({ orderId, executionId, timeMs, origClientOrderId, newClientOrderId, ...lots });
  }

  change(order: OrderRecord): void {
    const orders = this.#placed.has(order.orderId) ? this.#placed : this.#changed;
    orders.set(order.orderId, order);
  }

  /** Writes pending rows. Call it at the end of a transaction. */
  flush(): void {
    for (const order of this.#placed.values()) this.#insertRow(order);
    this.#inserts.flush();
    this.#placed.clear();
    for (const order of this.#changed.values()) this.#updateRow(order);
    this.#changed.clear();
    this.#amended.clear();
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
    if (!this.#amended.has(order.orderId)) return;
    this.#setQuantity.run(order.quantityLots, order.clientOrderId, order.orderId);
  }
}

/** The id of an order that a kind of list does not have. */
const NO_ORDER = 0;

export class OrderListRows {
  readonly #insert: NamedInsert;
  readonly #finish: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insert = new NamedInsert(database, "order_lists");
    this.#finish = database.prepare("UPDATE order_lists SET is_done = 1 WHERE order_list_id = ? AND is_done = 0");
  }

  changed({ list, listOrderStatus, isUpdate }: Event<"orderListChanged">): void {
    // The client ids of the legs are in their own rows.
    if (isUpdate) return;
    if (listOrderStatus === "ALL_DONE") {
      const { changes } = this.#finish.run(list.orderListId);
      assert.equal(changes, 1, "a list ends once, and was placed before");
      return;
    }
    const { kind = "OCO", orders } = list;
    const ids = orders.map(({ orderId }) => orderId);
    const workingOrderId = kind === "OCO" ? NO_ORDER : (ids.shift() ?? NO_ORDER);
    const [stopOrderId = NO_ORDER, limitOrderId = NO_ORDER] = ids;
    const row = { ...list, kind: LIST_KINDS.indexOf(kind), workingOrderId, stopOrderId, limitOrderId, isDone: 0 };
    this.#insert.run(row);
  }
}

/** The trades of one taker order at one price in one entry. */
interface AggTrade {
  readonly first: Trade;
  lots: number;
  lastTradeId: number;
}

export class TradeRows {
  readonly #trades: BulkInsert;
  readonly #aggTrades: BulkInsert;
  #aggTrade: AggTrade | undefined;

  constructor(database: DatabaseSync) {
    this.#trades = new BulkInsert(database, "trades");
    this.#aggTrades = new BulkInsert(database, "agg_trades");
  }

  /** The commission assets are null if the commission was paid in the asset received. */
  add(trade: Trade, commissionAssets: CommissionAssets): void {
    const { taker, maker } = trade;
    this.#trades.add(
      trade.symbolId,
      trade.tradeId,
      trade.timeMs,
      trade.priceTicks,
      trade.lots,
      moneyToSql(trade.quote),
      trade.takerSide === "SELL" ? 1 : 0,
      taker.order.accountId,
      taker.order.orderId,
      taker.order.orderListId,
      moneyToSql(taker.commission),
      maker.order.accountId,
      maker.order.orderId,
      maker.order.orderListId,
      moneyToSql(maker.commission),
      commissionAssets.taker,
      commissionAssets.maker,
    );
    this.#aggregate(trade);
  }

  /** Closes the aggregate trade. Call it at the end of each entry. */
  endEntry(): void {
    if (this.#aggTrade === undefined) return;
    const { first, lots, lastTradeId } = this.#aggTrade;
    this.#aggTrades.add(
      first.symbolId,
      first.aggTradeId,
      first.timeMs,
      first.priceTicks,
      lots,
      first.takerSide === "SELL" ? 1 : 0,
      first.tradeId,
      lastTradeId,
    );
    this.#aggTrade = undefined;
  }

  /** Writes pending rows. Call it at the end of a transaction. */
  flush(): void {
    this.#trades.flush();
    this.#aggTrades.flush();
  }

  #aggregate(trade: Trade): void {
    const current = this.#aggTrade;
    if (current?.first.symbolId === trade.symbolId && current.first.aggTradeId === trade.aggTradeId) {
      current.lots += trade.lots;
      current.lastTradeId = trade.tradeId;
      return;
    }
    this.endEntry();
    this.#aggTrade = { first: trade, lots: trade.lots, lastTradeId: trade.tradeId };
  }
}

/** Few matches are prevented, so their rows are written one by one. */
export class PreventedMatchRows {
  readonly #insert: NamedInsert;

  constructor(database: DatabaseSync) {
    this.#insert = new NamedInsert(database, "prevented_matches");
  }

  add(event: Event<"tradePrevented">): void {
    const { taker, maker, mode } = event;
    this.#insert.run({
      ...event,
      mode: SELF_TRADE_PREVENTION_MODES.indexOf(mode),
      ...{ takerAccountId: taker.accountId, takerOrderId: taker.orderId },
      ...{ makerAccountId: maker.accountId, makerOrderId: maker.orderId },
    });
  }
}
