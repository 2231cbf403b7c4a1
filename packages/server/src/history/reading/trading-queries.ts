/** Reads an account's orders, order lists and trades, and a symbol's trades, individual and aggregated. */
import {
  LIST_KINDS,
  ORDER_NUMBERS,
  orderIdsOfSymbol,
  orderNumberOf,
  SELF_TRADE_PREVENTION_MODES,
  wordAt,
} from "@pricetime/engine";
import type {
  AccountTrade,
  Amendment,
  AggregateTrade,
  OrderListRecord,
  OrderRecord,
  PreventedMatchRecord,
  PublicTrade,
} from "@pricetime/protocol";
import { unitsText } from "../shapes/amounts.ts";
import { orderListShape, orderShape, preventedMatch, receivedAsset } from "../shapes/orders.ts";
import { type HistoryTables, type TimeIndex, type Window, windowRows } from "./history-tables.ts";
import { moneyColumn, orderOfRow, SELECT_ORDERS } from "../table/columns.ts";

interface OfAccount {
  readonly accountId: number;
}
interface OfSymbol {
  readonly symbolId: number;
}

/** INDEXED BY is needed, because SQLite would otherwise scan the orders of all accounts by order id. */
const ORDERS_OF_ACCOUNT = `${SELECT_ORDERS} INDEXED BY orders_by_account
  WHERE account_id = ? AND symbol_id = ? AND order_id BETWEEN ? AND ?`;

export const ORDERS = {
  byId: `${SELECT_ORDERS} WHERE order_id = ? AND account_id = ? AND symbol_id = ?`,
  byClientId: `${SELECT_ORDERS} WHERE account_id = ? AND symbol_id = ? AND client_order_id = ? ORDER BY order_id DESC LIMIT 1`,
  oldest: `${ORDERS_OF_ACCOUNT} ORDER BY order_id LIMIT ?`,
  newest: `${ORDERS_OF_ACCOUNT} ORDER BY order_id DESC LIMIT ?`,
  timeFrom: "SELECT order_id AS id, time_ms AS timeMs FROM orders WHERE order_id >= ? ORDER BY order_id LIMIT 1",
  lastId: "SELECT max(order_id) AS id FROM orders",
  lastIdUntil: "SELECT max(order_id) AS id FROM orders WHERE order_id <= ?",
};

/** Whether orders are numbered by symbol, which their ids show. */
export function areOrdersBySymbol(tables: HistoryTables): boolean {
  return (tables.row<{ id: number | null }>(ORDERS.lastId)?.id ?? 0) >= ORDER_NUMBERS;
}

/** The ids among which a time is searched: all of them or, if each symbol numbers its orders, those of the symbol. */
export function orderTimes(tables: HistoryTables, symbolId: number): typeof ORDERS & TimeIndex {
  if (!areOrdersBySymbol(tables)) return ORDERS;
  const { first, last } = orderIdsOfSymbol(symbolId);
  const lastId = tables.row<{ id: number | null }>(ORDERS.lastIdUntil, last)?.id ?? 0;
  return { ...ORDERS, ids: { first, last: lastId } };
}

function orderRecord(tables: HistoryTables, row: object): OrderRecord {
  const order = orderOfRow(row);
  return orderShape(tables.symbol(order.symbolId), order);
}

const AMENDMENT = `SELECT execution_id AS executionId, time_ms AS time, orig_client_order_id AS origClientOrderId,
  new_client_order_id AS newClientOrderId, orig_lots AS origLots, new_lots AS newLots FROM amendments`;

export const AMENDMENTS = {
  oldest: `${AMENDMENT} WHERE order_id = ? AND execution_id >= ? ORDER BY execution_id LIMIT ?`,
  newest: `${AMENDMENT} WHERE order_id = ? ORDER BY execution_id DESC LIMIT ?`,
};

interface AmendmentRow extends Omit<Amendment, "symbol" | "orderId" | "origQty" | "newQty"> {
  readonly origLots: number;
  readonly newLots: number;
}

