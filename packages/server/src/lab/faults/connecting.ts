/** Somebody who connects, and whether a fault is meant for him. */
import type { ConnectionFault } from "./fault.ts";

/** `path`: of a WebSocket that is to be opened; absent: the connection itself is. */
export interface Connecting {
  readonly ip: string;
  readonly path?: string;
}

export function connectionMatch(fault: ConnectionFault): (connecting: Connecting) => boolean {
  if (fault.fault === "refuse") return ({ path }) => path === undefined;
  const { path: named } = fault.where;
  return ({ path }) => path !== undefined && (named === undefined || path === named || path.startsWith(`${named}/`));
}
