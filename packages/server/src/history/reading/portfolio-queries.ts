/**
 * What an account owns: average cost, unrealized and realized profit by asset, from all its movements, and its value at
 * the end of days. Values are in one asset, at the last price before a movement or the end of a day.
 */
import { DAY_MS, formatDecimal, MINUTE_MS } from "@pricetime/engine";
import { transaction } from "../../platform/disk.ts";
import { type AccountMovement, accountPast, type DayTotal } from "./account-movements.ts";
import { AverageCost, type Movement, type Position } from "./average-cost.ts";
import { type Price, priceBefore, valueAcross } from "./closing-prices.ts";
import type { HistoryTables } from "./history-tables.ts";

interface PortfolioAsked {
  readonly accountId: number;
  /** The asset of values. */
  readonly asset: string;
  /** The value is given for this many days, and now. */
  readonly days: number;
  readonly nowMs: number;
}

/** Null: not known. `isRealizedComplete`: whether the realized profit has all amounts that were given away. */
interface AssetRow {
  readonly asset: string;
  readonly quantity: string;
  readonly averageCost: string | null;
  readonly cost: string | null;
  readonly price: string | null;
  readonly value: string | null;
  readonly unrealizedProfit: string | null;
  readonly realizedProfit: string;
  readonly isRealizedComplete: boolean;
}
interface Totals {
  readonly value: string;
  readonly cost: string;
  readonly unrealizedProfit: string;
  readonly realizedProfit: string;
}
interface Portfolio {
  readonly asset: string;
  readonly trades: number;
  readonly assets: readonly AssetRow[];
  readonly totals: Totals;
  /** Assets without a price, which the values leave out. */
  readonly unpriced: readonly string[];
  readonly values: readonly { readonly timeMs: number; readonly value: string }[];
}

/** Prices and average costs have more digits than values, because the price of one unit may be small. */
const PRICE_DIGITS = 8;
/** A longer chart has a value a week. */
const MOST_DAILY = 92;
const WEEK_DAYS = 7;

class Valuation {
  readonly decimals: number;
  readonly #tables: HistoryTables;
  readonly #assetId: number | undefined;
  /** Prices by minute and asset: a trader's fills come in bursts. */
  readonly #prices = new Map<string, Price | undefined>();

  constructor(tables: HistoryTables, asset: string) {
    this.#tables = tables;
    const sql = "SELECT asset_id AS id, decimals FROM assets WHERE asset = ?";
    const row = tables.row<{ id: number; decimals: number }>(sql, asset);
    this.#assetId = row?.id;
    this.decimals = row?.decimals ?? 0;
  }

  isIn(assetId: number): boolean {
    return assetId === this.#assetId;
  }

