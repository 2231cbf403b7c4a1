/** The executed quantity of every open order, added up trade by trade. */
import type { OrderOpened, Trade } from "@pricetime/engine";
import type { Scale } from "./scale.ts";

export interface Tracked {
  /** As it was placed. */
  readonly order: OrderOpened["order"];
  readonly scale: Scale;
  /** An amendment may change it, as well as the quantity. */
  clientOrderId: string;
  quantityLots: number;
  /** When the order began to work; -1 while it waits for a price or for its list. */
  workingMs: number;
  isPending: boolean;
  executedLots: number;
  worth: bigint;
}

/** One side of a trade, with the order's state after it. */
export interface TrackedFill {
  readonly tracked: Tracked;
  readonly status: "PARTIALLY_FILLED" | "FILLED";
  readonly lots: number;
  readonly worth: bigint;
  readonly commission: bigint;
  /** The executed lots of the order, including this trade. */
  readonly executedLots: number;
  readonly executedWorth: bigint;
}

export class OpenOrders {
  readonly #open = new Map<number, Tracked>();
  readonly #byClientId = new Map<string, Tracked>();

  get size(): number {
    return this.#open.size;
  }

  add(order: OrderOpened["order"], scale: Scale, isPending: boolean, timeMs: number): Tracked {
    const { clientOrderId, quantityLots, type } = order;
    const waits = isPending || type.startsWith("STOP_LOSS") || type.startsWith("TAKE_PROFIT");
    const state = { executedLots: 0, worth: 0n, clientOrderId, quantityLots, isPending };
    const tracked = { order, scale, workingMs: waits ? -1 : timeMs, ...state };
    this.#open.set(order.orderId, tracked);
    this.#byClientId.set(order.clientOrderId, tracked);
    return tracked;
  }

  amend(tracked: Tracked, clientOrderId: string, quantityLots: number): void {
    this.#byClientId.delete(tracked.clientOrderId);
    Object.assign(tracked, { clientOrderId, quantityLots });
    this.#byClientId.set(clientOrderId, tracked);
  }

  get(orderId: number): Tracked | undefined {
    return this.#open.get(orderId);
  }

  byClientId(clientOrderId: string): Tracked | undefined {
    return this.#byClientId.get(clientOrderId);
  }

  /** The order's side of the trade; undefined when it is not open. */
  fill(orderId: number, { priceTicks, lots }: Trade): TrackedFill | undefined {
    const tracked = this.#open.get(orderId);
    if (tracked === undefined) return undefined;
    const { scale, order } = tracked;
    const worth = scale.worth(priceTicks, lots);
    tracked.executedLots += lots;
    tracked.worth += worth;
    const isFilled = tracked.executedLots === tracked.quantityLots;
    if (isFilled) this.remove(tracked);
    const { executedLots, worth: executedWorth } = tracked;
    const commission = scale.commission(order.side, lots, worth);
    const status = isFilled ? "FILLED" : "PARTIALLY_FILLED";
    return { tracked, status, lots, worth, commission, executedLots, executedWorth };
  }

  remove({ order, clientOrderId }: Tracked): void {
    this.#open.delete(order.orderId);
    this.#byClientId.delete(clientOrderId);
  }
}