const COLUMNS = `SELECT lists.order_list_id AS orderListId, lists.symbol_id AS symbolId,
  lists.list_client_order_id AS listClientOrderId, lists.time_ms AS timeMs, lists.is_done AS isDone,
  lists.kind AS kind, working.order_id AS workingOrderId, working.client_order_id AS workingClientOrderId,
  stop.order_id AS stopOrderId, stop.client_order_id AS stopClientOrderId,
  limited.order_id AS limitOrderId, limited.client_order_id AS limitClientOrderId`;
/** LEFT JOIN makes SQLite read each list first, and then its orders by their ids. Not every list has all three. */
const LEGS = `LEFT JOIN orders AS working ON working.order_id = lists.working_order_id
  LEFT JOIN orders AS stop ON stop.order_id = lists.stop_order_id
  LEFT JOIN orders AS limited ON limited.order_id = lists.limit_order_id`;
const SELECT = `${COLUMNS} FROM order_lists AS lists ${LEGS}`;

/** INDEXED BY is needed, because SQLite would otherwise scan the lists of all accounts by list id. */
const LISTS_OF_ACCOUNT = `${COLUMNS} FROM order_lists AS lists INDEXED BY order_lists_by_account ${LEGS}
  WHERE lists.account_id = ? AND lists.order_list_id BETWEEN ? AND ?`;

export const ORDER_LISTS = {
  byId: `${SELECT} WHERE lists.order_list_id = ? AND lists.account_id = ?`,
  byClientId: `${SELECT} WHERE lists.account_id = ? AND lists.list_client_order_id = ?
    ORDER BY lists.order_list_id DESC LIMIT 1`,
  oldest: `${LISTS_OF_ACCOUNT} ORDER BY lists.order_list_id LIMIT ?`,
  newest: `${LISTS_OF_ACCOUNT} ORDER BY lists.order_list_id DESC LIMIT ?`,
  timeFrom: `SELECT order_list_id AS id, time_ms AS timeMs FROM order_lists WHERE order_list_id >= ?
    ORDER BY order_list_id LIMIT 1`,
  lastId: "SELECT max(order_list_id) AS id FROM order_lists",
};

interface ListRow {
  readonly orderListId: number;
  readonly symbolId: number;
  readonly listClientOrderId: string;
  readonly timeMs: number;
  readonly isDone: number;
  readonly kind: number;
  readonly workingOrderId: number | null;
  readonly workingClientOrderId: string | null;
  readonly stopOrderId: number | null;
  readonly stopClientOrderId: string | null;
  readonly limitOrderId: number | null;
  readonly limitClientOrderId: string | null;
}

function listRecord(tables: HistoryTables, row: ListRow): OrderListRecord {
  const all = [
    [row.workingOrderId, row.workingClientOrderId] as const,
    [row.stopOrderId, row.stopClientOrderId] as const,
    [row.limitOrderId, row.limitClientOrderId] as const,
  ];
  const orders = all.flatMap(([orderId, clientOrderId]) =>
    orderId === null || clientOrderId === null ? [] : [{ orderId, clientOrderId }],
  );
  const kind = wordAt(LIST_KINDS, row.kind);
  return orderListShape(tables.symbol(row.symbolId).symbol, { ...row, kind, orders }, row.isDone === 1);
}

const TRADE = `SELECT trade_id AS tradeId, price_ticks AS priceTicks, lots, ${moneyColumn("quote", "quote")},
  time_ms AS timeMs, is_buyer_maker AS isBuyerMaker FROM trades WHERE symbol_id = ? AND trade_id BETWEEN ? AND ?`;
const AGG_TRADE = `SELECT agg_trade_id AS aggTradeId, price_ticks AS priceTicks, lots, first_trade_id AS firstTradeId,
  last_trade_id AS lastTradeId, time_ms AS timeMs, is_buyer_maker AS isBuyerMaker
  FROM agg_trades WHERE symbol_id = ? AND agg_trade_id BETWEEN ? AND ?`;

