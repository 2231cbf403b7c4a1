/**
 * User data streams: converts the events of each entry to messages for all accounts with listeners, in journal order.
 * Interface 6. An account receives the reports of a command first, and then its new balances once.
 */
import {
  type EngineView,
  type Event,
  type Fill,
  lossesOf,
  type MarketView,
  type OrderEnded,
  type OrderOpened,
  type Side,
  type Trade,
} from "@pricetime/engine";
import assert from "node:assert/strict";
import type { EventConnection } from "../../edge/session.ts";
import type { Timers } from "../../../platform/world/port.ts";
import { type Audience, LISTEN_KEY, type Publisher, type StreamFaults, type StreamLine } from "../port.ts";
import {
  amendedReport,
  balanceUpdate,
  endedReport,
  listenKeyExpired,
  listStatus,
  openedReport,
  outboundAccountInfo,
  outboundAccountPosition,
  preventedReport,
  type ReportAt,
  tradeReport,
} from "./events.ts";
import { executionIdOf } from "../../../history/shapes/orders.ts";
import { Backlogs, type EventSink, ListenersByAccount } from "./listeners.ts";

// Possible changes of an account's balances by one command. Empty if only the account itself changed.

class AccountChange {
  /** Assets that may have changed: both assets of each symbol with a changed order. */
  readonly assetIds = new Set<number>();
  /** Assets that have changed. */
  readonly movedAssetIds = new Set<number>();

  /** Called when an order's funds were locked or released. */
  orderChanged(market: MarketView, side: Side): void {
    this.#concern(market);
    this.movedAssetIds.add(side === "BUY" ? market.quoteAssetId : market.baseAssetId);
  }

  /** Adds the order's side of a trade. */
  traded(market: MarketView, { commissionAssetId }: Fill): void {
    this.#concern(market);
    this.movedAssetIds.add(market.baseAssetId).add(market.quoteAssetId);
    this.moved(commissionAssetId);
  }

  /** Called after a deposit, withdrawal or transfer of the asset. */
  moved(assetId: number): void {
    this.assetIds.add(assetId);
    this.movedAssetIds.add(assetId);
  }

  #concern({ baseAssetId, quoteAssetId }: MarketView): void {
    this.assetIds.add(baseAssetId).add(quoteAssetId);
  }
}

/** If one entry ends more orders than this, their reports are sent over several turns. */
const MOST_ENDED_AT_ONCE = 1000;

export interface UserStreamsOptions {
  readonly engine: EngineView;
  readonly publisher: Publisher;
  /** The sequencer's time, which determines whether a key has expired. */
  readonly nowMs: () => number;
  readonly timers: Pick<Timers, "soon" | "after">;
  /** Set only in a lab. */
  readonly faults?: StreamFaults | undefined;
}

export class UserStreams implements Audience {
  readonly #engine: EngineView;
  readonly #publisher: Publisher;
  readonly #nowMs: () => number;
  readonly #faults: StreamFaults | undefined;
  readonly #listeners: ListenersByAccount;
  /** Queued messages of entries that ended many orders. */
  readonly #backlogs: Backlogs;
  /** Whether the reports of the current entry are queued for later turns. */
  #isLong = false;
  /** Changes by the current entry to accounts with listeners, in the order in which they appear in the events. */
  readonly #changes = new Map<number, AccountChange>();
  /** Listen keys closed by the current entry. */
  readonly #closedKeys: Event<"listenKeyClosed">[] = [];

  constructor({ engine, publisher, nowMs, timers, faults }: UserStreamsOptions) {
    this.#faults = faults;
    this.#engine = engine;
    this.#publisher = publisher;
    this.#nowMs = nowMs;
    this.#listeners = new ListenersByAccount(publisher, (accountId) => this.#backlogs.drop(accountId));
    this.#backlogs = new Backlogs(timers, (accountId) => this.#listeners.whenRead(accountId));
  }

