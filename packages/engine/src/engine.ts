/**
 * The exchange as a pure function of its journal: the same entries give the same events, state and
 * hash, anywhere and always. This file only dispatches; each command is carried out where it belongs.
 */
import {
  bindMasterKey,
  changeAccount,
  closeListenKey,
  createApiKey,
  deleteApiKey,
  expireListenKeys,
  keepListenKey,
  openAccount,
  openListenKey,
  setSymbolFee,
} from "./access/commands.ts";
import type { ApiKey } from "./entry/api-key.ts";
import type { Account } from "./state/accounts/accounts.ts";
import { assert } from "./assert.ts";
import type { Command, Entry, OperatorCommand, PlaceOrder, WalletCommand } from "./entry/command.ts";
import { isWellFormed } from "./entry/command-shape.ts";
import { MalformedBytes, type PieceSink } from "./bytes.ts";
import { EventDigest } from "./entry/digest.ts";
import { digestEvent } from "./entry/event-digest.ts";
import type { Event } from "./entry/event.ts";
import { carryOutWallet } from "./funds/carry-out.ts";
import { moveMoney } from "./funds/transfers/moves.ts";
import { FundsReader } from "./funds/reader.ts";
import { expireWithdrawals } from "./funds/withdrawals/steps.ts";
import { checkInvariants } from "./invariants.ts";
import type { Posting } from "./state/ledger/posting.ts";
import { listAsset, listSymbol, setExchangeFilters, setSymbolFilters, setSymbolStatus } from "./listing/listing.ts";
import type { ExchangeFilters } from "./entry/symbol.ts";
import { addPast } from "./past/add-past.ts";
import { importKlines } from "./past/import-klines.ts";
import { cancelOpenOrders, cancelOrder, cancelOrderList } from "./trading/cancel.ts";
import { cancelReplace } from "./trading/cancel-replace.ts";
import { checkOrder } from "./trading/check.ts";
import { placeOco } from "./trading/oco.ts";
import type { OrderListRecord, OrderRecord } from "./entry/order-record.ts";
import { placeOrder } from "./trading/place.ts";
import type { RejectReason } from "./entry/reject.ts";
import { adoptRules } from "./listing/adopt-rules.ts";
import { restoreState, saveState, saveStateInPieces } from "./snapshot.ts";
import { type EngineOptions, ExchangeState } from "./state/exchange-state.ts";
import type { AccountView, AssetView, BalanceView, EngineView, MarketView } from "./view/engine-view.ts";

const NO_POSTINGS: readonly Posting[] = [];

export class Engine extends FundsReader implements EngineView {
  private readonly digest = new EventDigest();

  constructor(options: EngineOptions = {}) {
    super(new ExchangeState(options));
  }

  /** The engine as of a snapshot. Throws `MalformedBytes` when the bytes are not one. */
  static restore(bytes: Uint8Array, options: EngineOptions = {}): Engine {
    const engine = new Engine(options);
    try {
      restoreState(engine.state, engine.digest, bytes);
    } catch (error) {
      if (error instanceof MalformedBytes) throw error;
      // damage shows itself in many ways: text that is not JSON, an impossible symbol, an absurd length
      throw new MalformedBytes(`not a snapshot: ${String(error)}`, { cause: error });
    }
    return engine;
  }