export const TRADES = {
  oldest: `${TRADE} ORDER BY trade_id LIMIT ?`,
  newest: `${TRADE} ORDER BY trade_id DESC LIMIT ?`,
  timeFrom: `SELECT trade_id AS id, time_ms AS timeMs FROM trades WHERE symbol_id = ? AND trade_id >= ?
    ORDER BY trade_id LIMIT 1`,
  lastId: "SELECT max(trade_id) AS id FROM trades WHERE symbol_id = ?",
  last: "SELECT trade_id AS id, time_ms AS timeMs FROM trades WHERE symbol_id = ? ORDER BY trade_id DESC LIMIT 1",
};
export const AGG_TRADES = {
  oldest: `${AGG_TRADE} ORDER BY agg_trade_id LIMIT ?`,
  newest: `${AGG_TRADE} ORDER BY agg_trade_id DESC LIMIT ?`,
  timeFrom: `SELECT agg_trade_id AS id, time_ms AS timeMs FROM agg_trades WHERE symbol_id = ? AND agg_trade_id >= ?
    ORDER BY agg_trade_id LIMIT 1`,
  lastId: "SELECT max(agg_trade_id) AS id FROM agg_trades WHERE symbol_id = ?",
};

/** Parameters: account, symbol, first and last trade id, then those of `where`. */
function ownTrades(role: "taker" | "maker", index: string, where = ""): string {
  const [isMaker, isBuyer] = role === "maker" ? [1, "is_buyer_maker"] : [0, "1 - is_buyer_maker"];
  return `SELECT trade_id AS tradeId, ${role}_order_id AS orderId, ${role}_order_list_id AS orderListId,
    price_ticks AS priceTicks, lots, ${moneyColumn("quote", "quote")},
    ${moneyColumn(`${role}_commission`, "commission")}, ${role}_commission_asset_id AS commissionAssetId,
    time_ms AS timeMs, ${isBuyer} AS isBuyer, ${isMaker} AS isMaker
    FROM trades INDEXED BY ${index}
    WHERE ${role}_account_id = ?1 AND symbol_id = ?2 AND trade_id BETWEEN ?3 AND ?4 ${where}`;
}

/**
 * Merges both lists of trades. A trade of an account with itself is in both; for equal ids, SQLite returns rows of the
 * first list first.
 */
function merged(taker: string, maker: string, limit: string): typeof TRADES {
  return {
    ...TRADES,
    oldest: `${taker} UNION ALL ${maker} ORDER BY tradeId LIMIT ${limit}`,
    newest: `${maker} UNION ALL ${taker} ORDER BY tradeId DESC LIMIT ${limit}`,
  };
}

export const TRADES_OF_ACCOUNT = merged(
  ownTrades("taker", "trades_by_taker"),
  ownTrades("maker", "trades_by_maker"),
  "?5",
);
export const TRADES_OF_ORDER = merged(
  ownTrades("taker", "trades_by_taker_order", "AND taker_order_id = ?5"),
  ownTrades("maker", "trades_by_maker_order", "AND maker_order_id = ?5"),
  "?6",
);

/** ?1: the account, ?2: the symbol. The rows are read in the order of an index. */
const PREVENTED = `SELECT prevented_match_id AS preventedMatchId, time_ms AS timeMs, mode,
  trade_group_id AS tradeGroupId, price_ticks AS priceTicks, taker_order_id AS takerOrderId, taker_lots AS takerLots,
  maker_order_id AS makerOrderId, maker_lots AS makerLots FROM prevented_matches`;

function preventedOf(role: "taker" | "maker"): string {
  return `${PREVENTED} INDEXED BY prevented_matches_by_${role}
    WHERE ${role}_order_id = ?3 AND prevented_match_id >= ?4 AND ${role}_account_id = ?1 AND symbol_id = ?2`;
}

export const PREVENTED_MATCHES = {
  byId: `${PREVENTED} WHERE symbol_id = ?2 AND prevented_match_id = ?3 AND ?1 IN (taker_account_id, maker_account_id)`,
  ofOrder: `${preventedOf("taker")} UNION ALL ${preventedOf("maker")} ORDER BY preventedMatchId LIMIT ?5`,
};

