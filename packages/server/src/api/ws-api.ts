/** The WebSocket API: the gateway over persistent connections. Interface 11. */
import {
  type ApiError,
  eventInMicroseconds,
  INVALID_JSON,
  INVALID_TIME_UNIT,
  LOGON_BY_HMAC_KEY,
  REJECTED_API_KEY,
  SERVER_BUSY,
  SHUTTING_DOWN,
  TOO_MANY_QUEUED,
  VENUE_INTERFACES,
  type VenueInterface,
  WS_API_PATH,
} from "@pricetime/protocol";
import { textOf } from "./answers/long-text.ts";
import type { AddressLimits, GatewayResponse, MethodSink } from "./edge/request.ts";
import { peerInMicroseconds, type TimeUnit, timeUnitOf } from "./edge/time-unit.ts";
import { connectionOf, type FrameSink, type Peer, serverShutdown } from "./edge/sockets/socket.ts";
import { answerFrame, aroundResult, type Frame, RateLimits, readFrame } from "./ws-frame.ts";
import { type KeyOf, Session, type UserEvents } from "./edge/session.ts";
import type { SendQueue } from "./edge/send-queue.ts";
import { CountByNetwork } from "./edge/client-address.ts";
import type { LimitsConfig } from "./edge/rate-limit-rules.ts";
import type { Clock } from "../platform/world/port.ts";
import { type ApiKey, isRsaPublicKey } from "@pricetime/engine";
import type { Call } from "./call.ts";
import { Refused } from "./edge/refusals.ts";

// One connection: receives requests and sends responses when they are ready, with events in between.

/** Maximum number of unanswered requests per connection; further requests are rejected. */
export const MAX_REQUESTS_WAITING = 500;
/** Close code of RFC 6455. */
const POLICY_VIOLATION = 1008;

class ApiConnection implements FrameSink {
  readonly session: Session;
  readonly #api: WebSocketApi;
  readonly #peer: Peer;
  readonly #unit: TimeUnit | null;
  #waiting = 0;
  #isOpen = true;

  constructor(api: WebSocketApi, peer: Peer, unit: TimeUnit | null, session: Session) {
    this.#api = api;
    this.#peer = peer;
    this.#unit = unit;
    this.session = session;
  }

