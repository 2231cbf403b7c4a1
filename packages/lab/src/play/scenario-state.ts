/** The state of markets and accounts in a scenario, updated after each event of the lab's watch. */
import type { WatchRecord } from "@pricetime/protocol";

// Exact amounts: decimals as integers of 10^-20, which is more precise than any asset or price.

const PLACES = 20;
const ONE = 10n ** BigInt(PLACES);

/** Parses a decimal with an optional minus sign. Throws `RangeError` for anything else. */
export function amountOf(text: string): bigint {
  const [, sign = "", whole = "", part = ""] = /^(-?)([0-9]+)(?:\.([0-9]{1,20}))?$/.exec(text) ?? [];
  if (whole === "") throw new RangeError(`"${text}" is not an amount.`);
  const units = BigInt(whole) * ONE + BigInt(part.padEnd(PLACES, "0"));
  return sign === "" ? units : -units;
}

/** Multiplies two amounts, truncating after the last decimal place. */
const times = (one: bigint, other: bigint): bigint => (one * other) / ONE;
const over = (one: bigint, other: bigint): bigint => (one * ONE) / other;

/** Formats an amount with at most `places` decimals, rounded towards zero, without trailing zeros. */
export function shown(amount: bigint, places = 8): string {
  const size = amount < 0n ? -amount : amount;
  const digits = (size % ONE).toString().padStart(PLACES, "0").slice(0, places);
  const text = withoutZeros(`${size / ONE}.${digits}`);
  return amount < 0n && text !== "0" ? `-${text}` : text;
}

/** Converts an amount to an approximate number, only for charts. */
export const asNumber = (amount: bigint): number => Number(amount) / Number(ONE);

/** Removes trailing zeros of a decimal, and its decimal point if no digits follow. */
export function withoutZeros(decimal: string): string {
  let end = decimal.length;
  if (decimal.includes(".")) while (decimal[end - 1] === "0") end--;
  return decimal.slice(0, decimal[end - 1] === "." ? end - 1 : end);
}

type Of<Kind extends WatchRecord["kind"]> = Extract<WatchRecord, { readonly kind: Kind }>;
export type OrderRecord = Of<"order">;
export type FillRecord = Of<"fill">;
export type RefusalRecord = Of<"refused">;

interface SeenOrder {
  readonly symbol: string;
  readonly side: string;
  /** All statuses that the order has had. */
  readonly statuses: Set<string>;
}

/** Selects the orders to be counted. */
export interface OrderChoice {
  readonly symbol?: string;
  readonly side?: string;
  readonly status: string;
}

class AccountBook {
  readonly name: string;
  /** The sum of free and locked balance, by asset. */
  readonly balances = new Map<string, bigint>();
  /** The quantity bought minus the quantities sold and paid as commission, by asset. */
  readonly positions = new Map<string, bigint>();
  readonly fills: FillRecord[] = [];
  readonly refusals: RefusalRecord[] = [];
  #openOrders: Readonly<Record<string, number>> = {};
  readonly #orders = new Map<string, SeenOrder>();

  constructor(name: string) {
    this.name = name;
  }

  take(record: WatchRecord): void {
    switch (record.kind) {
      case "balance":
        this.balances.set(record.asset, amountOf(record.free) + amountOf(record.locked));
        break;
      case "openOrders":
        this.#openOrders = record.count;
        break;
      case "order":
        this.#order(record);
        break;
      case "fill":
        this.#fill(record);
        break;
      case "refused":
        this.refusals.push(record);
        break;
      default:
    }
  }

  openOrders(symbol?: string): number {
    if (symbol !== undefined) return this.#openOrders[symbol] ?? 0;
    return Object.values(this.#openOrders).reduce((sum, count) => sum + count, 0);
  }

  countOrders({ symbol, side, status }: OrderChoice): number {
    const isWanted = (order: SeenOrder): boolean =>
      order.statuses.has(status) &&
      (symbol === undefined || order.symbol === symbol) &&
      (side === undefined || order.side === side);
    return [...this.#orders.values()].filter(isWanted).length;
  }

  #order({ symbol, orderId, side, status }: OrderRecord): void {
    const key = `${symbol} ${orderId}`;
    // Every order was NEW at first, whatever its status is now.
    const order = this.#orders.get(key) ?? { symbol, side, statuses: new Set(["NEW"]) };
    order.statuses.add(status);
    this.#orders.set(key, order);
  }

  #fill(fill: FillRecord): void {
    this.fills.push(fill);
    const [base, quote] = [baseOf(fill), quoteOf(fill)];
    this.#move(base.asset, base.amount);
    this.#move(quote.asset, quote.amount);
    this.#move(fill.commissionAsset, -amountOf(fill.commission));
  }

