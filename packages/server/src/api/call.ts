/** A request in the gateway whose endpoint and sender have been determined. */
import type { AccountView, ApiKey, Command, EngineView, RejectReason } from "@pricetime/engine";
import {
  type Answer,
  type ApiError,
  DEFAULT_RECV_WINDOW_MS,
  type EndpointId,
  type Family,
  integerOf,
  type KnownEndpoint,
  limitOf,
  type OrderType,
  type RejectContext,
  REJECTED_API_KEY,
  rejectError,
  symbolsOf,
  timeOf,
  type VenueInterface,
} from "@pricetime/protocol";
import type { History } from "../history/port.ts";
import type { Outcome, Sequencer } from "../journal/sequencer/port.ts";
import type { Ids } from "./ids.ts";
import type { IpRecord, OrderLimiter } from "./edge/rate-limits.ts";
import type { LimitsConfig } from "./edge/rate-limit-rules.ts";
import { Refused } from "./edge/refusals.ts";
import type { MaybeLong, Turns } from "./answers/long-list.ts";
import type { Body } from "./answers/long-text.ts";
import type { Replier } from "./edge/request.ts";
import type { ExchangeInfo } from "./exchange-info.ts";
import type { Session } from "./edge/session.ts";
import type { WalletPorts } from "./options.ts";

/** The services and state that handlers use to serve requests. */
export interface Venue {
  /** The engine in its current state. It may be replaced, so do not keep a reference across an await. */
  readonly engine: EngineView;
  readonly sequencer: Sequencer;
  readonly history: History;
  readonly limits: LimitsConfig;
  readonly venueInterface: VenueInterface;
  /** Whether requests that wait for their batch are checked against their `recvWindow` again. */
  readonly checksTimeTwice: boolean;
  readonly orderLimiter: OrderLimiter;
  readonly ids: Ids;
  readonly walletPorts: WalletPorts;
  /** Generates long responses in pieces. */
  readonly turns: Turns;
  readonly exchangeInfo: ExchangeInfo;
}

/** A request before it is authenticated. */
export interface IncomingRequest {
  readonly replier: Replier;
  readonly ipRecord: IpRecord;
  readonly wallMs: number;
  /** Arrival time on the monotonic clock. */
  readonly startedMs: number;
  /** The weight that was counted for the request. */
  readonly weight: number;
  readonly family: Family;
  /** The endpoint's id or "none", for metrics. */
  readonly name: string;
}

/** Sends the responses of calls. */
export interface CallOwner {
  answer(call: Call, body: Body): void;
  refuse(call: Call, error: unknown): void;
}

/**
 * Handles an endpoint: returns the JSON of the response or a promise of it, or throws `Refused`. If it returns
 * `DEFERRED`, it calls `call.answer` or `call.refuse` later.
 */
export type Handler = (call: Call) => Body | Promise<Body> | typeof DEFERRED;
export const DEFERRED = Symbol("deferred");

export interface CallFields {
  readonly incoming: IncomingRequest;
  readonly endpoint: KnownEndpoint;
  readonly values: ReadonlyMap<string, string>;
  /** The sender's key; undefined if the endpoint needs no key. */
  readonly apiKey: ApiKey | undefined;
  /** The request was authenticated by a session instead of a key. `apiKey` then holds the session's permissions. */
  readonly isBySession?: true;
  /** The session of the connection. Only for requests of the WebSocket API. */
  readonly session?: Session | undefined;
  /** The exchange's time. Never earlier than the time of the last entry. */
  readonly nowMs: number;
}

export class Call {
  readonly venue: Venue;
  readonly endpoint: KnownEndpoint;
  readonly incoming: IncomingRequest;
  readonly nowMs: number;
  readonly values: ReadonlyMap<string, string>;
  readonly isBySession: boolean;
  /** The account's order counts including the orders of this call, for the response headers. */
  orderCounts: readonly number[] | undefined;
  /** The HTTP status of the response. It differs from 200 if part of the request failed. */
  answerStatus = 200;
  /** Value of the Retry-After header in seconds, if `answerStatus` is 429; 0 to omit the header. */
  retryAfterSeconds = 0;
  isAnswered = false;
  readonly #owner: CallOwner;
  readonly #apiKey: ApiKey | undefined;
  readonly #session: Session | undefined;

  constructor(owner: CallOwner, venue: Venue, fields: CallFields) {
    this.#owner = owner;
    this.venue = venue;
    this.incoming = fields.incoming;
    this.endpoint = fields.endpoint;
    this.values = fields.values;
    this.#apiKey = fields.apiKey;
    this.#session = fields.session;
    this.isBySession = fields.isBySession === true;
    this.nowMs = fields.nowMs;
  }

  /** The wall clock, which rate limits use. */
  get wallMs(): number {
    return this.incoming.wallMs;
  }

