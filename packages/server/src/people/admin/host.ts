/**
 * The names under which the admin port may be asked. A web page can make a browser call any port of its own machine
 * under the page's name (DNS rebinding), and then read the answer, so only our own names are accepted.
 */
import { hostName, isLoopbackName } from "../../platform/transport/host-name.ts";

export class OwnHosts {
  readonly #others: ReadonlySet<string>;

  /** `others` are names and addresses besides those of loopback, without a port. */
  constructor(others: readonly string[]) {
    this.#others = new Set(others.map((host) => host.toLowerCase()));
  }

  /** `host` is the Host header. Browsers always send it; an HTTP/1.0 probe may leave it out. */
  has(host: string | undefined): boolean {
    if (host === undefined) return true;
    const name = hostName(host);
    return name !== undefined && (isLoopbackName(name) || this.#others.has(name));
  }
}
