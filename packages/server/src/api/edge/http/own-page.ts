/** Checks whether a request comes from this machine and from a page of this node. */
import { hostName, isLoopbackName } from "../../../platform/transport/http.ts";
import type { GatewayRequest, RequestHeaders } from "../request.ts";
import type { TrustedProxies } from "../client-address.ts";

// Detects requests that originate on this machine, for data that only its user may see. The peer address alone proves
// nothing: a reverse proxy on this machine forwards requests of other clients, and a web page can make a browser on
// this machine send requests under the page's host name (DNS rebinding).

/** Headers that proxies add, in lower case. */
export const FORWARDING_HEADERS: readonly string[] = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
  "x-forwarded-server",
  "x-real-ip",
];

export function isFromOwnMachine({ peer, headers }: Pick<GatewayRequest, "peer" | "headers">): boolean {
  if (peer === undefined || !isLoopbackName(peer)) return false;
  const { host } = headers;
  const name = typeof host === "string" ? hostName(host) : undefined;
  if (name === undefined || !isLoopbackName(name)) return false;
  return FORWARDING_HEADERS.every((header) => headers[header] === undefined);
}

/**
 * Browsers omit `Origin` only in read requests to the page's own host. Programs can send any value, so routes that
 * allow more than reading also require a token.
 */
export function isFromOwnPage(request: Pick<GatewayRequest, "method" | "peer" | "headers">): boolean {
  if (!isFromOwnMachine(request)) return false;
  const { origin, host } = request.headers;
  if (origin === undefined) return request.method === "GET";
  // An `https` origin means that this node terminates TLS: a proxy would add a forwarding header, and its requests do
  // not count as local.
  return origin === `http://${String(host)}` || origin === `https://${String(host)}`;
}

// Checks whether a request with a session cookie comes from a page of this node. Browsers also send the cookie with
// requests from pages on other ports of this machine, because these are the same site. So the request must have a
// header that CORS does not let pages of other origins send, and if the browser reports the origin, it must be ours.
// Requests from other machines must use TLS, terminated by the node or a trusted proxy.

/** The header that our pages send, and its value. */
export const PAGE_HEADER = "x-pricetime-page";
export const ACCOUNT_PAGE = "account";

/**
 * The header in which a page names its session. After a sign-in as another customer in another tab, the cookie is that
 * customer's, and a page that still shows the previous account must not act for the new one.
 */
const SESSION_HEADER = "x-pricetime-session";

/** Whether the page names another session than the cookie's. */
export function namesOtherSession({ headers }: Pick<GatewayRequest, "headers">, sessionId: string): boolean {
  const named = headers[SESSION_HEADER];
  return named !== undefined && named !== sessionId;
}

/** Why a request is rejected, as reported by the account API. */
export type NotOwnPage = "PAGE_HEADER_MISSING" | "FOREIGN_ORIGIN" | "INSECURE";

type Asked = Pick<GatewayRequest, "headers" | "peer">;

export class OwnPageGuard {
  readonly #proxies: TrustedProxies;
  readonly #isTls: boolean;

  /** `isTls`: clients connect to the node only by TLS. */
  constructor(proxies: TrustedProxies, isTls: boolean) {
    this.#proxies = proxies;
    this.#isTls = isTls;
  }

  /**
   * Returns null if the request is from a page of this node, or from a program that imitates one; programs do not have
   * the cookies of other users.
   */
  refusalOf(asked: Asked): NotOwnPage | null {
    const { headers } = asked;
    if (headers[PAGE_HEADER] !== ACCOUNT_PAGE) return "PAGE_HEADER_MISSING";
    const scheme = this.#schemeOf(asked);
    if (scheme === null) return "INSECURE";
    const site = headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin") return "FOREIGN_ORIGIN";
    const { origin } = headers;
    return origin === undefined || this.#isOwn(origin, scheme, asked) ? null : "FOREIGN_ORIGIN";
  }

  /** Whether a socket may be opened. Browsers always send the origin of the page. */
  mayOpenSocket(asked: Asked): boolean {
    const scheme = this.#schemeOf(asked);
    if (scheme === null) return false;
    const { origin } = asked.headers;
    return origin === undefined || this.#isOwn(origin, scheme, asked);
  }

  /**
   * The scheme between the browser and the node, or the proxy in front of it; null if the connection is unencrypted and
   * crosses a network.
   */
  #schemeOf(asked: Asked): "http" | "https" | null {
    const { headers, peer } = asked;
    if (this.#proxies.trusts(peer ?? "")) return lastOf(headers["x-forwarded-proto"]) === "https" ? "https" : null;
    if (this.#isTls) return "https";
    return isFromOwnMachine(asked) ? "http" : null;
  }

  #isOwn(origin: string | string[], scheme: string, { headers, peer }: Asked): boolean {
    if (typeof origin !== "string") return false;
    const forwarded = this.#proxies.trusts(peer ?? "") ? headers["x-forwarded-host"] : undefined;
    return [headers["host"], forwarded].some((host) => typeof host === "string" && originOf(scheme, host) === origin);
  }
}

/** The origin as browsers write it: in lower case, and without the scheme's default port. */
function originOf(scheme: string, host: string): string | null {
  const url = `${scheme}://${host.trim()}`;
  return URL.canParse(url) ? new URL(url).origin : null;
}

/** The value added by the nearest proxy, which is the trusted one. */
function lastOf(header: RequestHeaders[string]): string | undefined {
  return typeof header === "string" ? header.split(",").at(-1)?.trim().toLowerCase() : undefined;
}
