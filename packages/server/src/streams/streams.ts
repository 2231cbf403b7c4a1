/** Everything that a node sends unasked, put together: hub, sockets, market and user streams, and the WebSocket API. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { EngineView, Entry, Event } from "@pricetime/engine";
import { WS_API_PATH } from "@pricetime/protocol";
import type { History } from "../history/port.ts";
import { atMost, type World } from "../world/port.ts";
import type { LimitsConfig } from "../edge/limits/rule.ts";
import { Turns } from "../answers/turns.ts";
import type { GatewayLog } from "../api/options.ts";
import type { UpgradeTaker } from "../edge/http/edge.ts";
import type { AddressLimits, MethodSink } from "../edge/request.ts";
import { WebSocketApi } from "../api/ws/ws-api.ts";
import { streamDoor } from "./connection.ts";
import type { Follower, TellingOrder } from "../edge/telling-order.ts";
import { Hub } from "./hub.ts";
import { STREAM_LIMITS } from "../edge/sockets/limits.ts";
import type { StreamLimits } from "../edge/sockets/limits.ts";
import { MarketStreams } from "./market/market-streams.ts";
import { Sockets } from "../edge/sockets/sockets.ts";
import { UserStreams } from "./user/user-streams.ts";

/** The exchange's time, as the sequencer knows it. */
export interface ExchangeClock {
  nowMs(): number;
  /** Entries yet to be applied are not earlier than this. */
  settledMs(): number;
}

export interface StreamsConfig {
  readonly limits: LimitsConfig;
  readonly http: { readonly trustedProxies: readonly string[]; readonly allowedOrigins: readonly string[] };
  readonly publicUrl: string | null;
  readonly demo: boolean;
  /** The bounds in `STREAM_LIMITS` that an operator may set. */
  readonly streams: Partial<Pick<StreamLimits, "maxConnectionsPerIp" | "maxUnreadBytesPerIp">>;
}

export interface StreamsOptions {
  readonly engine: EngineView;
  readonly clock: ExchangeClock;
  readonly history: History;
  /** Answers the methods of the WebSocket API. */
  readonly sink: MethodSink & Pick<AddressLimits, "ban">;
  readonly config: StreamsConfig;
  readonly log: GatewayLog;
  readonly world: World;
  /** Shared with the gateway. */
  readonly telling: TellingOrder;
  /** Resolves when this node has applied all that any node had answered; absent: the node is alone. */
  readonly latest?: (() => Promise<unknown>) | undefined;
  /** Overrides of `STREAM_LIMITS`. */
  readonly streamLimits?: Partial<StreamLimits>;
}

export class Streams implements Follower, UpgradeTaker {
  readonly sockets: Sockets;
  readonly #markets: MarketStreams;
  readonly #users: UserStreams;
  readonly #api: WebSocketApi;
  readonly #drainTimeoutMs: number;
  readonly #world: World;

  constructor(options: StreamsOptions) {
    const { engine, clock, history, sink, log, world, telling, latest } = options;
    const { limits, http, publicUrl, demo } = options.config;
    const streamLimits = { ...STREAM_LIMITS, ...options.config.streams, ...options.streamLimits };
    this.#drainTimeoutMs = streamLimits.drainTimeoutMs;
    this.#world = world;
    const hub = new Hub(telling);
    const nowMs = (): number => clock.nowMs();
    const settledMs = (): number => clock.settledMs();
    const turns = new Turns(world);
    this.#markets = new MarketStreams({ engine, history, publisher: hub, turns, log, nowMs, settledMs, world });
    this.#users = new UserStreams({ engine, publisher: hub, nowMs });
    hub.watch(this.#markets);
    hub.watch(this.#users);
    this.#api = new WebSocketApi({ sink, users: this.#users, limits, world, telling });
    const context = { hub, listenKeys: this.#users, names: this.#markets, limits: streamLimits, latest };
    this.sockets = new Sockets({
      doorAt: (path, query) =>
        path === WS_API_PATH
          ? { isRated: false, isPrivate: true, accept: (peer) => this.#api.accept(peer, query) }
          : streamDoor(path, query, context),
      limitsRates: limits.enabled,
      trustedProxies: http.trustedProxies,
      origins: { allowedOrigins: http.allowedOrigins, publicUrl, isDemo: demo },
      bans: sink,
      limits: streamLimits,
      world,
    });
  }

  applied(entry: Entry, events: readonly Event[]): void {
    this.#users.applied(events);
    this.#markets.applied(entry, events);
    for (const event of events) if (event.type === "apiKeyDeleted") this.#api.forgetApiKey(event.apiKey);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.sockets.upgrade(request, socket, head);
  }

  /** Accepts no more connections and requests; accepted requests are answered, and their events delivered. */
  async drain(): Promise<void> {
    this.sockets.takeNoMore();
    await atMost(this.#world, this.#drainTimeoutMs, this.#api.drain());
  }

  /** Closes all sockets (1001) and accepts no more. */
  close(): Promise<void> {
    return this.sockets.close();
  }
}
