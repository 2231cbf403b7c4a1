/** Counts something by address: connections, requests. An IPv6 /64 is one address. */
import { networkOf } from "./network.ts";

export class CountByNetwork {
  readonly #counts = new Map<string, number>();

  of(ip: string): number {
    return this.#counts.get(networkOf(ip)) ?? 0;
  }

  /** Adds one and returns the new count. */
  add(ip: string): number {
    const network = networkOf(ip);
    const count = (this.#counts.get(network) ?? 0) + 1;
    this.#counts.set(network, count);
    return count;
  }

  /** Takes back one `add`. */
  remove(ip: string): void {
    const network = networkOf(ip);
    const left = (this.#counts.get(network) ?? 0) - 1;
    if (left > 0) this.#counts.set(network, left);
    else this.#counts.delete(network);
  }

  /** Number of addresses with a count. */
  get size(): number {
    return this.#counts.size;
  }
}
