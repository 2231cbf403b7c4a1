/**
 * Reads the timeline of an account: several lists merged by time, including orders and trades of all symbols. Each list
 * uses an index to read its newest rows before a position, so every page costs the same.
 */
import { namedOrderId, orderNumberOf } from "@pricetime/engine";
import { areOrdersBySymbol, ORDERS, orderTimes, TRADES, tradingQueries } from "./trading-queries.ts";
import type { HistoryTables } from "./history-tables.ts";
import {
  actLine,
  highIdOf,
  type Line,
  type LineItem,
  type LineQuestion,
  moneyLines,
  NO_SYMBOL,
  symbolsOf,
  type TimeLineKind,
  type TimeLinePlace,
  type TimeLineRow,
} from "./time-line-lists.ts";
import { receivedAsset } from "../shapes/orders.ts";
import { unitsText } from "../shapes/amounts.ts";
import { moneyColumn } from "../table/columns.ts";

// Order ids grow with time, so a time is converted to an id.

export const ORDER_LINE = {
  nextSymbol:
    "SELECT min(symbol_id) AS id FROM orders INDEXED BY orders_by_account WHERE account_id = ? AND symbol_id > ?",
  newest: `SELECT order_id AS id FROM orders INDEXED BY orders_by_account
    WHERE account_id = ? AND symbol_id = ? AND order_id <= ? ORDER BY order_id DESC LIMIT ?`,
  timeOf: "SELECT time_ms AS timeMs FROM orders WHERE order_id = ?",
};

const orderLine: Line = {
  kinds: ["order"],
  newest(tables, accountId, { before, limit }) {
    if (areOrdersBySymbol(tables)) return newestBySymbol(tables, accountId, { before, limit });
    const highId = highIdOf(tables, before, ORDERS);
    const found: { id: number; symbolId: number }[] = [];
    for (const symbolId of symbolsOf(tables, ORDER_LINE.nextSymbol, accountId)) {
      const rows = tables.rows<{ id: number }>(ORDER_LINE.newest, accountId, symbolId, highId, limit);
      found.push(...rows.map(({ id }) => ({ id, symbolId })));
    }
    found.sort((a, b) => b.id - a.id);
    return found.slice(0, limit).map(({ id, symbolId }) => {
      const { timeMs } = tables.row(ORDER_LINE.timeOf, id) as { timeMs: number };
      return { timeMs, symbolId: NO_SYMBOL, id, row: () => orderRow(tables, { accountId, symbolId, orderId: id }) };
    });
  },
};

/** The newest orders of each symbol, if their ids grow with time only within a symbol. */
function newestBySymbol(
  tables: HistoryTables,
  accountId: number,
  { before, limit }: Pick<LineQuestion, "before" | "limit">,
): LineItem[] {
  return [...symbolsOf(tables, ORDER_LINE.nextSymbol, accountId)].flatMap((symbolId) => {
    const { timeMs, id } = boundOf(symbolId, before);
    const bound = { timeMs, id: namedOrderId("symbol", symbolId, id) };
    const highId = highIdOf(tables, bound, orderTimes(tables, symbolId));
    const rows = tables.rows<{ id: number }>(ORDER_LINE.newest, accountId, symbolId, highId, limit);
    return rows.map(({ id: orderId }) => {
      const at = tables.row(ORDER_LINE.timeOf, orderId) as { timeMs: number };
      const row = (): TimeLineRow => orderRow(tables, { accountId, symbolId, orderId });
      return { timeMs: at.timeMs, symbolId, id: orderNumberOf(orderId), row };
    });
  });
}

function orderRow(
  tables: HistoryTables,
  asked: { readonly accountId: number; readonly symbolId: number; readonly orderId: number },
): TimeLineRow {
  const order = tradingQueries.orderById(tables, asked);
  if (order === undefined) throw new Error(`the index of orders has ${asked.orderId}, which is not there`);
  return {
    ...{ timeMs: order.time, kind: "order", what: "order", id: order.orderId },
    ...{ symbol: order.symbol, side: order.side, type: order.type, status: order.status },
    ...{ price: order.price, quantity: order.origQty, executed: order.executedQty },
    ...{ executedQuote: order.cummulativeQuoteQty, clientOrderId: order.clientOrderId },
    updateTimeMs: order.updateTime,
  };
}

// A trade of an account with itself appears only once.

type Role = "taker" | "maker";

const nextSymbol = (role: Role): string =>
  `SELECT min(symbol_id) AS id FROM trades INDEXED BY trades_by_${role} WHERE ${role}_account_id = ? AND symbol_id > ?`;
const newest = (role: Role): string => `SELECT trade_id AS id, symbol_id AS symbolId, time_ms AS timeMs,
  price_ticks AS priceTicks, lots, ${moneyColumn("quote", "quote")}, is_buyer_maker AS isBuyerMaker,
  ${role}_order_id AS orderId, ${moneyColumn(`${role}_commission`, "commission")},
  ${role}_commission_asset_id AS commissionAssetId, '${role}' AS role
  FROM trades INDEXED BY trades_by_${role}
  WHERE ${role}_account_id = ? AND symbol_id = ? AND trade_id <= ? ORDER BY trade_id DESC LIMIT ?`;

export const TRADE_LINE = {
  takerSymbol: nextSymbol("taker"),
  makerSymbol: nextSymbol("maker"),
  newestTaken: newest("taker"),
  newestMade: newest("maker"),
};

