/**
 * The HTTP edge: reads requests from untrusted connections within limits and sends responses. It does not depend on the
 * endpoints. `edge/limits.ts` defines the limits.
 */
import type { IncomingMessage, ServerOptions, ServerResponse } from "node:http";
import { UNKNOWN_PATH } from "@pricetime/protocol";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Duplex } from "node:stream";
import { PacedServer, PacedSocket } from "../../../platform/transport/http.ts";
import { type CertificateSource, type Handshake, TlsListener } from "../../../platform/transport/tls.ts";
import { atMost, type Cancel, NOTHING_SAVED, type World } from "../../../platform/world/port.ts";
import { Attempts } from "../sockets/sockets.ts";
import { type HttpLimits, STREAM_LIMITS } from "../limits.ts";
import { CountByNetwork, socketIp, type TrustedProxies } from "../client-address.ts";
import { Packer } from "../../answers/long-text.ts";
import { BODY_TOO_LARGE, TOO_MANY_CONNECTIONS, TOO_MANY_CONNECTIONS_RETRY_SECONDS, URL_TOO_LONG } from "../refusals.ts";
import type { GatewayResponse, Replier, RequestSink } from "../request.ts";
import type { SendQueue } from "../send-queue.ts";
import { Unread } from "../unread.ts";
import { hasBody, inOriginForm, readBody } from "./read-request.ts";
import { endWith, errorAnswer, NOT_TLS, OVERLOADED, refusalText, STOPPING, TOO_MANY_WAIT } from "./own-answers.ts";
import type { Encoding } from "./answer-body.ts";
import { DirectConnection, type DirectOwner } from "./direct-connection.ts";
import { type OrdinaryRequest, OrdinaryRequests } from "./ordinary-request.ts";
import { Exchange } from "./exchange.ts";
import { answerText, preflightHeaders } from "./headers.ts";

/** How long a connection that is being closed may take to send its last response. */
const LAST_ANSWERS_MS = 250;

/** Takes over connections that request an upgrade to a WebSocket. */
export interface UpgradeTaker {
  /** Calls `accepted` once the connection is a WebSocket. Until then, and after a rejection, the HTTP limits apply. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, accepted: () => void): void;
}

export interface HttpEdgeOptions {
  readonly world: World;
  readonly sendQueue: SendQueue;
  readonly limits: HttpLimits;
  readonly trustedProxies: TrustedProxies;
  /** TLS certificates. If set, clients connect only by TLS; if absent, by plain HTTP. */
  readonly certificates?: CertificateSource | undefined;
  /** Whether connections from this address are reset immediately. Used by a lab. */
  readonly refuses?: ((ip: string) => boolean) | undefined;
  readonly during?: Encoding["during"];
  /** Whether a path may be requested in absolute form. Default: none. */
  readonly acceptsAbsoluteForm?: ((path: string) => boolean) | undefined;
  /** Response headers that scripts of other origins may read. */
  readonly exposedHeaders: string;
  /** Request headers that scripts of other origins may send. */
  readonly allowedHeaders: string;
}

const NO_UPGRADES: UpgradeTaker = {
  upgrade: (_request, socket) => {
    socket.on("error", () => socket.destroy());
    endWith(socket, answerText(errorAnswer(UNKNOWN_PATH)));
  },
};

/** The client's address and the remote address of the connection. */
interface From {
  readonly ip: string;
  readonly peer: string;
}

/** Which parser reads a request: ours on the plain socket, or that of `node:http`. */
export type Lane = "direct" | "node";

const acceptsNoAbsoluteForm = (): boolean => false;

/** The response on a connection above its address's limit. */
const TOO_MANY = errorAnswer(TOO_MANY_CONNECTIONS, TOO_MANY_CONNECTIONS_RETRY_SECONDS);

const NO_HANDSHAKES: Readonly<Record<Handshake, number>> = { done: 0, failed: 0, clear: 0 };

