/**
 * All WebSockets, on the same port as REST: access checks, the service at each path, lifetimes, and the shutdown.
 * Interface 10.1; `edge/limits.ts` defines the limits.
 */
import { hostName, isLoopbackName } from "../../../platform/transport/http.ts";
import type { AddressLimits, GatewayResponse, RequestHeaders } from "../request.ts";
import { CountByNetwork, networkOf, socketIp, TrustedProxies } from "../client-address.ts";
import { apiError, SHUTTING_DOWN, UNKNOWN_PATH } from "@pricetime/protocol";
import { z } from "zod";
import type { Cancel, Clock, SavedState, Saves, Timers } from "../../../platform/world/port.ts";
import { savedCount, SavedStateUnreadable } from "../../../platform/world/saved-state.ts";
import { COUNTER_STATE, WindowCounter } from "../rate-limit-rules.ts";
import { dropOldest, type StreamLimits } from "../limits.ts";
import type { IncomingMessage } from "node:http";
import type { Socket as TcpSocket } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { endWith, errorAnswer } from "../http/own-answers.ts";
import { answerText } from "../http/headers.ts";
import { FOREIGN_ORIGIN, TOO_MANY_CONNECTIONS, TOO_MANY_CONNECTIONS_RETRY_SECONDS } from "../refusals.ts";
import { OwnPageGuard } from "../http/own-page.ts";
import { Unread } from "../unread.ts";
import { CLOSE, type FrameSink, Socket, type SocketShare, type StreamPeer } from "./socket.ts";

// Decides which web pages may open sockets that carry account data. A browser lets every page open sockets to any
// address, and sends the page's origin in the Origin header, which pages cannot suppress. Other programs send no
// Origin.

/** The value in `allowedOrigins` that allows pages of all origins. */
const ANY_ORIGIN = "*";

export interface OriginRules {
  /** Origins as written by browsers, such as `https://app.example.com`; `*` allows all. */
  readonly allowedOrigins: readonly string[];
  /** The public URL of the node; null if it is the address on which the node listens. */
  readonly publicUrl: string | null;
  /**
   * In a demo, pages of the same machine are allowed on any port, because the web app has its own port in development.
   */
  readonly isDemo: boolean;
}

interface Asked {
  readonly headers: RequestHeaders;
  /** The remote address of the connection. */
  readonly peer: string;
}

export class Origins {
  readonly #allowed: ReadonlySet<string>;
  readonly #isDemo: boolean;
  readonly #proxies: TrustedProxies;

  constructor({ allowedOrigins, publicUrl, isDemo }: OriginRules, proxies: TrustedProxies) {
    const own = publicUrl === null ? [] : [new URL(publicUrl).origin];
    this.#allowed = new Set([...allowedOrigins.map((origin) => origin.toLowerCase()), ...own]);
    this.#isDemo = isDemo;
    this.#proxies = proxies;
  }