  /**
   * Carries out an entry and tells what came of it. Total: whatever was decoded gets an answer, a
   * refusal at worst, which changes nothing but the clock. Entries must come in order of `seq`.
   */
  apply(entry: Entry): readonly Event[] {
    const { state } = this;
    assert(entry.seq === state.seq + 1, "entries come in order, without gaps");
    state.seq = entry.seq;
    if (entry.timeMs > state.nowMs) state.nowMs = entry.timeMs;
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

  /** Postings of the last entry; empty unless the engine records them. */
  get postings(): readonly Posting[] {
    return this.state.ledger.postings ?? NO_POSTINGS;
  }

  /** The whole state as bytes: equal states give equal bytes. */
  snapshot(): Uint8Array {
    return saveState(this.state, this.digest);
  }

  /** The bytes of `snapshot()` one after the other. A piece is written over when its turn has passed. */
  snapshotInPieces(sink: PieceSink): void {
    saveStateInPieces(this.state, this.digest, sink);
  }

  /** Throws `InvariantBroken` when something that must hold does not. Walks everything: for tests and audits. */
  checkInvariants(): void {
    checkInvariants(this.state);
  }

  hash(): string {
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
  get masterKeyCheck(): string {
    return this.state.masterKeyCheck;
  }
  get exchangeFilters(): ExchangeFilters {
    return this.state.exchangeFilters;
  }
  /** Open orders of the whole exchange. */
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
    for (const account of this.state.accounts.all()) yield this.viewOf(account);
  }
  account(accountId: number): AccountView | undefined {
    const account = this.state.accounts.get(accountId);
    return account && this.viewOf(account);
  }
  accountByEmail(email: string): AccountView | undefined {
    const account = this.state.accounts.getByEmail(email);
    return account && this.viewOf(account);
  }
  balance(accountId: number, assetId: number): BalanceView {
    return this.state.ledger.balance(accountId, assetId);
  }
  fees(accountId: number, symbolId: number): { readonly makerBps: number; readonly takerBps: number } {
    return this.state.accounts.rates(accountId, symbolId);
  }

  apiKey(apiKey: string): ApiKey | undefined {
    return this.state.apiKeys.get(apiKey);
  }
  apiKeys(accountId: number): readonly ApiKey[] {
    return this.state.apiKeys.of(accountId);
  }
  listenKeyAccount(listenKey: string, nowMs: number): number | undefined {
    const key = this.state.listenKeys.get(listenKey);
    return key !== undefined && key.expiresMs > nowMs ? key.accountId : undefined;
  }

  openOrder(orderId: number): OrderRecord | undefined {
    return this.state.orders.get(orderId);
  }
  openOrderByClientId(accountId: number, symbolId: number, clientOrderId: string): OrderRecord | undefined {
    return this.state.orders.byClientId(accountId, symbolId, clientOrderId);
  }
  openOrders(accountId: number, symbolId?: number): OrderRecord[] {
    return this.state.orders.of(accountId, symbolId);
  }
  countOpenOrders(accountId: number, symbolId?: number): number {
    return this.state.orders.count(accountId, symbolId);
  }
  visitOpenOrders(accountId: number, symbolId: number | undefined, visit: (order: OrderRecord) => void): void {
    this.state.orders.visit(accountId, symbolId, visit);
  }

  openOrderList(orderListId: number): OrderListRecord | undefined {
    return this.state.orderLists.get(orderListId);
  }
  openOrderListByClientId(accountId: number, listClientOrderId: string): OrderListRecord | undefined {
    return this.state.orderLists.getByClientId(accountId, listClientOrderId);
  }
  openOrderLists(accountId: number): readonly OrderListRecord[] {
    return this.state.orderLists.ofAccount(accountId);
  }
  countOpenOrderLists(accountId: number): number {
    return this.state.orderLists.countOf(accountId);
  }

  check(command: PlaceOrder, nowMs: number): RejectReason | null {
    return checkOrder(this.state, command, nowMs);
  }
  nextDueMs(): number {
    const listenKeyMs = this.state.listenKeys.first()?.expiresMs ?? Number.POSITIVE_INFINITY;
    return Math.min(listenKeyMs, this.state.funds.withdrawals.nextDueMs());
  }

  private viewOf(account: Account): AccountView {
    const { symbolRates: _, ...fields } = account;
    return { ...fields, updateTimeMs: this.state.ledger.updateTimeMs(account.accountId) };
  }
}

function carryOut(state: ExchangeState, command: Command): RejectReason | null {
  switch (command.type) {
    case "placeOrder":
      return placeOrder(state, command);
    case "cancelOrder":
      return cancelOrder(state, command);
    case "cancelReplace":
      return cancelReplace(state, command);
    case "placeOco":
      return placeOco(state, command);
    case "cancelOrderList":
      return cancelOrderList(state, command);
    case "cancelOpenOrders":
      return cancelOpenOrders(state, command);
    case "tick":
      expireListenKeys(state);
      expireWithdrawals(state);
      state.emit({ type: "done" });
      return null;
    case "adoptRules":
      return adoptRules(state, command);
    case "openListenKey":
      return openListenKey(state, command);
    case "keepListenKey":
      return keepListenKey(state, command);
    case "closeListenKey":
      return closeListenKey(state, command);
    default:
      return isWellFormed(command) ? carryOutAct(state, command) : "INVALID_VALUE";
  }
}

function carryOutAct(state: ExchangeState, command: OperatorCommand | WalletCommand): RejectReason | null {
  switch (command.type) {
    case "deposit":
    case "debit":
      return moveMoney(state, command);
    case "openAccount":
      return openAccount(state, command);
    case "changeAccount":
      return changeAccount(state, command);
    case "setSymbolFee":
      return setSymbolFee(state, command);
    case "createApiKey":
      return createApiKey(state, command);
    case "deleteApiKey":
      return deleteApiKey(state, command);
    case "bindMasterKey":
      return bindMasterKey(state, command);
    case "listAsset":
      return listAsset(state, command);
    case "listSymbol":
      return listSymbol(state, command);
    case "setSymbolStatus":
      return setSymbolStatus(state, command);
    case "setSymbolFilters":
      return setSymbolFilters(state, command);
    case "setExchangeFilters":
      return setExchangeFilters(state, command);
    case "addPast":
      return addPast(state, command);
    case "importKlines":
      return importKlines(state, command);
    default:
      return carryOutWallet(state, command);
  }
}
