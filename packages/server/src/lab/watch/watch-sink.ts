/** Tells a watch of the answers that were no success, as clients got them: faults and latency are behind it. */
import type { ApiError } from "@pricetime/protocol";
import type { Entrance, GatewayRequest, GatewayResponse, MethodRequest, Replier } from "../../api/edge/request.ts";
import { type Asked, askedOverRest, askedOverSocket } from "../faults/asked.ts";
import { MAX_WHY_CHARS } from "./limits.ts";
import type { Watch } from "./watch.ts";

const FIRST_REFUSAL = 400;

export class WatchSink implements Entrance {
  readonly #watch: Watch;
  readonly #inner: Entrance;

  constructor(watch: Watch, inner: Entrance) {
    this.#watch = watch;
    this.#inner = inner;
  }

  process(request: GatewayRequest, replier: Replier): void {
    const asked = this.#watch.isOn ? askedOverRest(request, this.#watch.view) : null;
    this.#inner.process(request, asked === null ? replier : this.#heard(asked, replier));
  }

  processMethod(request: MethodRequest, replier: Replier): void {
    const asked = this.#watch.isOn ? askedOverSocket(request, this.#watch.view) : null;
    this.#inner.processMethod(request, asked === null ? replier : this.#heard(asked, replier));
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

  #heard(asked: Asked, replier: Replier): Replier {
    const reply = (answer: GatewayResponse): void => {
      this.#note(asked, answer);
      replier.reply(answer);
    };
    if (replier.spoil === undefined) return { reply };
    return {
      reply,
      spoil: (answer, spoil) => {
        this.#note(asked, answer);
        replier.spoil?.(answer, spoil);
      },
    };
  }

  #note({ over, method, endpoint, accountId }: Asked, { status, body }: GatewayResponse): void {
    if (status < FIRST_REFUSAL) return;
    const { code = null, msg = "" } = typeof body === "string" ? refusalIn(body) : {};
    const why = msg.slice(0, MAX_WHY_CHARS);
    this.#watch.refused(accountId, { over, method, endpoint: endpoint.id, status, code, msg: why });
  }
}

function refusalIn(body: string): { readonly code?: number; readonly msg?: string } {
  try {
    const { code, msg } = JSON.parse(body) as { readonly code?: unknown; readonly msg?: unknown };
    return { ...(typeof code === "number" && { code }), ...(typeof msg === "string" && { msg }) };
  } catch {
    return { msg: body };
  }
}
