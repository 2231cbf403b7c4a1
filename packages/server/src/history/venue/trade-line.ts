/** An account's trades of all symbols. A trade with oneself is one thing that happened. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { moneyColumn } from "../table/money.ts";
import type { TimeIndex } from "../table/window.ts";
import type { Units } from "../table/units.ts";
import { TRADE_QUERIES } from "../trades/trade-queries.ts";
import type { TimeLineRow } from "../venue-port.ts";
import { highIdOf, type Line, type LineItem, type LineQuestion, symbolsOf } from "./line.ts";

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

export class TradeLine implements Line {
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
