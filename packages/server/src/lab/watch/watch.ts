/**
 * Records what happens to accounts, entry by entry, for the lab's user: a scenario's player judges by it. It asks
 * nothing of the exchange that clients could notice, and does nothing while nobody watches.
 */
import {
  type EngineView,
  type Entry,
  type Event,
  type Fill,
  formatDecimal,
  fromScale,
  type MarketView,
  type OrderRecord,
  SIDES,
  type Trade,
} from "@pricetime/engine";
import type { Follower } from "../../api/edge/telling-order.ts";
import { findAccount } from "../../people/admin/parse.ts";
import { marketNamed } from "../faults/names.ts";
import { AccountWatch } from "./account-watch.ts";
import type { RefusalSeen, Seen } from "./record.ts";
import { Records } from "./records.ts";

/** Whom and what to watch, by names. */
export interface Watched {
  readonly accounts: readonly string[];
  readonly symbols: readonly string[];
}

export class Watch implements Follower {
  readonly #nowMs: () => number;
  #view: EngineView | undefined;
  #accounts = new Map<number, AccountWatch>();
  /** The last price that was told, by symbol. */
  #prices = new Map<number, number>();
  /** The sides that were told to be empty, by symbol. */
  #emptySides = new Map<number, ReadonlySet<string>>();
  #records = new Records();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The exchange as it is from now on; after a lab has gone back, nobody is watched. */
  start(view: EngineView): void {
    this.#view = view;
    this.stop();
  }

  get isOn(): boolean {
    return this.#accounts.size > 0 || this.#prices.size > 0;
  }

  get records(): Records {
    return this.#records;
  }

