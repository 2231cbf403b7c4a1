/**
 * Queries of the dashboard of the business: what was traded, earned, deposited and withdrawn on days (UTC), in one
 * asset at each day's closing prices. Sums of values are rounded down once for each day, asset and account.
 */
import { formatDecimal } from "@pricetime/engine";
import { transaction } from "../../platform/disk.ts";
import { moneyColumn } from "../table/columns.ts";
import {
  at,
  dayOf,
  NEWEST_TRADES,
  noTotals,
  type StoredTrade,
  type SymbolTotals,
  type TradingTotals,
  WHOLE_VENUE,
  wholeOf,
} from "../table/day-totals.ts";
import { type Price, priceAt, valueAcross } from "./closing-prices.ts";
import type { HistoryTables } from "./history-tables.ts";

/** Days counted from 1970; `endDay` is not included. */
interface Days {
  readonly fromDay: number;
  readonly endDay: number;
}

interface Scope {
  /** The asset in which values are given. */
  readonly asset: string;
  /** Accounts that are not customers, such as the venue's own market makers. Only volume contains their trades. */
  readonly excludedAccounts: readonly number[];
}

interface PeriodTotals {
  readonly trades: number;
  readonly volume: string;
  readonly fees: string;
  readonly deposits: string;
  readonly withdrawals: string;
  /** Customers who traded. */
  readonly activeCustomers: number;
}
interface MarketTotals {
  readonly symbol: string;
  readonly trades: number;
  readonly quoteAsset: string;
  /** The volume in the quote asset. */
  readonly quoteVolume: string;
  /** Values are null if there is no price. */
  readonly volume: string | null;
  readonly fees: string | null;
}
interface AccountTotals {
  readonly accountId: number;
  readonly trades: number;
  readonly volume: string;
  readonly fees: string;
}
interface AssetTotals {
  readonly asset: string;
  readonly fees: string;
  readonly deposits: string;
  readonly withdrawals: string;
  readonly feesValue: string | null;
  readonly depositsValue: string | null;
  readonly withdrawalsValue: string | null;
}

/** `unpriced`: assets whose amounts are missing in the values, because no market gives a price on some day. */
interface Report<Row> {
  readonly rows: readonly Row[];
  readonly unpriced: readonly string[];
}

const TRADING = `SELECT account_id AS accountId, symbol_id AS symbolId, trades, ${moneyColumn("quote", "quote")},
  ${moneyColumn("base_fees", "baseFees")}, ${moneyColumn("quote_fees", "quoteFees")} FROM trading_days WHERE day = ?`;

const BUSINESS = {
  ofAccount: `${TRADING} AND account_id = ?`,
  ofCustomers: `${TRADING} AND account_id > ${WHOLE_VENUE}`,
  otherFees: `SELECT account_id AS accountId, symbol_id AS symbolId, asset_id AS feeAssetId,
    ${moneyColumn("fees", "fees")} FROM discount_fee_days WHERE day = ?`,
  funds: `SELECT account_id AS accountId, asset_id AS assetId, ${moneyColumn("deposits", "deposits")},
    ${moneyColumn("withdrawals", "withdrawals")}, ${moneyColumn("fees", "fees")} FROM funds_days WHERE day = ?`,
  active: `SELECT DISTINCT account_id AS accountId FROM trading_days
    WHERE day >= ? AND day < ? AND account_id > ${WHOLE_VENUE}`,
  end: "SELECT time_ms AS endMs FROM trading_days_end",
};

/** A row of `trading_days`, or of the trades that are not in the table yet. */
interface TradingRow extends TradingTotals {
  readonly accountId: number;
  readonly symbolId: number;
}
type StoredRow = Record<"accountId" | "symbolId" | "trades", number> &
  Record<"quote" | "baseFees" | "quoteFees", string>;

interface FundsRow {
  readonly accountId: number;
  readonly assetId: number;
  readonly fees: bigint;
  readonly deposits: bigint;
  readonly withdrawals: bigint;
}

/** Amounts of several assets, and their value as far as there are prices. */
class Sum {
  /** In units of the asset of values. */
  value = 0n;
  isPriced = true;

  add(value: bigint | null): void {
    if (value === null) this.isPriced = false;
    else this.value += value;
  }
}