  #move(asset: string, amount: bigint): void {
    this.positions.set(asset, (this.positions.get(asset) ?? 0n) + amount);
  }
}

interface Moved {
  readonly asset: string;
  readonly amount: bigint;
}

const sign = ({ side }: FillRecord): bigint => (side === "BUY" ? 1n : -1n);
const baseOf = (fill: FillRecord): Moved => ({ asset: fill.baseAsset, amount: sign(fill) * amountOf(fill.quantity) });
const quoteOf = (fill: FillRecord): Moved => ({ asset: fill.quoteAsset, amount: -sign(fill) * amountOf(fill.quote) });

export interface Pair {
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
}

export class ScenarioState {
  readonly prices = new Map<string, bigint>();
  /** The number of times that faults have struck, by their name in the timeline. */
  readonly struck = new Map<string, number>();
  /** Sides of books without orders, for example `BTCUSDT BUY`. */
  readonly #emptySides = new Set<string>();
  readonly #pairs: readonly Pair[];
  readonly #byEmail: ReadonlyMap<string, AccountBook>;
  /** The highest equity of each account so far, by the asset in which it is measured. */
  readonly #highest = new Map<AccountBook, Map<string, bigint>>();

  /** `emails`: the email addresses of accounts by their names in the scenario. */
  constructor(emails: ReadonlyMap<string, string>, pairs: readonly Pair[]) {
    this.#pairs = pairs;
    this.#byEmail = new Map([...emails].map(([name, email]) => [email, new AccountBook(name)]));
  }

  get accounts(): readonly AccountBook[] {
    return [...this.#byEmail.values()];
  }

  account(name: string): AccountBook {
    const found = this.accounts.find((account) => account.name === name);
    if (found === undefined) throw new RangeError(`There is no account ${name}.`);
    return found;
  }

  take(record: WatchRecord): void {
    if (record.kind === "price") this.prices.set(record.symbol, amountOf(record.price));
    if (record.kind === "book") this.#side(record);
    if (!("account" in record) || record.account === null) return;
    const account = this.#byEmail.get(record.account);
    account?.take(record);
    if (record.kind === "moved" && account !== undefined) this.#paid(account, record.asset, amountOf(record.amount));
  }

  isEmpty(symbol: string, side: string): boolean {
    return this.#emptySides.has(`${symbol} ${side}`);
  }

  /** Returns the value of the account's assets at last prices. Assets without a price count as zero. */
  equity(account: AccountBook, quote: string): bigint {
    let sum = 0n;
    for (const [asset, amount] of account.balances) sum += this.#value(asset, amount, quote) ?? 0n;
    return sum;
  }

  /**
   * Returns how far the equity is below its highest value so far, in exact percent. Must be called after each change.
   */
  drawdown(account: AccountBook, quote: string): bigint {
    const equity = this.equity(account, quote);
    const highest = this.#highest.get(account) ?? new Map<string, bigint>();
    this.#highest.set(account, highest);
    const most = max(highest.get(quote) ?? 0n, equity);
    highest.set(quote, most);
    return most <= 0n ? 0n : over((most - equity) * 100n, most);
  }

  /** Returns the account's assets that have no price in `quote`. */
  unpriced(account: AccountBook, quote: string): readonly string[] {
    return [...account.balances]
      .filter(([asset, amount]) => this.#value(asset, amount, quote) === null)
      .map(([asset]) => asset);
  }

  #side({ symbol, side, isEmpty }: Extract<WatchRecord, { kind: "book" }>): void {
    if (isEmpty) this.#emptySides.add(`${symbol} ${side}`);
    else this.#emptySides.delete(`${symbol} ${side}`);
  }

  /** A deposit is not a profit, so it raises the highest equity by the same amount. A withdrawal lowers it. */
  #paid(account: AccountBook, asset: string, amount: bigint): void {
    const highest = this.#highest.get(account);
    for (const [quote, most] of highest ?? []) highest?.set(quote, most + (this.#value(asset, amount, quote) ?? 0n));
  }

  #value(asset: string, amount: bigint, quote: string): bigint | null {
    if (asset === quote || amount === 0n) return amount;
    const direct = this.#pairs.find((pair) => pair.baseAsset === asset && pair.quoteAsset === quote);
    const price = direct && this.prices.get(direct.symbol);
    if (price !== undefined && price > 0n) return times(amount, price);
    const inverse = this.#pairs.find((pair) => pair.baseAsset === quote && pair.quoteAsset === asset);
    const back = inverse && this.prices.get(inverse.symbol);
    return back !== undefined && back > 0n ? over(amount, back) : null;
  }
}

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other);
