/**
 * The exchange as a pure function of its journal: the same entries always give the same events, state and hash, on
 * every machine. `carry-out.ts` names the function for each command.
 */
import type { InterfaceName } from "./entry/edition.ts";
import type { OrderIdScope } from "./entry/order-id.ts";
import type { ApiKey } from "./entry/access.ts";
import type { Account } from "./state/accounts.ts";
import { assert } from "./assert.ts";
import { carryOut } from "./carry-out.ts";
import type { DiscountRules, Entry, FillCredits, OrderLimit, PlaceOrder, SharedSetting } from "./entry/command.ts";
import { MalformedBytes, type PieceSink } from "./bytes.ts";
import { EventDigest } from "./entry/digest.ts";
import { digestEvent } from "./entry/event-digest.ts";
import type { Event } from "./entry/event.ts";
import { AccessReader, type EngineView, FundsReader, NodesReader, VenueReader } from "./engine-readers.ts";
import type { AccountView, AssetView, BalanceView, MarketView, QuoteView, SharedEmail } from "./engine-view.ts";
import { checkInvariants } from "./invariants.ts";
import type { Posting } from "./state/ledger.ts";
import type { ExchangeFilters } from "./filters.ts";
import { checkOrder } from "./trading/check.ts";
import type { OrderListRecord, OrderRecord } from "./entry/order-record.ts";
import type { RejectReason } from "./entry/reject.ts";
import {
  hashParts,
  isOfNewestLayout,
  restoreState,
  saveState,
  saveStateInParts,
  saveStateInPieces,
  type StateHash,
} from "./snapshot.ts";
import { type EngineOptions, ExchangeState } from "./state/exchange-state.ts";
import type { ApiTradingLock } from "./entry/wallet-record.ts";

const NO_POSTINGS: readonly Posting[] = [];

export class Engine implements EngineView {
  readonly funds: FundsReader;
  readonly nodes: NodesReader;
  readonly access: AccessReader;
  readonly venue: VenueReader;
  /** Only tests and deliberately planted bugs access the state directly. All other code uses the views. */
  readonly state: ExchangeState;
  /** Not private, because a test changes it together with the state. */
  readonly digest = new EventDigest();

  constructor(options: EngineOptions = {}) {
    this.state = new ExchangeState(options);
    this.funds = new FundsReader(this.state);
    this.nodes = new NodesReader(this.state);
    this.access = new AccessReader(this.state);
    this.venue = new VenueReader(this.state);
  }

  /** Restores an engine from a snapshot. Throws `MalformedBytes` if the bytes are not a snapshot. */
  static restore(bytes: Uint8Array, options: EngineOptions = {}): Engine {
    const engine = new Engine(options);
    try {
      restoreState(engine.state, engine.digest, bytes);
    } catch (error) {
      if (error instanceof MalformedBytes) throw error;
      // Damaged bytes cause various errors, such as invalid JSON, an invalid symbol or an excessive length.
      throw new MalformedBytes(`not a snapshot: ${String(error)}`, { cause: error });
    }
    return engine;
  }

  /**
   * Executes an entry and returns its events. Every decoded command has a result. A rejection changes only the clock
   * and the counts of orders. Entries must be in order of `seq`.
   */
  apply(entry: Entry): readonly Event[] {
    const { state } = this;
    assert(entry.seq === state.seq + 1, "entries come in order, without gaps");
    state.seq = entry.seq;
    if (entry.timeMs > state.nowMs) {
      state.nowMs = entry.timeMs;
      state.placedCounts.passTo(entry.timeMs);
    }
    state.ledger.begin(state.nowMs);
    state.beginCommand();
    const reason = carryOut(state, entry.command);
    if (reason !== null) {
      assert(state.events.length === 0, "a refused command changes nothing");
      state.emit({ type: "rejected", reason });
    }
    for (const event of state.events) digestEvent(this.digest, event, state.edition);
    state.eventCount += state.events.length;
    return state.events;
  }

