/** How many connections each address has open. */
import { apiError } from "@pricetime/protocol";

export const TOO_MANY_CONNECTIONS = apiError(
  -1003,
  "Too many open connections; please use one connection for many streams.",
);
/** Nobody knows when the address will close one: a guess for Retry-After. */
export const TOO_MANY_CONNECTIONS_RETRY_SECONDS = 60;

export class OpenByIp {
  readonly #counts = new Map<string, number>();

  of(ip: string): number {
    return this.#counts.get(ip) ?? 0;
  }

  opened(ip: string): void {
    this.#counts.set(ip, this.of(ip) + 1);
  }

  closed(ip: string): void {
    const left = this.of(ip) - 1;
    if (left > 0) this.#counts.set(ip, left);
    else this.#counts.delete(ip);
  }
}
