/**
 * Records the events of watched accounts and symbols, entry by entry, for routes of the admin API: scenario players
 * check their assertions with these records. Clients are not affected, and nothing is recorded unless an account or
 * symbol is watched.
 */
import {
  type AccountView,
  type EngineView,
  type Entry,
  type Event,
  type Fill,
  formatDecimal,
  fromScale,
  lossesOf,
  type MarketView,
  orderNumberOf,
  type OrderRecord,
  priceInEffect,
  SIDES,
  type Trade,
} from "@pricetime/engine";
import { onReply, RequestStage } from "./request-stage.ts";
import type { Follower } from "../api/edge/send-queue.ts";
import { accountName, findAccount } from "../people/admin/parse.ts";
import { type Asked, askedOverRest, askedOverSocket, marketNamed } from "./faults/targets.ts";
import type { RefusalSeen, Seen, WatchRecord } from "@pricetime/protocol";
import type { Entrance, GatewayRequest, GatewayResponse, MethodRequest, Replier } from "../api/edge/request.ts";
import { z } from "zod";
import { ok } from "../people/http/answer.ts";
import { type AdminRoute, labRoute } from "../people/admin/router.ts";
import { text } from "../platform/config/listing-schema.ts";

/** The maximum number of stored records; the oldest are dropped. */
export const MAX_RECORDS = 200_000;
/** The maximum number of records in one response. */
export const MAX_TOLD = 10_000;
const MAX_WATCHED = 100;
/** The maximum length of an error message in a record, in characters. */
const MAX_WHY_CHARS = 300;

// The latest records, by number.

export class Records {
  #kept: WatchRecord[] = [];
  #last = 0;

  add(atMs: number, seq: number, seen: Seen): void {
    this.#last += 1;
    this.#kept.push({ number: this.#last, atMs, seq, ...seen });
    // Records are dropped in bulk, because dropping one at a time would move all others each time.
    if (this.#kept.length >= 2 * MAX_RECORDS) this.#kept = this.#kept.slice(-MAX_RECORDS);
  }

  /** Returns the records after number `after`. `lost`: the number of those that are no longer stored. */
  after(after: number): { readonly lost: number; readonly last: number; readonly records: readonly WatchRecord[] } {
    const first = this.#last - this.#kept.length + 1;
    const from = Math.max(0, after + 1 - first);
    return { lost: Math.max(0, first - after - 1), last: this.#last, records: this.#kept.slice(from, from + MAX_TOLD) };
  }
}

// The last recorded amounts of one account.

/** Amounts in the smallest units of the asset, by asset id. */
type Amounts = ReadonlyMap<number, bigint>;

class AccountWatch {
  readonly email: string;
  readonly #view: EngineView;
  readonly #accountId: number;
  readonly #told = new Map<number, { readonly free: bigint; readonly locked: bigint }>();
  #openOrders = "";
  #isNew = true;

  constructor(view: EngineView, { accountId, email }: AccountView) {
    this.#view = view;
    this.#accountId = accountId;
    this.email = email;
  }

  /**
   * Returns the changes since the last call. `traded`: the part of them that comes from trades. All other changes are
   * transfers.
   */
  changes(traded: Amounts): readonly Seen[] {
    const isFirst = this.#isNew;
    this.#isNew = false;
    const changes = this.#view.assets().flatMap(({ assetId }) => this.#change(assetId, traded, isFirst));
    return [...changes, ...this.#orders()];
  }

  #change(assetId: number, traded: Amounts, isFirst: boolean): readonly Seen[] {
    const { spec } = this.#view.asset(assetId);
    const { free, locked } = this.#view.balance(this.#accountId, assetId);
    const before = this.#told.get(assetId) ?? { free: 0n, locked: 0n };
    if (before.free === free && before.locked === locked) return [];
    this.#told.set(assetId, { free, locked });
    const text = (units: bigint): string => formatDecimal(units, spec.precision);
    const [account, asset] = [this.email, spec.asset];
    const moved = isFirst ? 0n : free + locked - before.free - before.locked - (traded.get(assetId) ?? 0n);
    return [
      ...(moved === 0n ? [] : [{ kind: "moved", account, asset, amount: text(moved) } as const]),
      { kind: "balance", account, asset, free: text(free), locked: text(locked) },
    ];
  }

  #orders(): readonly Seen[] {
    const count: Record<string, number> = {};
    this.#view.visitOpenOrders(this.#accountId, undefined, ({ symbolId }) => {
      const { symbol } = this.#view.market(symbolId).spec;
      count[symbol] = (count[symbol] ?? 0) + 1;
    });
    const sorted = Object.fromEntries(Object.entries(count).toSorted(([one], [other]) => (one < other ? -1 : 1)));
    const text = JSON.stringify(sorted);
    if (text === this.#openOrders) return [];
    this.#openOrders = text;
    return [{ kind: "openOrders", account: this.email, count: sorted }];
  }
}

