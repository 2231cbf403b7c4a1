/** One connection to the WebSocket API: its logon, and the accounts whose events it gets. */
import type { ApiKey } from "@pricetime/engine";
import { tooManySubscriptions } from "@pricetime/protocol";
import type { SessionStatus, Subscribed } from "@pricetime/protocol";
import { Refused } from "./refusals.ts";

/** The events of accounts: `sink` gets each as JSON until the returned function is called. */
export interface UserEvents {
  subscribe(accountId: number, sink: (event: string) => void, connection?: EventConnection): () => void;
}

/** The connection by which events leave. */
export interface EventConnection {
  /** Ends it, with this close code or without any word: a lab may do so. */
  readonly cut?: (code: number | undefined) => void;
  /** Resolves when what was sent has been read; undefined: it has. */
  readonly whenRead?: () => Promise<unknown> | undefined;
}

/** The key as the exchange has it now; undefined: it is not there. */
export type KeyOf = (apiKey: string) => ApiKey | undefined;

/** Subscriptions of one connection at a time. */
export const MAX_SUBSCRIPTIONS = 1000;

interface Subscription {
  readonly accountId: number;
  readonly apiKey: string;
  /** The subscription belongs to the key that is logged on, and ends at its logout. */
  readonly ofSession: boolean;
  end: () => void;
}

export interface SessionOptions {
  readonly users: UserEvents;
  readonly send: (text: string) => void;
  /** Absent where no line leads to a client. */
  readonly connection?: EventConnection;
  readonly connectedMs: number;
  /** The default for requests that do not say. */
  readonly returnRateLimits: boolean;
}

export class Session {
  readonly returnRateLimits: boolean;
  #users: UserEvents;
  readonly #send: (text: string) => void;
  readonly #connection: EventConnection | undefined;
  readonly #connectedMs: number;
  /** Subscriptions by id, oldest first. */
  readonly #subscriptions = new Map<number, Subscription>();
  #nextSubscriptionId = 0;
  #key: ApiKey | undefined;
  #authorizedMs: number | undefined;
  #isClosed = false;

  constructor(options: SessionOptions) {
    this.returnRateLimits = options.returnRateLimits;
    this.#users = options.users;
    this.#send = options.send;
    this.#connection = options.connection;
    this.#connectedMs = options.connectedMs;
  }

  /** The key that is logged on. */
  get key(): ApiKey | undefined {
    return this.#key;
  }

  logOn(key: ApiKey, nowMs: number): void {
    this.#key = key;
    this.#authorizedMs = nowMs;
  }

  /** Logs out and ends the key's subscription, but none that was signed by itself. */
  logOut(): void {
    this.#key = undefined;
    this.#authorizedMs = undefined;
    this.#endAll(({ ofSession }) => ofSession);
  }

  /** The id of the account's subscription: an account has one on each connection, however often it subscribes. */
  subscribe({ accountId, apiKey }: ApiKey, ofSession: boolean): number {
    for (const [id, subscription] of this.#subscriptions) if (subscription.accountId === accountId) return id;
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS) throw new Refused(tooManySubscriptions(MAX_SUBSCRIPTIONS));
    const id = this.#nextSubscriptionId++;
    // The connection may have gone while the request waited: nobody would end the subscription.
    if (!this.#isClosed) {
      this.#subscriptions.set(id, { accountId, apiKey, ofSession, end: this.#listen(accountId, id) });
    }
    return id;
  }

  #listen(accountId: number, id: number): () => void {
    return this.#users.subscribe(accountId, (event) => this.#sendEvent(id, event), this.#connection);
  }

  /** Ends all when `id` is undefined; an unknown id is no error. */
  unsubscribe(id: number | undefined): void {
    if (id === undefined) this.#endAll(() => true);
    else this.#endOne(id);
  }

  /** The key was deleted: ends everything done or sent in its name. */
  forgetApiKey(apiKey: string, nowMs: number): void {
    for (const [id, subscription] of this.#subscriptions) {
      if (subscription.apiKey !== apiKey) continue;
      this.#endOne(id);
      this.#sendEvent(id, `{"e":"eventStreamTerminated","E":${nowMs}}`);
    }
    if (this.#key?.apiKey === apiKey) this.logOut();
  }

  /** The exchange went back under the connection: sessions and subscriptions end whose keys no longer exist. */
  goOn(users: UserEvents, keyOf: KeyOf, nowMs: number): void {
    this.#users = users;
    for (const [id, subscription] of this.#subscriptions) {
      const { accountId, apiKey } = subscription;
      subscription.end();
      if (keyOf(apiKey)?.accountId === accountId) subscription.end = this.#listen(accountId, id);
      else this.forgetApiKey(apiKey, nowMs);
    }
    const before = this.#key;
    if (before === undefined) return;
    const key = keyOf(before.apiKey);
    if (key?.accountId === before.accountId) this.#key = key;
    else this.forgetApiKey(before.apiKey, nowMs);
  }

  /** The connection is gone. */
  close(): void {
    this.#isClosed = true;
    this.#endAll(() => true);
    this.#key = undefined;
  }

  get subscriptions(): readonly Subscribed[] {
    return [...this.#subscriptions.keys()].map((subscriptionId) => ({ subscriptionId }));
  }

  status(nowMs: number): SessionStatus {
    return {
      apiKey: this.#key?.apiKey ?? null,
      authorizedSince: this.#authorizedMs ?? null,
      connectedSince: this.#connectedMs,
      returnRateLimits: this.returnRateLimits,
      serverTime: nowMs,
      userDataStream: this.#subscriptions.size > 0,
    };
  }

  #sendEvent(id: number, event: string): void {
    this.#send(`{"subscriptionId":${id},"event":${event}}`);
  }

  #endAll(isMeant: (subscription: Subscription) => boolean): void {
    for (const [id, subscription] of this.#subscriptions) if (isMeant(subscription)) this.#endOne(id);
  }

  #endOne(id: number): void {
    this.#subscriptions.get(id)?.end();
    this.#subscriptions.delete(id);
  }
}
