/**
 * The gateway: every request, over HTTP or a WebSocket or from inside the process, takes the same way through it. The
 * order of checks is that of Interface 7.7: limits, path and method, form of the key, parameters, the key itself, time,
 * signature, unread parameters, and then the endpoint itself.
 */
import type { ApiKey, Entry, Event } from "@pricetime/engine";
import {
  checksKey,
  CONFIRM_PATH,
  findEndpoint,
  findMethod,
  INVALID_SIGNATURE,
  isApiError,
  methodsOf,
  needsKey,
  needsSignature,
  parseRequest,
  parseValues,
  SERVER_BUSY,
  UNKNOWN_PATH,
  WS_API_PATH,
  weightOf,
  weightOfValues,
} from "@pricetime/protocol";
import type { ApiError, KnownEndpoint, ParsedRequest } from "@pricetime/protocol";
import {
  API_KEY_HEADER,
  checkSigned,
  checkTimely,
  knownApiKey,
  namesApiKey,
  sentApiKey,
  wellFormedApiKey,
} from "../edge/auth/authenticate.ts";
import { Secrets } from "../edge/auth/secrets.ts";
import { z } from "zod";
import type { KeptValue, Keeping } from "../world/kept.ts";
import { keptPart, readKept } from "../world/read-kept.ts";
import { SpentSignatures } from "../edge/auth/spent-signatures.ts";
import { answerLater, Call, DEFERRED } from "./call.ts";
import type { Applicant, Venue } from "./call.ts";
import { WithdrawalConfirmation } from "./confirmation/withdrawal-confirmation.ts";
import { TrustedProxies } from "../edge/http/client-address.ts";
import { isForm } from "../edge/http/content-type.ts";
import { HttpEdge, type UpgradeTaker } from "../edge/http/edge.ts";
import { ALLOWED_HEADERS } from "../edge/http/headers.ts";
import { DEFAULT_HTTP_LIMITS } from "../edge/http/limits.ts";
import { type Ids, RandomIds } from "./ids.ts";
import { LimitHeaders } from "../edge/limits/headers.ts";
import { IpLimiter, type IpRefusal } from "../edge/limits/ip-limiter.ts";
import { limitRefusal } from "../edge/limits/refusal.ts";
import { OrderLimiter } from "../edge/limits/order-limiter.ts";
import type { GatewayOptions } from "./options.ts";
import { NOT_A_FORM, Refused } from "../edge/refusals.ts";
import { textOf } from "../answers/long-text.ts";
import { Turns } from "../answers/turns.ts";
import type {
  GatewayRequest,
  GatewayResponse,
  MethodRequest,
  MethodSink,
  Replier,
  RequestHeaders,
  RequestSink,
  TextResponse,
} from "../edge/request.ts";
import { type Document, NO_ENDPOINT, Responder } from "./responder.ts";
import { ExchangeInfo } from "./exchange-info.ts";
import { FreshReads } from "./fresh-reads.ts";
import { HANDLERS } from "./handlers.ts";
import type { World } from "../world/port.ts";
import type { Session } from "../edge/session.ts";
import { OPENAPI_PATH, OpenApi } from "./openapi.ts";
import { familyOf, strayError } from "./stray.ts";
import { type Follower, TellingOrder } from "../edge/telling-order.ts";
import { checkTimeUnit } from "../edge/time-unit.ts";
import { WebPages } from "./web-pages.ts";

/** Signed methods whose effect outlasts their answer. */
const GIVES_WHAT_LASTS: ReadonlySet<string> = new Set(["session.logon", "userDataStream.subscribe.signature"]);

/** Weight of a request that belongs to no endpoint. */
const STRAY_WEIGHT = 1;

const KEPT = z.strictObject({ addresses: keptPart, orders: keptPart, spent: keptPart, ids: keptPart.nullable() });

export class Gateway implements RequestSink, MethodSink, Follower, Keeping {
  readonly #venue: Venue;
  readonly #secrets: Secrets;
  readonly #spent: SpentSignatures;
  readonly #ipLimiter: IpLimiter;
  readonly #orderLimiter: OrderLimiter;
  readonly #ids: Ids & Partial<Keeping>;
  readonly #responder: Responder;
  readonly #confirmation: WithdrawalConfirmation;
  readonly #openApi: OpenApi;
  readonly #pages: WebPages;
  readonly #fresh: FreshReads | undefined;
  readonly #world: World;
  /** Where it listens: a gateway that takes the place of this one takes it over. */
  readonly edge: HttpEdge;
  readonly #judgingMs: GatewayOptions["timing"];
  /** Takes the requests of clients outside. */
  readonly clients: RequestSink & MethodSink;

