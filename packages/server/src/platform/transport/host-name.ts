/** Names that a machine has for itself alone, as a Host header or an address of a page says them. */
import { isIPv4 } from "node:net";

const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+?)\.?)(?::[0-9]{1,5})?$/;

/** The name in a Host header, in lower case, without a port and without brackets; undefined where it is none. */
export function hostName(host: string): string | undefined {
  const [, address, name = address] = HOST.exec(host.toLowerCase()) ?? [];
  return name;
}

/** Whether a name or an address, without a port and without brackets, is one of loopback. */
export function isLoopbackName(name: string): boolean {
  return name === "localhost" || name === "::1" || (isIPv4(name) && name.startsWith("127."));
}
