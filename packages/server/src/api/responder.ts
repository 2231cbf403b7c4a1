/** Converts the outcome of a request to a response, with the headers that report the use of rate limits. */
import { InvariantBroken } from "@pricetime/engine";
import {
  type ApiError,
  DISCONNECTED,
  errorBody,
  httpStatus,
  SERVER_BUSY,
  TIMEOUT,
  TIMESTAMP_TOO_OLD,
  UNKNOWN_ERROR,
  type VenueInterface,
} from "@pricetime/protocol";
import { HistoryBehind } from "../history/port.ts";
import { NotAccepted, OutcomeUnknown, WaitedTooLong } from "../journal/sequencer/port.ts";
import { ChainUnreachable } from "../funds/wallet/port.ts";
import { Refused } from "./edge/refusals.ts";
import type { IncomingRequest, Call, CallOwner, Venue } from "./call.ts";
import type { Document, GatewayResponse } from "./edge/request.ts";
import type { HeaderList, IpLimiter, LimitHeaders } from "./edge/rate-limits.ts";
import type { FreshReads } from "./fresh-reads.ts";
import type { GatewayOptions } from "./options.ts";
import type { Body } from "./answers/long-text.ts";

// Maps any error to the error that the client receives. Interface S.3, 7.6.

export interface Diagnosis {
  readonly error: ApiError;
  /** Value of the Retry-After header in seconds; 0 to omit the header. */
  readonly retryAfterSeconds: number;
  /** Value of the Allow header; "" to omit the header. */
  readonly allow: string;
  /** Whether the error is a bug in the node. After "logged" the node continues; after "fatal" it must exit. */
  readonly fault: "none" | "logged" | "fatal";
}

export function diagnose(error: unknown): Diagnosis {
  if (error instanceof Refused) {
    return { error: error.error, retryAfterSeconds: error.retryAfterSeconds, allow: error.allow, fault: "none" };
  }
  if (error instanceof WaitedTooLong) {
    return { error: TIMESTAMP_TOO_OLD, retryAfterSeconds: 0, allow: "", fault: "none" };
  }
  // Nothing was accepted, and a retry may succeed soon.
  if (error instanceof NotAccepted || error instanceof HistoryBehind) {
    return { error: SERVER_BUSY, retryAfterSeconds: 1, allow: "", fault: "none" };
  }
  // An external network is unreachable, so the client may retry.
  if (error instanceof ChainUnreachable) {
    return { error: DISCONNECTED, retryAfterSeconds: 1, allow: "", fault: "none" };
  }
  if (error instanceof OutcomeUnknown) return { error: TIMEOUT, retryAfterSeconds: 0, allow: "", fault: "none" };
  const fault = error instanceof InvariantBroken ? "fatal" : "logged";
  return { error: UNKNOWN_ERROR, retryAfterSeconds: 0, allow: "", fault };
}

type ResponderOptions = Pick<GatewayOptions, "world" | "log" | "onFatal" | "onAnswered"> & {
  readonly ipLimiter: Pick<IpLimiter, "takeBack">;
};

export class Responder implements CallOwner {
  readonly #options: ResponderOptions;
  readonly #interface: VenueInterface;
  readonly #limitHeaders: LimitHeaders;
  /** Read consistency in a cluster; undefined on a single node. */
  readonly #fresh: FreshReads | undefined;

  constructor(
    options: ResponderOptions,
    { venueInterface }: Pick<Venue, "venueInterface">,
    limitHeaders: LimitHeaders,
    fresh: FreshReads | undefined,
  ) {
    this.#options = options;
    this.#interface = venueInterface;
    this.#limitHeaders = limitHeaders;
    this.#fresh = fresh;
  }

  answer(call: Call, body: Body): void {
    if (!this.#settle(call)) return;
    const headers: HeaderList = [];
    if (call.answerStatus === 200 && this.#interface.isFree(call.endpoint)) {
      this.#options.ipLimiter.takeBack(call.incoming.ipRecord, call.incoming.weight, call.incoming.wallMs);
    }
    this.#limitHeaders.pushWeights(headers, call.incoming.ipRecord, call.incoming.wallMs);
    if (call.orderCounts !== undefined) this.#limitHeaders.pushOrderCounts(headers, call.orderCounts);
    if (call.retryAfterSeconds > 0) headers.push("Retry-After", String(call.retryAfterSeconds));
    this.#send(call.incoming, { status: call.answerStatus, headers, body });
  }

  /** Sends a document that belongs to no endpoint. */
  answerDocument(incoming: IncomingRequest, { headers: own = [], ...document }: Document): void {
    const headers: HeaderList = [...own];
    this.#limitHeaders.pushWeights(headers, incoming.ipRecord, incoming.wallMs);
    const { stream } = document;
    this.#send(incoming, { ...document, headers, ...(stream !== undefined && { stream: this.#watched(stream) }) });
  }

  /** Logs an error in the middle of a stream. The client only sees that the connection is reset. */
  #watched(stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const pieces = stream[Symbol.asyncIterator]();
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      try {
        return await pieces.next();
      } catch (error) {
        this.#report(error);
        throw error;
      }
    };
    const end = async (): Promise<IteratorResult<Uint8Array>> => {
      await pieces.return?.();
      return { done: true, value: undefined };
    };
    return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
  }

  refuse(call: Call, error: unknown): void {
    if (this.#settle(call)) this.turnAway(call.incoming, error, call.orderCounts);
    else this.#report(error);
  }

  /** Rejects a request that may not have become a call yet. */
  turnAway(incoming: IncomingRequest, reason: unknown, orderCounts?: readonly number[]): void {
    this.#report(reason);
    const { error: diagnosed, retryAfterSeconds, allow } = diagnose(reason);
    const error = this.#interface.worded(diagnosed);
    const headers: HeaderList = [];
    this.#limitHeaders.pushWeights(headers, incoming.ipRecord, incoming.wallMs);
    if (orderCounts !== undefined) this.#limitHeaders.pushOrderCounts(headers, orderCounts);
    if (retryAfterSeconds > 0) headers.push("Retry-After", String(retryAfterSeconds));
    if (allow !== "") headers.push("Allow", allow);
    const status = incoming.name === NO_ENDPOINT ? error.status : httpStatus(error, incoming.family);
    this.#send(incoming, { status, headers, body: JSON.stringify(errorBody(error, incoming.family)) });
  }

  /** Marks the call as answered. Returns false if it already was. */
  #settle(call: Call): boolean {
    if (call.isAnswered) return false;
    call.isAnswered = true;
    return true;
  }

  #send(incoming: IncomingRequest, response: GatewayResponse & { readonly headers: HeaderList }): void {
    this.#fresh?.pushHeaders(response.headers);
    try {
      incoming.replier.reply(response);
    } catch (error) {
      this.#report(error);
    }
    this.#options.onAnswered?.(incoming.name, response.status, this.#options.world.steadyMs() - incoming.startedMs);
  }

  #report(error: unknown): void {
    const { fault } = diagnose(error);
    if (fault === "none") return;
    this.#options.log.error({ err: error }, "request failed because of an internal error");
    if (fault === "fatal") this.#options.onFatal(error as Error);
  }
}

/** The endpoint name that metrics show for requests without an endpoint. */
export const NO_ENDPOINT = "none";