  /** Receives a text frame. */
  receive(text: string): void {
    if (!this.#isOpen) return;
    const frame = readFrame(text);
    if ("error" in frame) {
      this.#turnAway(frame.id, frame.error, this.session.returnRateLimits);
      return;
    }
    const returnRateLimits = frame.returnRateLimits ?? this.session.returnRateLimits;
    if (this.#api.revokesSessions && this.session.takeRevoked()) {
      this.#turnAway("null", REJECTED_API_KEY, returnRateLimits);
      return;
    }
    const refusal = this.#take();
    if (refusal === null) this.#process(frame, returnRateLimits);
    else this.#turnAway(frame.id, refusal, returnRateLimits);
  }

  shutdownMessage(timeMs: number): string {
    const message = `{"event":${serverShutdown(timeMs)}}`;
    return this.#unit === "MICROSECOND" ? eventInMicroseconds(message) : message;
  }

  /** Rejects a binary frame, because requests are text. */
  receiveBinary(): void {
    if (this.#isOpen) this.#turnAway("null", INVALID_JSON, this.session.returnRateLimits);
  }

  closed(): void {
    this.#isOpen = false;
    this.session.close();
    this.#api.connectionClosed(this);
  }

  #take(): ApiError | null {
    if (this.#api.isStopping) return SHUTTING_DOWN;
    if (this.#waiting >= MAX_REQUESTS_WAITING) return TOO_MANY_QUEUED;
    const refusal = this.#api.takeRequest(this.#peer.ip);
    if (refusal === null) this.#waiting++;
    return refusal;
  }

  #process(frame: Frame, returnRateLimits: boolean): void {
    const { session } = this;
    const { id, method, values, payload, payloadWithNulls, apiKey } = frame;
    const { ip } = this.#peer;
    // The logged-on key is used only if the request contains neither a key nor a signature.
    const isLoggedOn = session.key !== undefined && apiKey === undefined && !values.has("signature");
    const signed = { values, payload, payloadWithNulls, isLoggedOn };
    const inMicroseconds = this.#unit === "MICROSECOND";
    const request = { method, ...signed, apiKey: apiKey ?? session.key?.apiKey, session, inMicroseconds, ip };
    this.#api.sink.processMethod(request, {
      reply: (response) =>
        this.#api.sendQueue.answer(() => {
          this.#waiting--;
          this.#answer(id, response, returnRateLimits);
          this.#api.requestAnswered(ip);
        }),
      spoil: (response, spoil) =>
        this.#api.sendQueue.answer(() => {
          this.#waiting--;
          if (this.#isOpen) this.#peer.spoil?.(this.#wholeFrame(id, response, returnRateLimits), spoil);
          this.#api.requestAnswered(ip);
        }),
    });
  }

  #wholeFrame(id: string, response: GatewayResponse, returnRateLimits: boolean): string {
    const rateLimits = returnRateLimits ? this.#api.rateLimits.json(response.headers) : "";
    return answerFrame(id, { ...response, body: textOf(response.body) }, rateLimits, this.#api.clock());
  }

  /** Rejects a request. It counts against the address like any other request. */
  #turnAway(id: string, error: ApiError, returnRateLimits: boolean): void {
    this.#api.sink.turnAway(this.#peer.ip, WS_API_PATH, error, {
      reply: (response) => this.#api.sendQueue.answer(() => this.#answer(id, response, returnRateLimits)),
    });
  }

  #answer(id: string, response: GatewayResponse, returnRateLimits: boolean): void {
    if (!this.#isOpen) return;
    const rateLimits = returnRateLimits ? this.#api.rateLimits.json(response.headers) : "";
    const { body } = response;
    if (typeof body === "string") {
      this.#peer.send(answerFrame(id, { ...response, body }, rateLimits, this.#api.clock()));
    } else {
      const [before, behind] = aroundResult(id, rateLimits);
      this.#peer.sendParts(before + body.head, body.text, behind);
    }
    if (response.status === 418) this.#peer.close(POLICY_VIOLATION, "banned");
  }
}

// All connections of the WebSocket API.

/** Maximum number of unanswered requests of all connections; further requests are rejected. */
const MAX_REQUESTS_IN_FLIGHT = 10_000;
/** Maximum number of unanswered requests per address, on all its connections. */
export const MAX_REQUESTS_IN_FLIGHT_PER_IP = 1200;

export interface WebSocketApiOptions {
  readonly sink: MethodSink & Pick<AddressLimits, "charge">;
  /** Default: that of 2019. */
  readonly venueInterface?: Pick<VenueInterface, "revokesSessions" | "connectionWeight">;
  readonly users: UserEvents;
  readonly limits: LimitsConfig;
  readonly world: Pick<Clock, "nowMs">;
  /** The queue that is shared with the node's streams. */
  readonly sendQueue: SendQueue;
}

export class WebSocketApi {
  readonly sendQueue: SendQueue;
  readonly sink: WebSocketApiOptions["sink"];
  readonly revokesSessions: boolean;
  readonly #connectionWeight: number;
  #users: UserEvents;
  readonly rateLimits: RateLimits;
  readonly clock: () => number;
  readonly #open = new Set<ApiConnection>();
  readonly #inFlightByIp = new CountByNetwork();
  #isStopping = false;
  #requestsInFlight = 0;
  #whenDrained: (() => void) | undefined;

  constructor(options: WebSocketApiOptions) {
    this.sendQueue = options.sendQueue;
    this.sink = options.sink;
    const { revokesSessions, connectionWeight } = options.venueInterface ?? VENUE_INTERFACES["2019"];
    this.revokesSessions = revokesSessions;
    this.#connectionWeight = connectionWeight;
    this.#users = options.users;
    this.rateLimits = new RateLimits(options.limits.rules);
    this.clock = options.world.nowMs;
  }

  get openConnections(): number {
    return this.#open.size;
  }

