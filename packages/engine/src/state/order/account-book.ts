/**
 * An account's open orders on one symbol, by client id: a hash table whose chains run through the orders
 * themselves. It grows and shrinks by a chain at a time (linear hashing), so that no order waits until a
 * large table is made anew. Half of a `Map`'s bytes, 0.3 to 0.8 of its time (bench/notes/engine.md).
 */
import { assert } from "../../assert.ts";
import { waitsForStop } from "../../entry/order-words.ts";
import type { Order } from "./order.ts";

/** Most account books hold few orders. */
const FEWEST_CHAINS = 4;
/** Of chains and orders there are never more than so many times as many of one as of the other. */
const MOST_TIMES = 2;

export class AccountBook {
  readonly accountId: number;
  readonly symbolId: number;
  size = 0;
  algoOrders = 0;
  icebergOrders = 0;
  /** The first order of each chain. */
  readonly #chains: (Order | null)[] = [null, null, null, null];

  constructor(accountId: number, symbolId: number) {
    this.accountId = accountId;
    this.symbolId = symbolId;
  }

  /** How many there are follows the number of orders. */
  get chainCount(): number {
    return this.#chains.length;
  }

  get(clientIdHash: number, clientOrderId: string): Order | undefined {
    let order = this.#chains[this.#chainOf(clientIdHash)] as Order | null;
    for (; order !== null; order = order.nextOfAccount) {
      if (order.clientIdHash === clientIdHash && order.clientOrderId === clientOrderId) return order;
    }
    return undefined;
  }

  /** `clientIdHash`: of its client id, the same for equal ones. */
  add(order: Order, clientIdHash: number): void {
    assert(this.get(clientIdHash, order.clientOrderId) === undefined, "open client order ids are unique");
    order.clientIdHash = clientIdHash;
    this.#link(order);
    this.#count(order, 1);
    if (this.size > this.#chains.length * MOST_TIMES) this.#splitChain();
  }

  remove(order: Order): void {
    const chain = this.#chainOf(order.clientIdHash);
    let previous: Order | null = null;
    for (let at = this.#chains[chain] as Order | null; at !== order; at = at.nextOfAccount) {
      assert(at !== null, "only an open order can be removed");
      previous = at;
    }
    if (previous === null) this.#chains[chain] = order.nextOfAccount;
    else previous.nextOfAccount = order.nextOfAccount;
    order.nextOfAccount = null;
    this.#count(order, -1);
    while (this.#chains.length > Math.max(FEWEST_CHAINS, this.size * MOST_TIMES)) this.#joinChains();
  }

  /** In no order. */
  visit(visit: (order: Order) => void): void {
    for (const first of this.#chains) for (let at = first; at !== null; at = at.nextOfAccount) visit(at);
  }

  /** The lowest bits of the hash, as many as tell all chains; one bit less where that chain is not there yet. */
  #chainOf(hash: number): number {
    const mask = maskFor(this.#chains.length);
    const chain = hash & mask;
    return chain < this.#chains.length ? chain : chain & (mask >>> 1);
  }

  #link(order: Order): void {
    const chain = this.#chainOf(order.clientIdHash);
    order.nextOfAccount = this.#chains[chain] as Order | null;
    this.#chains[chain] = order;
  }

  /** A chain more, for the orders of an earlier one of whose hashes it takes a bit more to tell. */
  #splitChain(): void {
    const added = this.#chains.length;
    const split = added & (maskFor(added + 1) >>> 1);
    const first = this.#chains[split] as Order | null;
    this.#chains[split] = null;
    this.#chains.push(null);
    this.#linkAll(first);
  }

  /** The last chain goes back to where it came from. */
  #joinChains(): void {
    this.#linkAll(this.#chains.pop() as Order | null);
  }

  #linkAll(first: Order | null): void {
    for (let order = first; order !== null; ) {
      const next: Order | null = order.nextOfAccount;
      this.#link(order);
      order = next;
    }
  }

  #count(order: Order, by: 1 | -1): void {
    this.size += by;
    if (waitsForStop(order.type)) this.algoOrders += by;
    if (order.icebergLots > 0) this.icebergOrders += by;
  }
}

/** The least row of ones that tells `chains`, two at least, apart. */
function maskFor(chains: number): number {
  return -1 >>> Math.clz32(chains - 1);
}
