/** The account's newest fills: what the stream tells, and the looked-at market's latest. */
import { type ReadonlySignal, signal } from "@preact/signals";
import { Throttle } from "../wire/throttle.ts";
import type { World } from "../wire/world.ts";
import type { ReportEvent } from "./order-rows.ts";
import { LEAST_BETWEEN_ROWS_MS } from "./own-orders.ts";
import type { Fill } from "./port.ts";

/** What `myTrades` answers (Interface 2.5). */
export interface FillAnswer {
  readonly symbol: string;
  readonly id: number;
  readonly orderId: number;
  readonly price: string;
  readonly qty: string;
  readonly quoteQty: string;
  readonly commission: string;
  readonly commissionAsset: string;
  readonly time: number;
  readonly isBuyer: boolean;
  readonly isMaker: boolean;
}

const MOST_FILLS = 1000;

export class OwnFills {
  readonly #shown = signal<readonly Fill[]>([]);
  /** Both sides of a trade with oneself are fills. */
  readonly #fills = new Map<string, Fill>();
  readonly #throttle: Throttle;

  constructor(world: World) {
    this.#throttle = new Throttle(world, LEAST_BETWEEN_ROWS_MS, () => this.#show());
  }

  /** Newest first. */
  get shown(): ReadonlySignal<readonly Fill[]> {
    return this.#shown;
  }

  close(): void {
    this.#throttle.stop();
  }

  add(fills: readonly Fill[]): void {
    for (const fill of fills) this.#fills.set(fillKey(fill), fill);
    this.#throttle.ask();
  }

  #show(): void {
    const all = [...this.#fills.values()].sort(newestFirst);
    for (const fill of all.slice(MOST_FILLS)) this.#fills.delete(fillKey(fill));
    this.#shown.value = all.slice(0, MOST_FILLS);
  }
}

export const fillKey = ({ symbol, tradeId, side }: Fill): string => `${symbol} ${tradeId} ${side}`;

function newestFirst(one: Fill, other: Fill): number {
  return other.timeMs - one.timeMs || other.tradeId - one.tradeId;
}

export function fillOfAnswer(answer: FillAnswer): Fill {
  const { symbol, id, orderId, price, qty, quoteQty, commission, commissionAsset, isMaker, time, isBuyer } = answer;
  return {
    ...{ symbol, tradeId: id, orderId, side: isBuyer ? "BUY" : "SELL", price, quantity: qty },
    ...{ quoteQuantity: quoteQty, commission, commissionAsset, isMaker, timeMs: time },
  };
}

export function fillOfReport(event: ReportEvent): Fill {
  return {
    ...{ symbol: event.s, tradeId: event.t, orderId: event.i, side: event.S, price: event.L, quantity: event.l },
    ...{
      quoteQuantity: event.Y,
      commission: event.n,
      commissionAsset: event.N ?? "",
      isMaker: event.m,
      timeMs: event.T,
    },
  };
}
