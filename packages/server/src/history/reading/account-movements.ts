/**
 * An account's movements in order of time: its trades, conversions of small balances, deposits, withdrawals, transfers,
 * dividends and adjustments. They add up to the balance of each day: the remainder, which has no row of its own (such
 * as a credit by an operator), is a movement of that day.
 */
import { DAY_MS, WITHDRAWAL_STATUSES } from "@pricetime/engine";
import { moneyColumn } from "../table/columns.ts";
import type { HistoryTables } from "./history-tables.ts";

export const MOVEMENT_LIMITS = {
  /** Maximum number of trades, and of rows of any other table. A trade takes a reader thread 5 µs. */
  maxRows: 50_000,
} as const;

interface Amount {
  readonly assetId: number;
  readonly amount: bigint;
}

interface Deposit extends Amount {
  readonly timeMs: number;
}

/** `priced`: the side of a swap that has the better known price, which is that in the quote asset. */
export type AccountMovement =
  | ({ readonly kind: "in" | "out" | "fee"; readonly timeMs: number } & Amount)
  | { readonly kind: "swap"; readonly timeMs: number; readonly gave: Amount; readonly got: Amount; priced: Amount };

function side(role: "taker" | "maker", isBuyer: string): string {
  return `SELECT symbol_id AS symbolId, time_ms AS timeMs, lots, ${moneyColumn("quote", "quote")},
    ${moneyColumn(`${role}_commission`, "commission")}, ${role}_commission_asset_id AS commissionAssetId,
    ${isBuyer} AS isBuyer
    FROM trades INDEXED BY trades_by_${role} WHERE ${role}_account_id = ?`;
}

const MOVEMENTS = {
  isLongTaker: "SELECT 1 FROM trades INDEXED BY trades_by_taker WHERE taker_account_id = ? LIMIT 1 OFFSET ?",
  isLongMaker: "SELECT 1 FROM trades INDEXED BY trades_by_maker WHERE maker_account_id = ? LIMIT 1 OFFSET ?",
  taker: side("taker", "1 - is_buyer_maker"),
  maker: side("maker", "is_buyer_maker"),
  dust: `SELECT asset_id AS assetId, ${moneyColumn("amount", "amount")}, dust_asset_id AS dustAssetId,
    ${moneyColumn("received", "received")}, time_ms AS timeMs FROM dust_conversions WHERE account_id = ? LIMIT ?`,
  deposits: `SELECT asset_id AS assetId, ${moneyColumn("amount", "amount")}, insert_time_ms AS timeMs
    FROM deposits INDEXED BY deposits_by_account WHERE account_id = ? ORDER BY insert_time_ms LIMIT ?`,
  withdrawals: `SELECT asset_id AS assetId, ${moneyColumn("amount", "amount")}, ${moneyColumn("fee", "fee")},
    update_time_ms AS timeMs FROM withdrawals INDEXED BY withdrawals_by_status
    WHERE account_id = ? AND status = ${WITHDRAWAL_STATUSES.indexOf("completed")} LIMIT ?`,
  transfers: `SELECT asset_id AS assetId, ${moneyColumn("amount", "amount")}, to_account_id = ?1 AS isIn,
    transfers.time_ms AS timeMs FROM account_transfers CROSS JOIN transfers USING (tran_id)
    WHERE account_id = ?1 LIMIT ?2`,
  dividends: `SELECT asset_id AS assetId, ${moneyColumn("amount", "amount")}, time_ms AS timeMs
    FROM dividends INDEXED BY dividends_by_account WHERE account_id = ? LIMIT ?`,
  adjustments: `SELECT asset_id AS assetId, ${moneyColumn("amount", "amount")}, time_ms AS timeMs
    FROM adjustments INDEXED BY adjustments_by_account WHERE account_id = ? LIMIT ?`,
  days: `SELECT asset_id AS assetId, day, ${moneyColumn("free", "free")}, ${moneyColumn("locked", "locked")}
    FROM day_balances WHERE account_id = ? ORDER BY asset_id, day LIMIT ?`,
  pair: `SELECT base_asset_id AS baseId, quote_asset_id AS quoteId, quantity_decimals AS quantityDecimals
    FROM symbols WHERE symbol_id = ?`,
};