  /** Whether the listen key is open. The stream of a key that is not open never has a message. Interface S.14. */
  isOpen(listenKey: string): boolean {
    return this.#engine.listenKeyAccount(listenKey, this.#nowMs()) !== undefined;
  }

  /** The account ids of listen keys with subscribers. */
  subscribedKeys(): ReadonlyMap<string, number> {
    return this.#listeners.keys();
  }

  /** Ends the stream of a listen key that does not belong to the account, as if it had expired. */
  endUnlessOwnedBy(listenKey: string, accountId: number): void {
    if (this.#engine.listenKeyAccount(listenKey, this.#nowMs()) !== accountId) this.#endStream(listenKey);
  }

  opened(stream: string): void {
    const accountId = this.#engine.listenKeyAccount(stream, this.#nowMs());
    if (accountId !== undefined) this.#listeners.addKey(accountId, stream);
    // Another node may have opened the key in an entry that has not arrived yet.
    else if (LISTEN_KEY.test(stream)) this.#listeners.awaitKey(stream);
  }

  closed(stream: string): void {
    this.#listeners.dropKey(stream);
  }

  /**
   * `sink` receives every event of the account as JSON until the returned function is called. `connection` is the
   * connection on which the events are sent.
   */
  subscribe(accountId: number, sink: EventSink, { cut, whenRead }: EventConnection = {}): () => void {
    // Wrapped in a new function, so that subscribing the same sink twice creates two subscriptions.
    let own: EventSink = (event) => sink(event);
    if (this.#faults !== undefined) own = faulty(this.#faults, accountId, { sink, cut });
    this.#listeners.addSink(accountId, own, whenRead);
    return () => this.#listeners.dropSink(accountId, own);
  }

  /** Called when an entry is durable and applied, while the engine's state is that just after the entry. */
  applied(events: readonly Event[]): void {
    if (this.#listeners.isEmpty) return;
    this.#isLong = events.length > MOST_ENDED_AT_ONCE && endsMany(events);
    let index = 0;
    for (const event of events) this.#handle(event, executionIdOf(this.#engine, events, index++));
    for (const [accountId, change] of this.#changes) this.#sendAccount(accountId, change);
    this.#changes.clear();
    // Sent after the balances, because the entry that locks an account changes balances and ends its stream.
    for (const { accountId, listenKey } of this.#closedKeys.splice(0)) {
      if (this.#backlogs.has(accountId)) this.#backlogs.add(accountId, () => this.#endStream(listenKey));
      else this.#endStream(listenKey);
    }
    this.#isLong = false;
  }

  #handle(event: Event, executionId: number): void {
    switch (event.type) {
      case "orderOpened":
      case "orderReleased":
        return this.#orderChanged(event, executionId, openedReport);
      case "trade":
        this.#filled(event, event.taker, executionId);
        return this.#filled(event, event.maker, executionId + 1);
      case "orderEnded":
        return this.#orderChanged(event, executionId, endedReport);
      case "orderAmended":
        return this.#orderChanged(event, executionId, amendedReport);
      case "tradePrevented":
        return this.#prevented(event, executionId);
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
        this.#closedKeys.push(event);
        break;
      default:
    }
  }

  #orderChanged<E extends OrderOpened | OrderEnded | Event<"orderAmended" | "orderReleased">>(
    event: E,
    executionId: number,
    report: (engine: EngineView, at: ReportAt, event: E) => string,
  ): void {
    const { accountId, symbolId, side } = event.order;
    const change = this.#changeOf(accountId);
    if (change === undefined) return;
    change.orderChanged(this.#engine.market(symbolId), side);
    const at = { timeMs: this.#engine.timeMs, executionId };
    this.#send(accountId, () => report(this.#engine, at, event));
  }

  #filled(trade: Trade, fill: Fill, executionId: number): void {
    const { accountId } = fill.order;
    const change = this.#changeOf(accountId);
    if (change === undefined) return;
    change.traded(this.#engine.market(trade.symbolId), fill);
    const at = { timeMs: this.#engine.timeMs, executionId };
    this.#send(accountId, () => tradeReport(this.#engine, at, trade, fill));
  }

  #prevented(event: Event<"tradePrevented">, firstExecutionId: number): void {
    let executionId = firstExecutionId;
    for (const loss of lossesOf(event)) {
      const at = { timeMs: this.#engine.timeMs, executionId: executionId++ };
      const { accountId, symbolId, side } = loss.order;
      const change = this.#changeOf(accountId);
      if (change === undefined) continue;
      const market = this.#engine.market(symbolId);
      change.orderChanged(market, side);
      if (event.isTransfer) {
        change.moved(market.baseAssetId);
        change.moved(market.quoteAssetId);
      }
      this.#send(accountId, () => preventedReport(this.#engine, at, event, loss));
    }
  }

  #listChanged(event: Event<"orderListChanged">): void {
    const { accountId } = event.list;
    if (!this.#listeners.has(accountId)) return;
    const { timeMs } = this.#engine;
    this.#send(accountId, () => listStatus(this.#engine, timeMs, event));
  }

  /** Only a completed withdrawal changes the total: before, its funds only move between locked and free. */
  #withdrawalChanged({ withdrawal, status }: Event<"withdrawalChanged">): void {
    const { accountId, assetId, amount } = withdrawal;
    if (status === "completed") this.#moved(accountId, assetId, -amount);
    else this.#changeOf(accountId)?.moved(assetId);
  }

  #moved(accountId: number, assetId: number, amount: bigint): void {
    if (amount === 0n) return;
    const change = this.#changeOf(accountId);
    if (change === undefined) return;
    change.moved(assetId);
    const update = balanceUpdate(this.#engine, assetId, amount);
    this.#send(accountId, () => update);
  }

  /** Sends a message, or queues it behind earlier ones. A queued message is formatted only when it is sent. */
  #send(accountId: number, message: () => string): void {
    if (!this.#isLong && !this.#backlogs.has(accountId)) this.#listeners.send(accountId, message());
    else this.#backlogs.add(accountId, () => this.#listeners.send(accountId, message()));
  }

  /** The account's changes by the current entry; undefined if the account has no listeners. */
  #changeOf(accountId: number): AccountChange | undefined {
    if (!this.#listeners.has(accountId)) return undefined;
    let change = this.#changes.get(accountId);
    if (change === undefined) {
      change = new AccountChange();
      this.#changes.set(accountId, change);
    }
    return change;
  }

  #sendAccount(accountId: number, change: AccountChange): void {
    const account = this.#engine.account(accountId);
    assert(account !== undefined, "a changed account exists");
    const balances = this.#listeners.balances(accountId);
    const info = outboundAccountInfo(this.#engine, account, balances, change.movedAssetIds);
    this.#send(accountId, () => info);
    if (change.assetIds.size === 0) return;
    const position = outboundAccountPosition(this.#engine, account, balances, change.assetIds);
    this.#send(accountId, () => position);
  }

  #endStream(listenKey: string): void {
    if (!this.#publisher.hasSubscribers(listenKey)) return;
    this.#publisher.publish(listenKey, listenKeyExpired(this.#engine, listenKey));
    this.#publisher.end(listenKey, "the listen key is over");
  }
}

function endsMany(events: readonly Event[]): boolean {
  let ended = 0;
  for (const { type } of events) if (type === "orderEnded" || type === "tradePrevented") ended++;
  return ended > MOST_ENDED_AT_ONCE;
}

/** Wraps a sink so that a lab can delay or drop events. */
function faulty(
  faults: StreamFaults,
  accountId: number,
  { sink, cut = () => {} }: { readonly sink: EventSink; readonly cut: StreamLine["cut"] | undefined },
): EventSink {
  const line: StreamLine = { send: sink, cut };
  return (payload) => faults.pass({ stream: "", accountId, payload }, line);
}
