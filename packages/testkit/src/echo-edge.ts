/** An HTTP edge in front of a gateway that echoes requests, and a client for it. */
import {
  type GatewayRequest,
  type GatewayResponse,
  HttpEdge,
  type HttpEdgeOptions,
  type HttpLimits,
  MACHINE,
  type Replier,
  type RequestSink,
  SendQueue,
  TrustedProxies,
} from "@pricetime/server/parts";

/** More bytes than the operating system buffers for a client that does not read. */
export const HUGE_BYTES = 24 * 1024 * 1024;

const bodies: ReadonlyMap<string, string> = new Map([
  ["/large", JSON.stringify("x".repeat(100_000))],
  ["/huge", JSON.stringify("x".repeat(HUGE_BYTES - 2))],
]);

/** Answers with the received request. The path selects the form of the answer. */
export class EchoSink implements RequestSink {
  readonly seen: GatewayRequest[] = [];
  readonly held: (() => void)[] = [];

  /** The arguments of all calls of `charge`. */
  readonly charged: string[] = [];
  /** If set, every request gets this rejection. */
  refusal: GatewayResponse | null = null;

  charge(ip: string): GatewayResponse | null {
    this.charged.push(ip);
    return this.refusal;
  }

  ban(): GatewayResponse | null {
    return this.refusal;
  }

  process(request: GatewayRequest, replier: Replier): void {
    this.seen.push(request);
    const { method, path, query, body, ip } = request;
    const answer = () =>
      replier.reply({
        status: 200,
        headers: ["X-Echo", "yes"],
        body: bodies.get(path) ?? JSON.stringify({ method, path, query, body, ip }),
      });
    if (path === "/slow") setTimeout(answer, 100);
    else if (path === "/held") this.held.push(answer);
    else answer();
  }

  turnAway(_ip: string, _path: string, error: { code: number; msg: string; status: number }, replier: Replier): void {
    replier.reply({ status: error.status, headers: [], body: JSON.stringify({ code: error.code, msg: error.msg }) });
  }
}

export function startEdge(to: RequestSink, limits: HttpLimits, more: Partial<HttpEdgeOptions> = {}): HttpEdge {
  const sendQueue = new SendQueue();
  const trustedProxies = new TrustedProxies([]);
  return new HttpEdge(to, {
    world: MACHINE,
    sendQueue,
    limits,
    trustedProxies,
    exposedHeaders: "X-Echo",
    allowedHeaders: "X-Sent",
    ...more,
  });
}

export const get = (path: string, headers = ""): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
export const post = (path: string, headers: string, body = ""): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;
