/** The session of a WebSocket API connection: its logon, and its subscriptions to account events. */
import type { ApiKey } from "@pricetime/engine";
import {
  NO_MORE_SUBSCRIPTION_IDS,
  SUBSCRIPTION_ACTIVE,
  SUBSCRIPTION_NOT_ACTIVE,
  tooManySubscriptions,
  type VenueInterface,
} from "@pricetime/protocol";
import type { SessionStatus, Subscribed } from "@pricetime/protocol";
import { Refused } from "./refusals.ts";

/** Account events. `sink` receives each event as JSON until the returned function is called. */
export interface UserEvents {
  subscribe(accountId: number, sink: (event: string) => void, connection?: EventConnection): () => void;
}

/** The connection on which events are sent. */
export interface EventConnection {
  /** Closes the connection with this close code; undefined: without a close frame. Used by a lab. */
  readonly cut?: (code: number | undefined) => void;
  /** Resolves when the client has read everything; undefined if it already has. */
  readonly whenRead?: () => Promise<unknown> | undefined;
}

/** Looks up an API key in the exchange's current state. Returns undefined if it does not exist. */
export type KeyOf = (apiKey: string) => ApiKey | undefined;

/** Maximum number of subscriptions per connection. */
export const MAX_SUBSCRIPTIONS = 1000;
/** Maximum number of subscriptions in the life of a connection, if the interface counts them. */
export const MAX_SUBSCRIPTION_IDS = 65_535;

type Counting = Pick<VenueInterface, "countsSubscriptions">;

interface Subscription {
  readonly accountId: number;
  readonly apiKey: string;
  /** Whether the subscription belongs to the logged-on key. If so, it ends when the key logs out. */
  readonly ofSession: boolean;
  end: () => void;
}

export interface SessionOptions {
  readonly users: UserEvents;
  readonly send: (text: string) => void;
  /** The client's connection; absent if the client is inside the process. */
  readonly connection?: EventConnection;
  readonly connectedMs: number;
  /** The default for requests that omit `returnRateLimits`. */
  readonly returnRateLimits: boolean;
}

export class Session {
  readonly #options: Omit<SessionOptions, "users">;
  #users: UserEvents;
  /** Subscriptions by id, oldest first. */
  readonly #subscriptions = new Map<number, Subscription>();
  #nextSubscriptionId = 0;
  #key: ApiKey | undefined;
  #authorizedMs: number | undefined;
  #isClosed = false;
  #isRevoked = false;

  constructor({ users, ...options }: SessionOptions) {
    this.#users = users;
    this.#options = options;
  }

  get returnRateLimits(): boolean {
    return this.#options.returnRateLimits;
  }

  /** The logged-on key. */
  get key(): ApiKey | undefined {
    return this.#key;
  }

  logOn(key: ApiKey, nowMs: number): void {
    this.#key = key;
    this.#authorizedMs = nowMs;
  }

  /** Logs out and ends the logged-on key's subscription, but not subscriptions with their own signature. */
  logOut(nowMs: number): void {
    this.#key = undefined;
    this.#authorizedMs = undefined;
    for (const [id, { ofSession }] of this.#subscriptions) if (ofSession) this.#terminate(id, nowMs);
  }

  /** Returns the id of the account's subscription. An account has at most one on each connection. */
  subscribe({ accountId, apiKey }: ApiKey, ofSession: boolean, { countsSubscriptions }: Counting): number {
    for (const [id, subscription] of this.#subscriptions) {
      if (subscription.accountId !== accountId) continue;
      if (countsSubscriptions) throw new Refused(SUBSCRIPTION_ACTIVE);
      return id;
    }
    if (countsSubscriptions && this.#nextSubscriptionId >= MAX_SUBSCRIPTION_IDS) {
      throw new Refused(NO_MORE_SUBSCRIPTION_IDS);
    }
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS) throw new Refused(tooManySubscriptions(MAX_SUBSCRIPTIONS));
    const id = this.#nextSubscriptionId++;
    // If the connection closed while the request waited, nothing would end the new subscription.
    if (!this.#isClosed) {
      this.#subscriptions.set(id, { accountId, apiKey, ofSession, end: this.#listen(accountId, id) });
    }
    return id;
  }

  #listen(accountId: number, id: number): () => void {
    return this.#users.subscribe(accountId, (event) => this.#sendEvent(id, event), this.#options.connection);
  }

  /** Ends the subscription, or all of them if `id` is undefined. An unknown id is an error if the interface counts. */
  unsubscribe(id: number | undefined, nowMs: number, { countsSubscriptions }: Counting): void {
    if (countsSubscriptions && id !== undefined && !this.#subscriptions.has(id)) {
      throw new Refused(SUBSCRIPTION_NOT_ACTIVE);
    }
    const ended = id === undefined ? [...this.#subscriptions.keys()] : [id];
    for (const each of ended) if (this.#subscriptions.has(each)) this.#terminate(each, nowMs);
  }

  /** Ends all subscriptions of a deleted key and logs it out. */
  forgetApiKey(apiKey: string, nowMs: number): void {
    for (const [id, subscription] of this.#subscriptions) {
      if (subscription.apiKey === apiKey) this.#terminate(id, nowMs);
    }
    if (this.#key?.apiKey !== apiKey) return;
    this.logOut(nowMs);
    this.#isRevoked = true;
  }

  /** Whether the logged-on key became invalid since the last call. */
  takeRevoked(): boolean {
    const isRevoked = this.#isRevoked;
    this.#isRevoked = false;
    return isRevoked;
  }

  /** Ends a subscription, and sends its last event. */
  #terminate(id: number, nowMs: number): void {
    this.#endOne(id);
    this.#sendEvent(id, `{"e":"eventStreamTerminated","E":${nowMs}}`);
  }

  /** Called when a lab has restored a checkpoint: ends subscriptions and logons whose keys do not exist there. */
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

  /** Called when the connection has closed. */
  close(): void {
    this.#isClosed = true;
    for (const id of this.#subscriptions.keys()) this.#endOne(id);
    this.#key = undefined;
  }

  get subscriptions(): readonly Subscribed[] {
    return [...this.#subscriptions.keys()].map((subscriptionId) => ({ subscriptionId }));
  }

  status(nowMs: number): SessionStatus {
    return {
      apiKey: this.#key?.apiKey ?? null,
      authorizedSince: this.#authorizedMs ?? null,
      connectedSince: this.#options.connectedMs,
      returnRateLimits: this.returnRateLimits,
      serverTime: nowMs,
      userDataStream: this.#subscriptions.size > 0,
    };
  }

  #sendEvent(id: number, event: string): void {
    this.#options.send(`{"subscriptionId":${id},"event":${event}}`);
  }

  #endOne(id: number): void {
    this.#subscriptions.get(id)?.end();
    this.#subscriptions.delete(id);
  }
}
