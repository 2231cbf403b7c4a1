/**
 * Whether a request comes from the node's own machine and from nowhere beyond it: what only its own user may see is
 * shown to no other. The peer alone does not say so: a reverse proxy on this machine speaks for everybody, and a web page
 * from elsewhere makes a browser of this machine ask under the page's name (DNS rebinding).
 */
import { hostName, isLoopbackName } from "../../../platform/transport/host-name.ts";
import type { GatewayRequest } from "../request.ts";

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