  /** Postings of the last entry; empty if the engine does not record them. */
  get postings(): readonly Posting[] {
    return this.state.ledger.postings ?? NO_POSTINGS;
  }

  /** The complete state as bytes. Equal states give equal bytes. */
  snapshot(): Uint8Array {
    return saveState(this.state, this.digest);
  }

  /** Writes the bytes of `snapshot()` in order, in pieces. A piece is overwritten after the sink has returned. */
  snapshotInPieces(sink: PieceSink): void {
    saveStateInPieces(this.state, this.digest, sink);
  }

  /** Like `snapshotInPieces`, and also passes the name of the part of the state to which each piece belongs. */
  snapshotInParts(sink: (part: string, piece: Uint8Array) => void): void {
    saveStateInParts(this.state, this.digest, sink);
  }

  /** Hash of all parts of the state, independent of how the state was reached. Reads the whole state. */
  stateHash(): StateHash {
    return hashParts((sink) => this.snapshotInParts(sink));
  }

  /** Whether this release writes the restored state as the same bytes. Bytes of an older release may differ. */
  static isOfNewestLayout(bytes: Uint8Array): boolean {
    return isOfNewestLayout(bytes);
  }

  /** Throws `InvariantBroken` if an invariant does not hold. Reads the whole state, so it is for tests and audits. */
  checkInvariants(): void {
    checkInvariants(this.state);
  }

  eventDigest(): string {
    return this.digest.toString();
  }

  get seq(): number {
    return this.state.seq;
  }
  get timeMs(): number {
    return this.state.nowMs;
  }
  get eventCount(): number {
    return this.state.eventCount;
  }
  get edition(): number {
    return this.state.edition;
  }
  get interface(): InterfaceName {
    return this.state.interface;
  }
  get orderIds(): OrderIdScope {
    return this.state.orderIds;
  }
  get masterKeyCheck(): string {
    return this.state.masterKeyCheck;
  }
  get sharedSettings(): readonly SharedSetting[] {
    return this.state.sharedSettings;
  }
  get exchangeFilters(): ExchangeFilters {
    return this.state.exchangeFilters;
  }
  get commissionDiscount(): DiscountRules | null {
    return this.state.discount?.rules ?? null;
  }
  get isInMaintenance(): boolean {
    return this.state.funds.isInMaintenance;
  }
  /** Number of open orders on the whole exchange. */
  get openOrderCount(): number {
    return this.state.orders.size;
  }

  assets(): readonly AssetView[] {
    return this.state.assets;
  }
  asset(assetId: number): AssetView {
    return this.state.assetOf(assetId);
  }
  markets(): readonly MarketView[] {
    return this.state.markets;
  }
  market(symbolId: number): MarketView {
    return this.state.marketOf(symbolId);
  }
  marketBySymbol(symbol: string): MarketView | undefined {
    return this.state.marketsBySymbol.get(symbol);
  }