interface PricedRow {
  readonly priceTicks: number;
  readonly lots: number;
  readonly timeMs: number;
}
interface TradeRow extends PricedRow {
  readonly tradeId: number;
  readonly quote: string;
  readonly isBuyerMaker: number;
}
interface AggTradeRow extends PricedRow {
  readonly aggTradeId: number;
  readonly firstTradeId: number;
  readonly lastTradeId: number;
  readonly isBuyerMaker: number;
}
interface PreventedRow {
  readonly preventedMatchId: number;
  readonly timeMs: number;
  readonly mode: number;
  readonly tradeGroupId: number;
  readonly priceTicks: number;
  readonly takerOrderId: number;
  readonly takerLots: number;
  readonly makerOrderId: number;
  readonly makerLots: number;
}
interface OwnTradeRow extends PricedRow {
  readonly tradeId: number;
  readonly orderId: number;
  readonly orderListId: number;
  readonly quote: string;
  readonly commission: string;
  /** Null: the asset received. */
  readonly commissionAssetId: number | null;
  readonly isBuyer: number;
  readonly isMaker: number;
}

function preventedRecord(tables: HistoryTables, symbolId: number, row: PreventedRow): PreventedMatchRecord {
  const units = tables.symbol(symbolId);
  const mode = wordAt(SELF_TRADE_PREVENTION_MODES, row.mode);
  const { preventedMatchId, ...match } = preventedMatch(units, { ...row, mode });
  return {
    symbol: units.symbol,
    preventedMatchId,
    takerOrderId: orderNumberOf(row.takerOrderId),
    ...match,
    tradeGroupId: row.tradeGroupId,
    selfTradePreventionMode: mode,
    transactTime: row.timeMs,
  };
}