/** The names of watched accounts and symbols. */
export interface Watched {
  readonly accounts: readonly string[];
  readonly symbols: readonly string[];
}

export class Watch implements Follower {
  readonly #nowMs: () => number;
  #view: EngineView | undefined;
  #accounts = new Map<number, AccountWatch>();
  /** The last recorded price, by symbol. */
  #prices = new Map<number, number>();
  /** The sides that were recorded as empty, by symbol. */
  #emptySides = new Map<number, ReadonlySet<string>>();
  #records = new Records();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Called with the exchange's view at the start and after each restore. Stops watching. */
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

  /**
   * Replaces the watched accounts and symbols, and records their current state. Throws `Rejection` for unknown names.
   */
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
        case "orderReleased":
        case "orderEnded":
        case "orderAmended":
          booksTouched.add(event.order.symbolId);
          this.#order(event.order, touched);
          break;
        case "trade":
          booksTouched.add(event.symbolId);
          this.#fill(event, event.taker, false, touched, traded);
          this.#fill(event, event.maker, true, touched, traded);
          break;
        case "tradePrevented":
          booksTouched.add(event.symbolId);
          for (const { order } of lossesOf(event)) this.#order(order, touched);
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

  /** Records a response with an error. */
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
      orderId: orderNumberOf(order.orderId),
      clientOrderId: order.clientOrderId,
      side: order.side,
      type: order.type,
      price: fromScale(priceInEffect(order), scale.priceDecimals),
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
      orderId: orderNumberOf(order.orderId),
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

  /**
   * Prices are recorded after the balances of the same entry, because the balances are valued at the entry's final
   * price.
   */
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

  /** Records both sides of a book at first, and later only their changes. */
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

// Records error responses as clients receive them: after faults and latency.

const FIRST_REFUSAL = 400;

export class WatchSink extends RequestStage {
  readonly #watch: Watch;

  constructor(watch: Watch, inner: Entrance) {
    super(inner);
    this.#watch = watch;
  }

  process(request: GatewayRequest, replier: Replier): void {
    const asked = this.#watch.isOn ? askedOverRest(request, this.#watch.view) : null;
    this.inner.process(request, asked === null ? replier : this.#heard(asked, replier));
  }

  processMethod(request: MethodRequest, replier: Replier): void {
    const asked = this.#watch.isOn ? askedOverSocket(request, this.#watch.view) : null;
    this.inner.processMethod(request, asked === null ? replier : this.#heard(asked, replier));
  }

  #heard(asked: Asked, replier: Replier): Replier {
    return onReply(replier, (answer, send) => {
      this.#note(asked, answer);
      send(answer);
    });
  }

  #note({ over, method, endpoint, accountId }: Asked, { status, body }: GatewayResponse): void {
    if (status < FIRST_REFUSAL) return;
    const { code = null, msg = "" } = typeof body === "string" ? refusalIn(body) : {};
    const why = msg.slice(0, MAX_WHY_CHARS);
    this.#watch.refused(accountId, { over, method, endpoint: endpoint.id, status, code, msg: why });
  }
}

function refusalIn(body: string): { readonly code?: number; readonly msg?: string } {
  try {
    const { code, msg } = JSON.parse(body) as { readonly code?: unknown; readonly msg?: unknown };
    return { ...(typeof code === "number" && { code }), ...(typeof msg === "string" && { msg }) };
  } catch {
    return { msg: body };
  }
}

const watchedSchema = z.strictObject({
  accounts: z.array(accountName).max(MAX_WATCHED).default([]),
  symbols: z.array(text).max(MAX_WATCHED).default([]),
});
const afterSchema = z.strictObject({ after: z.coerce.number().int().min(0).default(0) });

export function watchRoutes(watch: Watch): AdminRoute[] {
  return [
    labRoute({
      endpoint: "PUT /v1/lab/watch",
      summary: "Watches accounts and symbols from now on, replacing any watched before.",
      answers: "`last`: 0, and the number of the records of what they are now.",
      body: watchedSchema,
      handle: ({ body }) => {
        watch.watch(body);
        return ok({ last: watch.records.after(0).last });
      },
    }),
    labRoute({
      endpoint: "GET /v1/lab/watch",
      summary: `What has happened to them after a record, ${MAX_TOLD} records at most.`,
      answers:
        "`records`, each with `number`, `atMs`, `seq` and `kind`: order, fill, balance, moved (money that came or went other than by trading), openOrders, refused (an answer that was no success), price, status, book (a side of a book has become empty, or is so no more). `last`: the newest number. `lost`: how many are not kept any more.",
      query: afterSchema,
      handle: ({ query }) => ok(watch.records.after(query.after)),
    }),
    labRoute({
      endpoint: "DELETE /v1/lab/watch",
      summary: "Stops watching.",
      handle: () => {
        watch.stop();
        return ok({});
      },
    }),
  ];
}
