/** How accounts trade: what the API trading rules count. FACTS 6.4. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { ORDER_STATUSES, ORDER_TYPES, type OrderStatus, TIMES_IN_FORCE, type TimeInForce } from "@pricetime/engine";
import type { Units } from "./units.ts";
import type { ConductLeast, ConductRow } from "./wallet-port.ts";

/** A GTC order that ends sooner than this after it was placed, without a fill, was not meant. */
export const QUICK_MS = 2_500;

const status = (word: OrderStatus): number => ORDER_STATUSES.indexOf(word);
const force = (word: TimeInForce): number => TIMES_IN_FORCE.indexOf(word);
const MARKET = ORDER_TYPES.indexOf("MARKET");

/**
 * An order is worth its own price (or stop price), filled or not, so that a full fill at a better
 * price is a full fill. MARKET orders have none: they are worth what they would have cost at the
 * average of their fills, or the `quoteOrderQty`; as they have no time in force, they count for the UFR alone.
 */
const TICKS = "CASE WHEN price_ticks > 0 THEN price_ticks ELSE stop_ticks END";
const COUNTS = `count(*) AS orders,
  total(${TICKS} * 1.0 * quantity_lots) AS pricedSubmitted, total(${TICKS} * 1.0 * executed_lots) AS pricedFilled,
  total(CASE WHEN type = ${MARKET} THEN CASE WHEN CAST(quote_order_qty AS REAL) > 0 THEN CAST(quote_order_qty AS REAL)
    ELSE CAST(executed_quote AS REAL) * quantity_lots / executed_lots END END) AS marketSubmitted,
  total(CASE WHEN type = ${MARKET} THEN CAST(executed_quote AS REAL) END) AS marketFilled,
  total(type <> ${MARKET} AND time_in_force <> ${force("GTC")}) AS immediate,
  total(type <> ${MARKET} AND time_in_force <> ${force("GTC")} AND status = ${status("EXPIRED")}
    AND executed_lots = 0) AS immediateExpired,
  total(type <> ${MARKET} AND time_in_force = ${force("GTC")}) AS goodTillCancel,
  total(type <> ${MARKET} AND time_in_force = ${force("GTC")} AND executed_lots = 0
    AND status IN (${status("CANCELED")}, ${status("EXPIRED")})
    AND update_time_ms - time_ms < ${QUICK_MS}) AS goodTillCancelQuick`;

export const CONDUCT_QUERIES = {
  firstSince: "SELECT order_id AS id FROM orders WHERE time_ms >= ? ORDER BY time_ms, order_id LIMIT 1",
  nextSymbol: `SELECT symbol_id AS symbolId FROM orders INDEXED BY orders_by_account
    WHERE account_id = ? AND symbol_id > ? ORDER BY symbol_id LIMIT 1`,
  counts: `SELECT ${COUNTS} FROM orders INDEXED BY orders_by_account
    WHERE account_id = ? AND symbol_id = ? AND order_id >= ?`,
  locks: `SELECT account_id AS accountId, max(time_ms) AS timeMs FROM api_trading_locks INDEXED BY api_trading_locks_by_time
    WHERE time_ms >= ? GROUP BY account_id`,
};

/** Walks through all orders from one on: what nothing narrows but the time. */
export const BUSY_QUERY = `SELECT account_id AS accountId, symbol_id AS symbolId FROM orders WHERE order_id >= ?
  GROUP BY account_id, symbol_id HAVING count(*) >= ?`;

interface Counts {
  readonly orders: number;
  readonly pricedSubmitted: number;
  readonly pricedFilled: number;
  readonly marketSubmitted: number;
  readonly marketFilled: number;
  readonly immediate: number;
  readonly immediateExpired: number;
  readonly goodTillCancel: number;
  readonly goodTillCancelQuick: number;
}

const NO_SYMBOL = -1;

export class ConductQueries {
  private readonly units: Units;
  private readonly statements: Readonly<Record<keyof typeof CONDUCT_QUERIES, StatementSync>>;
  private readonly busy: StatementSync;

  constructor(database: DatabaseSync, units: Units) {
    this.units = units;
    const prepared = Object.entries(CONDUCT_QUERIES).map(([name, sql]) => [name, database.prepare(sql)]);
    this.statements = Object.fromEntries(prepared) as typeof this.statements;
    this.busy = database.prepare(BUSY_QUERY);
  }

  conduct(accountId: number, sinceMs: number): ConductRow[] {
    const rows: ConductRow[] = [];
    const fromOrderId = this.firstOrderSince(sinceMs);
    if (fromOrderId === undefined) return rows;
    for (let last = NO_SYMBOL; ; ) {
      const next = this.statements.nextSymbol.get(accountId, last) as { symbolId: number } | undefined;
      if (next === undefined) return rows;
      const row = this.row(accountId, next.symbolId, fromOrderId);
      if (row.orders > 0) rows.push(row);
      last = next.symbolId;
    }
  }

  conductOfAll(sinceMs: number, least: ConductLeast): ConductRow[] {
    const fromOrderId = this.firstOrderSince(sinceMs);
    if (fromOrderId === undefined) return [];
    const locks = this.statements.locks.all(sinceMs) as { accountId: number; timeMs: number }[];
    const lockedMs = new Map(locks.map(({ accountId, timeMs }) => [accountId, timeMs]));
    const fewest = Math.min(least.orders, least.immediate, least.goodTillCancel);
    const busy = this.busy.all(fromOrderId, fewest) as { accountId: number; symbolId: number }[];
    return busy.flatMap(({ accountId, symbolId }) => {
      const locked = lockedMs.get(accountId);
      const from = locked === undefined ? fromOrderId : this.firstOrderSince(locked + 1);
      const row = from === undefined ? undefined : this.row(accountId, symbolId, from);
      return row !== undefined && isEnough(row, least) ? [row] : [];
    });
  }

  private firstOrderSince(sinceMs: number): number | undefined {
    return (this.statements.firstSince.get(sinceMs) as { id: number } | undefined)?.id;
  }

  private row(accountId: number, symbolId: number, fromOrderId: number): ConductRow {
    const counts = this.statements.counts.get(accountId, symbolId, fromOrderId) as unknown as Counts;
    const { pricedSubmitted, pricedFilled, marketSubmitted, marketFilled, ...rest } = counts;
    const quotePerTickLot = this.units.quotePerTickLot(symbolId);
    return {
      accountId,
      symbolId,
      ...rest,
      submitted: pricedSubmitted + marketSubmitted / quotePerTickLot,
      filled: pricedFilled + marketFilled / quotePerTickLot,
    };
  }
}

function isEnough(row: ConductRow, least: ConductLeast): boolean {
  return row.orders >= least.orders || row.immediate >= least.immediate || row.goodTillCancel >= least.goodTillCancel;
}
