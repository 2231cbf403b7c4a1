/** The complete state of the exchange, and the events of the current command. */
import { ApiKeys, Invitations, ListenKeys, Notices, Operators, Passwords, Recoveries, Sessions } from "./access.ts";
import { Accounts } from "./accounts.ts";
import { PlacedCounts } from "./order/placed-counts.ts";
import { assert, present } from "../assert.ts";
import { type Book, LadderBook } from "./book/book.ts";
import type { Event } from "../entry/event.ts";
import { Funds } from "./funds/funds.ts";
import { UsedIds } from "./funds/used-ids.ts";
import type { CommissionDiscount } from "./commission-discount.ts";
import { Ledger } from "./ledger.ts";
import { DueMarkets, type Market } from "./market/market.ts";
import type { SharedSetting } from "../entry/command.ts";
import { EXCHANGE_COUNTS, type ExchangeFilters, lowestLimits, type OrderCounts } from "../filters.ts";
import { Nodes, Proposals, Suspensions, UnknownDeposits } from "./venue.ts";
import { OpenOrders } from "./order/open-orders.ts";
import { OrderLists } from "./order/order-lists.ts";
import type { Order } from "./order/order.ts";
import type { NoticeKind } from "../entry/access.ts";
import type { PublishedProof } from "../entry/venue.ts";
import { FIRST_EDITION, type InterfaceName } from "../entry/edition.ts";
import { composedOrderId, type OrderIdScope } from "../entry/order-id.ts";
import { MAX_NOTICES } from "../limits.ts";
import type { AssetView } from "../engine-view.ts";

export interface EngineOptions {
  /** Whether to record the postings of each command, for history. Default: no. */
  readonly recordPostings?: boolean;
  /** Creates the book of each market. Default: LadderBook. */
  readonly newBook?: () => Book;
  /**
   * A secret of 32 bits for the hashes of client ids. It has no visible effect, but prevents clients from slowing down
   * the exchange with ids whose hashes collide. Default: 0.
   */
  readonly hashSeed?: number;
}

function mostOf(filters: ExchangeFilters): OrderCounts | null {
  return Object.keys(filters).length === 0 ? null : lowestLimits(EXCHANGE_COUNTS, filters);
}

const NO_EVENTS: Event[] = [];
Object.freeze(NO_EVENTS);

export class ExchangeState {
  seq = 0;
  /** The adopted rules version. */
  edition = FIRST_EDITION;
  /** The interface that the engine's rules follow. */
  interface: InterfaceName = "2019";
  /** Time of the current entry. The engine has no other clock. */
  nowMs = 0;
  /** Where order ids are unique for clients. It no longer changes once an order was numbered. */
  orderIds: OrderIdScope = "exchange";
  /** 0 if orders are numbered by symbol. */
  lastOrderId = 0;
  lastOrderListId = 0;
  /** How many stop orders the lists have released. With the last order id, it numbers the orders that wait for a price. */
  releasedStops = 0;
  /** Check value of the master key that encrypts secrets; "" before it is known. */
  masterKeyCheck = "";
  /** The settings that all nodes share. A change creates a new list. Empty before a node has journaled the settings. */
  sharedSettings: readonly SharedSetting[] = [];
  /** Number of events of all entries so far. */
  eventCount = 0;
  /** The discount on commission in another asset; null if the venue offers none. */
  discount: CommissionDiscount | null = null;
  exchangeFilters: ExchangeFilters = {};
  /** The limits of `exchangeFilters` as numbers; null if there are none. */
  exchangeMost: OrderCounts | null = null;
  /**
   * Replaced by a new list when an asset is listed or changed, because views return it. The same applies to `markets`.
   */
  assets: readonly AssetView[] = [];
  readonly assetsByName = new Map<string, AssetView>();
  markets: readonly Market[] = [];
  readonly marketsBySymbol = new Map<string, Market>();
  readonly dueMarkets = new DueMarkets();
  private readonly marketsByAsset = new Map<number, Market[]>();
  readonly accounts = new Accounts();
  readonly apiKeys = new ApiKeys();
  readonly listenKeys = new ListenKeys();
  readonly placedCounts = new PlacedCounts();
  readonly orders: OpenOrders;
  readonly orderLists = new OrderLists();
  /** Orders that trades of this command have triggered and that have not been executed yet, in order. */
  readonly triggered: Order[] = [];
  readonly ledger: Ledger;
  readonly funds = new Funds();
  readonly nodes = new Nodes();
  readonly operators = new Operators();
  readonly passwords = new Passwords();
  readonly sessions = new Sessions();
  readonly invitations = new Invitations();
  readonly recoveries = new Recoveries();
  readonly notices = new Notices();
  readonly stops = new Suspensions();
  readonly proposals = new Proposals();
  readonly unknownDeposits = new UnknownDeposits();
  /** The last proof of liabilities whose root was journaled; null if there is none. */
  lastProof: PublishedProof | null = null;
  /**
   * The approval request whose action is being executed, which therefore needs no further approval. Set only within a
   * command.
   */
  approvedId: string | null = null;
  /** References of deposits, debits and adjustments. Each reference may move money once. */
  readonly moveReferences = new UsedIds();
  readonly newBook: () => Book;
  events: Event[] = NO_EVENTS;

