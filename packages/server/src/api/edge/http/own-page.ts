/** Whether a request comes from the node's own machine, and from a page of this node. */
import type { GatewayRequest } from "../request.ts";
import { isFromOwnMachine } from "./own-machine.ts";

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