interface Row {
  readonly id: number;
  readonly symbolId: number;
  readonly timeMs: number;
  readonly priceTicks: number;
  readonly lots: number;
  readonly quote: string;
  readonly isBuyerMaker: number;
  readonly orderId: number;
  readonly commission: string;
  /** Null: the asset received. */
  readonly commissionAssetId: number | null;
  readonly role: Role;
}

const tradeLine: Line = {
  kinds: ["trade"],
  newest(tables, accountId, { before, limit }) {
    const trades = new Map<string, Row[]>();
    for (const [nextSymbol, newest] of [
      [TRADE_LINE.takerSymbol, TRADE_LINE.newestTaken],
      [TRADE_LINE.makerSymbol, TRADE_LINE.newestMade],
    ] as const) {
      for (const symbolId of symbolsOf(tables, nextSymbol, accountId)) {
        const highId = highIdOf(tables, boundOf(symbolId, before), TRADES, symbolId);
        for (const row of tables.rows<Row>(newest, accountId, symbolId, highId, limit)) {
          const key = `${symbolId} ${row.id}`;
          trades.set(key, [...(trades.get(key) ?? []), row]);
        }
      }
    }
    return [...trades.values()].map((sides) => {
      const { timeMs, symbolId, id } = sides[0] as Row;
      return { timeMs, symbolId, id, row: () => tradeRow(tables, sides) };
    });
  },
};

function tradeRow(tables: HistoryTables, sides: readonly Row[]): TimeLineRow {
  const { id, symbolId, timeMs, priceTicks, lots, quote, isBuyerMaker, orderId, commission, role } = sides[0] as Row;
  const units = tables.symbol(symbolId);
  const trade = {
    ...{ timeMs, kind: "trade" as const, id, symbol: units.symbol, price: tables.price(symbolId, priceTicks) },
    ...{ quantity: tables.quantity(symbolId, lots), quoteQuantity: tables.quote(symbolId, quote) },
  };
  if (sides.length > 1) return { ...trade, what: "both" };
  const isBuyer = (isBuyerMaker === 1) === (role === "maker");
  const { commissionAssetId } = sides[0] as Row;
  const paidIn = commissionAssetId === null ? receivedAsset(units, isBuyer) : tables.asset(commissionAssetId);
  const paid = { commission: unitsText(BigInt(commission), paidIn.decimals), commissionAsset: paidIn.asset };
  return { ...trade, what: role, side: isBuyer ? "BUY" : "SELL", orderId: orderNumberOf(orderId), ...paid };
}

/**
 * The bound for one symbol. Of the trades at the position's own time, those of lower symbols are still to be listed,
 * those of higher symbols are not.
 */
function boundOf(symbolId: number, before: LineQuestion["before"]): { readonly timeMs: number; readonly id: number } {
  if (symbolId === before.symbolId) return before;
  return { timeMs: before.timeMs, id: symbolId < before.symbolId ? Number.MAX_SAFE_INTEGER : 0 };
}

/** The position at which the first page begins. */
const NOW: TimeLinePlace = {
  timeMs: Number.MAX_SAFE_INTEGER,
  list: Number.MAX_SAFE_INTEGER,
  symbolId: Number.MAX_SAFE_INTEGER,
  id: Number.MAX_SAFE_INTEGER,
};

/** The lists of a timeline. Their order matters: at the same time, items of later lists come first. */
const LINES: readonly Line[] = [orderLine, tradeLine, ...moneyLines, actLine];

interface TimeLineAsked {
  readonly accountId: number;
  readonly kinds: readonly TimeLineKind[];
  /** Selects only items after this position, which are older. */
  readonly before?: TimeLinePlace | undefined;
  readonly limit: number;
}

export const timeLineQueries = {
  /**
   * The items of an account's timeline, newest first. `last`: the position of the last row; null if there are no rows.
   */
  timeLine(
    tables: HistoryTables,
    { accountId, kinds, before = NOW, limit }: TimeLineAsked,
  ): { readonly rows: readonly TimeLineRow[]; readonly last: TimeLinePlace | null } {
    const wanted: ReadonlySet<TimeLineKind> = new Set(kinds);
    const items: (LineItem & { readonly place: TimeLinePlace })[] = [];
    for (const [list, line] of LINES.entries()) {
      if (!line.kinds.some((kind) => wanted.has(kind))) continue;
      for (const item of line.newest(tables, accountId, { before: boundFor(list, before), kinds: wanted, limit })) {
        items.push({ ...item, place: { timeMs: item.timeMs, list, symbolId: item.symbolId, id: item.id } });
      }
    }
    items.sort((a, b) => comparePlaces(b.place, a.place));
    const page = items.slice(0, limit);
    return { rows: page.map(({ row }) => row()), last: page.at(-1)?.place ?? null };
  },
};

/**
 * The bound for one list. Of the items at the position's own time, those in lower lists are still to be listed, those
 * in higher lists are not.
 */
function boundFor(list: number, { timeMs, list: at, symbolId, id }: TimeLinePlace): Omit<TimeLinePlace, "list"> {
  if (list === at) return { timeMs, symbolId, id };
  return list < at ? { ...NOW, timeMs } : { timeMs, symbolId: -1, id: -1 };
}

function comparePlaces(a: TimeLinePlace, b: TimeLinePlace): number {
  return a.timeMs - b.timeMs || a.list - b.list || a.symbolId - b.symbolId || a.id - b.id;
}
