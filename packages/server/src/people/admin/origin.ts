/**
 * Whose page a request to the admin port comes from. A browser names it: in `Origin` when it sends something or reads
 * from elsewhere, in `Sec-Fetch-Site` always. Programs that are no browser name nobody. Every other page is a stranger,
 * also one of another port of this host, which the browser calls `same-site`: the terminal's is one.
 */
import type { IncomingHttpHeaders } from "node:http";

/** The relations that a browser states: of the page itself, and of an address that somebody typed. */
const OWN_RELATIONS: ReadonlySet<unknown> = new Set([undefined, "same-origin", "none"]);

/** Whether the request comes from a page of this port, or from no page. */
export function isFromOwnPage({ origin, host, "sec-fetch-site": relation }: IncomingHttpHeaders): boolean {
  return OWN_RELATIONS.has(relation) && (origin === undefined || isOrigin(origin, host));
}

/**
 * Whether a browser goes to this address and shows what it gets, following a link of whatever page. That page can read
 * nothing of it, and frames are forbidden.
 */
export function isVisit({ origin, "sec-fetch-mode": mode, "sec-fetch-dest": target }: IncomingHttpHeaders): boolean {
  return mode === "navigate" && target === "document" && origin === undefined;
}

/** Whether the origin is that of the pages which are asked for under this name and port. */
function isOrigin(origin: string, host = ""): boolean {
  const [, named] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  return named !== undefined && named.toLowerCase() === host.toLowerCase();
}
