/** Accounts that do one job on one symbol in turn: together they may place as many orders as each of them may. */
import type { Desk } from "./desk.ts";
import type { OpenQuote, Quote, Side, TakerOrder } from "./orders.ts";

export class Desks {
  readonly #desks: readonly [Desk, ...Desk[]];
  /** By order. */
  #owners = new Map<number, Desk>();
  #turns = 0;

  constructor(desks: readonly [Desk, ...Desk[]]) {
    this.#desks = desks;
  }

  get size(): number {
    return this.#desks.length;
  }

  /** The last price, 0 when there was no trade yet. */
  lastPrice(): Promise<number> {
    return this.#desks[0].lastPrice();
  }

  async open(): Promise<OpenQuote[]> {
    const all = await Promise.all(this.#desks.map(async (desk) => ({ desk, open: await desk.open() })));
    this.#owners = new Map(all.flatMap(({ desk, open }) => open.map(({ orderId }) => [orderId, desk] as const)));
    return all.flatMap(({ open }) => open);
  }

  /** One of those that `open` told of. */
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
