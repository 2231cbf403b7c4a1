/** The way of requests to the exchange, and of answers back, through the latency of a lab. */
import { type ApiError, findEndpoint, findMethod, type KnownEndpoint } from "@pricetime/protocol";
import { STOPPING } from "../../api/edge/http/answers.ts";
import type { Entrance, GatewayRequest, GatewayResponse, MethodRequest, Replier } from "../../api/edge/request.ts";
import type { Delays } from "../faults/delays.ts";
import type { Latency, RequestKind } from "./latency.ts";

const PLACES: ReadonlySet<string> = new Set([
  ...["order.place", "order.test", "order.cancelReplace", "orderList.place", "orderList.place.oco"],
]);
const CANCELS: ReadonlySet<string> = new Set(["order.cancel", "openOrders.cancelAll", "orderList.cancel"]);

export class LatentSink implements Entrance {
  readonly #latency: Latency;
  readonly #delays: Delays;
  readonly #inner: Entrance;

  constructor(latency: Latency, delays: Delays, inner: Entrance) {
    this.#latency = latency;
    this.#delays = delays;
    this.#inner = inner;
  }

  process(request: GatewayRequest, replier: Replier): void {
    const { method, path } = request;
    if (this.#latency.isNone) {
      this.#inner.process(request, replier);
      return;
    }
    const endpoint = findEndpoint(method === "HEAD" ? "GET" : method, path);
    const kind = typeof endpoint === "string" ? "query" : kindOf(endpoint);
    this.#go(kind, replier, (late) => this.#inner.process(request, late));
  }

  processMethod(request: MethodRequest, replier: Replier): void {
    const endpoint = findMethod(request.method);
    const kind = endpoint === undefined ? "query" : kindOf(endpoint);
    this.#go(kind, replier, (late) => this.#inner.processMethod(request, late));
  }

  turnAway(ip: string, path: string, error: ApiError, replier: Replier): void {
    this.#inner.turnAway(ip, path, error, replier);
  }

  charge(ip: string): GatewayResponse | null {
    return this.#inner.charge(ip);
  }

  ban(ip: string): GatewayResponse | null {
    return this.#inner.ban(ip);
  }

  #go(kind: RequestKind, replier: Replier, carryOut: (replier: Replier) => void): void {
    const waitMs = this.#latency.orderEntryMs(kind);
    const late = this.#lateReplier(kind, replier);
    if (waitMs === 0) carryOut(late);
    else
      this.#delays.later(
        waitMs,
        () => carryOut(late),
        () => replier.reply(STOPPING),
      );
  }

  #lateReplier(kind: RequestKind, replier: Replier): Replier {
    const afterWait = (send: () => void): void => {
      const waitMs = this.#latency.answerMs(kind);
      if (waitMs === 0) send();
      else this.#delays.later(waitMs, send, send);
    };
    return {
      reply: (response) => afterWait(() => replier.reply(response)),
      ...(replier.spoil !== undefined && {
        spoil: (response, how) => afterWait(() => replier.spoil?.(response, how)),
      }),
    };
  }
}

function kindOf({ id }: KnownEndpoint): RequestKind {
  if (PLACES.has(id)) return "place";
  return CANCELS.has(id) ? "cancel" : "query";
}
