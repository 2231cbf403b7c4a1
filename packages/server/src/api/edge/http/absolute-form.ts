/**
 * Request targets in absolute form (`GET http://host/path`), which a server must accept (RFC 9112, 3.2.2). The host is then
 * that of the target, and the Host header does not count: every check of a host would otherwise see another host than the
 * one that was asked for, and DNS rebinding would pass it.
 */
import { hostName } from "../../../platform/transport/host-name.ts";
import type { RequestHeaders } from "../request.ts";

interface Target {
  /** Path and query. */
  readonly url: string;
  readonly headers: RequestHeaders;
}

/** No user, no fragment; the path may be empty. */
const ABSOLUTE = /^https?:\/\/([^/?#@]+)([^#]*)$/i;

/** The target in origin form; as it came where it is in no other, or its path is none of those that `accepts` allows. */
export function inOriginForm(target: Target, accepts: (path: string) => boolean): Target {
  if (target.url.startsWith("/")) return target;
  const [, authority = "", rest = ""] = ABSOLUTE.exec(target.url) ?? [];
  const isAccepted = hostName(authority) !== undefined && accepts(rest.split("?", 1)[0] ?? "");
  return isAccepted ? { url: rest, headers: { ...target.headers, host: authority } } : target;
}