  /** Whether the journal contains an operator or a password. Before that, `by` is not verified. */
  get hasSignIn(): boolean {
    return this.operators.size > 0 || this.passwords.size > 0;
  }

  constructor(options: EngineOptions) {
    this.ledger = new Ledger(options.recordPostings ?? false);
    this.orders = new OpenOrders(options.hashSeed ?? 0);
    this.newBook = options.newBook ?? (() => new LadderBook());
  }

  setExchangeFilters(filters: ExchangeFilters): void {
    this.exchangeFilters = filters;
    this.exchangeMost = mostOf(filters);
  }

  beginCommand(): void {
    this.events = NO_EVENTS;
  }

  /**
   * Adds an event of the current command. Most commands have one event and trades have two, so lists of this length are
   * created exactly: a list that grows reserves room for 16 more.
   */
  emit(event: Event): void {
    const { events } = this;
    if (events.length === 0) this.events = [event];
    else if (events.length === 1) this.events = [events[0] as Event, event];
    else events.push(event);
  }

  /** Queues an email. If the queue is full, the oldest email fails. */
  queueEmail(kind: NoticeKind, email: string, facts: Readonly<Record<string, string>>): void {
    if (this.notices.size >= MAX_NOTICES) this.giveUpOldestNotice();
    const { noticeId } = this.notices.queueEmail({ kind, email, facts, createdMs: this.nowMs });
    this.emit({ type: "noticeChanged", noticeId, kind, status: "waiting" });
  }

  private giveUpOldestNotice(): void {
    const oldest = present(this.notices.first(), "a full list has a first letter");
    this.notices.remove(oldest.noticeId);
    this.emit({ type: "noticeChanged", noticeId: oldest.noticeId, kind: oldest.kind, status: "failed" });
  }

  /** Adds a listed asset, or replaces the one with the same number. */
  putAsset(asset: AssetView): void {
    const assets = [...this.assets];
    assets[asset.assetId] = asset;
    this.assets = assets;
    this.assetsByName.set(asset.spec.asset, asset);
  }

  putMarket(market: Market): void {
    this.markets = [...this.markets, market];
    this.marketsBySymbol.set(market.spec.symbol, market);
    for (const assetId of [market.baseAssetId, market.quoteAssetId]) {
      const markets = this.marketsByAsset.get(assetId);
      if (markets === undefined) this.marketsByAsset.set(assetId, [market]);
      else markets.push(market);
    }
  }

  /** Markets with the asset as base or quote, in the order of listing. */
  marketsOf(assetId: number): readonly Market[] {
    return this.marketsByAsset.get(assetId) ?? [];
  }

  /** Throws if the indices of assets and markets do not match the lists. */
  checkIndexes(): void {
    const { assets, assetsByName, markets, marketsBySymbol } = this;
    for (const [assetId, asset] of assets.entries()) {
      assert(asset.assetId === assetId, "an asset has the number of its place");
      assert(assetsByName.get(asset.spec.asset) === asset, "an asset is found by its name");
      const traded = markets.filter((market) => market.baseAssetId === assetId || market.quoteAssetId === assetId);
      const known = this.marketsOf(assetId);
      const isSame = known.length === traded.length && traded.every((market, i) => market === known[i]);
      assert(isSame, "an asset's markets are found by its number");
    }
    for (const [symbolId, market] of markets.entries()) {
      assert(market.symbolId === symbolId, "a market has the number of its place");
      assert(marketsBySymbol.get(market.spec.symbol) === market, "a market is found by its symbol");
    }
    this.dueMarkets.check(markets);
    const [most, expected] = [this.exchangeMost, mostOf(this.exchangeFilters)];
    const isSame = JSON.stringify(most) === JSON.stringify(expected);
    assert(isSame, "limits on all symbols are those of the filters");
    assert(assetsByName.size === assets.length && marketsBySymbol.size === markets.length, "no name is left over");
  }

  /** The id of the next order of a symbol, which is thereby assigned. */
  nextOrderId(market: Market): number {
    if (this.orderIds === "exchange") return ++this.lastOrderId;
    return composedOrderId(market.symbolId, ++market.lastOrderNumber);
  }

  get hasNumberedOrders(): boolean {
    return this.lastOrderId > 0 || this.markets.some(({ lastOrderNumber }) => lastOrderNumber > 0);
  }

  /** The last id that could precede an order of this symbol that is placed now. */
  lastOrderIdOf(market: Market): number {
    if (this.orderIds === "exchange") return this.lastOrderId;
    return composedOrderId(market.symbolId, market.lastOrderNumber);
  }

  assetOf(assetId: number): AssetView {
    return present(this.assets[assetId], "unknown asset id");
  }

  marketOf(symbolId: number): Market {
    return present(this.markets[symbolId], "unknown symbol id");
  }
}
