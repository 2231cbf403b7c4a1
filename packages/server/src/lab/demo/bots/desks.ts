/** Accounts that take turns at one job on one symbol: together they may place the sum of their orders. */
import type { Desk } from "./desk.ts";
import type { OpenQuote, Quote, Side, TakerOrder } from "./orders.ts";

export class Desks {
  readonly #desks: readonly [Desk, ...Desk[]];
  /** The desk of each order. */
  #owners = new Map<number, Desk>();
  #turns = 0;

  constructor(desks: readonly [Desk, ...Desk[]]) {
    this.#desks = desks;
  }

  /** Returns the last price; 0 when there was no trade yet. */
  lastPrice(): Promise<number> {
    return this.#desks[0].lastPrice();
  }

  async open(): Promise<OpenQuote[]> {
    const all = await Promise.all(this.#desks.map(async (desk) => ({ desk, open: await desk.open() })));
    this.#owners = new Map(all.flatMap(({ desk, open }) => open.map(({ orderId }) => [orderId, desk] as const)));
    return all.flatMap(({ open }) => open);
  }

  /** Cancels an order that `open` returned. */
  async cancel(orderId: number): Promise<void> {
    await this.#owners.get(orderId)?.cancel(orderId);
  }

  quote(side: Side, quote: Quote): Promise<void> {
    return this.#next().quote(side, quote);
  }

  take(order: TakerOrder): Promise<void> {
    return this.#next().take(order);
  }

  #next(): Desk {
    return this.#desks[this.#turns++ % this.#desks.length] ?? this.#desks[0];
  }
}
