/** One connection to the WebSocket API: its frames in, answers out as they are done, events between them. */
import { INVALID_JSON, SHUTTING_DOWN, TOO_MANY_QUEUED, WS_API_PATH } from "@pricetime/protocol";
import type { ApiError } from "@pricetime/protocol";
import type { GatewayResponse, MethodSink } from "../../edge/request.ts";
import type { FrameSink, Peer } from "../../edge/sockets/peer.ts";
import { answerFrame, aroundResult } from "./answer.ts";
import { readFrame } from "./frame.ts";
import type { Frame } from "./frame.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Session } from "../../edge/session.ts";
import type { TellingOrder } from "../../edge/telling-order.ts";

/** Requests of one connection that wait for their answers at a time; further ones are refused. */
export const MAX_REQUESTS_WAITING = 500;
/** The client broke a rule: close code of RFC 6455. */
export const POLICY_VIOLATION = 1008;

/** What a connection asks of the API that it belongs to. */
export interface ApiConnectionOwner {
  /** Nothing new is taken. */
  readonly isStopping: boolean;
  readonly telling: TellingOrder;
  /** Null, or why this one is one too many. */
  takeRequest(ip: string): ApiError | null;
  /** One that was taken. */
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

  /** Requests are text. */
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

  #process({ id, method, values, payload, apiKey }: Frame, returnRateLimits: boolean): void {
    const { session } = this;
    const { ip } = this.#peer;
    // Only who names neither key nor signature asks as the one who is logged on.
    const isLoggedOn = session.key !== undefined && apiKey === undefined && !values.has("signature");
    const request = { method, values, payload, isLoggedOn, apiKey: apiKey ?? session.key?.apiKey, session, ip };
    this.#sink.processMethod(request, {
      reply: (response) =>
        this.#owner.telling.answer(() => {
          this.#waiting--;
          this.#answer(id, response, returnRateLimits);
          this.#owner.requestAnswered(ip);
        }),
    });
  }

  /** Counted against the address as any request. */
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