interface MoneyRow {
  readonly assetId: number;
  readonly amount: string;
  readonly timeMs: number;
}
interface TradeRow extends Record<"symbolId" | "timeMs" | "lots" | "isBuyer", number> {
  readonly quote: string;
  readonly commission: string;
  /** Null: the asset received. */
  readonly commissionAssetId: number | null;
}
interface Pair {
  readonly baseId: number;
  readonly quoteId: number;
  /** Units of the base asset in a lot. */
  readonly lot: bigint;
}
/** The balance of an asset at the end of a day on which it changed. */
export interface DayTotal {
  readonly assetId: number;
  readonly day: number;
  readonly total: bigint;
}

class TooMany extends Error {}

class MovementReading {
  readonly #tables: HistoryTables;
  readonly #accountId: number;
  readonly #pairs = new Map<number, Pair>();

  constructor(tables: HistoryTables, accountId: number) {
    this.#tables = tables;
    this.#accountId = accountId;
  }

  #rows<Row>(sql: string): Row[] {
    const rows = this.#tables.rows<Row>(sql, this.#accountId, MOVEMENT_LIMITS.maxRows + 1);
    if (rows.length > MOVEMENT_LIMITS.maxRows) throw new TooMany();
    return rows;
  }

  days(): DayTotal[] {
    type Row = Record<"assetId" | "day", number> & Record<"free" | "locked", string>;
    return this.#rows<Row>(MOVEMENTS.days).map(({ assetId, day, free, locked }) => ({
      ...{ assetId, day },
      total: BigInt(free) + BigInt(locked),
    }));
  }

  /** The movements with an exact time. */
  timed(): AccountMovement[] {
    return [...this.#trades(), ...this.#dust(), ...this.#withdrawals(), ...this.#transfers(), ...this.#operators()];
  }

  /** Deposits, whose rows have the time at which they were first seen, and not that of their credit. */
  deposits(): Deposit[] {
    return this.#rows<MoneyRow>(MOVEMENTS.deposits).map((row) => ({ ...row, amount: BigInt(row.amount) }));
  }

  *#trades(): Generator<AccountMovement> {
    const limit = MOVEMENT_LIMITS.maxRows;
    for (const sql of [MOVEMENTS.isLongTaker, MOVEMENTS.isLongMaker]) {
      if (this.#tables.row(sql, this.#accountId, limit) !== undefined) throw new TooMany();
    }
    for (const sql of [MOVEMENTS.taker, MOVEMENTS.maker]) {
      for (const row of this.#tables.each<TradeRow>(sql, this.#accountId)) {
        yield this.#swapOf(row);
        const { commissionAssetId: assetId, timeMs } = row;
        if (assetId !== null) yield { kind: "fee", timeMs, assetId, amount: BigInt(row.commission) };
      }
    }
  }

  /** A commission in the received asset is deducted from it. In another asset, it is a fee of its own. */
  #swapOf({ symbolId, timeMs, lots, quote, commission, commissionAssetId, isBuyer }: TradeRow): AccountMovement {
    const { baseId, quoteId, lot } = this.#pair(symbolId);
    const [base, paid, fee] = [BigInt(lots) * lot, BigInt(quote), commissionAssetId === null ? BigInt(commission) : 0n];
    if (isBuyer === 1) {
      const gave = { assetId: quoteId, amount: paid };
      return { kind: "swap", timeMs, gave, got: { assetId: baseId, amount: base - fee }, priced: gave };
    }
    const got = { assetId: quoteId, amount: paid - fee };
    return { kind: "swap", timeMs, gave: { assetId: baseId, amount: base }, got, priced: got };
  }

  #pair(symbolId: number): Pair {
    let pair = this.#pairs.get(symbolId);
    if (pair === undefined) {
      const row = this.#tables.row<Record<"baseId" | "quoteId" | "quantityDecimals", number>>(MOVEMENTS.pair, symbolId);
      if (row === undefined) throw new Error(`history does not know symbol ${symbolId}`);
      const { baseId, quoteId, quantityDecimals } = row;
      const lot = 10n ** BigInt(this.#tables.asset(baseId).decimals - quantityDecimals);
      pair = { baseId, quoteId, lot };
      this.#pairs.set(symbolId, pair);
    }
    return pair;
  }

  #dust(): AccountMovement[] {
    type Row = MoneyRow & { readonly dustAssetId: number; readonly received: string };
    return this.#rows<Row>(MOVEMENTS.dust).map(({ assetId, amount, dustAssetId, received, timeMs }) => {
      const got = { assetId: dustAssetId, amount: BigInt(received) };
      return { kind: "swap", timeMs, gave: { assetId, amount: BigInt(amount) }, got, priced: got };
    });
  }

  #withdrawals(): AccountMovement[] {
    type Row = MoneyRow & { readonly fee: string };
    return this.#rows<Row>(MOVEMENTS.withdrawals).flatMap(({ assetId, amount, fee, timeMs }): AccountMovement[] => [
      { kind: "out", timeMs, assetId, amount: BigInt(amount) },
      { kind: "fee", timeMs, assetId, amount: BigInt(fee) },
    ]);
  }

  #transfers(): AccountMovement[] {
    return this.#rows<MoneyRow & { readonly isIn: number }>(MOVEMENTS.transfers).map(({ isIn, amount, ...row }) => ({
      ...{ kind: isIn === 1 ? "in" : "out", ...row, amount: BigInt(amount) },
    }));
  }

  /** Dividends and adjustments. */
  #operators(): AccountMovement[] {
    return [MOVEMENTS.dividends, MOVEMENTS.adjustments].flatMap((sql) =>
      this.#rows<MoneyRow>(sql).map(({ amount, ...row }) => signed(row, BigInt(amount))),
    );
  }
}