  /** Throws `KeptUnreadable`. */
  constructor(options: GatewayOptions) {
    const { engine, sequencer, history, limits, walletPorts, world } = options;
    const kept = options.kept === undefined ? undefined : readKept("gateway", KEPT, options.kept);
    const fresh = options.fresh && new FreshReads(options.fresh);
    this.#fresh = fresh;
    this.#world = world;
    this.#secrets = new Secrets(options.unseal);
    this.#spent = new SpentSignatures(undefined, kept?.spent);
    this.#ipLimiter = new IpLimiter(limits, kept?.addresses);
    const turns = new Turns(world);
    const engineNow = typeof engine === "function" ? engine : () => engine;
    const orderLimiter = new OrderLimiter(limits, engineNow, kept?.orders);
    this.#orderLimiter = orderLimiter;
    this.#ids = options.ids ?? new RandomIds(world, kept?.ids ?? undefined);
    this.#venue = {
      sequencer,
      history,
      limits,
      orderLimiter,
      ids: this.#ids,
      walletPorts,
      turns,
      exchangeInfo: new ExchangeInfo(engineNow, limits, turns),
      get engine() {
        return engineNow();
      },
    };
    const limitHeaders = new LimitHeaders(this.#ipLimiter.rules, orderLimiter.rules);
    this.#responder = new Responder(options, limitHeaders, fresh);
    this.#confirmation = new WithdrawalConfirmation(this.#venue);
    this.#openApi = new OpenApi(options.web?.version);
    this.#pages = new WebPages(options.web);
    this.clients = options.door === undefined ? this : options.door(this);
    this.#judgingMs = options.timing;
    this.edge =
      options.edge ??
      new HttpEdge(this.clients, {
        world: options.machine ?? world,
        telling: options.telling ?? new TellingOrder(),
        refuses: options.refuses,
        limits: { ...DEFAULT_HTTP_LIMITS, ...options.http },
        trustedProxies: new TrustedProxies(options.trustedProxies ?? []),
        exposedHeaders: [...limitHeaders.names, "Retry-After", "ETag", ...(fresh?.answerHeaders ?? [])].join(", "),
        allowedHeaders: [...ALLOWED_HEADERS, ...(fresh?.requestHeaders ?? [])].join(", "),
      });
  }

  /** Call it when no request is under way. */
  kept(): KeptValue {
    return {
      addresses: this.#ipLimiter.kept(),
      orders: this.#orderLimiter.kept(),
      spent: this.#spent.kept(),
      ids: this.#ids.kept?.() ?? null,
    };
  }

  /** Hands connections that become WebSockets to `taker`; without one, such requests are answered 404. */
  handUpgradesTo(taker: UpgradeTaker): void {
    this.edge.handUpgradesTo(taker);
  }

  /** Serves HTTP; answers with the port. Rejects when it cannot be had. */
  listen(host: string, port: number): Promise<number> {
    return this.edge.listen(host, port);
  }

  /** Accepts no more connections and lets requests in flight be answered, for a bounded time. Then it accepts none. */
  drain(): Promise<void> {
    return this.edge.drain();
  }

  /** Drains and closes. */
  close(): Promise<void> {
    return this.edge.close();
  }

  get requestsInFlight(): number {
    return this.edge.inFlight;
  }

  /** Number of requests over HTTP, by parser. */
  get requestsByLane(): HttpEdge["requestsByLane"] {
    return this.edge.requestsByLane;
  }

  get openConnections(): number {
    return this.edge.openConnections;
  }

  /** Bytes of answers that clients have not read yet. */
  get unreadBytes(): number {
    return this.edge.unreadBytes;
  }

  /** Number of connections closed because their answers were not read. */
  get slowDropped(): number {
    return this.edge.slowDropped;
  }

  /** Answers callers inside the process exactly as HTTP would. Never rejects. */
  handle(request: GatewayRequest): Promise<TextResponse> {
    return new Promise((resolve) => {
      this.process(request, { reply: (response) => resolve({ ...response, body: textOf(response.body) }) });
    });
  }

  /** Forgets the secrets of deleted API keys. */
  applied(_entry: Entry, events: readonly Event[]): void {
    for (const event of events) if (event.type === "apiKeyDeleted") this.#secrets.forget(event.apiKey);
  }

