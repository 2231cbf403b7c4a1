/** One connection to the WebSocket API: who is logged on, and the accounts whose events it gets. */
import type { ApiKey } from "@pricetime/engine";
import { tooManySubscriptions } from "@pricetime/protocol";
import type { SessionStatus, Subscribed } from "@pricetime/protocol";
import { Refused } from "./refusals.ts";

/** The events of accounts: `sink` gets each as JSON until what is returned is called. */
export interface UserEvents {
  subscribe(accountId: number, sink: (event: string) => void): () => void;
}

/** At a time, on one connection. */
export const MAX_SUBSCRIPTIONS = 1000;

interface Subscription {
  readonly accountId: number;
  readonly apiKey: string;
  /** It is that of the key that is logged on, and ends when it logs out. */
  readonly ofSession: boolean;
  readonly end: () => void;
}

export interface SessionOptions {
  readonly users: UserEvents;
  readonly send: (text: string) => void;
  readonly connectedMs: number;
  /** What answers show unless their requests say otherwise. */
  readonly returnRateLimits: boolean;
}

export class Session {
  readonly returnRateLimits: boolean;
  readonly #users: UserEvents;
  readonly #send: (text: string) => void;
  readonly #connectedMs: number;
  /** By id, oldest first. */
  readonly #subscriptions = new Map<number, Subscription>();
  #nextSubscriptionId = 0;
  #key: ApiKey | undefined;
  #authorizedMs: number | undefined;

  constructor(options: SessionOptions) {
    this.returnRateLimits = options.returnRateLimits;
    this.#users = options.users;
    this.#send = options.send;
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

  /** Ends the subscription of the key with it, but none that was signed for. */
  logOut(): void {
    this.#key = undefined;
    this.#authorizedMs = undefined;
    this.#endAll(({ ofSession }) => ofSession);
  }

  /** The id of the account's subscription: one account has one on a connection, however often it is asked for. */
  subscribe({ accountId, apiKey }: ApiKey, ofSession: boolean): number {
    for (const [id, subscription] of this.#subscriptions) if (subscription.accountId === accountId) return id;
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS) throw new Refused(tooManySubscriptions(MAX_SUBSCRIPTIONS));
    const id = this.#nextSubscriptionId++;
    const end = this.#users.subscribe(accountId, (event) => this.#sendEvent(id, event));
    this.#subscriptions.set(id, { accountId, apiKey, ofSession, end });
    return id;
  }

  /** All when `id` is undefined; one that is not there is no error. */
  unsubscribe(id: number | undefined): void {
    if (id === undefined) this.#endAll(() => true);
    else this.#endOne(id);
  }

  /** The key was deleted: nothing is done or told in its name any longer. */
  forgetApiKey(apiKey: string, nowMs: number): void {
    for (const [id, subscription] of this.#subscriptions) {
      if (subscription.apiKey !== apiKey) continue;
      this.#endOne(id);
      this.#sendEvent(id, `{"e":"eventStreamTerminated","E":${nowMs}}`);
    }
    if (this.#key?.apiKey === apiKey) this.logOut();
  }

  /** The connection is gone. */
  close(): void {
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
