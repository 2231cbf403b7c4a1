/**
 * Reads the time line of an account: lists of different things, merged by time, orders and trades of all symbols among
 * them. Each list gives its own newest rows before a place, by an index, so that a page costs the same wherever it
 * begins.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { ORDER_QUERIES, type OrderQueries, TRADE_QUERIES } from "./trading-queries.ts";
import type { TimeIndex, Units } from "../table/units.ts";
import type { TimeLine, TimeLineKind, TimeLinePlace, TimeLineQuestion, TimeLineRow } from "../port.ts";
import {
  ActLine,
  highIdOf,
  type Line,
  type LineItem,
  type LineQuestion,
  moneyLines,
  NO_SYMBOL,
  symbolsOf,
} from "./time-line-lists.ts";
import { moneyColumn } from "../table/columns.ts";

// Ids of orders grow with time, so a time is found by its id.

export const ORDER_LINE_QUERIES = {
  nextSymbol:
    "SELECT min(symbol_id) AS id FROM orders INDEXED BY orders_by_account WHERE account_id = ? AND symbol_id > ?",
  newest: `SELECT order_id AS id FROM orders INDEXED BY orders_by_account
    WHERE account_id = ? AND symbol_id = ? AND order_id <= ? ORDER BY order_id DESC LIMIT ?`,
  timeOf: "SELECT time_ms AS timeMs FROM orders WHERE order_id = ?",
};

class OrderLine implements Line {
  readonly kinds = ["order"] as const;
  readonly #units: Units;
  readonly #orders: OrderQueries;
  readonly #nextSymbol: StatementSync;
  readonly #newest: StatementSync;
  readonly #timeOf: StatementSync;
  readonly #times: TimeIndex;

  constructor(database: DatabaseSync, units: Units, orders: OrderQueries) {
    this.#units = units;
    this.#orders = orders;
    this.#nextSymbol = database.prepare(ORDER_LINE_QUERIES.nextSymbol);
    this.#newest = database.prepare(ORDER_LINE_QUERIES.newest);
    this.#timeOf = database.prepare(ORDER_LINE_QUERIES.timeOf);
    const { timeFrom, lastId } = ORDER_QUERIES;
    this.#times = { timeFrom: database.prepare(timeFrom), lastId: database.prepare(lastId) };
  }

  newest(accountId: number, { before, limit }: LineQuestion): LineItem[] {
    const highId = highIdOf(before, this.#times, []);
    const found: { id: number; symbolId: number }[] = [];
    for (const symbolId of symbolsOf(this.#nextSymbol, accountId)) {
      const rows = this.#newest.all(accountId, symbolId, highId, limit) as { id: number }[];
      found.push(...rows.map(({ id }) => ({ id, symbolId })));
    }
    found.sort((a, b) => b.id - a.id);
    return found.slice(0, limit).map(({ id, symbolId }) => {
      const { timeMs } = this.#timeOf.get(id) as { timeMs: number };
      return { timeMs, symbolId: NO_SYMBOL, id, row: () => this.#row(accountId, symbolId, id) };
    });
  }

  #row(accountId: number, symbolId: number, orderId: number): TimeLineRow {
    const order = this.#orders.orderById(accountId, symbolId, orderId);
    if (order === undefined) throw new Error(`the index of orders has ${orderId}, which is not there`);
    return {
      ...{ timeMs: order.timeMs, kind: "order", what: "order", id: orderId },
      ...{ symbol: this.#units.symbol(symbolId), side: order.side, type: order.type, status: order.status },
      ...{ price: order.price, quantity: order.origQty, executed: order.executedQty },
      ...{ executedQuote: order.cummulativeQuoteQty, clientOrderId: order.clientOrderId },
      updateTimeMs: order.updateTimeMs,
    };
  }
}

// A trade with oneself appears once.

type Role = "taker" | "maker";

const nextSymbol = (role: Role): string =>
  `SELECT min(symbol_id) AS id FROM trades INDEXED BY trades_by_${role} WHERE ${role}_account_id = ? AND symbol_id > ?`;
const newest = (role: Role): string => `SELECT trade_id AS id, symbol_id AS symbolId, time_ms AS timeMs,
  price_ticks AS priceTicks, lots, ${moneyColumn("quote", "quote")}, is_buyer_maker AS isBuyerMaker,
  ${role}_order_id AS orderId, ${moneyColumn(`${role}_commission`, "commission")}, '${role}' AS role
  FROM trades INDEXED BY trades_by_${role}
  WHERE ${role}_account_id = ? AND symbol_id = ? AND trade_id <= ? ORDER BY trade_id DESC LIMIT ?`;

export const TRADE_LINE_QUERIES = {
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
  readonly role: Role;
}

class TradeLine implements Line {
  readonly kinds = ["trade"] as const;
  readonly #units: Units;
  readonly #roles: readonly { readonly nextSymbol: StatementSync; readonly newest: StatementSync }[];
  readonly #times: TimeIndex;

  constructor(database: DatabaseSync, units: Units) {
    this.#units = units;
    const { takerSymbol, makerSymbol, newestTaken, newestMade } = TRADE_LINE_QUERIES;
    this.#roles = [
      { nextSymbol: database.prepare(takerSymbol), newest: database.prepare(newestTaken) },
      { nextSymbol: database.prepare(makerSymbol), newest: database.prepare(newestMade) },
    ];
    const { timeFrom, lastId } = TRADE_QUERIES;
    this.#times = { timeFrom: database.prepare(timeFrom), lastId: database.prepare(lastId) };
  }

  newest(accountId: number, { before, limit }: LineQuestion): LineItem[] {
    const trades = new Map<string, Row[]>();
    for (const { nextSymbol, newest } of this.#roles) {
      for (const symbolId of symbolsOf(nextSymbol, accountId)) {
        const highId = highIdOf(boundOf(symbolId, before), this.#times, [symbolId]);
        for (const row of newest.all(accountId, symbolId, highId, limit) as unknown as Row[]) {
          const key = `${symbolId} ${row.id}`;
          trades.set(key, [...(trades.get(key) ?? []), row]);
        }
      }
    }
    return [...trades.values()].map((sides) => {
      const { timeMs, symbolId, id } = sides[0] as Row;
      return { timeMs, symbolId, id, row: () => this.#row(sides) };
    });
  }

  #row(sides: readonly Row[]): TimeLineRow {
    const { id, symbolId, timeMs, priceTicks, lots, quote, isBuyerMaker, orderId, commission, role } = sides[0] as Row;
    const trade = {
      timeMs,
      kind: "trade",
      id,
      symbol: this.#units.symbol(symbolId),
      price: this.#units.price(symbolId, priceTicks),
      quantity: this.#units.quantity(symbolId, lots),
      quoteQuantity: this.#units.quote(symbolId, quote),
    } as const;
    if (sides.length > 1) return { ...trade, what: "both" };
    const isBuyer = (isBuyerMaker === 1) === (role === "maker");
    const assetId = this.#units.receivedAssetId(symbolId, isBuyer);
    const commissionAsset = this.#units.asset(assetId);
    const paid = { commission: this.#units.money(assetId, commission), commissionAsset };
    return { ...trade, what: role, side: isBuyer ? "BUY" : "SELL", orderId, ...paid };
  }
}

/** The trades of symbols below the place's own are still to come of its moment, of those above none. */
function boundOf(symbolId: number, before: LineQuestion["before"]): { readonly timeMs: number; readonly id: number } {
  if (symbolId === before.symbolId) return before;
  return { timeMs: before.timeMs, id: symbolId < before.symbolId ? Number.MAX_SAFE_INTEGER : 0 };
}

