/**
 * An account's open orders on one symbol, by client id: a hash table whose chains run through the orders themselves. It
 * grows and shrinks by one chain at a time (linear hashing), so that no order waits while a large table is rebuilt.
 * Half of a `Map`'s bytes, 0.3 to 0.8 of its time (bench/notes/engine.md).
 */
import { assert } from "../../assert.ts";
import { waitsForStop } from "../../entry/order-words.ts";
import type { Order } from "./order.ts";
import type { TextHash } from "./text-hash.ts";

/** Most account books hold few orders. */
const FEWEST_CHAINS = 4;
/** The most orders for each chain, and the most chains for each order. */
const MOST_TIMES = 2;

export class AccountBook {
  readonly accountId: number;
  readonly symbolId: number;
  size = 0;
  algoOrders = 0;
  icebergOrders = 0;
  /** Whether it is among the books that were emptied last. */
  isEmptied = false;
  /** The first order of each chain. */
  private readonly chains: (Order | null)[] = [null, null, null, null];

  constructor(accountId: number, symbolId: number) {
    this.accountId = accountId;
    this.symbolId = symbolId;
  }

  /** The number of chains follows the number of orders. */
  get chainCount(): number {
    return this.chains.length;
  }

  get(clientIdHash: number, clientOrderId: string): Order | undefined {
    let order = this.chains[this.chainOf(clientIdHash)] as Order | null;
    for (; order !== null; order = order.nextOfAccount) {
      if (order.clientIdHash === clientIdHash && order.clientOrderId === clientOrderId) return order;
    }
    return undefined;
  }

  /** `clientIdHash` is the hash of its client id. */
  add(order: Order, clientIdHash: number): void {
    assert(this.get(clientIdHash, order.clientOrderId) === undefined, "open client order ids are unique");
    order.clientIdHash = clientIdHash;
    this.link(order);
    this.count(order, 1);
    if (this.size > this.chains.length * MOST_TIMES) this.splitChain();
  }

  remove(order: Order): void {
    const chain = this.chainOf(order.clientIdHash);
    let previous: Order | null = null;
    for (let at = this.chains[chain] as Order | null; at !== order; at = at.nextOfAccount) {
      assert(at !== null, "only an open order can be removed");
      previous = at;
    }
    if (previous === null) this.chains[chain] = order.nextOfAccount;
    else previous.nextOfAccount = order.nextOfAccount;
    order.nextOfAccount = null;
    this.count(order, -1);
    while (this.chains.length > Math.max(FEWEST_CHAINS, this.size * MOST_TIMES)) this.joinChains();
  }

  /** Visits all orders in no particular order. */
  visit(visit: (order: Order) => void): void {
    for (const first of this.chains) for (let at = first; at !== null; at = at.nextOfAccount) visit(at);
  }

  /** Throws when an order is not in the chain of its client id, or the counts are not those of the orders. */
  check(hash: TextHash): void {
    let [size, algoOrders, icebergOrders] = [0, 0, 0];
    for (const [chain, first] of this.chains.entries()) {
      for (let order = first; order !== null; order = order.nextOfAccount) {
        assert(order.clientIdHash === hash.made(order.clientOrderId), "an order has the hash of its client id");
        assert(this.chainOf(order.clientIdHash) === chain, "an order is found by its client id");
        const isOf = order.accountId === this.accountId && order.symbolId === this.symbolId;
        assert(isOf, "an order is in the book of its account");
        size++;
        if (waitsForStop(order.type)) algoOrders++;
        if (order.icebergLots > 0) icebergOrders++;
      }
    }
    const isCounted = size === this.size && algoOrders === this.algoOrders && icebergOrders === this.icebergOrders;
    assert(isCounted, "an account's orders on a symbol are counted");
  }

  /** The lowest bits of the hash that number all chains; one bit less where that chain does not exist yet. */
  private chainOf(hash: number): number {
    const mask = maskFor(this.chains.length);
    const chain = hash & mask;
    return chain < this.chains.length ? chain : chain & (mask >>> 1);
  }

  private link(order: Order): void {
    const chain = this.chainOf(order.clientIdHash);
    order.nextOfAccount = this.chains[chain] as Order | null;
    this.chains[chain] = order;
  }

  /** Adds a chain and moves to it the orders of an earlier chain whose hashes have the next bit set. */
  private splitChain(): void {
    const added = this.chains.length;
    const split = added & (maskFor(added + 1) >>> 1);
    const first = this.chains[split] as Order | null;
    this.chains[split] = null;
    this.chains.push(null);
    this.linkAll(first);
  }

  /** Merges the last chain back into the one that it was split from. */
  private joinChains(): void {
    this.linkAll(this.chains.pop() as Order | null);
  }

  private linkAll(first: Order | null): void {
    for (let order = first; order !== null; ) {
      const next: Order | null = order.nextOfAccount;
      this.link(order);
      order = next;
    }
  }

  private count(order: Order, by: 1 | -1): void {
    this.size += by;
    if (waitsForStop(order.type)) this.algoOrders += by;
    if (order.icebergLots > 0) this.icebergOrders += by;
  }
}

/** The smallest mask of low bits that numbers all `chains`, of which there are at least two. */
function maskFor(chains: number): number {
  return -1 >>> Math.clz32(chains - 1);
}
