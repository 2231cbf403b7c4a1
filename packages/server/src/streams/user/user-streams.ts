/**
 * User data streams: turns the events of each entry into messages for every account with listeners, in the journal's
 * order. Interface 6. An account gets the reports of a command first and then, once, its balances after it.
 */
import assert from "node:assert/strict";
import type {
  EngineView,
  Event,
  Fill,
  OrderEnded,
  OrderListChanged,
  OrderOpened,
  Trade,
  WithdrawalChanged,
} from "@pricetime/engine";
import type { StreamFaults, StreamLine } from "../faults-port.ts";
import { type Audience, LISTEN_KEY, type ListenKeys, type Publisher } from "../port.ts";
import { AccountChange } from "./touched-assets.ts";
import { balanceUpdate, listenKeyExpired, outboundAccountInfo, outboundAccountPosition } from "./account-position.ts";
import { endedReport, openedReport, tradeReport } from "./execution-report.ts";
import { type EventSink, ListenersByAccount } from "./listeners.ts";
import { listStatus } from "./list-status.ts";

/** Each event has room for two reports: the taker's and the maker's. */
const REPORTS_PER_EVENT = 2;

export interface UserStreamsOptions {
  readonly engine: EngineView;
  readonly publisher: Publisher;
  /** The sequencer's clock, which decides whether a key has expired. */
  readonly nowMs: () => number;
  /** A lab alone has them. */
  readonly faults?: StreamFaults | undefined;
}

export class UserStreams implements Audience, ListenKeys {
  readonly #engine: EngineView;
  readonly #publisher: Publisher;
  readonly #nowMs: () => number;
  readonly #faults: StreamFaults | undefined;
  readonly #listeners: ListenersByAccount;
  /** Changes by the current entry, for accounts with listeners, in order of appearance. */
  readonly #changes = new Map<number, AccountChange>();
  /** Listen keys that the current entry has closed. */
  readonly #closedKeys: string[] = [];

  constructor({ engine, publisher, nowMs, faults }: UserStreamsOptions) {
    this.#faults = faults;
    this.#engine = engine;
    this.#publisher = publisher;
    this.#nowMs = nowMs;
    this.#listeners = new ListenersByAccount(publisher);
  }

  isOpen(listenKey: string): boolean {
    return this.#engine.listenKeyAccount(listenKey, this.#nowMs()) !== undefined;
  }

  /** The listen keys that somebody listens to, and whose they are. */
  heard(): ReadonlyMap<string, number> {
    return this.#listeners.keys();
  }

