/** The book of a recorded sequence of messages: its orders by side and price, in time priority. */
import type { Side } from "@pricetime/engine";

export interface BookedOrder {
  readonly orderId: number;
  readonly side: Side;
  readonly ticks: number;
  lots: number;
}

/** An order from before a file, or one that appeared without a message; `lots` is its initial quantity. */
export interface StandingOrder {
  readonly orderId: number;
  readonly side: Side;
  readonly ticks: number;
  lots: number;
}

/**
 * Identifies an order. `line`: the line where the order begins, because an id may be reused; 0 if it begins before the
 * file.
 */
export const cutKey = (file: number, orderId: number, line: number): string => `${file} ${orderId} ${line}`;

/** Multiplied by its sign, the best price of a side is the smallest. */
const SIGN = { SELL: 1, BUY: -1 } as const;

interface SideBook<Order> {
  readonly levels: Map<number, Order[]>;
  /** The prices of the side, the best first. */
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

  /** Returns the order that a taker fills first. */
  best(side: Side): Order | undefined {
    const { levels, prices } = this.#sides[side];
    const [ticks] = prices;
    return ticks === undefined ? undefined : levels.get(ticks)?.[0];
  }

  /** Adds an order behind all others at its price. */
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

  /** Yields the orders of a side in the order in which a taker fills them. */
  *queue(side: Side): Generator<Order> {
    const { levels, prices } = this.#sides[side];
    for (const ticks of prices) yield* levels.get(ticks) ?? [];
  }
}

// The book according to a message file and its order book file: orders by price, and their total lots.

/** Orders that appeared together at a price without a message: those that later messages name, and one for the rest. */
export interface UnannouncedOrders {
  /**
   * The line where they appear, as a negative number to distinguish them from orders that begin there with a message; 0
   * if they begin before the file.
   */
  readonly line: number;
  readonly named: Map<number, StandingOrder>;
  /** The order for the rest; its id is negative. */
  readonly rest: StandingOrder;
}

export interface WindowOrder {
  readonly orderId: number;
  readonly side: Side;
  readonly ticks: number;
  /** The line where the order begins; 0 if it begins before the file; negative if it appeared without a message. */
  readonly line: number;
  lots: number;
  /** The quantity of the order that later messages refer to. */
  need: number;
  /** The group that has this order as its rest; null for an order that begins with a message. */
  readonly unannounced: UnannouncedOrders | null;
}

export interface WindowLevel {
  readonly ticks: number;
  readonly orders: WindowOrder[];
  sum: number;
}

export class WindowBook {
  readonly #orders = new Map<number, WindowOrder>();
  readonly #levels: Readonly<Record<Side, Map<number, WindowLevel>>> = { BUY: new Map(), SELL: new Map() };
  /** The prices of each side, the best last, because most changes are near the best price. */
  readonly #prices: Readonly<Record<Side, number[]>> = { BUY: [], SELL: [] };

  get(orderId: number): WindowOrder | undefined {
    return this.#orders.get(orderId);
  }

  level(side: Side, ticks: number): WindowLevel | undefined {
    return this.#levels[side].get(ticks);
  }

  best(side: Side): WindowLevel | undefined {
    return this.#levels[side].get(this.#prices[side].at(-1) ?? 0);
  }

  /** Returns the levels at this price and better, or all levels. */
  within(side: Side, worst: number | undefined): WindowLevel[] {
    const prices = this.#prices[side];
    const levels: WindowLevel[] = [];
    for (let at = prices.length - 1; at >= 0; at--) {
      const ticks = prices[at] as number;
      if (worst !== undefined && SIGN[side] * (ticks - worst) > 0) break;
      levels.push(this.#levels[side].get(ticks) as WindowLevel);
    }
    return levels;
  }

  add(order: WindowOrder): void {
    const { orderId, side, ticks, lots } = order;
    this.#orders.set(orderId, order);
    let level = this.#levels[side].get(ticks);
    if (level === undefined) {
      level = { ticks, orders: [], sum: 0 };
      this.#levels[side].set(ticks, level);
      this.#prices[side].splice(this.#placeOf(side, ticks), 0, ticks);
    }
    level.orders.push(order);
    level.sum += lots;
  }

  reduce(order: WindowOrder, lots: number): void {
    const { orderId, side, ticks } = order;
    const level = this.#levels[side].get(ticks) as WindowLevel;
    order.lots -= lots;
    level.sum -= lots;
    if (order.lots > 0) return;
    this.#orders.delete(orderId);
    level.orders.splice(level.orders.indexOf(order), 1);
    if (level.orders.length > 0) return;
    this.#levels[side].delete(ticks);
    this.#prices[side].splice(this.#placeOf(side, ticks), 1);
  }

  /** Returns the index of the price, or the index at which to insert it. */
  #placeOf(side: Side, ticks: number): number {
    const prices = this.#prices[side];
    let low = 0;
    for (let high = prices.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (SIGN[side] * ((prices[middle] as number) - ticks) > 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
