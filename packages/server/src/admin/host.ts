/**
 * The names under which the admin port may be asked. A web page can make a browser call any port of its own machine
 * under the page's name (DNS rebinding), and then read the answer, so only our own names are accepted.
 */
import { isIPv4 } from "node:net";

const HOST = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+?)\.?)(?::[0-9]{1,5})?$/;

export class OwnHosts {
  readonly #others: ReadonlySet<string>;

  /** `others` are names and addresses besides those of loopback, without a port. */
  constructor(others: readonly string[]) {
    this.#others = new Set(others.map((host) => host.toLowerCase()));
  }

  /** `host` is the Host header. Browsers always send it; an HTTP/1.0 probe may leave it out. */
  has(host: string | undefined): boolean {
    if (host === undefined) return true;
    const [, address, name = address] = HOST.exec(host.toLowerCase()) ?? [];
    return name !== undefined && (isLoopback(name) || this.#others.has(name));
  }
}

function isLoopback(name: string): boolean {
  return name === "localhost" || name === "::1" || (isIPv4(name) && name.startsWith("127."));
}