  /** Ends the stream of a listen key that is not the account's, as at its expiry. */
  endUnlessOf(listenKey: string, accountId: number): void {
    if (this.#engine.listenKeyAccount(listenKey, this.#nowMs()) !== accountId) this.#endStream(listenKey);
  }

  opened(stream: string): void {
    const accountId = this.#engine.listenKeyAccount(stream, this.#nowMs());
    if (accountId !== undefined) this.#listeners.addKey(accountId, stream);
    // Another node may have opened it, in an entry that is still on its way to this one.
    else if (LISTEN_KEY.test(stream)) this.#listeners.awaitKey(stream);
  }

  closed(stream: string): void {
    this.#listeners.dropKey(stream);
  }

  /**
   * `sink` gets every event of the account from now on, as JSON, until the returned function is called. `cut` ends its
   * connection, for a lab.
   */
  subscribe(accountId: number, sink: EventSink, cut?: StreamLine["cut"]): () => void {
    // A function of its own, so that subscribing twice gives two subscriptions.
    let own: EventSink = (event) => sink(event);
    if (this.#faults !== undefined) own = faulty(this.#faults, accountId, { sink, cut });
    this.#listeners.addSink(accountId, own);
    return () => this.#listeners.dropSink(accountId, own);
  }

  /** An entry was applied and is durable. Must be called while the engine is at that entry. */
  applied(events: readonly Event[]): void {
    if (this.#listeners.isEmpty) return;
    let executionId = (this.#engine.eventCount - events.length) * REPORTS_PER_EVENT;
    for (const event of events) {
      this.#handle(event, executionId);
      executionId += REPORTS_PER_EVENT;
    }
    for (const [accountId, change] of this.#changes) this.#tellAccount(accountId, change);
    this.#changes.clear();
    // After the balances: the entry that locks an account changes them and ends its stream.
    for (const listenKey of this.#closedKeys.splice(0)) this.#endStream(listenKey);
  }

  #handle(event: Event, executionId: number): void {
    switch (event.type) {
      case "orderOpened":
        return this.#orderChanged(event, executionId, openedReport);
      case "trade":
        this.#filled(event, event.taker, executionId);
        return this.#filled(event, event.maker, executionId + 1);
      case "orderEnded":
        return this.#orderChanged(event, executionId, endedReport);
      case "orderListChanged":
        return this.#listChanged(event);
      case "balanceMoved":
      case "dividendPaid":
      case "balanceAdjusted":
        return this.#moved(event.accountId, event.assetId, event.amount);
      case "depositChanged":
        return this.#moved(event.deposit.accountId, event.deposit.assetId, event.moved);
      case "withdrawalChanged":
        return this.#withdrawalChanged(event);
      case "transferred":
        this.#moved(event.fromAccountId, event.assetId, -event.amount);
        return this.#moved(event.toAccountId, event.assetId, event.amount);
      case "dustConverted":
        this.#moved(event.accountId, event.assetId, -event.amount);
        return this.#moved(event.accountId, event.dustAssetId, event.received);
      case "accountChanged":
        this.#changeOf(event.accountId);
        break;
      case "listenKeyOpened":
        return this.#listeners.keyOpened(event.accountId, event.listenKey);
      case "listenKeyClosed":
        this.#closedKeys.push(event.listenKey);
        break;
      default:
    }
  }

  #orderChanged<E extends OrderOpened | OrderEnded>(
    event: E,
    executionId: number,
    report: (engine: EngineView, executionId: number, event: E) => string,
  ): void {
    const { accountId, symbolId, side } = event.order;
    const change = this.#changeOf(accountId);
    if (change === undefined) return;
    change.orderChanged(this.#engine.market(symbolId), side);
    this.#listeners.tell(accountId, report(this.#engine, executionId, event));
  }

  #filled(trade: Trade, fill: Fill, executionId: number): void {
    const { accountId } = fill.order;
    const change = this.#changeOf(accountId);
    if (change === undefined) return;
    change.traded(this.#engine.market(trade.symbolId), fill);
    this.#listeners.tell(accountId, tradeReport(this.#engine, executionId, trade, fill));
  }

  #listChanged(event: OrderListChanged): void {
    const { accountId } = event.list;
    if (this.#listeners.has(accountId)) this.#listeners.tell(accountId, listStatus(this.#engine, event));
  }

  /** Until the withdrawal is done its money only moves between locked and free. */
  #withdrawalChanged({ withdrawal, status }: WithdrawalChanged): void {
    const { accountId, assetId, amount } = withdrawal;
    if (status === "completed") this.#moved(accountId, assetId, -amount);
    else this.#changeOf(accountId)?.moved(assetId);
  }

  #moved(accountId: number, assetId: number, amount: bigint): void {
    if (amount === 0n) return;
    const change = this.#changeOf(accountId);
    if (change === undefined) return;
    change.moved(assetId);
    this.#listeners.tell(accountId, balanceUpdate(this.#engine, assetId, amount));
  }

  /** Undefined when the account has no listeners. */
  #changeOf(accountId: number): AccountChange | undefined {
    if (!this.#listeners.has(accountId)) return undefined;
    let change = this.#changes.get(accountId);
    if (change === undefined) {
      change = new AccountChange();
      this.#changes.set(accountId, change);
    }
    return change;
  }

  #tellAccount(accountId: number, change: AccountChange): void {
    const account = this.#engine.account(accountId);
    assert(account !== undefined, "a changed account exists");
    const balances = this.#listeners.balances(accountId);
    this.#listeners.tell(accountId, outboundAccountInfo(this.#engine, account, balances, change.movedAssetIds));
    if (change.assetIds.size === 0) return;
    this.#listeners.tell(accountId, outboundAccountPosition(this.#engine, account, balances, change.assetIds));
  }

  #endStream(listenKey: string): void {
    if (!this.#publisher.hasSubscribers(listenKey)) return;
    this.#publisher.publish(listenKey, listenKeyExpired(this.#engine, listenKey));
    this.#publisher.end(listenKey, "the listen key is over");
  }
}

/** A lab may send an event later, or never. */
function faulty(
  faults: StreamFaults,
  accountId: number,
  { sink, cut = () => {} }: { readonly sink: EventSink; readonly cut: StreamLine["cut"] | undefined },
): EventSink {
  const line: StreamLine = { send: sink, cut };
  return (payload) => faults.pass({ stream: "", accountId, payload }, line);
}
