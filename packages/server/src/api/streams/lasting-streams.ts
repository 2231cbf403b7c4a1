/**
 * What outlasts the streams of a lab that goes back under its connections: the sockets, who listens to what, and the
 * sessions of the WebSocket API. Elsewhere it lives as long as the node.
 */
import { WS_API_PATH } from "@pricetime/protocol";
import type { WebSocketApi } from "../ws/ws-api.ts";
import type { StreamLimits } from "../edge/sockets/limits.ts";
import { Sockets, type SocketsOptions } from "../edge/sockets/sockets.ts";
import type { KeyOf } from "../edge/session.ts";
import type { KeptValue } from "../../platform/world/kept.ts";
import { type StreamContext, streamDoor } from "./connection.ts";
import { ACCOUNT_STREAM_PATH, type AccountSockets } from "./user/account-sockets.ts";
import type { StreamFaults } from "./faults-port.ts";
import type { Hub } from "./hub.ts";
import type { MarketStreams } from "./market/market-streams.ts";
import type { UserStreams } from "./user/user-streams.ts";

/** What is made anew when a lab goes back. */
interface Live {
  readonly markets: MarketStreams;
  readonly users: UserStreams;
}

export interface LastingOptions extends Omit<SocketsOptions, "doorAt"> {
  readonly hub: Hub;
  readonly live: Live;
  readonly api: WebSocketApi;
  /** The sockets of the account pages; undefined: nobody signs in. */
  readonly accounts: AccountSockets | undefined;
  readonly latest: StreamContext["latest"];
}

export class LastingStreams implements StreamContext {
  readonly hub: Hub;
  readonly sockets: Sockets;
  readonly api: WebSocketApi;
  readonly accounts: AccountSockets | undefined;
  readonly limits: StreamLimits;
  readonly latest: StreamContext["latest"];
  #live: Live;
  /** The accounts of listen keys that somebody listened to before the lab went back. */
  readonly #heardBefore = new Map<string, number>();

  constructor({ hub, live, api, accounts, latest, ...options }: LastingOptions) {
    this.hub = hub;
    this.#live = live;
    this.api = api;
    this.accounts = accounts;
    this.limits = options.limits;
    this.latest = latest;
    this.sockets = new Sockets({
      ...options,
      doorAt: (path, query) => {
        if (path === WS_API_PATH) return { isRated: false, isPrivate: true, accept: (peer) => api.accept(peer, query) };
        if (path !== ACCOUNT_STREAM_PATH || accounts === undefined) return streamDoor(path, query, this);
        return { isRated: true, isPrivate: true, isOfOwnPages: true, accept: (peer) => accounts.accept(peer, query) };
      },
    });
    hub.watchInstead([live.markets, live.users]);
  }

  get listenKeys(): UserStreams {
    return this.#live.users;
  }

  get names(): MarketStreams {
    return this.#live.markets;
  }

  /** Everybody listens to these from now on. Throws `KeptUnreadable` for the attempts; then nothing has changed. */
  turnTo(live: Live, kept: { readonly attempts: KeptValue; readonly faults: StreamFaults | undefined }): void {
    this.sockets.goBackTo(kept.attempts);
    for (const [listenKey, accountId] of this.#live.users.heard()) this.#heardBefore.set(listenKey, accountId);
    this.#live = live;
    this.hub.watchInstead([live.markets, live.users], kept.faults);
  }

  /** The lab has finished going back: listeners whose key no longer exists are told so. */
  goOn(keyOf: KeyOf): void {
    const { users } = this.#live;
    for (const [listenKey, accountId] of this.#heardBefore) users.endUnlessOf(listenKey, accountId);
    this.#heardBefore.clear();
    this.api.goOn(users, keyOf);
  }
}