export class HttpEdge implements DirectOwner {
  readonly world: World;
  readonly sendQueue: SendQueue;
  readonly exposedHeaders: string;
  readonly limits: HttpLimits;
  readonly encoding: Encoding;
  readonly requests: OrdinaryRequests;
  readonly #options: HttpEdgeOptions;
  readonly #proxies: TrustedProxies;
  readonly #sink: RequestSink;
  readonly #server: PacedServer;
  /** Undefined if clients connect by plain HTTP. */
  readonly #tls: TlsListener | undefined;
  readonly #handshakes: Attempts;
  readonly #direct = new Set<DirectConnection>();
  /**
   * Connections that have requested an upgrade, until they are WebSockets or closed. `node:http` no longer tracks them.
   */
  readonly #upgrading = new Set<Socket>();
  readonly #unread: Unread;
  readonly #stopLooking: Cancel;
  readonly #inFlightByIp = new CountByNetwork();
  readonly #connectionsByIp = new CountByNetwork();
  /** The client address of the last request on each connection that `node:http` reads. */
  readonly #clients = new WeakMap<Socket, string>();
  /** Functions that remove a connection from the count of its address, for connections that may become WebSockets. */
  readonly #places = new WeakMap<Socket, () => void>();
  readonly #requests: Record<Lane, number> = { direct: 0, node: 0 };
  #upgrades: UpgradeTaker = NO_UPGRADES;
  #inFlight = 0;
  #connections = 0;
  #isStopping = false;
  #isDrained = false;
  #whenDrained: (() => void) | undefined;
  /** Resolves when the shutdown has completed; undefined before it starts. */
  #closed: Promise<void> | undefined;

  constructor(sink: RequestSink, options: HttpEdgeOptions) {
    const { limits, during } = options;
    this.#options = options;
    this.#sink = sink;
    this.world = options.world;
    this.sendQueue = options.sendQueue;
    this.limits = limits;
    this.encoding = { packer: new Packer(), gzipFromBytes: limits.gzipFromBytes, during };
    this.requests = new OrdinaryRequests(limits);
    this.#proxies = options.trustedProxies;
    this.exposedHeaders = options.exposedHeaders;
    const nodeOptions: ServerOptions = {
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      requireHostHeader: false,
      noDelay: true,
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === "websocket",
    };
    this.#server = new PacedServer(nodeOptions, (socket) => this.#onConnection(socket));
    this.#server.maxHeadersCount = limits.maxHeaderCount;
    this.#server.maxConnections = limits.maxConnections;
    this.#server.timeout = limits.socketTimeoutMs;
    this.#server.on("request", (request, response) => this.#onRequest(request, response));
    this.#server.on("checkExpectation", (request, response) => this.#onRequest(request, response));
    this.#server.on("clientError", (error, socket) => this.#onClientError(error, socket as unknown as PacedSocket));
    this.#server.on("upgrade", (request, socket, head) => this.#onUpgrade(this.#upgrades, request, socket, head));
    this.#server.on("connect", (request, socket, head) => this.#onUpgrade(NO_UPGRADES, request, socket, head));
    const { certificates } = options;
    this.#tls =
      certificates &&
      new TlsListener({
        certificates,
        handshakeTimeoutMs: limits.headersTimeoutMs,
        timers: this.world,
        accept: (secure, connection) => this.#onSecure(secure, connection),
        inClear: (connection) => endWith(connection, this.rejectionText(NOT_TLS, socketIp(connection.remoteAddress))),
      });
    const { maxHandshakesPerIp: maxAttempts, handshakesWindowMs: attemptsWindowMs } = limits;
    this.#handshakes = new Attempts({ ...STREAM_LIMITS, maxAttempts, attemptsWindowMs }, NOTHING_SAVED);
    this.#unread = new Unread({ ...limits, maxChecks: Math.ceil(limits.readTimeoutMs / limits.timeoutCheckMs) });
    this.#stopLooking = this.world.every(limits.timeoutCheckMs, () => {
      for (const socket of this.#upgrading) if (socket.writableLength > 0) this.#noteUnread(socket);
      this.#unread.check();
      for (const connection of this.#direct) connection.check();
    });
  }

