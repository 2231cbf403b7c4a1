/**
 * One symbol's book, made from events alone: what each order shows, and in which order they stand. No event says that
 * an order begins to rest: it does so when the events of its own matching are over.
 */
import assert from "node:assert/strict";
import { type Event, isClosed, type OrderRecord, type Side, type Trade } from "@pricetime/engine";

/** One change of what the book shows. */
export interface BookChange {
  /**
   * `add`: an order begins to rest, at the back of the queue at its price. `fill`: it trades. `refresh`: the next slice
   * of an iceberg, at the back again. `remove`: it ends otherwise. `standing`: it stood there before what is told begins.
   */
  readonly kind: "add" | "fill" | "refresh" | "remove" | "standing";
  readonly order: StandingOrder;
  /** Lots that come to be seen, or no longer are. */
  readonly lots: number;
  /** 0 unless it is a fill. */
  readonly tradeId: number;
}

export interface StandingOrder {
  readonly orderId: number;
  readonly accountId: number;
  readonly side: Side;
  readonly priceTicks: number;
  readonly shownLots: number;
  /** Includes what an iceberg does not show. */
  readonly leftLots: number;
}

interface Resting extends StandingOrder {
  /** The most that it shows; 0: all. */
  readonly sliceLots: number;
  shownLots: number;
  leftLots: number;
}

export class BookFollower {
  readonly #symbolId: number;
  readonly #tell: (change: BookChange) => void;
  /** Resting orders in order of time: at each price, earlier ones come first. */
  readonly #resting = new Map<number, Resting>();
  /** The order that is being matched; it rests if something of it is left. */
  #matching: OrderRecord | undefined;

  constructor(symbolId: number, tell: (change: BookChange) => void) {
    this.#symbolId = symbolId;
    this.#tell = tell;
  }

  /** Returns whether the events were of this symbol's orders. */
  take(events: readonly Event[]): boolean {
    let isOurs = false;
    for (const event of events) isOurs = this.#takeEvent(event) || isOurs;
    this.#rest();
    return isOurs;
  }

  /** The best price first, at each price who trades first. */
  standing(side: Side): StandingOrder[] {
    const order = side === "BUY" ? -1 : 1;
    return [...this.#resting.values()]
      .filter((each) => each.side === side)
      .sort((a, b) => order * (a.priceTicks - b.priceTicks));
  }

  #takeEvent(event: Event): boolean {
    switch (event.type) {
      case "orderOpened":
        if (event.order.symbolId !== this.#symbolId) return false;
        this.#rest();
        if (event.order.isWorking) this.#matching = event.order;
        return true;
      case "trade":
        if (event.symbolId !== this.#symbolId) return false;
        this.#trade(event);
        return true;
      case "orderEnded":
        if (event.order.symbolId !== this.#symbolId) return false;
        this.#remove(event.order);
        return true;
      default:
        return false;
    }
  }

  #trade({ maker, taker, lots, tradeId }: Trade): void {
    this.#matching = taker.order;
    const order = this.#resting.get(maker.order.orderId);
    assert(order !== undefined && order.shownLots >= lots, "who makes a trade stands in the book");
    order.shownLots -= lots;
    order.leftLots -= lots;
    this.#tell({ kind: "fill", order, lots, tradeId });
    if (order.shownLots > 0) return;
    this.#resting.delete(order.orderId);
    if (order.leftLots === 0) return;
    order.shownLots = Math.min(order.sliceLots, order.leftLots);
    this.#resting.set(order.orderId, order);
    this.#tell({ kind: "refresh", order, lots: order.shownLots, tradeId: 0 });
  }

  #remove({ orderId }: OrderRecord): void {
    if (this.#matching?.orderId === orderId) this.#matching = undefined;
    const order = this.#resting.get(orderId);
    if (order === undefined) return;
    this.#resting.delete(orderId);
    this.#tell({ kind: "remove", order, lots: order.shownLots, tradeId: 0 });
  }

  #rest(): void {
    const record = this.#matching;
    this.#matching = undefined;
    if (record === undefined || isClosed(record.status)) return;
    const { orderId, accountId, side, priceTicks, icebergLots: sliceLots } = record;
    const leftLots = record.quantityLots - record.executedLots;
    const shownLots = sliceLots === 0 ? leftLots : Math.min(sliceLots, leftLots);
    const order = { orderId, accountId, side, priceTicks, sliceLots, shownLots, leftLots };
    this.#resting.set(orderId, order);
    this.#tell({ kind: "add", order, lots: shownLots, tradeId: 0 });
  }
}