  process(request: GatewayRequest, replier: Replier): void {
    const method = request.method === "HEAD" ? "GET" : request.method;
    const found = findEndpoint(method, request.path);
    const endpoint = typeof found === "string" ? null : found;
    const applicant = this.#receive(request.ip, request.path, endpoint, replier);
    try {
      this.#count(endpoint === null ? STRAY_WEIGHT : this.#weightOf(endpoint, request), applicant);
      if (found === "unknown" && this.#answerStray(request, method, applicant)) return;
      if (endpoint === null) throw strayRefusal(request.path, found === "wrong method");
    } catch (error) {
      this.#responder.turnAway(applicant, error);
      return;
    }
    const { headers } = request;
    const admit = (): Call => this.#admit(request, endpoint, applicant);
    if (this.#fresh === undefined) this.#carryOut(applicant, admit);
    else this.#whenFresh(this.#fresh, { endpoint, headers, apiKey: headers[API_KEY_HEADER] }, applicant, admit);
  }

  #carryOut(applicant: Applicant, admit: () => Call): void {
    let call: Call;
    try {
      call = admit();
    } catch (error) {
      this.#responder.turnAway(applicant, error);
      return;
    }
    run(call);
  }

  /** Carries it out as soon as this node's state is fresh enough for it. */
  #whenFresh(fresh: FreshReads, { apiKey, ...asked }: Asked, applicant: Applicant, admit: () => Call): void {
    const isKeyKnown = (): boolean => typeof apiKey !== "string" || this.#venue.engine.apiKey(apiKey) !== undefined;
    const carryOut = (): void => this.#carryOut(applicant, admit);
    fresh.when({ ...asked, isKeyKnown }, carryOut, (error) => this.#responder.turnAway(applicant, error));
  }

  /** Answers requests beside the endpoints; false when this is not one. */
  #answerStray(request: GatewayRequest, method: string, applicant: Applicant): boolean {
    const answer = (document: Document): void => this.#responder.answerStray(applicant, document);
    if (request.path === CONFIRM_PATH) {
      this.#confirmation.process(method, request.query, answer);
      return true;
    }
    if (method !== "GET") return false;
    const document = request.path === OPENAPI_PATH ? this.#openApi.answer() : this.#pages.find(request);
    if (document === undefined) return false;
    if (document instanceof Promise) document.then(answer, (error) => this.#responder.turnAway(applicant, error));
    else answer(document);
    return true;
  }

  /** Processes a method of the WebSocket API as `process` does a request. */
  processMethod(request: MethodRequest, replier: Replier): void {
    const endpoint = findMethod(request.method);
    const applicant = this.#receive(request.ip, WS_API_PATH, endpoint ?? null, replier);
    try {
      this.#count(endpoint === undefined ? STRAY_WEIGHT : weightOfValues(endpoint, request.values), applicant);
      if (endpoint === undefined) throw new Refused(UNKNOWN_PATH);
    } catch (error) {
      this.#responder.turnAway(applicant, error);
      return;
    }
    const { apiKey } = request;
    const admit = (): Call => this.#admitMethod(request, endpoint, applicant);
    if (this.#fresh === undefined) this.#carryOut(applicant, admit);
    else this.#whenFresh(this.#fresh, { endpoint, headers: {}, apiKey }, applicant, admit);
  }

  turnAway(ip: string, path: string, error: ApiError, replier: Replier): void {
    const applicant = this.#receive(ip, path, null, replier);
    const over = this.#ipLimiter.count(applicant.ipRecord, STRAY_WEIGHT, applicant.wallMs);
    this.#responder.turnAway(applicant, over === null ? new Refused(error) : limitRefusal(over));
  }

  charge(ip: string): GatewayResponse | null {
    const nowMs = this.#world.nowMs();
    return this.#answerTo(ip, this.#ipLimiter.count(this.#ipLimiter.record(ip, nowMs), STRAY_WEIGHT, nowMs));
  }

  ban(ip: string): GatewayResponse | null {
    return this.#answerTo(ip, this.#ipLimiter.banOf(ip, this.#world.nowMs()));
  }

  /** The bans that are not over, as nodes tell each other. */
  bans(): Record<string, number> {
    return this.#ipLimiter.bans(this.#world.nowMs());
  }

  takeBans(bans: Readonly<Record<string, number>>): void {
    this.#ipLimiter.takeBans(bans, this.#world.nowMs());
  }

  #answerTo(ip: string, over: IpRefusal | null): GatewayResponse | null {
    if (over === null) return null;
    let answer: GatewayResponse | null = null;
    const applicant = this.#receive(ip, "", null, { reply: (given) => (answer = given) });
    this.#responder.turnAway(applicant, limitRefusal(over));
    return answer;
  }

  #receive(ip: string, path: string, endpoint: KnownEndpoint | null, replier: Replier): Applicant {
    const wallMs = this.#world.nowMs();
    return {
      replier,
      ipRecord: this.#ipLimiter.record(ip, wallMs),
      wallMs,
      startedMs: this.#world.steadyMs(),
      family: endpoint?.family ?? familyOf(path),
      name: endpoint?.id ?? NO_ENDPOINT,
    };
  }

