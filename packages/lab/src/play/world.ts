/** Everything that a scenario's conditions ask about, brought up to date after each event. */
import type { WatchRecord } from "@pricetime/server/scenarios";
import { AccountBook } from "./account-book.ts";
import { amountOf, over, times } from "./amounts.ts";

export interface Pair {
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
}

export class World {
  readonly prices = new Map<string, bigint>();
  /** How often faults have struck, by the name in the time line. */
  readonly struck = new Map<string, number>();
  /** Sides of books without orders: `BTCUSDT BUY`. */
  readonly #emptySides = new Set<string>();
  readonly #pairs: readonly Pair[];
  readonly #byEmail: ReadonlyMap<string, AccountBook>;
  /** The highest equity so far: of an account, by the asset in which it is told. */
  readonly #highest = new Map<AccountBook, Map<string, bigint>>();

  /** `emails`: of the accounts, by the names in the scenario. */
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

  /** The account's money at last prices. An asset without a price counts nothing. */
  equity(account: AccountBook, quote: string): bigint {
    let sum = 0n;
    for (const [asset, amount] of account.balances) sum += this.#value(asset, amount, quote) ?? 0n;
    return sum;
  }

  /** How far the equity is below its highest value so far, in percent, exactly. Call it after each change. */
  drawdown(account: AccountBook, quote: string): bigint {
    const equity = this.equity(account, quote);
    const highest = this.#highest.get(account) ?? new Map<string, bigint>();
    this.#highest.set(account, highest);
    const most = max(highest.get(quote) ?? 0n, equity);
    highest.set(quote, most);
    return most <= 0n ? 0n : over((most - equity) * 100n, most);
  }

  /** The assets of an account that have no price in `quote`. */
  unpriced(account: AccountBook, quote: string): readonly string[] {
    return [...account.balances]
      .filter(([asset, amount]) => this.#value(asset, amount, quote) === null)
      .map(([asset]) => asset);
  }

  #side({ symbol, side, isEmpty }: Extract<WatchRecord, { kind: "book" }>): void {
    if (isEmpty) this.#emptySides.add(`${symbol} ${side}`);
    else this.#emptySides.delete(`${symbol} ${side}`);
  }

  /** Money that came in has not been earned: the highest goes along with it. */
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