function signed(of: { readonly assetId: number; readonly timeMs: number }, amount: bigint): AccountMovement {
  return amount < 0n ? { kind: "out", ...of, amount: -amount } : { kind: "in", ...of, amount };
}

/** The sums of movements by asset and day. */
class DayFlows {
  readonly #sums = new Map<string, bigint>();

  add(movement: AccountMovement): void {
    const day = Math.floor(movement.timeMs / DAY_MS);
    if (movement.kind === "swap") {
      this.#add(day, movement.gave.assetId, -movement.gave.amount);
      this.#add(day, movement.got.assetId, movement.got.amount);
    } else {
      this.#add(day, movement.assetId, movement.kind === "in" ? movement.amount : -movement.amount);
    }
  }

  on(day: number, assetId: number): bigint {
    return this.#sums.get(`${day} ${assetId}`) ?? 0n;
  }

  #add(day: number, assetId: number, amount: bigint): void {
    this.#sums.set(`${day} ${assetId}`, this.on(day, assetId) + amount);
  }
}

/**
 * The movements without which the timed ones do not add up to the balances of days: deposits on the day of their
 * credit, and the remainder, which comes in when the day begins or leaves when it ends.
 */
export function remainders(
  days: readonly DayTotal[],
  timed: readonly AccountMovement[],
  deposits: readonly Deposit[],
): AccountMovement[] {
  const flows = new DayFlows();
  for (const movement of timed) flows.add(movement);
  const left = Map.groupBy(deposits, ({ assetId }) => assetId);
  const found: AccountMovement[] = [];
  let before: DayTotal | undefined;
  for (const at of days) {
    const { assetId, day, total } = at;
    const last = before?.assetId === assetId ? before.total : 0n;
    before = at;
    let rest = total - last - flows.on(day, assetId);
    if (rest > 0n) {
      const isOfDay = (deposit: Deposit): boolean => deposit.timeMs < (day + 1) * DAY_MS && deposit.amount <= rest;
      const later: Deposit[] = [];
      for (const deposit of left.get(assetId) ?? []) {
        if (!isOfDay(deposit)) {
          later.push(deposit);
          continue;
        }
        rest -= deposit.amount;
        found.push({ kind: "in", ...deposit, timeMs: Math.max(deposit.timeMs, day * DAY_MS) });
      }
      left.set(assetId, later);
    }
    if (rest > 0n) found.push({ kind: "in", timeMs: day * DAY_MS, assetId, amount: rest });
    if (rest < 0n) found.push({ kind: "out", timeMs: (day + 1) * DAY_MS - 1, assetId, amount: -rest });
  }
  return found;
}

/** Movements of the same millisecond: amounts that come in before trades, and amounts that leave after them. */
const RANKS: Readonly<Record<AccountMovement["kind"], number>> = { in: 0, swap: 1, out: 2, fee: 2 };

interface AccountPast {
  readonly days: readonly DayTotal[];
  readonly movements: readonly AccountMovement[];
  readonly trades: number;
}

/** The movements, and the balances of days; null if the account has more rows than the limit. */
export function accountPast(tables: HistoryTables, accountId: number): AccountPast | null {
  const reading = new MovementReading(tables, accountId);
  try {
    const [days, timed] = [reading.days(), reading.timed()];
    const movements = [...timed, ...remainders(days, timed, reading.deposits())];
    movements.sort((a, b) => a.timeMs - b.timeMs || RANKS[a.kind] - RANKS[b.kind]);
    return { days, movements, trades: timed.filter(({ kind }) => kind === "swap").length };
  } catch (error) {
    if (error instanceof TooMany) return null;
    throw error;
  }
}
