/** Reads the orders and the order lists of an account, its trades, and the trades of a symbol, single and aggregated. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { AccountTradeRow, AggTradeRow, OrderListRow, OrderRow, TradeRow } from "../shapes/rows.ts";
import type { TradeWindow, Window } from "../port.ts";
import { idRange, type TimeIndex, type Units } from "../table/units.ts";
import { moneyColumn, orderOfRow, SELECT_ORDERS } from "../table/columns.ts";

/** INDEXED BY is needed: by order id alone SQLite would scan everybody's orders. */
const ORDERS_OF_ACCOUNT = `${SELECT_ORDERS} INDEXED BY orders_by_account
  WHERE account_id = ? AND symbol_id = ? AND order_id BETWEEN ? AND ?`;

export const ORDER_QUERIES = {
  byId: `${SELECT_ORDERS} WHERE order_id = ? AND account_id = ? AND symbol_id = ?`,
  byClientId: `${SELECT_ORDERS} WHERE account_id = ? AND symbol_id = ? AND client_order_id = ? ORDER BY order_id DESC LIMIT 1`,
  oldest: `${ORDERS_OF_ACCOUNT} ORDER BY order_id LIMIT ?`,
  newest: `${ORDERS_OF_ACCOUNT} ORDER BY order_id DESC LIMIT ?`,
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

interface ListRow {
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
const LISTS_OF_ACCOUNT = `${COLUMNS} FROM order_lists AS lists INDEXED BY order_lists_by_account ${LEGS}
  WHERE lists.account_id = ? AND lists.order_list_id BETWEEN ? AND ?`;

export const ORDER_LIST_QUERIES = {
  byId: `${SELECT} WHERE lists.order_list_id = ? AND lists.account_id = ?`,
  byClientId: `${SELECT} WHERE lists.account_id = ? AND lists.list_client_order_id = ?
    ORDER BY lists.order_list_id DESC LIMIT 1`,
  oldest: `${LISTS_OF_ACCOUNT} ORDER BY lists.order_list_id LIMIT ?`,
  newest: `${LISTS_OF_ACCOUNT} ORDER BY lists.order_list_id DESC LIMIT ?`,
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
    const rows = statement.all(accountId, lowId, highId, window.limit) as unknown as ListRow[];
    if (newest) rows.reverse();
    return rows.map(shape);
  }
}

function one(row: unknown): OrderListRow | undefined {
  return row === undefined ? undefined : shape(row as ListRow);
}

function shape(row: ListRow): OrderListRow {
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

const TRADE = `SELECT trade_id AS tradeId, price_ticks AS priceTicks, lots, ${moneyColumn("quote", "quote")},
  time_ms AS timeMs, is_buyer_maker AS isBuyerMaker FROM trades WHERE symbol_id = ? AND trade_id BETWEEN ? AND ?`;
const AGG_TRADE = `SELECT agg_trade_id AS aggTradeId, price_ticks AS priceTicks, lots, first_trade_id AS firstTradeId,
  last_trade_id AS lastTradeId, time_ms AS timeMs, is_buyer_maker AS isBuyerMaker
  FROM agg_trades WHERE symbol_id = ? AND agg_trade_id BETWEEN ? AND ?`;
/** Parameters: account, symbol, trade ids from and to; then those of `where`. */
function ownTrades(role: "taker" | "maker", index: string, where = ""): string {
  const [isMaker, isBuyer] = role === "maker" ? [1, "is_buyer_maker"] : [0, "1 - is_buyer_maker"];
  return `SELECT trade_id AS tradeId, ${role}_order_id AS orderId, ${role}_order_list_id AS orderListId,
    price_ticks AS priceTicks, lots, ${moneyColumn("quote", "quote")},
    ${moneyColumn(`${role}_commission`, "commission")}, time_ms AS timeMs, ${isBuyer} AS isBuyer, ${isMaker} AS isMaker
    FROM trades INDEXED BY ${index}
    WHERE ${role}_account_id = ?1 AND symbol_id = ?2 AND trade_id BETWEEN ?3 AND ?4 ${where}`;
}
const OF_ACCOUNT = [ownTrades("taker", "trades_by_taker"), ownTrades("maker", "trades_by_maker")] as const;
const OF_ORDER = [
  ownTrades("taker", "trades_by_taker_order", "AND taker_order_id = ?5"),
  ownTrades("maker", "trades_by_maker_order", "AND maker_order_id = ?5"),
] as const;

/** A trade with oneself has both sides. The two lists are merged; of equals SQLite takes the first list's. */
function oldest([taker, maker]: readonly [string, string], limit: string): string {
  return `${taker} UNION ALL ${maker} ORDER BY tradeId LIMIT ${limit}`;
}
function newest([taker, maker]: readonly [string, string], limit: string): string {
  return `${maker} UNION ALL ${taker} ORDER BY tradeId DESC LIMIT ${limit}`;
}

export const TRADE_QUERIES = {
  oldest: `${TRADE} ORDER BY trade_id LIMIT ?`,
  newest: `${TRADE} ORDER BY trade_id DESC LIMIT ?`,
  timeFrom: `SELECT trade_id AS id, time_ms AS timeMs FROM trades WHERE symbol_id = ? AND trade_id >= ?
    ORDER BY trade_id LIMIT 1`,
  lastId: "SELECT max(trade_id) AS id FROM trades WHERE symbol_id = ?",
  aggOldest: `${AGG_TRADE} ORDER BY agg_trade_id LIMIT ?`,
  aggNewest: `${AGG_TRADE} ORDER BY agg_trade_id DESC LIMIT ?`,
  aggTimeFrom: `SELECT agg_trade_id AS id, time_ms AS timeMs FROM agg_trades WHERE symbol_id = ? AND agg_trade_id >= ?
    ORDER BY agg_trade_id LIMIT 1`,
  aggLastId: "SELECT max(agg_trade_id) AS id FROM agg_trades WHERE symbol_id = ?",
  ofAccountOldest: oldest(OF_ACCOUNT, "?5"),
  ofAccountNewest: newest(OF_ACCOUNT, "?5"),
  ofOrderOldest: oldest(OF_ORDER, "?6"),
  ofOrderNewest: newest(OF_ORDER, "?6"),
};

interface PricedRow {
  readonly priceTicks: number;
  readonly lots: number;
  readonly timeMs: number;
}
interface Row extends PricedRow {
  readonly tradeId: number;
  readonly quote: string;
  readonly isBuyerMaker: number;
}
interface AggRow extends PricedRow {
  readonly aggTradeId: number;
  readonly firstTradeId: number;
  readonly lastTradeId: number;
  readonly isBuyerMaker: number;
}
interface AccountRow extends PricedRow {
  readonly tradeId: number;
  readonly orderId: number;
  readonly orderListId: number;
  readonly quote: string;
  readonly commission: string;
  readonly isBuyer: number;
  readonly isMaker: number;
}

type Statements = Readonly<Record<keyof typeof TRADE_QUERIES, StatementSync>>;

export class TradeQueries {
  readonly #units: Units;
  readonly #statements: Statements;
  readonly #times: TimeIndex;
  readonly #aggTimes: TimeIndex;

  constructor(database: DatabaseSync, units: Units) {
    this.#units = units;
    const prepared = Object.entries(TRADE_QUERIES).map(([name, sql]) => [name, database.prepare(sql)]);
    this.#statements = Object.fromEntries(prepared) as Statements;
    this.#times = this.#statements;
    this.#aggTimes = { timeFrom: this.#statements.aggTimeFrom, lastId: this.#statements.aggLastId };
  }

  trades(symbolId: number, window: Window): TradeRow[] {
    const { lowId, highId, newest } = idRange(window, this.#times, [symbolId]);
    const statement = newest ? this.#statements.newest : this.#statements.oldest;
    const rows = ascending(statement.all(symbolId, lowId, highId, window.limit), newest) as Row[];
    return rows.map((row) => ({
      tradeId: row.tradeId,
      price: this.#units.price(symbolId, row.priceTicks),
      qty: this.#units.quantity(symbolId, row.lots),
      quoteQty: this.#units.quote(symbolId, row.quote),
      timeMs: row.timeMs,
      isBuyerMaker: row.isBuyerMaker === 1,
    }));
  }

  aggTrades(symbolId: number, window: Window): AggTradeRow[] {
    const { lowId, highId, newest } = idRange(window, this.#aggTimes, [symbolId]);
    const statement = newest ? this.#statements.aggNewest : this.#statements.aggOldest;
    const rows = ascending(statement.all(symbolId, lowId, highId, window.limit), newest) as AggRow[];
    return rows.map((row) => ({
      aggTradeId: row.aggTradeId,
      price: this.#units.price(symbolId, row.priceTicks),
      qty: this.#units.quantity(symbolId, row.lots),
      firstTradeId: row.firstTradeId,
      lastTradeId: row.lastTradeId,
      timeMs: row.timeMs,
      isBuyerMaker: row.isBuyerMaker === 1,
    }));
  }

  accountTrades(accountId: number, symbolId: number, window: TradeWindow): AccountTradeRow[] {
    const { lowId, highId, newest } = idRange(window, this.#times, [symbolId]);
    const statements = this.#statements;
    const of = [accountId, symbolId, lowId, highId];
    const found =
      window.orderId === undefined
        ? (newest ? statements.ofAccountNewest : statements.ofAccountOldest).all(...of, window.limit)
        : (newest ? statements.ofOrderNewest : statements.ofOrderOldest).all(...of, window.orderId, window.limit);
    return (ascending(found, newest) as AccountRow[]).map((row) => this.#shapeAccountTrade(symbolId, row));
  }

  #shapeAccountTrade(symbolId: number, row: AccountRow): AccountTradeRow {
    const isBuyer = row.isBuyer === 1;
    const commissionAssetId = this.#units.receivedAssetId(symbolId, isBuyer);
    return {
      tradeId: row.tradeId,
      orderId: row.orderId,
      orderListId: row.orderListId,
      price: this.#units.price(symbolId, row.priceTicks),
      qty: this.#units.quantity(symbolId, row.lots),
      quoteQty: this.#units.quote(symbolId, row.quote),
      commission: this.#units.money(commissionAssetId, row.commission),
      commissionAssetId,
      timeMs: row.timeMs,
      isBuyer,
      isMaker: row.isMaker === 1,
    };
  }
}

function ascending(rows: unknown[], newest: boolean): unknown[] {
  return newest ? rows.reverse() : rows;
}