class BusinessReading {
  readonly #tables: HistoryTables;
  readonly #valueAssetId: number | undefined;
  readonly #valueDecimals: number;
  readonly #excluded: ReadonlySet<number>;
  readonly #prices = new Map<string, Price | undefined>();
  readonly #pairs = new Map<number, readonly [baseId: number, quoteId: number]>();
  readonly #unpriced = new Set<number>();
  /** The trades that are not in the table yet, by symbol. All of them are of one day. */
  readonly #recent = new Map<number, SymbolTotals>();
  readonly #recentDay: number | undefined;
  /** The last result of `#otherFees`, by its day. */
  readonly #otherFeesOf = new Map<number, Map<string, Map<number, bigint>>>();

  constructor(tables: HistoryTables, { asset, excludedAccounts }: Scope) {
    this.#tables = tables;
    const row = tables.row<{ id: number; decimals: number }>(
      "SELECT asset_id AS id, decimals FROM assets WHERE asset = ?",
      asset,
    );
    this.#valueAssetId = row?.id;
    this.#valueDecimals = row?.decimals ?? 0;
    this.#excluded = new Set(excludedAccounts);
    const end = tables.row<{ endMs: number }>(BUSINESS.end);
    if (end === undefined) return;
    this.#recentDay = dayOf(end.endMs);
    this.#readRecent(end.endMs);
  }

  #readRecent(endMs: number): void {
    for (const { symbolId } of this.#tables.rows<{ symbolId: number }>("SELECT symbol_id AS symbolId FROM symbols")) {
      for (const trade of this.#tables.each<StoredTrade>(NEWEST_TRADES, symbolId)) {
        if (trade.timeMs < endMs) break;
        at(this.#recent, symbolId, noTotals).addStored(trade);
      }
    }
  }

  // Rows of days.