export const tradingQueries = {
  orderById(
    tables: HistoryTables,
    asked: OfAccount & OfSymbol & { readonly orderId: number },
  ): OrderRecord | undefined {
    const row = tables.row<object>(ORDERS.byId, asked.orderId, asked.accountId, asked.symbolId);
    return row && orderRecord(tables, row);
  },
  /** The latest order with this client order id. */
  orderByClientId(
    tables: HistoryTables,
    asked: OfAccount & OfSymbol & { readonly clientOrderId: string },
  ): OrderRecord | undefined {
    const row = tables.row<object>(ORDERS.byClientId, asked.accountId, asked.symbolId, asked.clientOrderId);
    return row && orderRecord(tables, row);
  },
  orderPage(tables: HistoryTables, { accountId, symbolId, ...window }: OfAccount & OfSymbol & Window): string {
    const rows = windowRows<object>(tables, orderTimes(tables, symbolId), window, {
      scope: [],
      first: [accountId, symbolId],
    });
    return JSON.stringify(rows.map((row) => orderRecord(tables, row)));
  },

  /** The order's amendments from `fromId` on; without it, the latest ones. */
  amendmentPage(
    tables: HistoryTables,
    asked: OfAccount & OfSymbol & { readonly orderId: number; readonly fromId: number | undefined; limit: number },
  ): string {
    const { accountId, symbolId, orderId, fromId, limit } = asked;
    if (tables.row<object>(ORDERS.byId, orderId, accountId, symbolId) === undefined) return "[]";
    const rows =
      fromId === undefined
        ? tables.rows<AmendmentRow>(AMENDMENTS.newest, orderId, limit).reverse()
        : tables.rows<AmendmentRow>(AMENDMENTS.oldest, orderId, fromId, limit);
    const { symbol } = tables.symbol(symbolId);
    const shape = ({ executionId, origClientOrderId, newClientOrderId, ...row }: AmendmentRow): Amendment => ({
      ...{ symbol, orderId: orderNumberOf(orderId), executionId, origClientOrderId, newClientOrderId },
      origQty: tables.quantity(symbolId, row.origLots),
      newQty: tables.quantity(symbolId, row.newLots),
      time: row.time,
    });
    return JSON.stringify(rows.map(shape));
  },

  orderListById(
    tables: HistoryTables,
    { accountId, orderListId }: OfAccount & { readonly orderListId: number },
  ): OrderListRecord | undefined {
    const row = tables.row<ListRow>(ORDER_LISTS.byId, orderListId, accountId);
    return row && listRecord(tables, row);
  },
  /** The latest order list with this client id. */
  orderListByClientId(
    tables: HistoryTables,
    asked: OfAccount & { readonly listClientOrderId: string },
  ): OrderListRecord | undefined {
    const row = tables.row<ListRow>(ORDER_LISTS.byClientId, asked.accountId, asked.listClientOrderId);
    return row && listRecord(tables, row);
  },
  /** The account's order lists on all symbols. */
  orderListPage(tables: HistoryTables, { accountId, ...window }: OfAccount & Window): string {
    const rows = windowRows<ListRow>(tables, ORDER_LISTS, window, { scope: [], first: [accountId] });
    return JSON.stringify(rows.map((row) => listRecord(tables, row)));
  },

  /** The prevented match with this id, if the account is part of it. */
  preventedMatch(
    tables: HistoryTables,
    { accountId, symbolId, preventedMatchId }: OfAccount & OfSymbol & { readonly preventedMatchId: number },
  ): string {
    const rows = tables.rows<PreventedRow>(PREVENTED_MATCHES.byId, accountId, symbolId, preventedMatchId);
    return JSON.stringify(rows.map((row) => preventedRecord(tables, symbolId, row)));
  },
  /** The prevented matches of an order of the account, in ascending order of ids. */
  preventedMatchPage(
    tables: HistoryTables,
    {
      accountId,
      symbolId,
      orderId,
      fromId,
      limit,
    }: OfAccount & OfSymbol & { readonly orderId: number; readonly fromId: number; readonly limit: number },
  ): string {
    const rows = tables.rows<PreventedRow>(PREVENTED_MATCHES.ofOrder, accountId, symbolId, orderId, fromId, limit);
    return JSON.stringify(rows.map((row) => preventedRecord(tables, symbolId, row)));
  },

  trades(tables: HistoryTables, { symbolId, ...window }: OfSymbol & Window): PublicTrade[] {
    return windowRows<TradeRow>(tables, TRADES, window, { scope: [symbolId] }).map((row) => ({
      id: row.tradeId,
      price: tables.price(symbolId, row.priceTicks),
      qty: tables.quantity(symbolId, row.lots),
      quoteQty: tables.quote(symbolId, row.quote),
      time: row.timeMs,
      isBuyerMaker: row.isBuyerMaker === 1,
      isBestMatch: true,
    }));
  },
  tradePage(tables: HistoryTables, asked: OfSymbol & Window): string {
    return JSON.stringify(tradingQueries.trades(tables, asked));
  },
  aggTradePage(tables: HistoryTables, { symbolId, ...window }: OfSymbol & Window): string {
    const rows = windowRows<AggTradeRow>(tables, AGG_TRADES, window, { scope: [symbolId] });
    const shape = (row: AggTradeRow): AggregateTrade => ({
      a: row.aggTradeId,
      p: tables.price(symbolId, row.priceTicks),
      q: tables.quantity(symbolId, row.lots),
      f: row.firstTradeId,
      l: row.lastTradeId,
      T: row.timeMs,
      m: row.isBuyerMaker === 1,
      M: true,
    });
    return JSON.stringify(rows.map(shape));
  },
  /** An account's trades on a symbol; with `orderId`, only the trades of this order. */
  accountTradePage(
    tables: HistoryTables,
    {
      accountId,
      symbolId,
      orderId,
      ...window
    }: OfAccount & OfSymbol & Window & { readonly orderId?: number | undefined },
  ): string {
    const statements = orderId === undefined ? TRADES_OF_ACCOUNT : TRADES_OF_ORDER;
    const last = orderId === undefined ? [] : [orderId];
    const of = { scope: [symbolId], first: [accountId, symbolId], last };
    const shape = (row: OwnTradeRow): AccountTrade => {
      const units = tables.symbol(symbolId);
      const isBuyer = row.isBuyer === 1;
      const { commissionAssetId } = row;
      const paid = commissionAssetId === null ? receivedAsset(units, isBuyer) : tables.asset(commissionAssetId);
      return {
        symbol: units.symbol,
        id: row.tradeId,
        orderId: orderNumberOf(row.orderId),
        orderListId: row.orderListId,
        price: tables.price(symbolId, row.priceTicks),
        qty: tables.quantity(symbolId, row.lots),
        quoteQty: tables.quote(symbolId, row.quote),
        commission: unitsText(BigInt(row.commission), paid.decimals),
        commissionAsset: paid.asset,
        time: row.timeMs,
        isBuyer,
        isMaker: row.isMaker === 1,
        isBestMatch: true,
      };
    };
    return JSON.stringify(windowRows<OwnTradeRow>(tables, statements, window, of).map(shape));
  },
};
