/**
 * The gateway, which every request passes through, whether it arrives by HTTP, by a WebSocket or from inside the
 * process. The checks are in the order of Interface 7.7: limits, path and method, form of the key, parameters, the key
 * itself, time, signature, unread parameters, and then the endpoint's own checks.
 */
import {
  type ApiError,
  ENDPOINTS,
  type Family,
  type KnownEndpoint,
  UNKNOWN_PATH,
  VENUE_INTERFACES,
  weightOf,
  weightOfValues,
  WRONG_METHOD,
  WS_API_PATH,
} from "@pricetime/protocol";
import { FORBIDDEN_PATH, limitRefusal, Refused } from "./edge/refusals.ts";
import type { Entry, Event } from "@pricetime/engine";
import { API_KEY_HEADER } from "./edge/authentication.ts";
import type { World } from "../platform/world/port.ts";
import { ACCOUNT_API, type AccountRequests, type GatewayOptions } from "./options.ts";
import { Admission } from "./admission.ts";
import { answerLater, type IncomingRequest, Call, type CallFields, DEFERRED, type Venue } from "./call.ts";
import { Documents } from "./pages.ts";
import { TrustedProxies } from "./edge/client-address.ts";
import { HttpEdge, type UpgradeTaker } from "./edge/http/edge.ts";
import { ALLOWED_HEADERS } from "./edge/http/headers.ts";
import { DEFAULT_HTTP_LIMITS } from "./edge/limits.ts";
import { RandomIds } from "./ids.ts";
import { IpLimiter, type IpRefusal, LimitHeaders, OrderLimiter } from "./edge/rate-limits.ts";
import { textOf } from "./answers/long-text.ts";
import { Turns } from "./answers/long-list.ts";
import type {
  GatewayRequest,
  GatewayResponse,
  MethodRequest,
  MethodSink,
  Replier,
  RequestHeaders,
  RequestSink,
  TextResponse,
} from "./edge/request.ts";
import { NO_ENDPOINT, Responder } from "./responder.ts";
import { ExchangeInfo } from "./exchange-info.ts";
import { FreshReads } from "./fresh-reads.ts";
import { HANDLERS } from "./handlers.ts";
import { longTextsInMicroseconds, replierInUnit } from "./edge/time-unit.ts";
import { type Follower, SendQueue } from "./edge/send-queue.ts";

// Determines which paths belong to the API, and the errors for paths without an endpoint. Interface S.3.

const ORDINARY_PATH = /^\/[A-Za-z0-9._~/-]*$/;
/** Matches a path segment `.` or `..`. */
const STEP = /(^|\/)\.\.?(\/|$)/;

function noEndpointError(path: string, isWrongMethod: boolean): ApiError {
  if (isWrongMethod) return WRONG_METHOD;
  return ORDINARY_PATH.test(path) && !STEP.test(path) ? UNKNOWN_PATH : FORBIDDEN_PATH;
}

/**
 * The error for a path without an endpoint or with a wrong method. For a wrong method, the Allow header lists the
 * methods of the path.
 */
function noEndpointRejection(path: string, methods: readonly string[]): Refused {
  return new Refused(noEndpointError(path, methods.length > 0), 0, methods.join(", "));
}

/** First segments of endpoint paths, such as `api` and `sapi`. Pages and sockets have other first segments. */
const ROOTS: ReadonlySet<string> = new Set(ENDPOINTS.flatMap(({ paths }) => paths.map(rootOf)));

function rootOf(path: string): string {
  return path.slice(0, path.indexOf("/", 1) + 1);
}

function isOfApi(path: string): boolean {
  return ROOTS.has(rootOf(path));
}

function familyOf(path: string): Family {
  if (path.startsWith("/wapi/")) return "wapi";
  return path.startsWith("/sapi/") ? "sapi" : "api";
}

/** Request weight of a request without an endpoint. */
const NO_ENDPOINT_WEIGHT = 1;

export class Gateway implements RequestSink, MethodSink, Follower {
  readonly #venue: Venue;
  readonly #admission: Admission;
  readonly #ipLimiter: IpLimiter;
  readonly #responder: Responder;
  readonly #documents: Documents;
  readonly #accounts: AccountRequests | undefined;
  readonly #fresh: FreshReads | undefined;
  readonly #world: World;
  /** The HTTP listener. A gateway that replaces this one takes it over. */
  readonly edge: HttpEdge;
  /** Receives the requests of external clients. */
  readonly clients: RequestSink & MethodSink;

