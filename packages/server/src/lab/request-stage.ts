/** The stages through which requests from outside reach the gateway of a lab: admission, watch, latency and faults. */
import type { ApiError } from "@pricetime/protocol";
import type { Entrance, GatewayRequest, GatewayResponse, MethodRequest, Replier } from "../api/edge/request.ts";

export abstract class RequestStage implements Entrance {
  /** The stage that receives the requests next. */
  inner: Entrance;

  constructor(inner: Entrance) {
    this.inner = inner;
  }

  abstract process(request: GatewayRequest, replier: Replier): void;

  abstract processMethod(request: MethodRequest, replier: Replier): void;

  turnAway(ip: string, path: string, error: ApiError, replier: Replier): void {
    this.inner.turnAway(ip, path, error, replier);
  }

  charge(ip: string, weight?: number): GatewayResponse | null {
    return this.inner.charge(ip, weight);
  }

  ban(ip: string): GatewayResponse | null {
    return this.inner.ban(ip);
  }
}

/** Returns a replier whose responses are passed to `pass`, which sends them or others instead, now or later. */
export function onReply(
  replier: Replier,
  pass: (response: GatewayResponse, send: (response: GatewayResponse) => void) => void,
): Replier {
  return {
    reply: (response) => pass(response, (sent) => replier.reply(sent)),
    ...(replier.spoil !== undefined && {
      spoil: (response, how) => pass(response, (sent) => replier.spoil?.(sent, how)),
    }),
  };
}
