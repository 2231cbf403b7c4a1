/** Listeners of an account: its listen key's stream, while it has subscribers, and direct subscribers. */
import type { Publisher } from "../port.ts";
import { BalanceTexts } from "./balance-texts.ts";

/** Receives each event as JSON. */
export type EventSink = (event: string) => void;
/** Resolves when what was sent has been read; undefined: it has. */
export type WhenRead = () => Promise<unknown> | undefined;

interface Listeners {
  /** Key of the account's stream, while it has subscribers. */
  listenKey: string | undefined;
  readonly sinks: Map<EventSink, WhenRead | undefined>;
  readonly balances: BalanceTexts;
}

export class ListenersByAccount {
  readonly #publisher: Publisher;
  readonly #onSilent: (accountId: number) => void;
  /** Accounts with listeners; all others cost nothing. */
  readonly #byAccount = new Map<number, Listeners>();
  readonly #accountIdOfKey = new Map<string, number>();
  /** Keys with subscribers that nobody has opened yet, as far as this node knows. */
  readonly #awaitedKeys = new Set<string>();

  /** `onSilent` hears of accounts that have no listeners any more. */
  constructor(publisher: Publisher, onSilent: (accountId: number) => void) {
    this.#publisher = publisher;
    this.#onSilent = onSilent;
  }

  get isEmpty(): boolean {
    return this.#byAccount.size === 0 && this.#awaitedKeys.size === 0;
  }

  has(accountId: number): boolean {
    return this.#byAccount.has(accountId);
  }

  /** The balance texts of an account with listeners. */
  balances(accountId: number): BalanceTexts {
    return this.#of(accountId).balances;
  }

  /** Sends the same text to all listeners. */
  tell(accountId: number, event: string): void {
    const listeners = this.#byAccount.get(accountId);
    if (listeners === undefined) return;
    if (listeners.listenKey !== undefined) this.#publisher.publish(listeners.listenKey, event);
    for (const sink of listeners.sinks.keys()) sink(event);
  }

  /** Resolves when all listeners have read what they were sent; undefined: they have. */
  whenRead(accountId: number): Promise<unknown> | undefined {
    const listeners = this.#byAccount.get(accountId);
    if (listeners === undefined) return undefined;
    const { listenKey, sinks } = listeners;
    const ofKey = listenKey === undefined ? undefined : this.#publisher.whenRead?.(listenKey);
    const reads = [ofKey, ...[...sinks.values()].map((whenRead) => whenRead?.())].filter((read) => read !== undefined);
    return reads.length === 0 ? undefined : Promise.all(reads);
  }

  /** The listen keys with subscribers, and whose they are. */
  keys(): ReadonlyMap<string, number> {
    return this.#accountIdOfKey;
  }

  addKey(accountId: number, listenKey: string): void {
    this.#accountIdOfKey.set(listenKey, accountId);
    this.#of(accountId).listenKey = listenKey;
  }

  awaitKey(listenKey: string): void {
    this.#awaitedKeys.add(listenKey);
  }

  /** Its subscribers, if they have come before, hear the account from now on. */
  keyOpened(accountId: number, listenKey: string): void {
    if (this.#awaitedKeys.delete(listenKey)) this.addKey(accountId, listenKey);
  }

  dropKey(listenKey: string): void {
    this.#awaitedKeys.delete(listenKey);
    const accountId = this.#accountIdOfKey.get(listenKey);
    if (accountId === undefined) return;
    this.#accountIdOfKey.delete(listenKey);
    const listeners = this.#of(accountId);
    listeners.listenKey = undefined;
    this.#forgetIfSilent(accountId, listeners);
  }

  addSink(accountId: number, sink: EventSink, whenRead?: WhenRead): void {
    this.#of(accountId).sinks.set(sink, whenRead);
  }

  dropSink(accountId: number, sink: EventSink): void {
    const listeners = this.#byAccount.get(accountId);
    if (listeners?.sinks.delete(sink)) this.#forgetIfSilent(accountId, listeners);
  }

  #of(accountId: number): Listeners {
    let listeners = this.#byAccount.get(accountId);
    if (listeners === undefined) {
      listeners = { listenKey: undefined, sinks: new Map(), balances: new BalanceTexts(accountId) };
      this.#byAccount.set(accountId, listeners);
    }
    return listeners;
  }

  #forgetIfSilent(accountId: number, { listenKey, sinks }: Listeners): void {
    if (listenKey !== undefined || sinks.size > 0) return;
    this.#byAccount.delete(accountId);
    this.#onSilent(accountId);
  }
}
