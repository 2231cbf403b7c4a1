/** All WebSocket services of a node: sockets, the hub, market and user data streams, and the WebSocket API. */
import { VENUE_INTERFACES, type VenueInterface, WS_API_PATH } from "@pricetime/protocol";
import { WebSocketApi } from "../ws-api.ts";
import { STREAM_LIMITS, type StreamLimits } from "../edge/limits.ts";
import { Sockets, type SocketsOptions } from "../edge/sockets/sockets.ts";
import type { KeyOf } from "../edge/session.ts";
import { atMost, type World } from "../../platform/world/port.ts";
import { type StreamContext, streamEndpoint } from "./connection.ts";
import { ACCOUNT_STREAM_PATH, AccountSockets } from "./user/account-sockets.ts";
import type { StreamFaults, TicketTaker } from "./port.ts";
import { Hub } from "./hub.ts";
import { MarketStreams } from "./market/market-streams.ts";
import { UserStreams } from "./user/user-streams.ts";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { EngineView, Entry, Event } from "@pricetime/engine";
import type { History } from "../../history/port.ts";
import type { LimitsConfig } from "../edge/rate-limit-rules.ts";
import { Turns } from "../answers/long-list.ts";
import type { GatewayLog } from "../options.ts";
import type { UpgradeTaker } from "../edge/http/edge.ts";
import type { AddressLimits, MethodSink } from "../edge/request.ts";
import type { Follower, SendQueue } from "../edge/send-queue.ts";

// The parts that remain when a lab restores a checkpoint: sockets, subscriptions, and WebSocket API sessions.

/** The parts that are replaced when a lab restores a checkpoint. */
interface Live {
  readonly markets: MarketStreams;
  readonly users: UserStreams;
}

export interface LastingOptions extends Omit<SocketsOptions, "endpointAt"> {
  readonly hub: Hub;
  readonly live: Live;
  readonly api: WebSocketApi;
  /** The sockets of the account pages; undefined if users cannot sign in. */
  readonly accounts: AccountSockets | undefined;
  readonly latest: StreamContext["latest"];
  readonly announcesShutdown: boolean;
}

export class LastingStreams implements StreamContext {
  readonly hub: Hub;
  readonly sockets: Sockets;
  readonly api: WebSocketApi;
  readonly accounts: AccountSockets | undefined;
  readonly limits: StreamLimits;
  readonly latest: StreamContext["latest"];
  readonly announcesShutdown: boolean;
  #live: Live;
  /** Account ids of listen keys that had subscribers before the lab restored a checkpoint. */
  readonly #keysBefore = new Map<string, number>();