  answer(body: Body): void {
    this.#owner.answer(this, body);
  }

  refuse(error: unknown): void {
    this.#owner.refuse(this, error);
  }

  /** The API key of the request. Call only for endpoints that need a key. */
  apiKey(): ApiKey {
    if (this.#apiKey === undefined) throw new TypeError(`${this.endpoint.id} asks for no key`);
    return this.#apiKey;
  }

  accountId(): number {
    return this.apiKey().accountId;
  }

  /** The session of the connection. Call only for methods that exist only in the WebSocket API. */
  session(): Session {
    if (this.#session === undefined) throw new TypeError(`${this.endpoint.id} came without a connection`);
    return this.#session;
  }

  get isOverWebSocket(): boolean {
    return this.#session !== undefined;
  }

  account(): AccountView {
    const account = this.venue.engine.account(this.accountId());
    if (account === undefined) throw new Refused(REJECTED_API_KEY);
    return account;
  }

  /** The value of a mandatory parameter. */
  text(name: string): string {
    return this.values.get(name) ?? "";
  }

  optionalText(name: string): string | undefined {
    return this.values.get(name);
  }

  integer(name: string): number | undefined {
    return integerOf(this.values, name);
  }

  /** A time in milliseconds, of a parameter that may be in microseconds. */
  time(name: "startTime" | "endTime"): number | undefined {
    return timeOf(this.values, name, name === "startTime" ? Math.ceil : Math.floor);
  }

  /** The last time at which the request may be carried out; undefined if it states no time. */
  untilMs(): number | undefined {
    const timestampMs = timeOf(this.values, "timestamp");
    return timestampMs && timestampMs + Number(this.values.get("recvWindow") ?? DEFAULT_RECV_WINDOW_MS);
  }

  /** The value of `limit`. Call only for endpoints with this parameter. */
  limit(): number {
    return limitOf(this.endpoint, this.values);
  }

  symbols(): readonly string[] | undefined {
    const list = this.values.get("symbols");
    return list === undefined ? undefined : symbolsOf(list);
  }
}

/** Serializes the response of an endpoint as JSON. The compiler checks its shape. */
export function json<Id extends EndpointId>(answer: Answer<Id>): string {
  return JSON.stringify(answer);
}

export async function answerLater(call: Call, body: Promise<Body>): Promise<void> {
  try {
    call.answer(await body);
  } catch (error) {
    call.refuse(error);
  }
}

// Submits a command for a call and converts its outcome to the response. Endpoints change state only this way.

/** How rejections of the engine are reported: by the kind of request, or by the endpoint's own table. */
type RefusalWords =
  | {
      readonly context: RejectContext;
      /** The order type named in the error message. */
      readonly orderType?: OrderType;
    }
  | { readonly refusal: (reason: RejectReason) => ApiError };

export type Submission = RefusalWords & SubmissionEnd;

interface SubmissionEnd {
  /** Builds the response from the outcome. Called while the engine's state is that just after the command's entry. */
  readonly body: (outcome: Outcome) => MaybeLong;
  /**
   * Builds the response to a command rejected only because the same command was applied before. If absent, such a
   * request is rejected.
   */
  readonly repeated?: () => string;
  /** Builds the response to a rejected command. If absent, the request is rejected. */
  readonly rejected?: (reason: RejectReason) => string;
  /** Called with the outcome before the response is sent. */
  readonly settled?: (outcome: Outcome | Error) => void;
}

export function refusalOf(reason: RejectReason, context: RejectContext, orderType?: OrderType): Refused {
  return new Refused(rejectError(reason, context, orderType));
}

function refusalIn(reason: RejectReason, words: RefusalWords): Refused {
  return "refusal" in words ? new Refused(words.refusal(reason)) : refusalOf(reason, words.context, words.orderType);
}

export function submit(call: Call, command: Command, submission: Submission): typeof DEFERRED {
  const settle = (outcome: Outcome | Error): void => {
    try {
      submission.settled?.(outcome);
      if (outcome instanceof Error) {
        call.refuse(outcome);
        return;
      }
      const first = outcome.events[0];
      if (first?.type === "rejected" && first.reason === "ALREADY_EXISTS" && submission.repeated !== undefined) {
        call.answer(submission.repeated());
        return;
      }
      if (first?.type === "rejected" && submission.rejected !== undefined) {
        call.answer(submission.rejected(first.reason));
        return;
      }
      if (first?.type === "rejected") {
        call.refuse(refusalIn(first.reason, submission));
        return;
      }
      const body = submission.body(outcome);
      if (body instanceof Promise) void answerLater(call, body);
      else call.answer(body);
    } catch (error) {
      call.refuse(error);
    }
  };
  call.venue.sequencer.submit(command, settle, call.venue.checksTimeTwice ? call.untilMs() : undefined);
  return DEFERRED;
}
