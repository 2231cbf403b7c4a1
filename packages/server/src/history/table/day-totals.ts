/**
 * Sums trades, deposits, withdrawals and fees by day (UTC), for the dashboard of the business. Every row is a function
 * of the entries alone, so that all nodes and a rebuilt history have the same rows.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  DAY_MS,
  FIRST_CUSTOMER_ACCOUNT,
  type MarketView,
  type Posting,
  POSTING_REASONS,
  type Trade,
} from "@pricetime/engine";
import { moneyColumn, moneyToSql } from "./columns.ts";

/** The account under which the trades of the whole venue are summed. */
export const WHOLE_VENUE = 0;

/**
 * The sides of trades are summed in memory for this long, because an account trades many times in half an hour, and
 * a row in a table costs as much as a fifth of an order. Readers add the trades that are not in the table yet.
 */
const WINDOW_MS = 1_800_000;

/** The start of the half hour. */
const windowOf = (timeMs: number): number => timeMs - (timeMs % WINDOW_MS);

export const dayOf = (timeMs: number): number => Math.floor(timeMs / DAY_MS);

/** Sums of an account's sides of trades of one symbol. */
export interface TradingTotals {
  trades: number;
  quote: bigint;
  baseFees: bigint;
  quoteFees: bigint;
  /** Fees that were not paid in the asset received, by asset; null if there are none. */
  otherFees: Map<number, bigint> | null;
}

/** The assets of the commissions of a trade; null for a side that paid in the asset received. */
export interface CommissionAssets {
  readonly taker: number | null;
  readonly maker: number | null;
}

const RECEIVED_ASSETS: CommissionAssets = { taker: null, maker: null };

export function commissionAssetsOf(
  { baseAssetId, quoteAssetId }: Pick<MarketView, "baseAssetId" | "quoteAssetId">,
  { takerSide, taker, maker }: Trade,
): CommissionAssets {
  const [takes, makes] = takerSide === "BUY" ? [baseAssetId, quoteAssetId] : [quoteAssetId, baseAssetId];
  if (taker.commissionAssetId === takes && maker.commissionAssetId === makes) return RECEIVED_ASSETS;
  return {
    taker: taker.commissionAssetId === takes ? null : taker.commissionAssetId,
    maker: maker.commissionAssetId === makes ? null : maker.commissionAssetId,
  };
}

/** A trade as stored; money in digits. */
export interface StoredTrade {
  readonly timeMs: number;
  readonly quote: string;
  readonly isBuyerMaker: number;
  readonly takerAccountId: number;
  readonly takerCommission: string;
  readonly takerAssetId: number | null;
  readonly makerAccountId: number;
  readonly makerCommission: string;
  readonly makerAssetId: number | null;
}

function storedTrade(takerAssetId: string, makerAssetId: string): string {
  return `SELECT time_ms AS timeMs, ${moneyColumn("quote", "quote")}, is_buyer_maker AS isBuyerMaker,
    taker_account_id AS takerAccountId, ${moneyColumn("taker_commission", "takerCommission")},
    ${takerAssetId} AS takerAssetId, maker_account_id AS makerAccountId,
    ${moneyColumn("maker_commission", "makerCommission")}, ${makerAssetId} AS makerAssetId FROM trades
    WHERE symbol_id = ?`;
}
/** The symbol's trades, newest first: read until the end of `trading_days`. */
export const NEWEST_TRADES = `${storedTrade("taker_commission_asset_id", "maker_commission_asset_id")}
  ORDER BY trade_id DESC`;
/** Trades of version 7 of the schema, which has no assets of commissions. */
const OLDEST_TRADES = `${storedTrade("NULL", "NULL")} ORDER BY trade_id`;
const NEWEST_TIME = "SELECT time_ms AS timeMs FROM trades WHERE symbol_id = ? ORDER BY trade_id DESC LIMIT 1";

/** Finds or adds the value of a key. */
export function at<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function addTo(sums: Map<number, bigint>, key: number, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}