  constructor({ hub, live, api, accounts, latest, announcesShutdown, ...options }: LastingOptions) {
    this.hub = hub;
    this.#live = live;
    this.api = api;
    this.accounts = accounts;
    this.limits = options.limits;
    this.latest = latest;
    this.announcesShutdown = announcesShutdown;
    this.sockets = new Sockets({
      ...options,
      endpointAt: (path, query) => {
        if (path === WS_API_PATH) return { isRated: false, isPrivate: true, accept: (peer) => api.accept(peer, query) };
        if (path !== ACCOUNT_STREAM_PATH || accounts === undefined) return streamEndpoint(path, query, this);
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

  /** Moves all subscribers to these streams. If it throws `SavedStateUnreadable`, nothing has changed. */
  turnTo(live: Live, faults: StreamFaults | undefined): void {
    this.sockets.restored();
    for (const [listenKey, accountId] of this.#live.users.subscribedKeys()) this.#keysBefore.set(listenKey, accountId);
    this.#live = live;
    this.hub.watchInstead([live.markets, live.users], faults);
  }

  /** Completes the restore: ends the streams of listen keys that no longer exist. */
  goOn(keyOf: KeyOf): void {
    const { users } = this.#live;
    for (const [listenKey, accountId] of this.#keysBefore) users.endUnlessOwnedBy(listenKey, accountId);
    this.#keysBefore.clear();
    this.api.goOn(users, keyOf);
  }
}

/** The exchange's time, from the sequencer. */
export interface ExchangeClock {
  nowMs(): number;
  /** The time before which no future entry can be. */
  settledMs(): number;
}

export interface StreamsConfig {
  readonly limits: LimitsConfig;
  readonly http: { readonly trustedProxies: readonly string[]; readonly allowedOrigins: readonly string[] };
  readonly publicUrl: string | null;
  /** TLS options. If null or absent, clients connect by plain HTTP. */
  readonly tls?: object | null;
  readonly demo: boolean;
  /** Overrides of the `STREAM_LIMITS` that an operator may configure. */
  readonly streams: Partial<Pick<StreamLimits, "maxConnectionsPerIp" | "maxSendBufferBytesPerIp">>;
}

export interface StreamsOptions {
  readonly engine: EngineView;
  /** The interface with which the venue answers. Default: that of 2019. */
  readonly venueInterface?: VenueInterface;
  readonly clock: ExchangeClock;
  readonly history: History;
  /** Handles the methods of the WebSocket API. */
  readonly sink: MethodSink & AddressLimits;
  readonly config: StreamsConfig;
  readonly log: GatewayLog;
  readonly world: World;
  /** The machine's clock, used for sockets. Default: `world`. */
  readonly machine?: World | undefined;
  /** The queue that is shared with the gateway. */
  readonly sendQueue: SendQueue;
  /** Resolves when this node has applied everything that any node has already answered. Absent on a single node. */
  readonly latest?: (() => Promise<unknown>) | undefined;
  /** Connections of the node that this one replaces. They stay open. */
  readonly lasting?: LastingStreams | undefined;
  /** Faults injected by a lab. */
  readonly faults?: StreamFaults | undefined;
  /** Checks tickets for account sockets. Absent if users cannot sign in. */
  readonly tickets?: TicketTaker | undefined;
  /** Overrides of `STREAM_LIMITS`. */
  readonly streamLimits?: Partial<StreamLimits>;
}

export class Streams implements Follower, UpgradeTaker {
  /** The parts that remain when a lab restores a checkpoint. */
  readonly lasting: LastingStreams;
  readonly #engine: EngineView;
  readonly #markets: MarketStreams;
  readonly #users: UserStreams;
  readonly #drainTimeoutMs: number;
  readonly #machine: World;

  constructor(options: StreamsOptions) {
    const { engine, clock, history, sink, log, world, machine = world, sendQueue, latest, faults } = options;
    const { limits, http, publicUrl, demo, tls = null } = options.config;
    const { venueInterface = VENUE_INTERFACES["2019"] } = options;
    const streamLimits = {
      ...STREAM_LIMITS,
      ...venueInterface.pings,
      ...options.config.streams,
      ...options.streamLimits,
    };
    this.#drainTimeoutMs = streamLimits.drainTimeoutMs;
    this.#machine = machine;
    this.#engine = engine;
    const before = options.lasting;
    const hub = before?.hub ?? new Hub(sendQueue, faults);
    const nowMs = (): number => clock.nowMs();
    const settledMs = (): number => clock.settledMs();
    const turns = new Turns(world);
    const context = { engine, venueInterface, history, publisher: hub, turns, log, nowMs, settledMs, world };
    this.#markets = new MarketStreams(context);
    this.#users = new UserStreams({ engine, publisher: hub, nowMs, timers: world, faults });
    const live = { markets: this.#markets, users: this.#users };
    const accounts = options.tickets && { tickets: options.tickets, users: this.#users, nowMs };
    if (before !== undefined) {
      this.lasting = before;
      if (accounts !== undefined) before.accounts?.goOn(accounts);
      before.turnTo(live, faults);
      return;
    }
    this.lasting = new LastingStreams({
      ...{ hub, live, latest },
      announcesShutdown: venueInterface.announcesShutdown,
      accounts: accounts && new AccountSockets(accounts),
      api: new WebSocketApi({ sink, venueInterface, users: this.#users, limits, world, sendQueue }),
      limitsRates: limits.enabled,
      trustedProxies: http.trustedProxies,
      origins: { allowedOrigins: http.allowedOrigins, publicUrl, isDemo: demo },
      isTls: tls !== null,
      bans: sink,
      limits: streamLimits,
      world: machine,
      exchange: world,
    });
  }

  get sockets(): Sockets {
    return this.lasting.sockets;
  }

  /** Called when the lab has completed a restore. */
  goOn(): void {
    this.lasting.goOn((apiKey) => this.#engine.apiKey(apiKey));
  }

  applied(entry: Entry, events: readonly Event[]): void {
    this.#users.applied(events);
    this.lasting.accounts?.applied(events);
    this.#markets.applied(entry, events);
    for (const event of events) if (event.type === "apiKeyDeleted") this.lasting.api.forgetApiKey(event.apiKey);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, accepted: () => void): void {
    this.sockets.upgrade(request, socket, head, accepted);
  }

  /** Stops accepting connections and requests. Resolves when accepted requests are answered and their events sent. */
  async drain(): Promise<void> {
    this.sockets.takeNoMore();
    await atMost(this.#machine, this.#drainTimeoutMs, this.lasting.api.drain());
  }

  /** Closes all sockets (1001) and stops accepting new ones. */
  close(): Promise<void> {
    return this.sockets.close();
  }
}