  /** Sets the handler of upgrades. Until then, upgrades are answered with 404. */
  handUpgradesTo(taker: UpgradeTaker): void {
    this.#upgrades = taker;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Number of requests so far, by parser. */
  get requestsByLane(): Readonly<Record<Lane, number>> {
    return this.#requests;
  }

  /** Number of TLS handshakes so far, by outcome. */
  get handshakes(): Readonly<Record<Handshake, number>> {
    return this.#tls?.handshakes ?? NO_HANDSHAKES;
  }

  get openConnections(): number {
    return this.#connections;
  }

  /** Number of response bytes that clients have not read yet. */
  get unreadBytes(): number {
    return this.#unread.bytes;
  }

  /** Number of connections closed because the client did not read. */
  get slowDropped(): number {
    return this.#unread.dropped;
  }

  /** Resolves to the port. Rejects if the port is already in use. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, () => {
        this.#server.removeListener("error", reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /**
   * Stops accepting connections and waits, for a bounded time, until requests in flight are answered. Later requests
   * are rejected.
   */
  async drain(): Promise<void> {
    this.#isStopping = true;
    this.#closed ??= new Promise((resolve) => this.#server.close(() => resolve()));
    this.#closeIdle();
    if (this.#inFlight > 0) {
      const drained = new Promise<void>((resolve) => {
        this.#whenDrained = resolve;
      });
      await atMost(this.world, this.limits.drainTimeoutMs, drained);
    }
    this.#isDrained = true;
  }

  /** Drains and closes all connections. WebSockets must already be closed. */
  async close(): Promise<void> {
    await this.drain();
    this.#stopLooking();
    this.#server.closeIdleConnections();
    this.#closeIdle();
    await atMost(this.world, Math.min(LAST_ANSWERS_MS, this.limits.drainTimeoutMs), this.#closed);
    this.#server.closeAllConnections();
    for (const connection of this.#direct) connection.destroy();
    for (const socket of this.#upgrading) socket.destroy();
    await this.#closed;
  }

  #closeIdle(): void {
    this.#tls?.closeShaking();
    for (const connection of this.#direct) if (connection.isIdle) connection.destroy();
  }

  exchangeDone(ip: string): void {
    this.#inFlight--;
    this.#inFlightByIp.remove(ip);
    if (this.#inFlight === 0) this.#whenDrained?.();
  }

  unread(socket: Socket, ip: string): void {
    this.#unread.note(socket, ip, () => socket.destroy());
  }

  #noteUnread(socket: Socket): void {
    this.unread(socket, this.#clients.get(socket) ?? socketIp(socket.remoteAddress));
  }

  rejectionText(errorCode: string | undefined, peer: string): string {
    // The request could not be parsed, so the client behind a proxy is unknown.
    const refusal = this.#proxies.trusts(peer) ? null : this.#sink.charge(peer);
    return refusal === null ? refusalText(errorCode) : answerText(refusal);
  }

  #onConnection(socket: Socket): void {
    this.#connections++;
    socket.once("close", () => this.#connections--);
    const peer = socketIp(socket.remoteAddress);
    if (this.#options.refuses?.(peer) === true) {
      socket.resetAndDestroy();
      return;
    }
    if (!this.#proxies.trusts(peer)) {
      if (this.#connectionsByIp.add(peer) > this.limits.maxConnectionsPerIp) {
        this.#connectionsByIp.remove(peer);
        socket.on("error", () => socket.destroy());
        // With TLS, a response would require a handshake.
        if (this.#tls === undefined) endWith(socket, answerText(TOO_MANY));
        else socket.destroy();
        return;
      }
      this.#holdPlace(socket, peer);
    }
    if (this.#tls === undefined) this.#direct.add(new DirectConnection(this, socket));
    else if (this.#mayShakeHands(peer)) this.#tls.admit(socket);
    else socket.destroy();
  }

  /** Limits handshakes, because each costs the node more than a request but costs the client less. */
  #mayShakeHands(peer: string): boolean {
    return this.#proxies.trusts(peer) || this.#handshakes.take(peer, this.world.nowMs());
  }

  #onSecure(secure: TLSSocket, connection: Socket): void {
    const place = this.#places.get(connection);
    if (place !== undefined) this.#places.set(secure, place);
    this.#direct.add(new DirectConnection(this, secure));
  }

  #holdPlace(socket: Socket, peer: string): void {
    const giveBack = (): void => {
      if (this.#places.delete(socket)) this.#connectionsByIp.remove(peer);
    };
    this.#places.set(socket, giveBack);
    socket.once("close", giveBack);
  }

  handOver(connection: DirectConnection, socket: Socket): void {
    this.#direct.delete(connection);
    const paced = new PacedSocket(socket, {
      soon: this.world.soon,
      sliceBytes: this.limits.maxBytesATurn,
      onUnread: () => this.#noteUnread(socket),
    });
    this.#server.handOver(paced);
    socket.resume();
  }

  closed(connection: DirectConnection): void {
    this.#direct.delete(connection);
  }

  serve(request: OrdinaryRequest, peer: string, replier: Replier): string {
    const ip = this.#proxies.clientIp(peer, request.headers["x-forwarded-for"]);
    const refusal = this.#begin(ip, "direct");
    if (refusal === null) this.#dispatch(request, { ip, peer }, replier);
    else replier.reply(refusal);
    return ip;
  }

  /** Counts a request until `exchangeDone`. Returns null, or a rejection if there are too many. */
  #begin(ip: string, lane: Lane): GatewayResponse | null {
    this.#requests[lane]++;
    const isTooMany = this.#inFlightByIp.add(ip) > this.limits.maxRequestsInFlightPerIp;
    const isOverloaded = ++this.#inFlight > this.limits.maxRequestsInFlight;
    if (!isTooMany && !isOverloaded) return null;
    return this.#sink.charge(ip) ?? (isTooMany ? TOO_MANY_WAIT : OVERLOADED);
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const socket = request.socket as unknown as PacedSocket;
    socket.inTurn(request, response, () => this.#carryOut(request, response, socket.raw));
  }

  #carryOut(request: IncomingMessage, response: ServerResponse, socket: Socket): void {
    const peer = socketIp(socket.remoteAddress);
    const ip = this.#proxies.clientIp(peer, request.headers["x-forwarded-for"]);
    const from = { ip, peer };
    this.#clients.set(socket, ip);
    const exchange = new Exchange(this, ip, request, response);
    if (!hasBody(request)) {
      const refusal = this.#begin(ip, "node");
      if (refusal !== null) exchange.reply(refusal);
      else if (request.method === "OPTIONS") this.#preflight(exchange, ip);
      else this.#dispatchExchange(exchange, from, "");
      return;
    }
    if (this.#inFlight >= this.limits.maxRequestsInFlight) {
      exchange.closes = true;
      exchange.reply(this.#begin(ip, "node") ?? OVERLOADED);
      return;
    }
    readBody(request, this.limits, (end) => {
      const refusal = this.#begin(ip, "node");
      exchange.closes = end.kind === "tooLarge" && !end.drained;
      if (refusal !== null) exchange.reply(refusal);
      else if (end.kind === "tooLarge") this.#sink.turnAway(ip, this.#targetOf(request).url, BODY_TOO_LARGE, exchange);
      else if (request.method === "OPTIONS") this.#preflight(exchange, ip);
      else this.#dispatchExchange(exchange, from, end.body);
    });
  }

  /** Answers the CORS preflight request of a browser. */
  #preflight(exchange: Exchange, ip: string): void {
    const refusal = this.#sink.charge(ip);
    if (refusal === null) exchange.endWith(204, preflightHeaders(this.#options.allowedHeaders));
    else exchange.reply(refusal);
  }

  #onClientError(error: Error & { code?: string }, socket: PacedSocket): void {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const words = this.rejectionText(error.code, socketIp(socket.remoteAddress));
    socket.afterAnswers(() => endWith(socket, words));
  }

  #onUpgrade(taker: UpgradeTaker, request: IncomingMessage, duplex: Duplex, head: Buffer): void {
    const paced = duplex as unknown as PacedSocket;
    const socket = paced.raw;
    this.#beginUpgrade(socket);
    paced.afterAnswers(() => {
      const held = paced.detach();
      if (socket.destroyed) return;
      taker.upgrade(request, socket, Buffer.concat([head, held]), this.#endOfUpgrade(socket));
      socket.resume();
    });
  }

  /**
   * A separate method, like `#endOfUpgrade`, so that closures that exist as long as the WebSocket do not retain the
   * request.
   */
  #beginUpgrade(socket: Socket): void {
    this.#upgrading.add(socket);
    socket.once("close", () => this.#upgrading.delete(socket));
  }

  #endOfUpgrade(socket: Socket): () => void {
    return () => {
      // The limits of WebSockets apply from now on.
      this.#upgrading.delete(socket);
      this.#places.get(socket)?.();
      this.#unread.forget(socket);
    };
  }

  #dispatchExchange(exchange: Exchange, from: From, body: string): void {
    const { method = "" } = exchange.request;
    this.#dispatch({ method, ...this.#targetOf(exchange.request), body }, from, exchange);
  }

  #targetOf({ url = "", headers }: IncomingMessage): Pick<OrdinaryRequest, "url" | "headers"> {
    return inOriginForm({ url, headers }, this.#options.acceptsAbsoluteForm ?? acceptsNoAbsoluteForm);
  }

  #dispatch({ method, url, headers, body }: OrdinaryRequest, { ip, peer }: From, replier: Replier): void {
    if (this.#isDrained) {
      replier.reply(STOPPING);
      return;
    }
    if (url.length > this.limits.maxUrlBytes) {
      this.#sink.turnAway(ip, url, URL_TOO_LONG, replier);
      return;
    }
    const mark = url.indexOf("?");
    const path = mark === -1 ? url : url.slice(0, mark);
    const query = mark === -1 ? "" : url.slice(mark + 1);
    this.#sink.process({ method, path, query, body, headers, ip, peer }, replier);
  }
}