  *accounts(): Iterable<AccountView> {
    for (const account of this.state.accounts.all()) yield this.#viewOf(account);
  }
  account(accountId: number): AccountView | undefined {
    const account = this.state.accounts.get(accountId);
    return account && this.#viewOf(account);
  }
  accountByEmail(email: string): AccountView | undefined {
    const account = this.state.accounts.named(email);
    return account && this.#viewOf(account);
  }
  sharedEmails(): readonly SharedEmail[] {
    const { accounts } = this.state;
    return Array.from(accounts.sharedEmails(), (email) => ({
      email,
      accounts: accounts.sharing(email).map((account) => this.#viewOf(account)),
    }));
  }
  tradeGroupOf(accountId: number): number {
    return this.state.accounts.tradeGroupOf(accountId);
  }
  subAccounts(masterId: number): readonly number[] {
    return this.state.accounts.subsOf(masterId);
  }
  balance(accountId: number, assetId: number): BalanceView {
    const { free, locked } = this.state.ledger.balance(accountId, assetId);
    return { free, locked };
  }
  fees(accountId: number, symbolId: number): { readonly makerBps: number; readonly takerBps: number } {
    const { makerBps, takerBps } = this.state.accounts.rates(accountId, symbolId);
    return { makerBps, takerBps };
  }

  apiKey(apiKey: string): ApiKey | undefined {
    return this.state.apiKeys.get(apiKey);
  }
  apiKeys(accountId: number): readonly ApiKey[] {
    return this.state.apiKeys.of(accountId);
  }
  apiTradingLock(accountId: number, nowMs: number): ApiTradingLock | undefined {
    return this.state.funds.apiLocks.at(accountId, nowMs);
  }
  listenKeyAccount(listenKey: string, nowMs: number): number | undefined {
    const key = this.state.listenKeys.get(listenKey);
    return key !== undefined && key.expiresMs > nowMs ? key.accountId : undefined;
  }

  listenKeyOf(accountId: number, nowMs: number): string | undefined {
    const key = this.state.listenKeys.of(accountId);
    return key !== undefined && key.expiresMs > nowMs ? key.listenKey : undefined;
  }

  get fillCredits(): FillCredits {
    return this.state.placedCounts.fillCredits;
  }
  get orderLimits(): readonly OrderLimit[] {
    return this.state.placedCounts.rules;
  }
  ordersInWindow(accountId: number, windowMs: number, nowMs: number): number {
    return this.state.placedCounts.inWindow(accountId, windowMs, Math.max(nowMs, this.state.nowMs));
  }

  openOrder(orderId: number): OrderRecord | undefined {
    return this.state.orders.get(orderId)?.record();
  }
  openOrderByClientId(accountId: number, symbolId: number, clientOrderId: string): OrderRecord | undefined {
    return this.state.orders.byClientId(accountId, symbolId, clientOrderId)?.record();
  }
  openOrders(accountId: number, symbolId?: number): OrderRecord[] {
    return this.state.orders.of(accountId, symbolId).map((order) => order.record());
  }
  countOpenOrders(accountId: number, symbolId?: number): number {
    return this.state.orders.count(accountId, symbolId);
  }
  visitOpenOrders(accountId: number, symbolId: number | undefined, visit: (order: OrderRecord) => void): void {
    this.state.orders.visit(accountId, symbolId, (order) => visit(order.record()));
  }

  visitQuotes(accountId: number, symbolId: number, visit: (order: QuoteView) => void): void {
    this.state.orders.visit(accountId, symbolId, visit);
  }

  openOrderList(orderListId: number): OrderListRecord | undefined {
    return this.state.orderLists.get(orderListId)?.record;
  }
  openOrderListByClientId(accountId: number, listClientOrderId: string): OrderListRecord | undefined {
    return this.state.orderLists.getByClientId(accountId, listClientOrderId)?.record;
  }
  openOrderLists(accountId: number): readonly OrderListRecord[] {
    return this.state.orderLists.ofAccount(accountId).map(({ record }) => record);
  }
  countOpenOrderLists(accountId: number): number {
    return this.state.orderLists.countOf(accountId);
  }

  check(command: PlaceOrder, nowMs: number): RejectReason | null {
    return checkOrder(this.state, command, nowMs);
  }
  nextDueMs(): number {
    const listenKeyMs = this.state.listenKeys.first()?.expiresMs ?? Number.POSITIVE_INFINITY;
    const { dueMarkets, funds, stops, proposals, invitations } = this.state;
    const accessMs = Math.min(proposals.nextDueMs(), invitations.nextDueMs());
    const venueMs = Math.min(stops.nextDueMs(), dueMarkets.nextDueMs(), accessMs);
    return Math.min(listenKeyMs, funds.withdrawals.nextDueMs(), venueMs);
  }

  #viewOf(account: Account): AccountView {
    const { symbolRates: _, ...fields } = account;
    return { ...fields, updateTimeMs: this.state.ledger.updateTimeMs(account.accountId) };
  }
}
