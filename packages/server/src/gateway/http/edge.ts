/**
 * The HTTP edge: from bytes of anyone to whole requests within bounds, and answers back. Knows
 * nothing of endpoints. `limits.ts` names every bound.
 */
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { errorBody, UNKNOWN_PATH } from "@pricetime/protocol";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { atMost } from "../at-most.ts";
import { BODY_TOO_LARGE, URL_TOO_LONG } from "../refusals.ts";
import { Packer } from "../long/packer.ts";
import type { Replier, RequestSink } from "../request.ts";
import { OVERLOADED, STOPPING } from "./answers.ts";
import { hasBody, readBody } from "./body.ts";
import { BrokenConnections, endWith } from "./broken.ts";
import { socketIp, type TrustedProxies } from "./client-address.ts";
import type { Encoding } from "./encoding.ts";
import { DirectConnection, type DirectOwner } from "./direct/direct-connection.ts";
import { type OrdinaryRequest, OrdinaryRequests } from "./direct/ordinary-request.ts";
import { Exchange } from "./exchange.ts";
import { preflightHeaders, rawResponse } from "./headers.ts";
import type { HttpLimits } from "./limits.ts";

/** A closing connection gets this long to send its last answer. */
const LAST_ANSWERS_MS = 250;

/** Takes over a connection that asks to become a WebSocket. */
export type UpgradeHook = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

type TakeConnection = (this: Server, socket: Socket) => void;

export interface HttpEdgeOptions {
  readonly limits: HttpLimits;
  readonly trustedProxies: TrustedProxies;
  readonly exposedHeaders: string;
  /** Absent: every upgrade is answered 404. */
  readonly onUpgrade?: UpgradeHook;
}

export class HttpEdge implements DirectOwner {
  readonly exposedHeaders: string;
  readonly limits: HttpLimits;
  readonly encoding: Encoding;
  readonly requests: OrdinaryRequests;
  readonly #proxies: TrustedProxies;
  readonly #sink: RequestSink;
  readonly #server: Server;
  readonly #broken = new BrokenConnections();
  readonly #toNode: TakeConnection;
  readonly #direct = new Set<DirectConnection>();
  #inFlight = 0;
  #connections = 0;
  #isStopping = false;
  #isDrained = false;
  #whenDrained: (() => void) | undefined;
  /** Set when it begins to stop. */
  #closed: Promise<void> | undefined;

