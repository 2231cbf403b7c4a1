/** Orders of a recording of messages, as they stand in the book: by side and price, in the order of their time. */
import type { Side } from "@pricetime/engine";

export interface BookedOrder {
  readonly orderId: number;
  readonly side: Side;
  readonly ticks: number;
  lots: number;
}

/** An order that stands from before a file, or came without a message; `lots` are those that it comes with. */
export interface StandingOrder {
  readonly orderId: number;
  readonly side: Side;
  readonly ticks: number;
  lots: number;
}

/** `line`: where the order begins, because a number may be used again; 0: before the file. */
export const cutKey = (file: number, orderId: number, line: number): string => `${file} ${orderId} ${line}`;

/** What makes the best price of a side the least. */
export const SIGN = { SELL: 1, BUY: -1 } as const;

interface SideBook<Order> {
  readonly levels: Map<number, Order[]>;
  /** The best first. */
  readonly prices: number[];
}

export class MessageBook<Order extends BookedOrder> {
  readonly #orders = new Map<number, Order>();
  readonly #sides: Readonly<Record<Side, SideBook<Order>>> = {
    BUY: { levels: new Map(), prices: [] },
    SELL: { levels: new Map(), prices: [] },
  };

  get(orderId: number): Order | undefined {
    return this.#orders.get(orderId);
  }

  all(): Iterable<Order> {
    return this.#orders.values();
  }

  /** The order that a taker meets first. */
  best(side: Side): Order | undefined {
    const { levels, prices } = this.#sides[side];
    const [ticks] = prices;
    return ticks === undefined ? undefined : levels.get(ticks)?.[0];
  }

  /** Adds the order behind all others of its price. */
  add(order: Order): void {
    const { levels, prices } = this.#sides[order.side];
    this.#orders.set(order.orderId, order);
    const level = levels.get(order.ticks);
    if (level !== undefined) {
      level.push(order);
      return;
    }
    levels.set(order.ticks, [order]);
    const sign = SIGN[order.side];
    let low = 0;
    for (let high = prices.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (sign * ((prices[middle] as number) - order.ticks) < 0) low = middle + 1;
      else high = middle;
    }
    prices.splice(low, 0, order.ticks);
  }

  remove(order: Order): void {
    const { levels, prices } = this.#sides[order.side];
    this.#orders.delete(order.orderId);
    const level = levels.get(order.ticks) ?? [];
    const at = level.indexOf(order);
    if (at >= 0) level.splice(at, 1);
    if (level.length > 0 || !levels.delete(order.ticks)) return;
    prices.splice(prices.indexOf(order.ticks), 1);
  }

  clear(): void {
    this.#orders.clear();
    for (const { levels, prices } of Object.values(this.#sides)) {
      levels.clear();
      prices.length = 0;
    }
  }

  /** The orders of a side in the order in which a taker meets them. */
  *queue(side: Side): Generator<Order> {
    const { levels, prices } = this.#sides[side];
    for (const ticks of prices) yield* levels.get(ticks) ?? [];
  }
}
