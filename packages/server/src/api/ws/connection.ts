/** One connection to the WebSocket API: takes its frames, sends answers as they are done, and events in between. */
import { INVALID_JSON, SHUTTING_DOWN, TOO_MANY_QUEUED, WS_API_PATH } from "@pricetime/protocol";
import type { ApiError } from "@pricetime/protocol";
import { textOf } from "../answers/long-text.ts";
import type { GatewayResponse, MethodSink } from "../edge/request.ts";
import type { FrameSink, Peer } from "../edge/sockets/peer.ts";
import { answerFrame, aroundResult } from "./answer.ts";
import { readFrame } from "./frame.ts";
import type { Frame } from "./frame.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Session } from "../edge/session.ts";
import type { TellingOrder } from "../edge/telling-order.ts";

/** Requests of one connection that may wait for their answers; further ones are refused. */
export const MAX_REQUESTS_WAITING = 500;
/** The client broke a rule: close code of RFC 6455. */
export const POLICY_VIOLATION = 1008;

/** The interface of the API for its connections. */
export interface ApiConnectionOwner {
  /** No new requests are accepted. */
  readonly isStopping: boolean;
  readonly telling: TellingOrder;
  /** Null, or why this request is one too many. */
  takeRequest(ip: string): ApiError | null;
  /** A request that was taken has its answer. */
  requestAnswered(ip: string): void;
  /** The socket is gone. */
  connectionClosed(connection: ApiConnection): void;
}

export interface ApiConnectionOptions {
  readonly owner: ApiConnectionOwner;
  readonly peer: Peer;
  readonly sink: MethodSink;
  readonly session: Session;
  readonly rateLimits: RateLimits;
  readonly clock: () => number;
}

export class ApiConnection implements FrameSink {
  readonly session: Session;
  readonly #owner: ApiConnectionOwner;
  readonly #peer: Peer;
  readonly #sink: MethodSink;
  readonly #rateLimits: RateLimits;
  readonly #clock: () => number;
  #waiting = 0;
  #isOpen = true;

  constructor(options: ApiConnectionOptions) {
    this.session = options.session;
    this.#owner = options.owner;
    this.#peer = options.peer;
    this.#sink = options.sink;
    this.#rateLimits = options.rateLimits;
    this.#clock = options.clock;
  }

  /** A text frame. */
  receive(text: string): void {
    if (!this.#isOpen) return;
    const frame = readFrame(text);
    if ("error" in frame) {
      this.#turnAway(frame.id, frame.error, this.session.returnRateLimits);
      return;
    }
    const returnRateLimits = frame.returnRateLimits ?? this.session.returnRateLimits;
    const refusal = this.#take();
    if (refusal === null) this.#process(frame, returnRateLimits);
    else this.#turnAway(frame.id, refusal, returnRateLimits);
  }

  /** Binary frames are a mistake: requests are text. */
  receiveBinary(): void {
    if (this.#isOpen) this.#turnAway("null", INVALID_JSON, this.session.returnRateLimits);
  }

  closed(): void {
    this.#isOpen = false;
    this.session.close();
    this.#owner.connectionClosed(this);
  }

  #take(): ApiError | null {
    if (this.#owner.isStopping) return SHUTTING_DOWN;
    if (this.#waiting >= MAX_REQUESTS_WAITING) return TOO_MANY_QUEUED;
    const refusal = this.#owner.takeRequest(this.#peer.ip);
    if (refusal === null) this.#waiting++;
    return refusal;
  }

  #process(frame: Frame, returnRateLimits: boolean): void {
    const { session } = this;
    const { id, method, values, payload, payloadWithNulls, apiKey } = frame;
    const { ip } = this.#peer;
    // A request acts for the key that is logged on only if it names neither key nor signature.
    const isLoggedOn = session.key !== undefined && apiKey === undefined && !values.has("signature");
    const signed = { values, payload, payloadWithNulls, isLoggedOn };
    const request = { method, ...signed, apiKey: apiKey ?? session.key?.apiKey, session, ip };
    this.#sink.processMethod(request, {
      reply: (response) =>
        this.#owner.telling.answer(() => {
          this.#waiting--;
          this.#answer(id, response, returnRateLimits);
          this.#owner.requestAnswered(ip);
        }),
      spoil: (response, spoil) =>
        this.#owner.telling.answer(() => {
          this.#waiting--;
          if (this.#isOpen) this.#peer.spoil?.(this.#wholeFrame(id, response, returnRateLimits), spoil);
          this.#owner.requestAnswered(ip);
        }),
    });
  }

  #wholeFrame(id: string, response: GatewayResponse, returnRateLimits: boolean): string {
    const rateLimits = returnRateLimits ? this.#rateLimits.json(response.headers) : "";
    return answerFrame(id, { ...response, body: textOf(response.body) }, rateLimits, this.#clock());
  }

  /** Counted against the address like any request. */
  #turnAway(id: string, error: ApiError, returnRateLimits: boolean): void {
    this.#sink.turnAway(this.#peer.ip, WS_API_PATH, error, {
      reply: (response) => this.#owner.telling.answer(() => this.#answer(id, response, returnRateLimits)),
    });
  }

  #answer(id: string, response: GatewayResponse, returnRateLimits: boolean): void {
    if (!this.#isOpen) return;
    const rateLimits = returnRateLimits ? this.#rateLimits.json(response.headers) : "";
    const { body } = response;
    if (typeof body === "string") {
      this.#peer.send(answerFrame(id, { ...response, body }, rateLimits, this.#clock()));
    } else {
      const [before, behind] = aroundResult(id, rateLimits);
      this.#peer.sendParts(before + body.head, body.text, behind);
    }
    if (response.status === 418) this.#peer.close(POLICY_VIOLATION, "banned");
  }
}