  /** Begins anew, with what each account has and each symbol costs. Throws `AdminRefusal` for unknown names. */
  watch({ accounts, symbols }: Watched): void {
    const view = this.#viewNow;
    const found = accounts.map((name) => findAccount(view, name));
    const markets = symbols.map((symbol) => marketNamed(view, symbol));
    this.stop();
    this.#accounts = new Map(found.map((account) => [account.accountId, new AccountWatch(view, account)]));
    for (const market of markets) {
      this.#prices.set(market.symbolId, market.lastTradeTicks);
      this.#add(priceOf(market));
      this.#add({ kind: "status", symbol: market.spec.symbol, status: market.spec.status });
      this.#tellSides(market);
    }
    for (const account of this.#accounts.values()) for (const seen of account.changes(new Map())) this.#add(seen);
  }

  stop(): void {
    this.#accounts = new Map();
    this.#prices = new Map();
    this.#emptySides = new Map();
    this.#records = new Records();
  }

  applied(_entry: Entry, events: readonly Event[]): void {
    if (!this.isOn) return;
    const traded = new Map<number, Map<number, bigint>>();
    const touched = new Set<number>();
    const booksTouched = new Set<number>();
    let isOfFunds = false;
    for (const event of events) {
      switch (event.type) {
        case "orderOpened":
        case "orderEnded":
          booksTouched.add(event.order.symbolId);
          this.#order(event.order, touched);
          break;
        case "trade":
          booksTouched.add(event.symbolId);
          this.#fill(event, event.taker, false, touched, traded);
          this.#fill(event, event.maker, true, touched, traded);
          break;
        case "symbolChanged":
          this.#status(event.symbolId);
          break;
        default:
          isOfFunds = true;
      }
    }
    const changed = isOfFunds ? this.#accounts.keys() : touched;
    for (const accountId of changed) {
      const changes = this.#accounts.get(accountId)?.changes(traded.get(accountId) ?? new Map());
      for (const seen of changes ?? []) this.#add(seen);
    }
    this.#tellPrices(events);
    for (const symbolId of booksTouched) {
      if (this.#prices.has(symbolId)) this.#tellSides(this.#viewNow.market(symbolId));
    }
  }

  /** An answer that was no success. */
  refused(accountId: number | undefined, refusal: Omit<RefusalSeen, "kind" | "account">): void {
    const account = accountId === undefined ? undefined : this.#accounts.get(accountId);
    if (!this.isOn || (accountId !== undefined && account === undefined)) return;
    this.#add({ kind: "refused", account: account?.email ?? null, ...refusal });
  }

  get view(): EngineView {
    return this.#viewNow;
  }

  #order(order: OrderRecord, touched: Set<number>): void {
    const account = this.#accounts.get(order.accountId);
    if (account === undefined) return;
    touched.add(order.accountId);
    const { spec, scale } = this.#viewNow.market(order.symbolId);
    this.#add({
      kind: "order",
      account: account.email,
      symbol: spec.symbol,
      orderId: order.orderId,
      clientOrderId: order.clientOrderId,
      side: order.side,
      type: order.type,
      price: fromScale(order.priceTicks, scale.priceDecimals),
      quantity: fromScale(order.quantityLots, scale.quantityDecimals),
      executed: fromScale(order.executedLots, scale.quantityDecimals),
      status: order.status,
    });
  }

  #fill(
    trade: Trade,
    { order, commission, commissionAssetId }: Fill,
    isMaker: boolean,
    touched: Set<number>,
    traded: Map<number, Map<number, bigint>>,
  ): void {
    const account = this.#accounts.get(order.accountId);
    if (account === undefined) return;
    const view = this.#viewNow;
    const market = view.market(trade.symbolId);
    const { spec, scale } = market;
    const base = view.asset(market.baseAssetId);
    const quote = view.asset(market.quoteAssetId);
    const paidIn = view.asset(commissionAssetId);
    this.#add({
      kind: "fill",
      account: account.email,
      symbol: spec.symbol,
      orderId: order.orderId,
      tradeId: trade.tradeId,
      side: order.side,
      isMaker,
      price: fromScale(trade.priceTicks, scale.priceDecimals),
      quantity: fromScale(trade.lots, scale.quantityDecimals),
      baseAsset: base.spec.asset,
      quote: formatDecimal(trade.quote, quote.spec.precision),
      quoteAsset: quote.spec.asset,
      commission: formatDecimal(commission, paidIn.spec.precision),
      commissionAsset: paidIn.spec.asset,
    });
    const sums = traded.get(order.accountId) ?? new Map<number, bigint>();
    traded.set(order.accountId, sums);
    const add = (assetId: number, amount: bigint): void => void sums.set(assetId, (sums.get(assetId) ?? 0n) + amount);
    const sign = order.side === "BUY" ? 1n : -1n;
    const lotUnits = 10n ** BigInt(base.spec.precision - scale.quantityDecimals);
    add(market.baseAssetId, sign * BigInt(trade.lots) * lotUnits);
    add(market.quoteAssetId, -sign * trade.quote);
    add(commissionAssetId, -commission);
    this.#order(order, touched);
  }

  #status(symbolId: number): void {
    if (!this.#prices.has(symbolId)) return;
    const { spec } = this.#viewNow.market(symbolId);
    this.#add({ kind: "status", symbol: spec.symbol, status: spec.status });
  }

  /** Prices come after what accounts have of the same entry, which is valued at the price that the entry has left. */
  #tellPrices(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type !== "trade") continue;
      const market = this.#viewNow.market(event.symbolId);
      const told = this.#prices.get(event.symbolId);
      if (told === undefined || told === market.lastTradeTicks) continue;
      this.#prices.set(event.symbolId, market.lastTradeTicks);
      this.#add(priceOf(market));
    }
  }

  /** At first both sides of a book, and from then on the one that has become empty or is so no more. */
  #tellSides(market: MarketView): void {
    const { symbolId, spec } = market;
    const told = this.#emptySides.get(symbolId);
    const empty = new Set<string>(SIDES.filter((side) => market.bestLevel(side)[0] === 0));
    for (const side of SIDES) {
      const isEmpty = empty.has(side);
      if (told?.has(side) !== isEmpty) this.#add({ kind: "book", symbol: spec.symbol, side, isEmpty });
    }
    this.#emptySides.set(symbolId, empty);
  }

  #add(seen: Seen): void {
    this.#records.add(this.#nowMs(), this.#viewNow.seq, seen);
  }

  get #viewNow(): EngineView {
    if (this.#view === undefined) throw new Error("a watch is started before it is asked");
    return this.#view;
  }
}

function priceOf({ spec, scale, lastTradeTicks }: MarketView): Seen {
  return { kind: "price", symbol: spec.symbol, price: fromScale(lastTradeTicks, scale.priceDecimals) };
}