  /** Whether the request comes from a page of another site that is not allowed. */
  isForeign({ headers, peer }: Asked): boolean {
    const { origin } = headers;
    if (origin === undefined) return false;
    if (typeof origin !== "string") return true;
    if (this.#allowed.has(ANY_ORIGIN) || this.#allowed.has(origin.toLowerCase())) return false;
    const page = URL.canParse(origin) ? new URL(origin) : null;
    if (page === null || page.host === "") return true;
    if (this.#isDemo && isLoopbackName(hostName(page.host) ?? "")) return false;
    // A trusted proxy reports the host name of the request.
    const forwarded = this.#proxies.trusts(peer) ? headers["x-forwarded-host"] : undefined;
    return ![headers["host"], forwarded].some((host) => typeof host === "string" && isHostOf(page, host));
  }
}

/** Compares the hosts without the scheme's default port. The schemes may differ, because a proxy may terminate TLS. */
function isHostOf(page: URL, host: string): boolean {
  const written = `${page.protocol}//${host.trim()}`;
  return URL.canParse(written) && new URL(written).host === page.host;
}

// Limits connection attempts per address: 300 in 5 minutes. An IPv6 /64 is one address. Interface 10.1.

type AttemptLimits = Pick<StreamLimits, "maxTrackedIps" | "attemptsWindowMs" | "maxAttempts">;

const TOO_MANY_ATTEMPTS = apiError(-1003, "Too many connection attempts; please use one connection for many streams.");

const SAVED = z.strictObject({ windowMs: savedCount, counters: z.array(z.tuple([z.string(), COUNTER_STATE])) });

export class Attempts {
  readonly #limits: AttemptLimits;
  /** The counter of each address, oldest first. */
  readonly #counters = new Map<string, WindowCounter>();

  constructor(limits: AttemptLimits, saved: SavedState) {
    this.#limits = limits;
    const { attemptsWindowMs } = limits;
    const restored = saved.restore("streams/attempts", SAVED, () => {
      const counters = [...this.#counters].map(([network, { state }]) => [network, state] as const);
      return { windowMs: attemptsWindowMs, counters };
    });
    if (restored === undefined) return;
    const { windowMs, counters } = restored;
    if (windowMs !== attemptsWindowMs) {
      throw new SavedStateUnreadable(
        `the checkpoint counts attempts in ${windowMs} ms, and this node in ${attemptsWindowMs} ms`,
      );
    }
    for (const [network, counter] of counters) this.#counters.set(network, new WindowCounter(windowMs, counter));
  }

  /** Counts an attempt. Returns false if there are too many. */
  take(ip: string, nowMs: number): boolean {
    const { maxTrackedIps, attemptsWindowMs, maxAttempts } = this.#limits;
    const network = networkOf(ip);
    let counter = this.#counters.get(network);
    if (counter === undefined) {
      if (this.#counters.size >= maxTrackedIps) dropOldest(this.#counters);
      counter = new WindowCounter(attemptsWindowMs);
      this.#counters.set(network, counter);
    }
    return counter.add(1, nowMs) <= maxAttempts;
  }

  /** Whole seconds until the address may try again. */
  retryAfterSeconds(nowMs: number): number {
    const { attemptsWindowMs } = this.#limits;
    return Math.max(1, Math.ceil((attemptsWindowMs - (nowMs % attemptsWindowMs)) / 1000));
  }
}

/** The service at a WebSocket address. */
export interface SocketEndpoint {
  /** Whether clients' text messages count towards the message rate. */
  readonly isRated: boolean;
  /** Whether the endpoint carries account data; if so, pages of other sites are rejected. */
  readonly isPrivate: boolean;
  /** If true, only pages of this node may open the socket, regardless of the allowed origins. */
  readonly isOfOwnPages?: true;
  readonly accept: (peer: StreamPeer) => FrameSink;
}

export interface SocketsOptions {
  /** `query` is the text after the `?`. Returns null if there is no endpoint at the path. */
  readonly endpointAt: (path: string, query: string) => SocketEndpoint | null;
  /** Whether rates are enforced. Limits of size and number are always enforced. */
  readonly limitsRates: boolean;
  readonly limits: StreamLimits;
  readonly trustedProxies: readonly string[];
  readonly origins: OriginRules;
  /** Whether clients connect by TLS only. Default: false. */
  readonly isTls?: boolean;
  /** The clock for pings and lifetimes. */
  readonly world: Clock & Timers & Saves;
  /** The clock for rates and the store for their counts; default: `world`. They differ only in a lab. */
  readonly exchange?: (Pick<Clock, "nowMs"> & Saves) | undefined;
  /** Reports banned addresses. */
  readonly bans: Pick<AddressLimits, "ban">;
}

export class Sockets {
  readonly #options: SocketsOptions;
  readonly #limits: StreamLimits;
  readonly #share: SocketShare;
  readonly #proxies: TrustedProxies;
  readonly #origins: Origins;
  readonly #guard: OwnPageGuard;
  #attempts: Attempts;
  readonly #server: WebSocketServer;
  readonly #open = new Set<Socket>();
  readonly #openByIp = new CountByNetwork();
  readonly #stopSweeping: Cancel;
  #opened = 0;
  #isStopping = false;
  #whenEmpty: (() => void) | undefined;

  constructor(options: SocketsOptions) {
    this.#options = options;
    this.#limits = options.limits;
    const { limitsRates, limits, world, exchange: clock = world } = options;
    const unread = new Unread({ ...limits, maxChecks: Math.ceil(limits.readTimeoutMs / limits.sweepEveryMs) });
    this.#share = { limits, limitsRates, unread, world, clock, messagesSent: 0, slowDropped: 0 };
    this.#proxies = new TrustedProxies(options.trustedProxies);
    this.#origins = new Origins(options.origins, this.#proxies);
    this.#guard = new OwnPageGuard(this.#proxies, options.isTls ?? false);
    this.#attempts = new Attempts(this.#limits, clock.saved);
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: this.#limits.maxMessageBytes,
      maxFragments: this.#limits.maxMessageParts,
      maxBufferedChunks: this.#limits.maxMessageParts,
      // One frame per connection in a turn of the event loop, so that a busy client does not delay others.
      allowSynchronousEvents: false,
    });
    this.#stopSweeping = world.every(limits.sweepEveryMs, () => this.#check(world.nowMs()));
  }

  /** Called when a lab has restored a checkpoint: restores the counts of attempts. Connections stay open. */
  restored(): void {
    this.#attempts = new Attempts(this.#limits, (this.#options.exchange ?? this.#options.world).saved);
    for (const socket of this.#open) socket.countAnew();
  }

  get open(): number {
    return this.#open.size;
  }

  /** Number of sockets opened so far. */
  get opened(): number {
    return this.#opened;
  }

  get messagesSent(): number {
    return this.#share.messagesSent;
  }

  /** Number of bytes that clients have not read yet. */
  get unreadBytes(): number {
    return this.#share.unread.bytes;
  }

  /** Number of clients disconnected because they did not read. */
  get slowDropped(): number {
    return this.#share.slowDropped + this.#share.unread.dropped;
  }

  /** Called by the HTTP edge. `duplex` is the TCP socket itself. */
  upgrade(request: IncomingMessage, duplex: Duplex, head: Buffer, accepted: () => void): void {
    const { headers } = request;
    const ip = this.#proxies.clientIp(request.socket.remoteAddress, headers["x-forwarded-for"]);
    const refusal = this.#refusalOf(ip, this.#share.clock.nowMs());
    if (refusal !== null) {
      refuse(duplex, refusal);
      return;
    }
    const endpoint = this.endpointOf(request.url ?? "");
    if (endpoint === null) {
      refuse(duplex, errorAnswer(UNKNOWN_PATH));
      return;
    }
    const asked = { headers, peer: socketIp(request.socket.remoteAddress) };
    const isForeign = this.#origins.isForeign(asked);
    const isTurnedAway =
      endpoint.isOfOwnPages === true ? !this.#guard.mayOpenSocket(asked) : isForeign && endpoint.isPrivate;
    if (isTurnedAway) {
      refuse(duplex, errorAnswer(FOREIGN_ORIGIN));
      return;
    }
    this.#server.handleUpgrade(request, duplex, head, (ws) => {
      accepted();
      const socket = new Socket(ws, duplex as TcpSocket, { ip, isForeign }, this.#share);
      this.#open.add(socket);
      this.#opened++;
      this.#openByIp.add(ip);
      ws.once("close", () => this.#closed(socket));
      socket.serve(endpoint.accept(socket), endpoint.isRated);
    });
  }

  /** Counts the attempt. Returns the rejection, or null if the socket may be opened. */
  #refusalOf(ip: string, nowMs: number): GatewayResponse | null {
    if (this.#isStopping) return errorAnswer(SHUTTING_DOWN);
    const ban = this.#options.bans.ban(ip);
    if (ban !== null) return ban;
    if (this.#options.limitsRates && !this.#attempts.take(ip, nowMs)) {
      return errorAnswer(TOO_MANY_ATTEMPTS, this.#attempts.retryAfterSeconds(nowMs));
    }
    if (this.#openByIp.of(ip) < this.#limits.maxConnectionsPerIp) return null;
    return errorAnswer(TOO_MANY_CONNECTIONS, TOO_MANY_CONNECTIONS_RETRY_SECONDS);
  }

  /** Stops accepting sockets. Open ones stay open. */
  takeNoMore(): void {
    this.#isStopping = true;
  }

  /** Stops accepting sockets and closes all open ones with 1001. Resolves when all are closed. */
  async close(): Promise<void> {
    this.takeNoMore();
    this.#stopSweeping();
    if (this.#open.size === 0) return;
    const empty = new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
    const nowMs = this.#share.clock.nowMs();
    for (const socket of this.#open) socket.shutDown(nowMs);
    const late = this.#share.world.after(this.#limits.stopTimeoutMs, () => this.#cutOff());
    await empty;
    late();
  }

  /** The endpoint at an address; null if there is none. */
  endpointOf(url: string): SocketEndpoint | null {
    const mark = url.indexOf("?");
    return mark === -1
      ? this.#options.endpointAt(url, "")
      : this.#options.endpointAt(url.slice(0, mark), url.slice(mark + 1));
  }

  #closed(socket: Socket): void {
    this.#open.delete(socket);
    this.#openByIp.remove(socket.ip);
    if (this.#open.size === 0) this.#whenEmpty?.();
  }

  #cutOff(): void {
    for (const socket of this.#open) socket.terminate();
  }

  #check(nowMs: number): void {
    const { pingEveryMs, pongTimeoutMs, connectionLifeMs } = this.#limits;
    for (const socket of this.#open) {
      socket.noteUnread();
      if (nowMs - socket.openedMs >= connectionLifeMs) socket.close(CLOSE.goingAway, "the connection's time is over");
      else if (nowMs - socket.awaitingPongMs >= pongTimeoutMs) socket.close(CLOSE.policy, "no pong");
      else if (nowMs - socket.pingMs >= pingEveryMs) socket.ping(nowMs);
    }
    this.#share.unread.check();
  }
}

function refuse(duplex: Duplex, answer: GatewayResponse): void {
  duplex.on("error", () => duplex.destroy());
  endWith(duplex, answerText(answer));
}