  #weightOf(endpoint: KnownEndpoint, { query, body }: GatewayRequest): number {
    return endpoint.family === "api" ? weightOf(endpoint, query, body) : this.#venue.limits.walletWeight;
  }

  #count(weight: number, { ipRecord, wallMs }: Applicant): void {
    const over = this.#ipLimiter.count(ipRecord, weight, wallMs);
    if (over !== null) throw limitRefusal(over);
  }

  #admit(request: GatewayRequest, endpoint: KnownEndpoint, applicant: Applicant): Call {
    checkTimeUnit(request.headers);
    const isKeyTold = needsKey(endpoint) || (checksKey(endpoint) && namesApiKey(request.headers));
    const sentKey = isKeyTold ? sentApiKey(request.headers) : undefined;
    const parsed = parse(endpoint, request);
    const nowMs = this.#venue.sequencer.nowMs();
    const apiKey = this.#authenticate(endpoint, parsed, {
      sentKey,
      ip: request.ip,
      isLoggedOn: false,
      nowMs,
      skewMs: request.skewMs ?? 0,
    });
    return new Call(this.#responder, this.#venue, { applicant, endpoint, values: parsed.values, apiKey, nowMs });
  }

  #admitMethod(request: MethodRequest, endpoint: KnownEndpoint, applicant: Applicant): Call {
    const { ip, session, isLoggedOn } = request;
    // For market data, only the key in the request counts: the one that is logged on may lack the permission.
    const isKeyTold = needsKey(endpoint) || (checksKey(endpoint) && !isLoggedOn && request.apiKey !== undefined);
    const sentKey = isKeyTold ? wellFormedApiKey(request.apiKey) : undefined;
    const parsed = parsedOrRefused(parseValues(endpoint, request));
    const nowMs = this.#venue.sequencer.nowMs();
    const apiKey = this.#authenticate(endpoint, parsed, {
      sentKey,
      ip,
      isLoggedOn,
      nowMs,
      skewMs: request.skewMs ?? 0,
    });
    const { values } = parsed;
    if (GIVES_WHAT_LASTS.has(endpoint.id) && apiKey !== undefined) this.#spend(apiKey, parsed, session, nowMs);
    return new Call(this.#responder, this.#venue, { applicant, endpoint, values, apiKey, session, nowMs });
  }

  /** A signature is good for one connection: used on one, it is void on any other. */
  #spend(
    { apiKey }: ApiKey,
    { payload, timestampMs, recvWindowMs }: ParsedRequest,
    session: Session,
    nowMs: number,
  ): void {
    const outcome = this.#spent.spend({ apiKey, payload, lastMs: timestampMs + recvWindowMs, session }, nowMs);
    if (outcome === "spent") throw new Refused(INVALID_SIGNATURE);
    if (outcome === "full") throw new Refused(SERVER_BUSY, 1);
  }

  /** Authenticates the key, if the endpoint needs one. */
  #authenticate(endpoint: KnownEndpoint, parsed: ParsedRequest, claim: Claim): ApiKey | undefined {
    let key: ApiKey | undefined;
    if (claim.sentKey !== undefined) {
      key = knownApiKey(this.#venue.engine, claim.sentKey, endpoint, claim.ip);
      if (needsSignature(endpoint)) {
        const judgingMs = this.#judgingMs === undefined ? claim.nowMs : this.#judgingMs(claim.nowMs);
        if (judgingMs !== null) checkTimely(parsed, judgingMs + claim.skewMs);
        if (!claim.isLoggedOn) checkSigned(this.#secrets, key, parsed);
      }
    }
    if (parsed.unread !== null) throw new Refused(parsed.unread);
    return key;
  }
}

/** The parts of a request that decide how fresh the state must be. */
interface Asked {
  readonly endpoint: KnownEndpoint;
  readonly headers: RequestHeaders;
  readonly apiKey: string | string[] | undefined;
}

/** The sender that the request claims. */
interface Claim {
  /** Undefined when the endpoint needs none. */
  readonly sentKey: string | undefined;
  readonly ip: string;
  readonly isLoggedOn: boolean;
  readonly nowMs: number;
  /** How far ahead the clock is that judges the request's time. */
  readonly skewMs: number;
}

function strayRefusal(path: string, isWrongMethod: boolean): Refused {
  return new Refused(strayError(path, isWrongMethod), 0, isWrongMethod ? methodsOf(path).join(", ") : "");
}

function parse(endpoint: KnownEndpoint, { query, body, headers }: GatewayRequest): ParsedRequest {
  if (body !== "" && endpoint.method !== "GET" && !isForm(headers["content-type"])) throw new Refused(NOT_A_FORM);
  return parsedOrRefused(parseRequest(endpoint, query, body));
}

function parsedOrRefused(parsed: ParsedRequest | ApiError): ParsedRequest {
  if (isApiError(parsed)) throw new Refused(parsed);
  return parsed;
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