  /** The trading of a day by symbol: trades of the whole venue, and fees of customers. */
  venue(day: number): TradingRow[] {
    const recent = this.#recentOn(day, (totals) => [[WHOLE_VENUE, wholeOf(totals)]]);
    const rows = new Map<number, TradingRow>();
    for (const row of merged(this.#stored(BUSINESS.ofAccount, day, WHOLE_VENUE), recent)) rows.set(row.symbolId, row);
    for (const { symbolId, baseFees, quoteFees, otherFees } of this.#excludedOn(day)) {
      const row = rows.get(symbolId);
      if (row === undefined) continue;
      const fees = { baseFees: row.baseFees - baseFees, quoteFees: row.quoteFees - quoteFees };
      rows.set(symbolId, { ...row, ...fees, otherFees: sumOf(row.otherFees, otherFees, -1n) });
    }
    return [...rows.values()];
  }

  *#excludedOn(day: number): Generator<TradingRow> {
    for (const accountId of this.#excluded) {
      const recent = this.#recentOn(day, (totals) => [[accountId, totals.get(accountId)]]);
      yield* merged(this.#stored(BUSINESS.ofAccount, day, accountId), recent);
    }
  }

  /** The trading of a day by customers. */
  *customers(day: number): Generator<TradingRow> {
    const rows = merged(
      this.#stored(BUSINESS.ofCustomers, day),
      this.#recentOn(day, (totals) => totals),
    );
    for (const row of rows) if (!this.#excluded.has(row.accountId)) yield row;
  }

  *funds(day: number): Generator<FundsRow> {
    type Row = Record<"accountId" | "assetId", number> & Record<"deposits" | "withdrawals" | "fees", string>;
    for (const { deposits, withdrawals, fees, ...row } of this.#tables.each<Row>(BUSINESS.funds, day)) {
      if (this.#excluded.has(row.accountId)) continue;
      yield { ...row, deposits: BigInt(deposits), withdrawals: BigInt(withdrawals), fees: BigInt(fees) };
    }
  }

  /** The number of customers who traded on these days. */
  active({ fromDay, endDay }: Days): number {
    const accountIds = new Set<number>();
    for (const { accountId } of this.#tables.each<{ accountId: number }>(BUSINESS.active, fromDay, endDay)) {
      accountIds.add(accountId);
    }
    if (this.#recentDay !== undefined && this.#recentDay >= fromDay && this.#recentDay < endDay) {
      for (const totals of this.#recent.values()) for (const [accountId] of totals) accountIds.add(accountId);
    }
    for (const accountId of this.#excluded) accountIds.delete(accountId);
    return accountIds.size;
  }

  *#stored(sql: string, ...parameters: number[]): Generator<TradingRow> {
    const others = this.#otherFees(parameters[0] as number);
    for (const { quote, baseFees, quoteFees, ...row } of this.#tables.each<StoredRow>(sql, ...parameters)) {
      const fees = { baseFees: BigInt(baseFees), quoteFees: BigInt(quoteFees) };
      const otherFees = others.get(`${row.accountId} ${row.symbolId}`) ?? null;
      yield { ...row, quote: BigInt(quote), ...fees, otherFees };
    }
  }

  /** The fees of a day that were not paid in the asset received, by account and symbol. */
  #otherFees(day: number): ReadonlyMap<string, Map<number, bigint>> {
    let fees = this.#otherFeesOf.get(day);
    if (fees !== undefined) return fees;
    fees = new Map<string, Map<number, bigint>>();
    type Row = Record<"accountId" | "symbolId" | "feeAssetId", number> & { readonly fees: string };
    for (const row of this.#tables.each<Row>(BUSINESS.otherFees, day)) {
      at(fees, `${row.accountId} ${row.symbolId}`, () => new Map()).set(row.feeAssetId, BigInt(row.fees));
    }
    this.#otherFeesOf.clear();
    this.#otherFeesOf.set(day, fees);
    return fees;
  }

  /** The rows of the trades that are not in the table yet; `pick` selects accounts. */
  #recentOn(
    day: number,
    pick: (totals: SymbolTotals) => Iterable<readonly [accountId: number, TradingTotals | undefined]>,
  ): readonly TradingRow[] {
    if (day !== this.#recentDay) return [];
    return [...this.#recent].flatMap(([symbolId, totals]) =>
      Array.from(pick(totals)).flatMap(([accountId, sum]) =>
        sum === undefined ? [] : [{ accountId, symbolId, ...sum }],
      ),
    );
  }

  // Values.

  /** The value of an amount in units of the asset of values; null if there is no price on that day. */
  value(day: number, assetId: number, amount: bigint): bigint | null {
    if (amount === 0n) return 0n;
    const price = this.#price(day, assetId);
    if (price === undefined) {
      this.#unpriced.add(assetId);
      return null;
    }
    return valueAcross(amount, price, this.#tables.asset(assetId).decimals, this.#valueDecimals);
  }

  #price(day: number, assetId: number): Price | undefined {
    if (this.#valueAssetId === undefined) return undefined;
    const key = `${day} ${assetId}`;
    if (!this.#prices.has(key)) this.#prices.set(key, priceAt(this.#tables, day, assetId, this.#valueAssetId));
    return this.#prices.get(key);
  }

  pair(symbolId: number): readonly [baseId: number, quoteId: number] {
    let pair = this.#pairs.get(symbolId);
    if (pair === undefined) {
      const sql = "SELECT base_asset_id AS baseId, quote_asset_id AS quoteId FROM symbols WHERE symbol_id = ?";
      const { baseId, quoteId } = this.#tables.row<{ baseId: number; quoteId: number }>(sql, symbolId) as {
        baseId: number;
        quoteId: number;
      };
      pair = [baseId, quoteId];
      this.#pairs.set(symbolId, pair);
    }
    return pair;
  }

  /** Adds the value of trading to sums. */
  addTrading(day: number, { symbolId, quote, baseFees, quoteFees, otherFees }: TradingRow, to: TradingSums): void {
    const [baseId, quoteId] = this.pair(symbolId);
    to.volume.add(this.value(day, quoteId, quote));
    to.fees.add(this.value(day, baseId, baseFees));
    to.fees.add(this.value(day, quoteId, quoteFees));
    for (const [assetId, fees] of otherFees ?? []) to.fees.add(this.value(day, assetId, fees));
  }

  shown({ value }: Sum): string {
    return formatDecimal(value, this.#valueDecimals);
  }
  shownIfPriced(sum: Sum): string | null {
    return sum.isPriced ? this.shown(sum) : null;
  }

  unpriced(): string[] {
    return Array.from(this.#unpriced, (assetId) => this.#tables.asset(assetId).asset).sort();
  }
}

interface TradingSums {
  readonly volume: Sum;
  readonly fees: Sum;
}

type Fees = TradingTotals["otherFees"];

/** Adds fees to others, or subtracts them if `sign` is -1. */
function sumOf(fees: Fees, more: Fees, sign: bigint): Fees {
  if (more === null) return fees;
  const sum = new Map(fees);
  for (const [assetId, amount] of more) sum.set(assetId, (sum.get(assetId) ?? 0n) + sign * amount);
  return sum;
}

/** Adds the recent rows to those of the same account and symbol. */
function* merged(stored: Iterable<TradingRow>, recent: readonly TradingRow[]): Generator<TradingRow> {
  const keyOf = ({ accountId, symbolId }: TradingRow): string => `${accountId} ${symbolId}`;
  const later = new Map(recent.map((row) => [keyOf(row), row]));
  for (const row of stored) {
    const more = later.size === 0 ? undefined : later.get(keyOf(row));
    if (more === undefined) {
      yield row;
      continue;
    }
    later.delete(keyOf(row));
    yield {
      ...{ ...row, trades: row.trades + more.trades, quote: row.quote + more.quote },
      ...{ baseFees: row.baseFees + more.baseFees, quoteFees: row.quoteFees + more.quoteFees },
      otherFees: sumOf(row.otherFees, more.otherFees, 1n),
    };
  }
  yield* later.values();
}

interface Ranked {
  readonly trades: number;
  readonly volume: Sum;
}

function largestFirst(a: Ranked, b: Ranked): number {
  if (a.volume.value === b.volume.value) return b.trades - a.trades;
  return a.volume.value < b.volume.value ? 1 : -1;
}

function periodTotals(reading: BusinessReading, period: Days): PeriodTotals {
  const [volume, fees, deposits, withdrawals] = [new Sum(), new Sum(), new Sum(), new Sum()];
  let trades = 0;
  for (let day = period.fromDay; day < period.endDay; day++) {
    for (const row of reading.venue(day)) {
      trades += row.trades;
      reading.addTrading(day, row, { volume, fees });
    }
    const funds = new Map<number, Record<"deposits" | "withdrawals" | "fees", bigint>>();
    for (const row of reading.funds(day)) {
      const sum = at(funds, row.assetId, () => ({ deposits: 0n, withdrawals: 0n, fees: 0n }));
      sum.deposits += row.deposits;
      sum.withdrawals += row.withdrawals;
      sum.fees += row.fees;
    }
    for (const [assetId, sum] of funds) {
      deposits.add(reading.value(day, assetId, sum.deposits));
      withdrawals.add(reading.value(day, assetId, sum.withdrawals));
      fees.add(reading.value(day, assetId, sum.fees));
    }
  }
  return {
    ...{ trades, volume: reading.shown(volume), fees: reading.shown(fees) },
    ...{ deposits: reading.shown(deposits), withdrawals: reading.shown(withdrawals) },
    activeCustomers: reading.active(period),
  };
}

/** Runs a query in one transaction, so that all its statements read the same state. */
function read<Row>(tables: HistoryTables, scope: Scope, rowsOf: (reading: BusinessReading) => Row[]): Report<Row> {
  return transaction(tables.database, "DEFERRED", () => {
    const reading = new BusinessReading(tables, scope);
    const rows = rowsOf(reading);
    return { rows, unpriced: reading.unpriced() };
  });
}

function marketTotals(reading: BusinessReading, tables: HistoryTables, { fromDay, endDay }: Days): MarketTotals[] {
  const markets = new Map<number, { trades: number; quote: bigint; volume: Sum; fees: Sum }>();
  for (let day = fromDay; day < endDay; day++) {
    for (const row of reading.venue(day)) {
      const none = () => ({ trades: 0, quote: 0n, volume: new Sum(), fees: new Sum() });
      const market = at(markets, row.symbolId, none);
      market.trades += row.trades;
      market.quote += row.quote;
      reading.addTrading(day, row, market);
    }
  }
  return [...markets]
    .sort(([, a], [, b]) => largestFirst(a, b))
    .map(([symbolId, { trades, quote, volume, fees }]) => {
      const { symbol, quote: asset } = tables.symbol(symbolId);
      return {
        ...{ symbol, trades, quoteAsset: asset.asset, quoteVolume: tables.quote(symbolId, String(quote)) },
        ...{ volume: reading.shownIfPriced(volume), fees: reading.shownIfPriced(fees) },
      };
    });
}

function accountTotals(reading: BusinessReading, { fromDay, endDay }: Days, limit: number): AccountTotals[] {
  const accounts = new Map<number, { trades: number; volume: Sum; fees: Sum }>();
  for (let day = fromDay; day < endDay; day++) {
    for (const row of reading.customers(day)) {
      const account = at(accounts, row.accountId, () => ({ trades: 0, volume: new Sum(), fees: new Sum() }));
      account.trades += row.trades;
      reading.addTrading(day, row, account);
    }
  }
  const sorted = [...accounts].sort(([, a], [, b]) => largestFirst(a, b)).slice(0, limit);
  return sorted.map(([accountId, { trades, volume, fees }]) => ({
    ...{ accountId, trades, volume: reading.shown(volume), fees: reading.shown(fees) },
  }));
}

const FUNDS_COLUMNS = ["fees", "deposits", "withdrawals"] as const;
type FundsColumn = (typeof FUNDS_COLUMNS)[number];

function assetTotals(reading: BusinessReading, tables: HistoryTables, { fromDay, endDay }: Days): AssetTotals[] {
  type Sums = Record<FundsColumn, { amount: bigint; value: Sum }>;
  const assets = new Map<number, Sums>();
  for (let day = fromDay; day < endDay; day++) {
    const amounts = new Map<number, Record<FundsColumn, bigint>>();
    const add = (assetId: number, column: FundsColumn, amount: bigint): void => {
      at(amounts, assetId, () => ({ fees: 0n, deposits: 0n, withdrawals: 0n }))[column] += amount;
    };
    for (const { symbolId, baseFees, quoteFees, otherFees } of reading.venue(day)) {
      const [baseId, quoteId] = reading.pair(symbolId);
      add(baseId, "fees", baseFees);
      add(quoteId, "fees", quoteFees);
      for (const [assetId, fees] of otherFees ?? []) add(assetId, "fees", fees);
    }
    for (const row of reading.funds(day)) for (const column of FUNDS_COLUMNS) add(row.assetId, column, row[column]);
    for (const [assetId, amountsOf] of amounts) {
      const none = () => ({ amount: 0n, value: new Sum() });
      const sums = at(assets, assetId, () => ({ fees: none(), deposits: none(), withdrawals: none() }));
      for (const column of FUNDS_COLUMNS) {
        sums[column].amount += amountsOf[column];
        sums[column].value.add(reading.value(day, assetId, amountsOf[column]));
      }
    }
  }
  return [...assets]
    .filter(([, sums]) => FUNDS_COLUMNS.some((column) => sums[column].amount !== 0n))
    .map(([assetId, { fees, deposits, withdrawals }]) => {
      const money = ({ amount }: { readonly amount: bigint }): string => tables.money(assetId, String(amount));
      return {
        ...{ asset: tables.asset(assetId).asset, fees: money(fees), deposits: money(deposits) },
        ...{ withdrawals: money(withdrawals), feesValue: reading.shownIfPriced(fees.value) },
        depositsValue: reading.shownIfPriced(deposits.value),
        withdrawalsValue: reading.shownIfPriced(withdrawals.value),
      };
    })
    .sort((a, b) => (a.asset < b.asset ? -1 : 1));
}

type Asked = Scope & Days;

export const businessQueries = {
  /** The totals of each period. */
  businessPeriods(
    tables: HistoryTables,
    { periods, ...scope }: Scope & { readonly periods: readonly Days[] },
  ): Report<PeriodTotals> {
    return read(tables, scope, (reading) => periods.map((period) => periodTotals(reading, period)));
  },
  /** The totals of each market that traded on these days, the largest volume first. */
  businessMarkets(tables: HistoryTables, asked: Asked): Report<MarketTotals> {
    return read(tables, asked, (reading) => marketTotals(reading, tables, asked));
  },
  /** The customers with the largest volume on these days. Each side of a trade counts for its account. */
  businessAccounts(tables: HistoryTables, asked: Asked & { readonly limit: number }): Report<AccountTotals> {
    return read(tables, asked, (reading) => accountTotals(reading, asked, asked.limit));
  },
  /** The fees, deposits and withdrawals of these days by asset, in the asset itself and as values. */
  businessAssets(tables: HistoryTables, asked: Asked): Report<AssetTotals> {
    return read(tables, asked, (reading) => assetTotals(reading, tables, asked));
  },
};
