/** The orders of others on a replayed symbol: the bots' under test. As long as there are none, a recording is alone. */
import type { EngineView, Event, OrderRecord, Side, Trade } from "@pricetime/engine";

export interface ForeignOrder {
  readonly orderId: number;
  readonly side: Side;
  /** 0 while it waits for its stop price, or has no price. */
  readonly ticks: number;
  lots: number;
}

export class ForeignOrders {
  readonly #symbolId: number;
  readonly #own: ReadonlySet<number>;
  readonly #open = new Map<number, ForeignOrder>();

  constructor(view: EngineView, symbolId: number, own: ReadonlySet<number>) {
    this.#symbolId = symbolId;
    this.#own = own;
    for (const { accountId } of view.accounts()) {
      if (!own.has(accountId)) view.visitOpenOrders(accountId, symbolId, (order) => this.#put(order));
    }
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  isOwn(accountId: number): boolean {
    return this.#own.has(accountId);
  }

  /** Other traders' orders on a side at this price or a better one, in the order in which they are filled. */
  within(side: Side, limitTicks: number): ForeignOrder[] {
    const sign = side === "SELL" ? 1 : -1;
    return [...this.#open.values()]
      .filter((order) => order.side === side && order.ticks > 0 && sign * (order.ticks - limitTicks) <= 0)
      .sort((a, b) => sign * (a.ticks - b.ticks) || a.orderId - b.orderId);
  }

  /** Follows the exchange. Calls `onOwnTaken` when another trader has taken one of the replay's orders. */
  applied(events: readonly Event[], onOwnTaken: (trade: Trade) => void): void {
    for (const event of events) {
      if (event.type === "orderOpened") this.#opened(event.order);
      else if (event.type === "orderEnded") {
        if (event.order.symbolId === this.#symbolId) this.#open.delete(event.order.orderId);
      } else if (event.type === "trade" && event.symbolId === this.#symbolId) this.#traded(event, onOwnTaken);
    }
  }

  #opened(order: OrderRecord): void {
    if (order.symbolId === this.#symbolId && !this.#own.has(order.accountId)) this.#put(order);
  }

  #traded(trade: Trade, onOwnTaken: (trade: Trade) => void): void {
    for (const { order } of [trade.maker, trade.taker]) {
      if (this.#own.has(order.accountId)) continue;
      if (order.status === "FILLED") this.#open.delete(order.orderId);
      else this.#put(order);
    }
    if (this.#own.has(trade.maker.order.accountId)) onOwnTaken(trade);
  }

  #put({ orderId, side, isWorking, priceTicks, quantityLots, executedLots }: OrderRecord): void {
    this.#open.set(orderId, { orderId, side, ticks: isWorking ? priceTicks : 0, lots: quantityLots - executedLots });
  }
}
