/** Listeners of an account: its listen key's stream while it has subscribers, and direct subscribers. */
import type { Timers } from "../../../platform/world/port.ts";
import type { Publisher } from "../port.ts";
import { BalanceTexts } from "./events.ts";

// Queued messages of entries that ended many orders. One piece is sent per turn of the event loop, after the previous
// piece has been read.

/** Number of messages sent per turn: less than a millisecond of work. */
export const MESSAGES_A_TURN = 100;
/**
 * How long the next piece waits for listeners that do not read. Afterwards, the limits of their sockets disconnect
 * them.
 */
const READ_PATIENCE_MS = 1000;

type Send = () => void;

interface Backlog {
  readonly sends: Send[];
  /** The index of the next message. */
  next: number;
  /** Whether the listeners are still reading the last piece. */
  isBeingRead: boolean;
}

export class Backlogs {
  readonly #timers: Pick<Timers, "soon" | "after">;
  readonly #whenRead: (accountId: number) => Promise<unknown> | undefined;
  /** Queues by account. After an account's piece is sent, the account moves to the end, so that all take turns. */
  readonly #byAccount = new Map<number, Backlog>();
  #isScheduled = false;

  /**
   * `whenRead` returns a promise that resolves when the account's listeners have read everything sent; undefined if
   * they already have.
   */
  constructor(timers: Pick<Timers, "soon" | "after">, whenRead: (accountId: number) => Promise<unknown> | undefined) {
    this.#timers = timers;
    this.#whenRead = whenRead;
  }

  has(accountId: number): boolean {
    return this.#byAccount.has(accountId);
  }

  /** Queues a message, which is sent in a later turn. */
  add(accountId: number, send: Send): void {
    let backlog = this.#byAccount.get(accountId);
    if (backlog === undefined) {
      backlog = { sends: [], next: 0, isBeingRead: false };
      this.#byAccount.set(accountId, backlog);
    }
    backlog.sends.push(send);
    this.#schedule();
  }

  /** Removes the messages of an account that has no more listeners. */
  drop(accountId: number): void {
    this.#byAccount.delete(accountId);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#timers.soon(this.#turn);
  }

  readonly #turn = (): void => {
    this.#isScheduled = false;
    const [accountId, backlog] = [...this.#byAccount].find(([, { isBeingRead }]) => !isBeingRead) ?? [];
    if (accountId === undefined || backlog === undefined) return;
    this.#schedule();
    const read = this.#whenRead(accountId);
    if (read === undefined) this.#sendPiece(accountId, backlog);
    else this.#waitFor(read, backlog);
  };

  #waitFor(read: Promise<unknown>, backlog: Backlog): void {
    backlog.isBeingRead = true;
    const goOn = (): void => {
      cancel();
      if (!backlog.isBeingRead) return;
      backlog.isBeingRead = false;
      this.#schedule();
    };
    const cancel = this.#timers.after(READ_PATIENCE_MS, goOn, "user streams: backlog");
    void read.then(goOn);
  }

  #sendPiece(accountId: number, backlog: Backlog): void {
    const { sends } = backlog;
    for (const send of sends.slice(backlog.next, backlog.next + MESSAGES_A_TURN)) send();
    backlog.next += MESSAGES_A_TURN;
    // A message may have ended the account's last stream, which removes the queue.
    if (this.#byAccount.get(accountId) !== backlog) return;
    this.#byAccount.delete(accountId);
    if (backlog.next < sends.length) this.#byAccount.set(accountId, backlog);
  }
}

/** Receives each event as JSON. */
export type EventSink = (event: string) => void;
/** Resolves when the client has read everything sent; undefined if it already has. */
export type WhenRead = () => Promise<unknown> | undefined;

interface Listeners {
  /** The account's listen key, while its stream has subscribers. */
  listenKey: string | undefined;
  readonly sinks: Map<EventSink, WhenRead | undefined>;
  readonly balances: BalanceTexts;
}

export class ListenersByAccount {
  readonly #publisher: Publisher;
  readonly #onSilent: (accountId: number) => void;
  /** Accounts with listeners. Accounts without any take no memory here. */
  readonly #byAccount = new Map<number, Listeners>();
  readonly #accountIdOfKey = new Map<string, number>();
  /** Listen keys with subscribers that, as far as this node has applied the journal, are not open yet. */
  readonly #awaitedKeys = new Set<string>();

  /** `onSilent` is called when an account has no more listeners. */
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

  /** The cached balances of an account with listeners. */
  balances(accountId: number): BalanceTexts {
    return this.#of(accountId).balances;
  }

  /** Sends the same text to all listeners. */
  send(accountId: number, event: string): void {
    const listeners = this.#byAccount.get(accountId);
    if (listeners === undefined) return;
    if (listeners.listenKey !== undefined) this.#publisher.publish(listeners.listenKey, event);
    for (const sink of listeners.sinks.keys()) sink(event);
  }

  /** Resolves when all listeners have read everything sent; undefined if they already have. */
  whenRead(accountId: number): Promise<unknown> | undefined {
    const listeners = this.#byAccount.get(accountId);
    if (listeners === undefined) return undefined;
    const { listenKey, sinks } = listeners;
    const ofKey = listenKey === undefined ? undefined : this.#publisher.whenRead?.(listenKey);
    const reads = [ofKey, ...[...sinks.values()].map((whenRead) => whenRead?.())].filter((read) => read !== undefined);
    return reads.length === 0 ? undefined : Promise.all(reads);
  }

  /** The account ids of listen keys with subscribers. */
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

  /** Starts sending the account's events to subscribers that were waiting for the key. */
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
