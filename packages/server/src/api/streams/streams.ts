/** Everything that a node sends unasked, put together: hub, sockets, market and user streams, and the WebSocket API. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { EngineView, Entry, Event } from "@pricetime/engine";
import type { History } from "../../history/port.ts";
import { z } from "zod";
import type { KeptValue, Keeping } from "../../platform/world/kept.ts";
import { atMost, type World } from "../../platform/world/port.ts";
import { keptPart, readKept } from "../../platform/world/read-kept.ts";
import type { LimitsConfig } from "../edge/limits/rule.ts";
import { Turns } from "../answers/turns.ts";
import type { GatewayLog } from "../options.ts";
import type { UpgradeTaker } from "../edge/http/edge.ts";
import type { AddressLimits, MethodSink } from "../edge/request.ts";
import { WebSocketApi } from "../ws/ws-api.ts";
import type { Follower, TellingOrder } from "../edge/telling-order.ts";
import type { StreamFaults } from "./faults-port.ts";
import { Hub } from "./hub.ts";
import { LastingStreams } from "./lasting-streams.ts";
import { STREAM_LIMITS } from "../edge/sockets/limits.ts";
import type { StreamLimits } from "../edge/sockets/limits.ts";
import { MarketStreams } from "./market/market-streams.ts";
import type { Sockets } from "../edge/sockets/sockets.ts";
import { AccountSockets } from "./user/account-sockets.ts";
import { UserStreams } from "./user/user-streams.ts";
import type { TicketTaker } from "./port.ts";

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
  /** Null or absent: clients connect by plain HTTP. */
  readonly tls?: object | null;
  readonly demo: boolean;
  /** The bounds in `STREAM_LIMITS` that an operator may set. */
  readonly streams: Partial<Pick<StreamLimits, "maxConnectionsPerIp" | "maxSendBufferBytesPerIp">>;
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
  /** The machine's, for sockets; default: `world`. */
  readonly machine?: World | undefined;
  /** Shared with the gateway. */
  readonly telling: TellingOrder;
  /** Resolves when this node has applied all that any node had answered; absent: the node is alone. */
  readonly latest?: (() => Promise<unknown>) | undefined;
  /** What the streams of another node kept. */
  readonly kept?: KeptValue | undefined;
  /** Connections of another node that stay, and what its open streams kept. */
  readonly lasting?: { readonly streams: LastingStreams; readonly open: KeptValue | undefined } | undefined;
  /** What a lab does to messages on purpose; absent elsewhere. */
  readonly faults?: StreamFaults | undefined;
  /** Who may open the socket of an account; absent: nobody signs in. */
  readonly tickets?: TicketTaker | undefined;
  /** Overrides of `STREAM_LIMITS`. */
  readonly streamLimits?: Partial<StreamLimits>;
}

const KEPT = z.strictObject({ attempts: keptPart });

export class Streams implements Follower, UpgradeTaker, Keeping {
  /** What stays when a lab goes back under its connections. */
  readonly lasting: LastingStreams;
  readonly #engine: EngineView;
  readonly #markets: MarketStreams;
  readonly #users: UserStreams;
  readonly #drainTimeoutMs: number;
  readonly #machine: World;

  /** Throws `KeptUnreadable`. */
  constructor(options: StreamsOptions) {
    const { engine, clock, history, sink, log, world, machine = world, telling, latest, faults } = options;
    const { limits, http, publicUrl, demo, tls = null } = options.config;
    const streamLimits = { ...STREAM_LIMITS, ...options.config.streams, ...options.streamLimits };
    this.#drainTimeoutMs = streamLimits.drainTimeoutMs;
    this.#machine = machine;
    this.#engine = engine;
    const before = options.lasting?.streams;
    const hub = before?.hub ?? new Hub(telling, faults);
    const kept = options.kept === undefined ? undefined : readKept("streams", KEPT, options.kept);
    const nowMs = (): number => clock.nowMs();
    const settledMs = (): number => clock.settledMs();
    const turns = new Turns(world);
    const context = { engine, history, publisher: hub, turns, log, nowMs, settledMs, world };
    this.#markets = new MarketStreams(context, options.lasting?.open);
    this.#users = new UserStreams({ engine, publisher: hub, nowMs, timers: world, faults });
    const live = { markets: this.#markets, users: this.#users };
    const accounts = options.tickets && { tickets: options.tickets, users: this.#users, nowMs };
    if (before !== undefined) {
      this.lasting = before;
      if (accounts !== undefined) before.accounts?.goOn(accounts);
      before.turnTo(live, { attempts: kept?.attempts ?? null, faults });
      return;
    }
    this.lasting = new LastingStreams({
      ...{ hub, live, latest },
      accounts: accounts && new AccountSockets(accounts),
      api: new WebSocketApi({ sink, users: this.#users, limits, world, telling }),
      limitsRates: limits.enabled,
      trustedProxies: http.trustedProxies,
      origins: { allowedOrigins: http.allowedOrigins, publicUrl, isDemo: demo },
      isTls: tls !== null,
      bans: sink,
      limits: streamLimits,
      world: machine,
      clock: world,
      kept: kept?.attempts,
    });
  }

  get sockets(): Sockets {
    return this.lasting.sockets;
  }

  /** What is kept whether listeners stay or not. */
  kept(): KeptValue {
    return { attempts: this.sockets.kept() };
  }

  /**
   * What the open streams keep, for connections that stay. User streams keep nothing: who listens follows from the
   * connections, and what is told from the exchange.
   */
  keptOpen(): KeptValue {
    return this.#markets.kept();
  }

  /** A lab has gone back: connections that have stayed go on. */
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

  /** Accepts no more connections and requests; accepted requests are answered, and their events delivered. */
  async drain(): Promise<void> {
    this.sockets.takeNoMore();
    await atMost(this.#machine, this.#drainTimeoutMs, this.lasting.api.drain());
  }

  /** Closes all sockets (1001) and accepts no more. */
  close(): Promise<void> {
    return this.sockets.close();
  }
}