  constructor(options: GatewayOptions) {
    const { engine, sequencer, history, limits, walletPorts, world } = options;
    const { venueInterface = VENUE_INTERFACES["2019"] } = options;
    const fresh = options.fresh && new FreshReads(options.fresh);
    this.#fresh = fresh;
    this.#world = world;
    this.#ipLimiter = new IpLimiter(limits, world.saved);
    const turns = new Turns(world);
    const engineNow = typeof engine === "function" ? engine : () => engine;
    const orderLimiter = new OrderLimiter(limits, engineNow, world.saved);
    this.#venue = {
      sequencer,
      history,
      limits,
      venueInterface,
      // A lab checks timestamps against another clock.
      checksTimeTwice: venueInterface.checksTimeTwice && options.timing === undefined,
      orderLimiter,
      ids: options.ids ?? new RandomIds(world),
      walletPorts,
      turns,
      exchangeInfo: new ExchangeInfo(engineNow, limits, turns),
      get engine() {
        return engineNow();
      },
    };
    const limitHeaders = new LimitHeaders(this.#ipLimiter.rules, orderLimiter.rules);
    this.#responder = new Responder({ ...options, ipLimiter: this.#ipLimiter }, this.#venue, limitHeaders, fresh);
    this.#admission = new Admission(this.#venue, options, world.saved);
    this.#documents = new Documents(this.#venue, options);
    this.#accounts = options.accounts;
    this.clients = options.door === undefined ? this : options.door(this);
    this.edge =
      options.edge ??
      new HttpEdge(this.clients, {
        world: options.machine ?? world,
        sendQueue: options.sendQueue ?? new SendQueue(),
        refuses: options.refuses,
        during: options.during,
        limits: {
          ...DEFAULT_HTTP_LIMITS,
          ...(limits.enabled ? {} : { maxHandshakesPerIp: Infinity }),
          ...options.http,
        },
        trustedProxies: new TrustedProxies(options.trustedProxies ?? []),
        certificates: options.certificates,
        acceptsAbsoluteForm: isOfApi,
        exposedHeaders: [...limitHeaders.names, "Retry-After", "ETag", ...(fresh?.answerHeaders ?? [])].join(", "),
        allowedHeaders: [...ALLOWED_HEADERS, ...(fresh?.requestHeaders ?? [])].join(", "),
      });
  }

  /** Passes WebSocket upgrades to `taker`. Until this is called, upgrades are answered with 404. */
  handUpgradesTo(taker: UpgradeTaker): void {
    this.edge.handUpgradesTo(taker);
  }

  /** Resolves to the port. Rejects if the port is not available. */
  listen(host: string, port: number): Promise<number> {
    return this.edge.listen(host, port);
  }

  /** Stops accepting connections and waits, for a bounded time, until requests in flight are answered. */
  drain(): Promise<void> {
    return this.edge.drain();
  }

  /** Drains the edge and closes all connections. */
  close(): Promise<void> {
    return this.edge.close();
  }

  /** Handles a request from inside the process exactly like one over HTTP. Never rejects. */
  handle(request: GatewayRequest): Promise<TextResponse> {
    return new Promise((resolve) => {
      this.process(request, { reply: (response) => resolve({ ...response, body: textOf(response.body) }) });
    });
  }

  /** Drops the cached secrets of deleted API keys. */
  applied(_entry: Entry, events: readonly Event[]): void {
    for (const event of events) if (event.type === "apiKeyDeleted") this.#admission.forget(event.apiKey);
  }