  /** Called when a client has opened a socket at `WS_API_PATH`. `query` is the text after the `?`. */
  accept(client: Peer, query: string): ApiConnection {
    const parameters = new URLSearchParams(query);
    const unit = timeUnitOf(parameters.get("timeUnit"));
    const peer = unit === "MICROSECOND" ? peerInMicroseconds(client) : client;
    const session = new Session({
      users: this.#users,
      send: (text) => peer.send(text),
      connection: connectionOf(peer),
      connectedMs: this.clock(),
      returnRateLimits: parameters.get("returnRateLimits") !== "false",
    });
    const connection = new ApiConnection(this, peer, unit, session);
    this.#open.add(connection);
    // Above the limit, the requests of the connection are rejected.
    if (this.#connectionWeight > 0) this.sink.charge(peer.ip, this.#connectionWeight);
    if (unit === null) peer.close(POLICY_VIOLATION, INVALID_TIME_UNIT.msg);
    return connection;
  }

  /** Stops accepting requests. Resolves when all accepted ones are answered. */
  async drain(): Promise<void> {
    this.#isStopping = true;
    if (this.#requestsInFlight === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenDrained = resolve;
    });
  }

  /** Whether new requests are rejected because the node is shutting down. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Counts a request. Returns null, or the error if there are too many. */
  takeRequest(ip: string): ApiError | null {
    if (this.#requestsInFlight >= MAX_REQUESTS_IN_FLIGHT) return SERVER_BUSY;
    if (this.#inFlightByIp.of(ip) >= MAX_REQUESTS_IN_FLIGHT_PER_IP) return TOO_MANY_QUEUED;
    this.#requestsInFlight++;
    this.#inFlightByIp.add(ip);
    return null;
  }

  /** Called when a counted request has been answered. */
  requestAnswered(ip: string): void {
    this.#inFlightByIp.remove(ip);
    if (--this.#requestsInFlight === 0) this.#whenDrained?.();
  }

  connectionClosed(connection: ApiConnection): void {
    this.#open.delete(connection);
  }

  /** Called when a lab has restored a checkpoint: open connections receive the events of the restored exchange. */
  goOn(users: UserEvents, keyOf: KeyOf): void {
    this.#users = users;
    for (const { session } of this.#open) session.goOn(users, keyOf, this.clock());
  }

  /** Called when an API key has been deleted. */
  forgetApiKey(apiKey: string): void {
    for (const { session } of this.#open) session.forgetApiKey(apiKey, this.clock());
  }
}

// Methods that concern the connection itself. `session.ts` of the protocol package describes them.

function statusOf(call: Call): string {
  return JSON.stringify(call.session().status(call.nowMs));
}

export function logOn(call: Call): string {
  const key = call.apiKey();
  if (key.publicKey === undefined || isRsaPublicKey(key.publicKey)) throw new Refused(LOGON_BY_HMAC_KEY);
  call.session().logOn(key, call.nowMs);
  return statusOf(call);
}

export function sessionStatus(call: Call): string {
  return statusOf(call);
}

export function logOut(call: Call): string {
  call.session().logOut(call.nowMs);
  return statusOf(call);
}

export function subscriptions(call: Call): string {
  return JSON.stringify(call.session().subscriptions);
}

/**
 * The logged-on key. A key that is only named in the request is not enough, because it may not belong to the sender.
 */
function loggedOnKey(call: Call): ApiKey {
  const key = call.apiKey();
  if (call.session().key?.apiKey !== key.apiKey) throw new Refused(REJECTED_API_KEY);
  return key;
}

function subscribed(call: Call, key: ApiKey, ofSession: boolean): string {
  return `{"subscriptionId":${call.session().subscribe(key, ofSession, call.venue.venueInterface)}}`;
}

export function subscribe(call: Call): string {
  return subscribed(call, loggedOnKey(call), true);
}

export function subscribeBySignature(call: Call): string {
  return subscribed(call, call.apiKey(), false);
}

export function unsubscribe(call: Call): string {
  call.session().unsubscribe(call.integer("subscriptionId"), call.nowMs, call.venue.venueInterface);
  return "{}";
}
