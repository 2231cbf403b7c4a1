/** The WebSocket API: the gateway over lasting connections. Interface 11. */
import { INVALID_TIME_UNIT, SERVER_BUSY, TOO_MANY_QUEUED } from "@pricetime/protocol";
import type { ApiError } from "@pricetime/protocol";
import { CountByNetwork } from "../edge/limits/count-by-network.ts";
import type { LimitsConfig } from "../edge/limits/rule.ts";
import type { MethodSink } from "../edge/request.ts";
import type { Clock } from "../../platform/world/port.ts";
import { connectionOf, type Peer } from "../edge/sockets/peer.ts";
import type { TellingOrder } from "../edge/telling-order.ts";
import { isTimeUnit } from "../edge/time-unit.ts";
import { ApiConnection, POLICY_VIOLATION } from "./connection.ts";
import type { ApiConnectionOwner } from "./connection.ts";
import { RateLimits } from "./rate-limits.ts";
import { type KeyOf, Session, type UserEvents } from "../edge/session.ts";

/** Requests that may wait for their answers at a time; further ones are refused. */
const MAX_REQUESTS_IN_FLIGHT = 10_000;
/** As `MAX_REQUESTS_IN_FLIGHT`, for one address on all its connections. */
export const MAX_REQUESTS_IN_FLIGHT_PER_IP = 1200;

export interface WebSocketApiOptions {
  readonly sink: MethodSink;
  readonly users: UserEvents;
  readonly limits: LimitsConfig;
  readonly world: Pick<Clock, "nowMs">;
  /** Shared with the streams of the node. */
  readonly telling: TellingOrder;
}

export class WebSocketApi implements ApiConnectionOwner {
  readonly telling: TellingOrder;
  readonly #sink: MethodSink;
  #users: UserEvents;
  readonly #rateLimits: RateLimits;
  readonly #clock: () => number;
  readonly #open = new Set<ApiConnection>();
  readonly #inFlightByIp = new CountByNetwork();
  #isStopping = false;
  #requestsInFlight = 0;
  #whenDrained: (() => void) | undefined;

  constructor(options: WebSocketApiOptions) {
    this.telling = options.telling;
    this.#sink = options.sink;
    this.#users = options.users;
    this.#rateLimits = new RateLimits(options.limits.rules);
    this.#clock = options.world.nowMs;
  }

  get openConnections(): number {
    return this.#open.size;
  }

  /** A socket was opened at `WS_API_PATH`; `query` is the text after the `?`. */
  accept(peer: Peer, query: string): ApiConnection {
    const parameters = new URLSearchParams(query);
    const session = new Session({
      users: this.#users,
      send: (text) => peer.send(text),
      connection: connectionOf(peer),
      connectedMs: this.#clock(),
      returnRateLimits: parameters.get("returnRateLimits") !== "false",
    });
    const connection = new ApiConnection({
      owner: this,
      peer,
      sink: this.#sink,
      session,
      rateLimits: this.#rateLimits,
      clock: this.#clock,
    });
    this.#open.add(connection);
    if (!isTimeUnit(parameters.get("timeUnit"))) peer.close(POLICY_VIOLATION, INVALID_TIME_UNIT.msg);
    return connection;
  }

  /** Accepts no more requests, and resolves when those accepted are answered. */
  async drain(): Promise<void> {
    this.#isStopping = true;
    if (this.#requestsInFlight === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenDrained = resolve;
    });
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  takeRequest(ip: string): ApiError | null {
    if (this.#requestsInFlight >= MAX_REQUESTS_IN_FLIGHT) return SERVER_BUSY;
    if (this.#inFlightByIp.of(ip) >= MAX_REQUESTS_IN_FLIGHT_PER_IP) return TOO_MANY_QUEUED;
    this.#requestsInFlight++;
    this.#inFlightByIp.add(ip);
    return null;
  }

  requestAnswered(ip: string): void {
    this.#inFlightByIp.remove(ip);
    if (--this.#requestsInFlight === 0) this.#whenDrained?.();
  }

  connectionClosed(connection: ApiConnection): void {
    this.#open.delete(connection);
  }

  /** A lab went back under the connections, which listen to these events from now on. */
  goOn(users: UserEvents, keyOf: KeyOf): void {
    this.#users = users;
    for (const { session } of this.#open) session.goOn(users, keyOf, this.#clock());
  }

  /** An API key was deleted. */
  forgetApiKey(apiKey: string): void {
    for (const { session } of this.#open) session.forgetApiKey(apiKey, this.#clock());
  }
}