  process(request: GatewayRequest, asker: Replier): void {
    const replier = replierInUnit(asker, request.headers, this.#venue.turns);
    const method = request.method === "HEAD" ? "GET" : request.method;
    const { endpoints } = this.#venue.venueInterface;
    const found = endpoints.findEndpoint(method, request.path);
    const endpoint = typeof found === "string" ? null : found;
    const weight =
      endpoint === null ? this.#weightWithoutEndpoint(method, request.path) : this.#weightOf(endpoint, request);
    const incoming = this.#receive(request.ip, request.path, endpoint, replier, weight);
    try {
      this.#count(incoming);
      if (found === "unknown" && this.#findDocument(request, method, incoming)) return;
      if (endpoint === null) throw noEndpointRejection(request.path, endpoints.methodsOf(request.path));
    } catch (error) {
      this.#responder.turnAway(incoming, error);
      return;
    }
    const { headers } = request;
    const admit = (): CallFields => this.#admission.admit(request, endpoint, incoming);
    if (this.#fresh === undefined) this.#carryOut(incoming, admit);
    else this.#whenFresh(this.#fresh, { endpoint, headers, apiKey: headers[API_KEY_HEADER] }, incoming, admit);
  }

  #carryOut(incoming: IncomingRequest, admit: () => CallFields): void {
    let call: Call;
    try {
      call = new Call(this.#responder, this.#venue, admit());
    } catch (error) {
      this.#responder.turnAway(incoming, error);
      return;
    }
    run(call);
  }

  /** Runs `admit` and carries out the request once this node's state is fresh enough. */
  #whenFresh(fresh: FreshReads, { apiKey, ...asked }: Asked, incoming: IncomingRequest, admit: () => CallFields): void {
    const isKeyKnown = (): boolean => typeof apiKey !== "string" || this.#venue.engine.apiKey(apiKey) !== undefined;
    const carryOut = (): void => this.#carryOut(incoming, admit);
    fresh.when({ ...asked, isKeyKnown }, carryOut, (error) => this.#responder.turnAway(incoming, error));
  }

  /** Responds if the path is that of a document. Returns false if it is not. */
  #findDocument(request: GatewayRequest, method: string, incoming: IncomingRequest): boolean {
    return this.#documents.find(
      request,
      method,
      (document) => this.#responder.answerDocument(incoming, document),
      (error) => this.#responder.turnAway(incoming, error),
    );
  }

  /** Like `process`, for a method of the WebSocket API. */
  processMethod(request: MethodRequest, asker: Replier): void {
    const replier = request.inMicroseconds === true ? longTextsInMicroseconds(asker, this.#venue.turns) : asker;
    const endpoint = this.#venue.venueInterface.endpoints.findMethod(request.method);
    const weight = endpoint === undefined ? NO_ENDPOINT_WEIGHT : weightOfValues(endpoint, request.values);
    const incoming = this.#receive(request.ip, WS_API_PATH, endpoint ?? null, replier, weight);
    try {
      this.#count(incoming);
      if (endpoint === undefined) throw new Refused(UNKNOWN_PATH);
    } catch (error) {
      this.#responder.turnAway(incoming, error);
      return;
    }
    const { apiKey } = request;
    const admit = (): CallFields => this.#admission.admitMethod(request, endpoint, incoming);
    if (this.#fresh === undefined) this.#carryOut(incoming, admit);
    else this.#whenFresh(this.#fresh, { endpoint, headers: {}, apiKey }, incoming, admit);
  }

  turnAway(ip: string, path: string, error: ApiError, replier: Replier): void {
    const incoming = this.#receive(ip, path, null, replier);
    const over = this.#ipLimiter.count(incoming.ipRecord, incoming.weight, incoming.wallMs);
    this.#responder.turnAway(incoming, over === null ? new Refused(error) : limitRefusal(over));
  }

  charge(ip: string, weight = NO_ENDPOINT_WEIGHT): GatewayResponse | null {
    const nowMs = this.#world.nowMs();
    return this.#answerTo(ip, this.#ipLimiter.count(this.#ipLimiter.record(ip, nowMs), weight, nowMs));
  }

  ban(ip: string): GatewayResponse | null {
    return this.#answerTo(ip, this.#ipLimiter.banOf(ip, this.#world.nowMs()));
  }

  /** The current bans. The nodes of a cluster share them. */
  bans(): Record<string, number> {
    return this.#ipLimiter.bans(this.#world.nowMs());
  }

  takeBans(bans: Readonly<Record<string, number>>): void {
    this.#ipLimiter.takeBans(bans, this.#world.nowMs());
  }

  #answerTo(ip: string, over: IpRefusal | null): GatewayResponse | null {
    if (over === null) return null;
    let answer: GatewayResponse | null = null;
    const incoming = this.#receive(ip, "", null, { reply: (given) => (answer = given) });
    this.#responder.turnAway(incoming, limitRefusal(over));
    return answer;
  }

  #receive(
    ip: string,
    path: string,
    endpoint: KnownEndpoint | null,
    replier: Replier,
    weight = NO_ENDPOINT_WEIGHT,
  ): IncomingRequest {
    const wallMs = this.#world.nowMs();
    return {
      replier,
      ipRecord: this.#ipLimiter.record(ip, wallMs),
      wallMs,
      startedMs: this.#world.steadyMs(),
      weight,
      family: endpoint?.family ?? familyOf(path),
      name: endpoint?.id ?? NO_ENDPOINT,
    };
  }

  #weightOf(endpoint: KnownEndpoint, { query, body }: GatewayRequest): number {
    const weight = weightOf(endpoint, query, body);
    return endpoint.family === "api" ? weight : Math.max(weight, this.#venue.limits.walletWeight);
  }

  #weightWithoutEndpoint(method: string, path: string): number {
    return path.startsWith(ACCOUNT_API)
      ? (this.#accounts?.weightOf(method, path) ?? NO_ENDPOINT_WEIGHT)
      : NO_ENDPOINT_WEIGHT;
  }

  #count({ ipRecord, weight, wallMs }: IncomingRequest): void {
    const over = this.#ipLimiter.count(ipRecord, weight, wallMs);
    if (over !== null) throw limitRefusal(over);
  }
}

/** The parts of a request that determine how fresh the state must be. */
interface Asked {
  readonly endpoint: KnownEndpoint;
  readonly headers: RequestHeaders;
  readonly apiKey: string | string[] | undefined;
}

function run(call: Call): void {
  try {
    const result = HANDLERS[call.endpoint.id](call);
    if (result === DEFERRED) return;
    if (result instanceof Promise) void answerLater(call, result);
    else call.answer(result);
  } catch (error) {
    call.refuse(error);
  }
}

export function createGateway(options: GatewayOptions): Gateway {
  return new Gateway(options);
}