  constructor(sink: RequestSink, options: HttpEdgeOptions) {
    const { limits, onUpgrade } = options;
    this.#sink = sink;
    this.limits = limits;
    this.encoding = { packer: new Packer(), gzipFromBytes: limits.gzipFromBytes };
    this.requests = new OrdinaryRequests(limits.maxHeaderCount);
    this.#proxies = options.trustedProxies;
    this.exposedHeaders = options.exposedHeaders;
    this.#server = createServer({
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      requireHostHeader: false,
      noDelay: true,
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === "websocket",
    });
    this.#server.maxHeadersCount = limits.maxHeaderCount;
    this.#server.maxConnections = limits.maxConnections;
    this.#server.timeout = limits.socketTimeoutMs;
    // Connections begin with us; node's own listener, which is the only one so far, gets those that we hand over.
    [this.#toNode] = this.#server.listeners("connection") as [TakeConnection];
    this.#server.removeAllListeners("connection");
    this.#server.on("connection", (socket) => this.#onConnection(socket));
    this.#server.on("request", (request, response) => this.#onRequest(request, response));
    this.#server.on("checkExpectation", (request, response) => this.#onRequest(request, response));
    this.#server.on("clientError", (error, socket) => this.#broken.onClientError(error, socket as Socket));
    this.#server.on("upgrade", onUpgrade ?? refuseUpgrade);
    this.#server.on("connect", refuseUpgrade);
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get openConnections(): number {
    return this.#connections;
  }

  /** Answers with the port. Rejects when it is taken. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, () => {
        this.#server.removeListener("error", reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** Takes no more connections and lets what is in flight be answered, for a bounded time. Then nothing is taken. */
  async drain(): Promise<void> {
    this.#isStopping = true;
    this.#closed ??= new Promise((resolve) => this.#server.close(() => resolve()));
    this.#closeIdle();
    if (this.#inFlight > 0) {
      const drained = new Promise<void>((resolve) => {
        this.#whenDrained = resolve;
      });
      await atMost(this.limits.drainTimeoutMs, drained);
    }
    this.#isDrained = true;
  }

  /** Drains and closes. WebSockets must be closed before: their connections count. */
  async close(): Promise<void> {
    await this.drain();
    this.#server.closeIdleConnections();
    this.#closeIdle();
    await atMost(Math.min(LAST_ANSWERS_MS, this.limits.drainTimeoutMs), this.#closed);
    this.#server.closeAllConnections();
    for (const connection of this.#direct) connection.destroy();
    await this.#closed;
  }

  #closeIdle(): void {
    for (const connection of this.#direct) if (connection.isIdle) connection.destroy();
  }

  exchangeDone(): void {
    this.#inFlight--;
    if (this.#inFlight === 0) this.#whenDrained?.();
  }

  #onConnection(socket: Socket): void {
    this.#connections++;
    socket.once("close", () => this.#connections--);
    this.#direct.add(new DirectConnection(this, socket));
  }

  handOver(connection: DirectConnection, socket: Socket): void {
    this.#direct.delete(connection);
    this.#toNode.call(this.#server, socket);
    socket.resume();
  }

  closed(connection: DirectConnection): void {
    this.#direct.delete(connection);
  }

  serve(request: OrdinaryRequest, peer: string, replier: Replier): void {
    const isOverloaded = this.#inFlight >= this.limits.maxRequestsInFlight;
    this.#inFlight++;
    if (isOverloaded) replier.reply(OVERLOADED);
    else this.#dispatch(request, peer, replier);
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    this.#broken.watch(request, response);
    if (request.method === "OPTIONS") {
      response.writeHead(204, preflightHeaders());
      response.end();
      return;
    }
    const exchange = new Exchange(this, request, response);
    if (this.#inFlight >= this.limits.maxRequestsInFlight) {
      exchange.closes = hasBody(request);
      this.#inFlight++;
      exchange.reply(OVERLOADED);
      return;
    }
    if (!hasBody(request)) {
      this.#inFlight++;
      this.#dispatchExchange(exchange, "");
      return;
    }
    readBody(request, this.limits, (end) => {
      this.#inFlight++;
      if (end.kind === "whole") {
        this.#dispatchExchange(exchange, end.body);
        return;
      }
      exchange.closes = !end.drained;
      const ip = this.#proxies.clientIp(request.socket.remoteAddress, request.headers["x-forwarded-for"]);
      this.#sink.turnAway(ip, request.url ?? "", BODY_TOO_LARGE, exchange);
    });
  }

  #dispatchExchange(exchange: Exchange, body: string): void {
    const { method = "", url = "", headers, socket } = exchange.request;
    this.#dispatch({ method, url, headers, body }, socketIp(socket.remoteAddress), exchange);
  }

  #dispatch({ method, url, headers, body }: OrdinaryRequest, peer: string, replier: Replier): void {
    if (this.#isDrained) {
      replier.reply(STOPPING);
      return;
    }
    const ip = this.#proxies.clientIp(peer, headers["x-forwarded-for"]);
    if (url.length > this.limits.maxUrlBytes) {
      this.#sink.turnAway(ip, url, URL_TOO_LONG, replier);
      return;
    }
    const mark = url.indexOf("?");
    const path = mark === -1 ? url : url.slice(0, mark);
    const query = mark === -1 ? "" : url.slice(mark + 1);
    this.#sink.process({ method, path, query, body, headers, ip }, replier);
  }
}

function refuseUpgrade(_request: IncomingMessage, socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  endWith(socket, rawResponse(404, "Not Found", JSON.stringify(errorBody(UNKNOWN_PATH, "api"))));
}