const noFees = (): Map<number, bigint> => new Map();

/** Larger sums are not added in 64 bits. */
const ADDABLE = 2n ** 62n;
/** Trades, quote, fees in the base asset, fees in the quote asset. */
const SUMS = 4;

/**
 * The totals of one symbol, by account. Sums are in one array, because every addition to a big integer in an object
 * creates another one, which the garbage collector copies: 5 % of an order with 20,000 accounts.
 */
export class SymbolTotals {
  readonly #places = new Map<number, number>();
  #sums = new BigInt64Array(16 * SUMS);
  /** The parts of sums that do not fit into 64 bits, by place. */
  readonly #large = new Map<number, bigint>();
  readonly #otherFees = new Map<number, Map<number, bigint>>();

  /** `fee` is paid in the asset `feeAssetId`, or in the asset received if that is null. */
  add(accountId: number, quote: bigint, isBuyer: boolean, fee: bigint, feeAssetId: number | null): void {
    const place = this.#places.get(accountId) ?? this.#newPlace(accountId);
    this.#increase(place, 1n);
    this.#increase(place + 1, quote);
    if (fee === 0n) return;
    if (feeAssetId === null) return this.#increase(place + (isBuyer ? 2 : 3), fee);
    addTo(at(this.#otherFees, accountId, noFees), feeAssetId, fee);
  }

  addStored(trade: StoredTrade): void {
    const quote = BigInt(trade.quote);
    const isTakerBuyer = trade.isBuyerMaker === 0;
    this.add(trade.takerAccountId, quote, isTakerBuyer, BigInt(trade.takerCommission), trade.takerAssetId);
    this.add(trade.makerAccountId, quote, !isTakerBuyer, BigInt(trade.makerCommission), trade.makerAssetId);
  }

  get(accountId: number): TradingTotals | undefined {
    const place = this.#places.get(accountId);
    if (place === undefined) return undefined;
    const sum = (n: number): bigint => (this.#sums[place + n] as bigint) + (this.#large.get(place + n) ?? 0n);
    const otherFees = this.#otherFees.get(accountId) ?? null;
    return { trades: Number(sum(0)), quote: sum(1), baseFees: sum(2), quoteFees: sum(3), otherFees };
  }

  /** In the order of the table, so that rows of neighboring accounts are on the same page. */
  *[Symbol.iterator](): Generator<[accountId: number, TradingTotals]> {
    for (const accountId of Uint32Array.from(this.#places.keys()).sort()) {
      yield [accountId, this.get(accountId) as TradingTotals];
    }
  }

  #newPlace(accountId: number): number {
    const place = this.#places.size * SUMS;
    this.#places.set(accountId, place);
    if (place === this.#sums.length) {
      const sums = new BigInt64Array(2 * place);
      sums.set(this.#sums);
      this.#sums = sums;
    }
    return place;
  }

  #increase(place: number, amount: bigint): void {
    const sum = (this.#sums[place] as bigint) + amount;
    this.#sums[place] = sum < ADDABLE ? sum : 0n;
    if (sum >= ADDABLE) addTo(this.#large, place, sum);
  }
}

export const noTotals = (): SymbolTotals => new SymbolTotals();

/** The totals of the whole venue: each trade has two sides. */
export function wholeOf(totals: Iterable<readonly [accountId: number, TradingTotals]>): TradingTotals {
  const whole = { trades: 0, quote: 0n, baseFees: 0n, quoteFees: 0n };
  const otherFees = noFees();
  for (const [, sum] of totals) {
    whole.trades += sum.trades;
    whole.quote += sum.quote;
    whole.baseFees += sum.baseFees;
    whole.quoteFees += sum.quoteFees;
    for (const [assetId, fee] of sum.otherFees ?? []) addTo(otherFees, assetId, fee);
  }
  return { ...whole, trades: whole.trades / 2, quote: whole.quote / 2n, otherFees };
}

// Sums are added in SQL while they fit into 64 bits, because SQLite would round larger ones.

export class TradingDays {
  readonly #database: DatabaseSync;
  readonly #add: StatementSync;
  readonly #select: StatementSync;
  readonly #replace: StatementSync;
  readonly #setEnd: StatementSync;
  /** Trades of the current half hour, by symbol. */
  readonly #pending = new Map<number, SymbolTotals>();
  /** The start of the current half hour; the end of the table. Undefined before the first trade. */
  #endMs: number | undefined;

  /** Reads the trades that are not in the table yet. */
  constructor(database: DatabaseSync) {
    this.#database = database;
    const largest = "max(quote, base_fees, quote_fees)";
    this.#add = database.prepare(`INSERT INTO trading_days VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
      trades = trades + excluded.trades, quote = quote + excluded.quote, base_fees = base_fees + excluded.base_fees,
      quote_fees = quote_fees + excluded.quote_fees WHERE ${largest} < ${ADDABLE}`);
    this.#select = database.prepare(`SELECT trades, ${moneyColumn("quote", "quote")},
      ${moneyColumn("base_fees", "baseFees")}, ${moneyColumn("quote_fees", "quoteFees")} FROM trading_days
      WHERE day = ? AND account_id = ? AND symbol_id = ?`);
    this.#replace = database.prepare("INSERT OR REPLACE INTO trading_days VALUES (?, ?, ?, ?, ?, ?, ?)");
    this.#setEnd = database.prepare("INSERT OR REPLACE INTO trading_days_end VALUES (1, ?)");
    this.#endMs = endOf(database);
    if (this.#endMs === undefined) return;
    const newest = database.prepare(NEWEST_TRADES);
    for (const symbolId of symbolsIn(database)) {
      for (const row of newest.iterate(symbolId)) {
        const trade = row as unknown as StoredTrade;
        if (trade.timeMs < this.#endMs) break;
        at(this.#pending, symbolId, noTotals).addStored(trade);
      }
    }
  }

  /** Adds a trade. The first one of a half hour writes the previous half hour. */
  add({ symbolId, timeMs, quote, takerSide, taker, maker }: Trade, feeAssets: CommissionAssets): void {
    if (this.#endMs === undefined || timeMs >= this.#endMs + WINDOW_MS) this.#startWindow(windowOf(timeMs));
    const totals = at(this.#pending, symbolId, noTotals);
    const isTakerBuyer = takerSide === "BUY";
    totals.add(taker.order.accountId, quote, isTakerBuyer, taker.commission, feeAssets.taker);
    totals.add(maker.order.accountId, quote, !isTakerBuyer, maker.commission, feeAssets.maker);
  }

  /** Sums all stored trades, in a history of a release that had no such table. */
  fill(database: DatabaseSync): void {
    const newestTime = database.prepare(NEWEST_TIME);
    const symbolIds = symbolsIn(database);
    const times = symbolIds.map((symbolId) => (newestTime.get(symbolId) as { timeMs: number } | undefined)?.timeMs);
    const newestMs = Math.max(-1, ...times.filter((timeMs) => timeMs !== undefined));
    if (newestMs < 0) return;
    const endMs = windowOf(newestMs);
    const oldest = database.prepare(OLDEST_TRADES);
    for (const symbolId of symbolIds) {
      let day = 0;
      let totals = noTotals();
      for (const row of oldest.iterate(symbolId)) {
        const trade = row as unknown as StoredTrade;
        if (trade.timeMs >= endMs) break;
        if (dayOf(trade.timeMs) !== day) {
          this.#write(day, symbolId, totals);
          totals = noTotals();
          day = dayOf(trade.timeMs);
        }
        totals.addStored(trade);
      }
      this.#write(day, symbolId, totals);
    }
    this.#setEnd.run(endMs);
  }

  #startWindow(startMs: number): void {
    if (this.#endMs !== undefined) {
      for (const [symbolId, totals] of this.#pending) this.#write(dayOf(this.#endMs), symbolId, totals);
    }
    this.#pending.clear();
    this.#endMs = startMs;
    this.#setEnd.run(startMs);
  }

  #write(day: number, symbolId: number, totals: SymbolTotals): void {
    const rows = [...totals];
    if (rows.length > 0) this.#addRow(day, WHOLE_VENUE, symbolId, wholeOf(rows));
    for (const [accountId, sum] of rows) this.#addRow(day, accountId, symbolId, sum);
  }

  #addRow(day: number, accountId: number, symbolId: number, sum: TradingTotals): void {
    const { trades, quote, baseFees, quoteFees, otherFees } = sum;
    for (const [assetId, fees] of otherFees ?? []) this.#addOtherFees([day, accountId, symbolId, assetId], fees);
    if (quote < ADDABLE && baseFees < ADDABLE && quoteFees < ADDABLE) {
      if (this.#add.run(day, accountId, symbolId, trades, quote, baseFees, quoteFees).changes === 1) return;
    }
    const row = this.#select.get(day, accountId, symbolId) as Record<string, string | number> | undefined;
    const { trades: before = 0 } = row ?? {};
    const whole = (amount: bigint, column: string): bigint | string => moneyToSql(amount + BigInt(row?.[column] ?? 0));
    this.#replace.run(
      ...[day, accountId, symbolId, trades + Number(before)],
      ...[whole(quote, "quote"), whole(baseFees, "baseFees"), whole(quoteFees, "quoteFees")],
    );
  }

  #addOtherFees(of: readonly number[], fees: bigint): void {
    const before = this.#database
      .prepare(`SELECT ${moneyColumn("fees", "fees")} FROM discount_fee_days
        WHERE day = ? AND account_id = ? AND symbol_id = ? AND asset_id = ?`)
      .get(...of) as { readonly fees: string } | undefined;
    this.#database
      .prepare("INSERT OR REPLACE INTO discount_fee_days VALUES (?, ?, ?, ?, ?)")
      .run(...of, moneyToSql(fees + BigInt(before?.fees ?? 0)));
  }
}

/** The end of `trading_days`; undefined without trades. */
function endOf(database: DatabaseSync): number | undefined {
  const row = database.prepare("SELECT time_ms AS timeMs FROM trading_days_end").get();
  return (row as { readonly timeMs: number } | undefined)?.timeMs;
}

function symbolsIn(database: DatabaseSync): number[] {
  const rows = database.prepare("SELECT symbol_id AS symbolId FROM symbols ORDER BY symbol_id").all();
  return rows.map((row) => Number(row["symbolId"]));
}

// Money from and to outside, from the ledger's postings.

interface FundsTotals {
  deposits: bigint;
  withdrawals: bigint;
  fees: bigint;
}

interface FundsMove {
  readonly accountId: number;
  readonly column: keyof FundsTotals;
  readonly amount: bigint;
}

type Moved = Pick<Posting, "amount" | "fromAccountId" | "toAccountId" | "reason">;

/** The account and column to which a posting is added; undefined for the postings of orders and of house accounts. */
function moveOf({ reason, amount, fromAccountId, toAccountId }: Moved): FundsMove | undefined {
  switch (reason) {
    case "deposit":
      return toCustomer(toAccountId, "deposits", amount);
    case "depositDropped":
      return toCustomer(fromAccountId, "deposits", -amount);
    case "debit":
    case "withdrawal":
      return toCustomer(fromAccountId, "withdrawals", amount);
    case "withdrawalFee":
      return toCustomer(fromAccountId, "fees", amount);
    // The dust account pays the charge of a conversion out of the price.
    case "dustCharge":
      return { accountId: fromAccountId, column: "fees", amount };
    default:
      return undefined;
  }
}

function toCustomer(accountId: number, column: keyof FundsTotals, amount: bigint): FundsMove | undefined {
  return accountId < FIRST_CUSTOMER_ACCOUNT ? undefined : { accountId, column, amount };
}

/** Entries with such postings. In the JSON of `entry_postings`, the number of the reason ends a posting. */
const STORED_REASONS = (
  ["deposit", "depositDropped", "debit", "withdrawal", "withdrawalFee", "dustCharge"] as const
).map((reason) => String(POSTING_REASONS.indexOf(reason)));
const STORED_POSTINGS = `SELECT time_ms AS timeMs, postings FROM entry_postings
  WHERE postings GLOB '*,[${STORED_REASONS.filter((digits) => digits.length === 1).join("")}]]*'
    OR postings GLOB '*,${STORED_REASONS.find((digits) => digits.length === 2) ?? ""}]*' ORDER BY seq`;

/** Maximum number of sums in memory while a history is filled. */
const MOST_PENDING = 10_000;

export class FundsDays {
  readonly #select: StatementSync;
  readonly #replace: StatementSync;
  /** Sums of this transaction, by day, account and asset. */
  readonly #pending = new Map<string, FundsTotals>();

  constructor(database: DatabaseSync) {
    this.#select = database.prepare(`SELECT ${moneyColumn("deposits", "deposits")},
      ${moneyColumn("withdrawals", "withdrawals")}, ${moneyColumn("fees", "fees")} FROM funds_days
      WHERE day = ? AND account_id = ? AND asset_id = ?`);
    this.#replace = database.prepare("INSERT OR REPLACE INTO funds_days VALUES (?, ?, ?, ?, ?, ?)");
  }

  add(timeMs: number, postings: readonly Posting[]): void {
    for (const posting of postings) {
      const move = moveOf(posting);
      if (move !== undefined) this.#addMove(dayOf(timeMs), posting.assetId, move);
    }
  }

  /** Sums all stored postings, in a history of a release that had no such table. */
  fill(database: DatabaseSync): void {
    for (const { timeMs, postings } of database.prepare(STORED_POSTINGS).iterate()) {
      for (const posting of storedPostings(String(postings))) {
        const move = moveOf(posting);
        if (move !== undefined) this.#addMove(dayOf(Number(timeMs)), posting.assetId, move);
      }
      if (this.#pending.size > MOST_PENDING) this.flush();
    }
    this.flush();
  }

  /** Writes pending sums. Call it at the end of a transaction. */
  flush(): void {
    for (const [key, sum] of this.#pending) {
      const place = key.split(" ").map(Number) as [number, number, number];
      const before = this.#select.get(...place) as Record<keyof FundsTotals, string> | undefined;
      const total = (column: keyof FundsTotals): bigint | string =>
        moneyToSql(sum[column] + BigInt(before?.[column] ?? 0));
      this.#replace.run(...place, total("deposits"), total("withdrawals"), total("fees"));
    }
    this.#pending.clear();
  }

  #addMove(day: number, assetId: number, { accountId, column, amount }: FundsMove): void {
    const key = `${day} ${accountId} ${assetId}`;
    at(this.#pending, key, () => ({ deposits: 0n, withdrawals: 0n, fees: 0n }))[column] += amount;
  }
}

/** A posting in the format of `AuditRows`: asset, amount, from, bucket, to, bucket, reason. */
const POSTING = /\[(\d+),"?(\d+)"?,(\d+),\d,(\d+),\d,(\d+)\]/g;

function* storedPostings(text: string): Generator<Moved & Pick<Posting, "assetId">> {
  for (const [, assetId, amount = "", from, to, reason] of text.matchAll(POSTING)) {
    yield {
      ...{ assetId: Number(assetId), amount: BigInt(amount), fromAccountId: Number(from), toAccountId: Number(to) },
      reason: POSTING_REASONS[Number(reason)] as Posting["reason"],
    };
  }
}

/** Fills the tables of a history that was written before they existed. Called in the transaction that creates them. */
export function fillDays(database: DatabaseSync): void {
  new TradingDays(database).fill(database);
  new FundsDays(database).fill(database);
}
