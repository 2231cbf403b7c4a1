/**
 * What must be known of messages before they are played. A file mentions an order from before it only when something
 * happens to the order, so the order's quantity is the sum of all that happens to it. And the exchange cannot make an
 * order smaller in its place, so an order that is cut later is placed as several, one behind the other; cuts cancel
 * those at the end, and executions take from the first.
 */
import type { Side } from "@pricetime/engine";
import type { MessageRow } from "../../../market-files/rows.ts";
import { REPLAY_LIMITS } from "../limits.ts";
import { decimalOf, OffGrid, type SymbolGrid } from "../symbol-grid.ts";

export interface StandingOrder {
  readonly orderId: number;
  readonly side: Side;
  readonly ticks: number;
  lots: number;
}

export interface KnownOrders {
  /** Orders from before each file, in the order of their ids, by file. */
  readonly standing: ReadonlyMap<number, readonly StandingOrder[]>;
  /** The quantities by which each order is cut, in turn, by file and id. */
  readonly cuts: ReadonlyMap<string, readonly number[]>;
}

export const cutKey = (file: number, orderId: number): string => `${file} ${orderId}`;

interface FileSeen {
  readonly begun: Set<number>;
  readonly standing: Map<number, StandingOrder>;
}

export class OrdersAhead {
  readonly #grid: SymbolGrid;
  readonly #files = new Map<number, FileSeen>();
  readonly #cuts = new Map<string, number[]>();
  #count = 0;

  constructor(grid: SymbolGrid) {
    this.#grid = grid;
  }

  get known(): KnownOrders {
    const standing = [...this.#files].map(([file, seen]) => {
      return [file, [...seen.standing.values()].sort((a, b) => a.orderId - b.orderId)] as const;
    });
    return { standing: new Map(standing), cuts: this.#cuts };
  }

  /** Throws `OffGrid`. */
  take(row: MessageRow, file: number): { readonly ticks: number; readonly lots: number } {
    const { type, orderId, side } = row;
    if (type === "auction" || type === "halt" || type === "executed hidden") return { ticks: 0, lots: 0 };
    const ticks = this.#grid.ticksOf(decimalOf(row.price, row.priceScale));
    const lots = this.#grid.lotsOf(decimalOf(row.size, row.sizeScale));
    const seen = this.#files.get(file) ?? { begun: new Set<number>(), standing: new Map<number, StandingOrder>() };
    this.#files.set(file, seen);
    if (type === "new") {
      this.#counted();
      seen.begun.add(orderId);
      return { ticks, lots };
    }
    if (!seen.begun.has(orderId)) {
      const order = seen.standing.get(orderId) ?? { orderId, side, ticks, lots: 0 };
      if (order.lots === 0) this.#counted();
      order.lots += lots;
      seen.standing.set(orderId, order);
    }
    if (type === "reduced") {
      const key = cutKey(file, orderId);
      const cuts = this.#cuts.get(key);
      if (cuts === undefined) this.#cuts.set(key, [lots]);
      else cuts.push(lots);
    } else if (type === "deleted") {
      seen.begun.delete(orderId);
    }
    return { ticks, lots };
  }

  #counted(): void {
    this.#count++;
    if (this.#count > REPLAY_LIMITS.maxKnownOrders) {
      throw new OffGrid(`the files tell of more than ${REPLAY_LIMITS.maxKnownOrders} orders`);
    }
  }
}