/** Before every place. */
const NOW: TimeLinePlace = {
  timeMs: Number.MAX_SAFE_INTEGER,
  list: Number.MAX_SAFE_INTEGER,
  symbolId: Number.MAX_SAFE_INTEGER,
  id: Number.MAX_SAFE_INTEGER,
};

export class TimeLineQueries {
  /** The place in the list is the number of a line in a place: of one moment, the last come first. */
  readonly #lines: readonly Line[];

  constructor(database: DatabaseSync, units: Units, orders: OrderQueries) {
    this.#lines = [
      new OrderLine(database, units, orders),
      new TradeLine(database, units),
      ...moneyLines(database, units),
      new ActLine(database),
    ];
  }

  timeLine(accountId: number, { kinds, before = NOW, limit }: TimeLineQuestion): TimeLine {
    const wanted: ReadonlySet<TimeLineKind> = new Set(kinds);
    const items: (LineItem & { readonly place: TimeLinePlace })[] = [];
    for (const [list, line] of this.#lines.entries()) {
      if (!line.kinds.some((kind) => wanted.has(kind))) continue;
      for (const item of line.newest(accountId, { before: boundFor(list, before), kinds: wanted, limit })) {
        items.push({ ...item, place: { timeMs: item.timeMs, list, symbolId: item.symbolId, id: item.id } });
      }
    }
    items.sort((a, b) => comparePlaces(b.place, a.place));
    const page = items.slice(0, limit);
    const rows: TimeLineRow[] = page.map(({ row }) => row());
    return { rows, last: page.at(-1)?.place ?? null };
  }
}

/** The bound within a list: of the place's own moment everything in lists below it is still to come, of those above nothing. */
function boundFor(list: number, { timeMs, list: at, symbolId, id }: TimeLinePlace): Omit<TimeLinePlace, "list"> {
  if (list === at) return { timeMs, symbolId, id };
  return list < at ? { ...NOW, timeMs } : { timeMs, symbolId: -1, id: -1 };
}

function comparePlaces(a: TimeLinePlace, b: TimeLinePlace): number {
  return a.timeMs - b.timeMs || a.list - b.list || a.symbolId - b.symbolId || a.id - b.id;
}
