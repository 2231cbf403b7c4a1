/** Our orders of a recording of messages, as they stand in the book: by side and price, in the order of their time. */
import type { Side } from "@pricetime/engine";

export interface RecordedOrder {
  readonly orderId: number;
  readonly side: Side;
  readonly ticks: number;
  /** The part of the order that may be executed. */
  lots: number;
  /** Quantities behind it that are only there to be cancelled, by the number of the cut. */
  readonly cuts: Map<number, number>;
}

const SIGN = { SELL: 1, BUY: -1 } as const;

interface SideBook {
  readonly levels: Map<number, RecordedOrder[]>;
  /** The best first. */
  readonly prices: number[];
}

export class MessageBook {
  readonly #orders = new Map<number, RecordedOrder>();
  readonly #sides: Readonly<Record<Side, SideBook>> = {
    BUY: { levels: new Map(), prices: [] },
    SELL: { levels: new Map(), prices: [] },
  };

  get(orderId: number): RecordedOrder | undefined {
    return this.#orders.get(orderId);
  }

  all(): Iterable<RecordedOrder> {
    return this.#orders.values();
  }

  bestTicks(side: Side): number | undefined {
    return this.#sides[side].prices[0];
  }

  /** Adds the order behind all others of its price. */
  add(order: RecordedOrder): void {
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

  remove(order: RecordedOrder): void {
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
  *queue(side: Side): Generator<RecordedOrder> {
    const { levels, prices } = this.#sides[side];
    for (const ticks of prices) yield* levels.get(ticks) ?? [];
  }
}
