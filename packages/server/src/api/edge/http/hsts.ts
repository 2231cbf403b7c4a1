/**
 * Tells browsers to ask this name by TLS alone. RFC 6797. It holds for every port of the name, so a name of loopback, where
 * programs of all kinds speak plain HTTP, never gets it. An address gets none from browsers.
 */
import { hostName, isLoopbackName } from "../../../platform/transport/host-name.ts";
import type { HeaderList } from "../limits/headers.ts";
import type { RequestHeaders } from "../request.ts";

const NOTHING_TOLD: HeaderList = [];

export class Hsts {
  readonly #told: HeaderList;

  /** 0: nobody is told. */
  constructor(seconds: number) {
    this.#told = seconds === 0 ? NOTHING_TOLD : ["Strict-Transport-Security", `max-age=${seconds}`];
  }

  /** The header of an answer to this request, which came by TLS. */
  of({ host }: RequestHeaders): HeaderList {
    const name = typeof host === "string" ? hostName(host) : undefined;
    return name === undefined || isLoopbackName(name) ? NOTHING_TOLD : this.#told;
  }
}