  /** The value at the last price before the time; null if there is none. */
  value(untilMs: number, { assetId, amount }: { readonly assetId: number; readonly amount: bigint }): bigint | null {
    if (amount === 0n || this.isIn(assetId)) return amount;
    const price = this.price(untilMs, assetId);
    return price === undefined ? null : valueAcross(amount, price, this.#tables.asset(assetId).decimals, this.decimals);
  }

  price(untilMs: number, assetId: number): Price | undefined {
    if (this.#assetId === undefined) return undefined;
    const key = `${Math.floor((untilMs - 1) / MINUTE_MS)} ${assetId}`;
    if (!this.#prices.has(key)) this.#prices.set(key, priceBefore(this.#tables, untilMs, assetId, this.#assetId));
    return this.#prices.get(key);
  }

  /** The movement with its value. */
  valued(movement: AccountMovement): Movement {
    const untilMs = movement.timeMs + 1;
    if (movement.kind === "in") return { ...movement, kind: "in", value: this.value(untilMs, movement) };
    if (movement.kind !== "swap") return { ...movement, kind: movement.kind };
    const { gave, got, priced } = movement;
    const own = [gave, got].find(({ assetId }) => this.isIn(assetId));
    return { kind: "swap", gave, got, value: own?.amount ?? this.value(untilMs, priced) ?? this.value(untilMs, gave) };
  }
}

function assetRow(tables: HistoryTables, valuation: Valuation, nowMs: number, assetId: number, position: Position) {
  const { quantity, cost, isCostKnown, realized, isRealizedComplete } = position;
  const { asset, decimals } = tables.asset(assetId);
  const money = (amount: bigint): string => formatDecimal(amount, valuation.decimals);
  const value = valuation.value(nowMs, { assetId, amount: quantity });
  const price = valuation.price(nowMs, assetId);
  const whole = 10n ** BigInt(decimals);
  const digits = 10n ** BigInt(PRICE_DIGITS);
  const unrealized = isCostKnown && value !== null ? value - cost : null;
  const row: AssetRow = {
    ...{ asset, quantity: formatDecimal(quantity, decimals) },
    averageCost:
      isCostKnown && quantity > 0n
        ? formatDecimal((cost * whole * digits) / (quantity * 10n ** BigInt(valuation.decimals)), PRICE_DIGITS)
        : null,
    cost: isCostKnown ? money(cost) : null,
    price: price === undefined ? null : formatDecimal((price.numerator * digits) / price.denominator, PRICE_DIGITS),
    value: value === null ? null : money(value),
    unrealizedProfit: unrealized === null ? null : money(unrealized),
    ...{ realizedProfit: money(realized), isRealizedComplete },
  };
  return { row, value, cost, unrealized, realized };
}

/** The value of all balances at the end of each day, or each week, and now. Assets without a price count as 0. */
function valuesOf(valuation: Valuation, days: readonly DayTotal[], asked: PortfolioAsked): Portfolio["values"] {
  const firstHeld = Math.min(...days.map(({ day }) => day));
  const today = Math.floor(asked.nowMs / DAY_MS);
  const step = asked.days > MOST_DAILY ? WEEK_DAYS : 1;
  const times: number[] = [];
  for (let day = today - 1; day >= today - asked.days && day >= firstHeld; day -= step) times.push((day + 1) * DAY_MS);
  const byAsset = Map.groupBy(days, ({ assetId }) => assetId);
  return [asked.nowMs, ...times].reverse().map((timeMs) => {
    let sum = 0n;
    for (const [assetId, totals] of byAsset) {
      const amount = totals.findLast(({ day }) => day * DAY_MS < timeMs)?.total ?? 0n;
      sum += valuation.value(timeMs, { assetId, amount }) ?? 0n;
    }
    return { timeMs, value: formatDecimal(sum, valuation.decimals) };
  });
}

function portfolioOf(tables: HistoryTables, asked: PortfolioAsked): Portfolio | null {
  const past = accountPast(tables, asked.accountId);
  if (past === null) return null;
  const valuation = new Valuation(tables, asked.asset);
  const costs = new AverageCost();
  for (const movement of past.movements) costs.add(valuation.valued(movement));
  const found = Array.from(costs.positions, ([assetId, position]) =>
    assetRow(tables, valuation, asked.nowMs, assetId, position),
  );
  const sum = (of: (row: (typeof found)[number]) => bigint | null): string =>
    formatDecimal(
      found.reduce((all, row) => all + (of(row) ?? 0n), 0n),
      valuation.decimals,
    );
  found.sort((a, b) => ((a.value ?? -1n) < (b.value ?? -1n) ? 1 : -1));
  return {
    ...{ asset: asked.asset, trades: past.trades, assets: found.map(({ row }) => row) },
    totals: {
      value: sum(({ value }) => value),
      cost: sum(({ cost }) => cost),
      unrealizedProfit: sum(({ unrealized }) => unrealized),
      realizedProfit: sum(({ realized }) => realized),
    },
    unpriced: found.filter(({ value }) => value === null).map(({ row }) => row.asset),
    values: valuesOf(valuation, past.days, asked),
  };
}

export const portfolioQueries = {
  /** Null if the account has more trades or other movements than `MOVEMENT_LIMITS` allows. */
  portfolio(tables: HistoryTables, asked: PortfolioAsked): Portfolio | null {
    return transaction(tables.database, "DEFERRED", () => portfolioOf(tables, asked));
  },
};
