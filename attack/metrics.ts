/** Reads the node's metrics. */
import { type Exchange, metric } from "@pricetime/testkit/venue";

export function openConnections(exchange: Pick<Exchange, "admin">): Promise<number> {
  return metric(exchange, "pricetime_open_connections");
}
