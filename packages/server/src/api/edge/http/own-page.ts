/** Whether a request comes from the node's own machine, and from a page of this node. */
import { hostName, isLoopbackName } from "../../../platform/transport/http.ts";
import type { GatewayRequest, RequestHeaders } from "../request.ts";
import type { TrustedProxies } from "../client-address.ts";

// From the node's own machine and from nowhere beyond it: what only its user may see is shown to no one else. The
// address of the peer alone does not prove it: a reverse proxy on this machine sends requests of everyone, and a web
// page from elsewhere makes a browser of this machine send requests under the name of the page (DNS rebinding).

/** Headers by which a proxy says that it asks for somebody else. Lower case. */
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
 * A browser leaves `Origin` out where a page reads from its own host, and nowhere else that changes anything; a program
 * that is no browser may say what it likes, so whoever gives more than a reader gets asks for a token besides.
 */
export function isFromOwnPage(request: Pick<GatewayRequest, "method" | "peer" | "headers">): boolean {
  if (!isFromOwnMachine(request)) return false;
  const { origin, host } = request.headers;
  if (origin === undefined) return request.method === "GET";
  // TLS is the node's own here: a proxy at which it ends says so, and is not the own machine.
  return origin === `http://${String(host)}` || origin === `https://${String(host)}`;
}

// Whether a request that carries a cookie comes from a page of this node. A browser adds the cookie to what pages of
// other ports of this machine send too, for they are of the same site. So such a request has a header that a page of
// another origin may not send, because no answer of ours allows it; and where the browser says whose page it was, that is
// ours. Beyond the node's own machine all of it goes over TLS: the node's own, or that of a proxy which is trusted.

/** The header that pages send, and its value. */
export const PAGE_HEADER = "x-pricetime-page";
export const ACCOUNT_PAGE = "account";

/** Why a request is refused, in the words of the account API. */
export type NotOwnPage = "PAGE_HEADER_MISSING" | "FOREIGN_ORIGIN" | "INSECURE";

type Asked = Pick<GatewayRequest, "headers" | "peer">;

export class OwnPageGuard {
  readonly #proxies: TrustedProxies;
  readonly #isTls: boolean;

  /** `isTls`: clients connect to the node itself by TLS alone. */
  constructor(proxies: TrustedProxies, isTls: boolean) {
    this.#proxies = proxies;
    this.#isTls = isTls;
  }

  /** Null: it is from a page of this node, or from a program that says so; a program has no cookies of others. */
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

  /** Whether a socket may be opened: a browser always says whose page asks. */
  mayOpenSocket(asked: Asked): boolean {
    const scheme = this.#schemeOf(asked);
    if (scheme === null) return false;
    const { origin } = asked.headers;
    return origin === undefined || this.#isOwn(origin, scheme, asked);
  }

  /** How the browser speaks to the node, or to the proxy in front of it; null: in clear text over a network. */
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

/** As a browser writes it: in lower case, and without the scheme's own port. */
function originOf(scheme: string, host: string): string | null {
  const url = `${scheme}://${host.trim()}`;
  return URL.canParse(url) ? new URL(url).origin : null;
}

/** What the nearest proxy says, which is the one that we trust. */
function lastOf(header: RequestHeaders[string]): string | undefined {
  return typeof header === "string" ? header.split(",").at(-1)?.trim().toLowerCase() : undefined;
}
