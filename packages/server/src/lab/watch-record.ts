/** The events that a watch records about accounts and markets. Amounts are decimal strings. */
import type { OrderStatus, OrderType, Side } from "@pricetime/engine";

/** The most records that are stored; the oldest are dropped. */
export const MAX_RECORDS = 200_000;
/** The most records in one response. */
export const MAX_TOLD = 10_000;
export const MAX_WATCHED = 100;
/** The most characters of an error message. */
export const MAX_WHY_CHARS = 300;

interface OfAccount {
  /** Its email address. */
  readonly account: string;
}

/** An order after it was accepted, was filled in part, or has ended. */
export interface OrderSeen extends OfAccount {
  readonly kind: "order";
  readonly symbol: string;
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly price: string;
  readonly quantity: string;
  readonly executed: string;
  readonly status: OrderStatus;
}

export interface FillSeen extends OfAccount {
  readonly kind: "fill";
  readonly symbol: string;
  readonly orderId: number;
  readonly tradeId: number;
  readonly side: Side;
  readonly isMaker: boolean;
  readonly price: string;
  readonly quantity: string;
  readonly baseAsset: string;
  /** The amount paid or received. */
  readonly quote: string;
  readonly quoteAsset: string;
  readonly commission: string;
  readonly commissionAsset: string;
}

/** The new balance of an asset. */
export interface BalanceSeen extends OfAccount {
  readonly kind: "balance";
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

/** A change of the balance other than by trading; negative for outflows. */
export interface MoneySeen extends OfAccount {
  readonly kind: "moved";
  readonly asset: string;
  readonly amount: string;
}

/** The new number of open orders by symbol; symbols without any are absent. */
export interface OpenOrdersSeen extends OfAccount {
  readonly kind: "openOrders";
  readonly count: Readonly<Record<string, number>>;
}

/** A response with an error. */
export interface RefusalSeen {
  readonly kind: "refused";
  /** The owner of the API key in the request; null without a known key. */
  readonly account: string | null;
  readonly over: "rest" | "websocket";
  readonly method: string;
  readonly endpoint: string;
  readonly status: number;
  /** The interface's error code, such as -1003; null in a response without one. */
  readonly code: number | null;
  readonly msg: string;
}

/** A new last price of a symbol. */
export interface PriceSeen {
  readonly kind: "price";
  readonly symbol: string;
  readonly price: string;
}

/** A new status of a symbol. */
export interface StatusSeen {
  readonly kind: "status";
  readonly symbol: string;
  readonly status: string;
}

/** Whether a side of a symbol's book has become empty or no longer is. */
export interface BookSeen {
  readonly kind: "book";
  readonly symbol: string;
  readonly side: Side;
  readonly isEmpty: boolean;
}

export type Seen =
  | OrderSeen
  | FillSeen
  | BalanceSeen
  | MoneySeen
  | OpenOrdersSeen
  | RefusalSeen
  | PriceSeen
  | StatusSeen
  | BookSeen;

/** `number`: from 1, without gaps. `seq`: that of the journal entry. */
export type WatchRecord = { readonly number: number; readonly atMs: number; readonly seq: number } & Seen;

// The latest records, by number.

export class Records {
  #kept: WatchRecord[] = [];
  #last = 0;

  add(atMs: number, seq: number, seen: Seen): void {
    this.#last += 1;
    this.#kept.push({ number: this.#last, atMs, seq, ...seen });
    // In bulk, because dropping one at a time would move all others each time.
    if (this.#kept.length >= 2 * MAX_RECORDS) this.#kept = this.#kept.slice(-MAX_RECORDS);
  }

  /** `lost`: the number of records after `after` that are no longer stored. */
  after(after: number): { readonly lost: number; readonly last: number; readonly records: readonly WatchRecord[] } {
    const first = this.#last - this.#kept.length + 1;
    const from = Math.max(0, after + 1 - first);
    return { lost: Math.max(0, first - after - 1), last: this.#last, records: this.#kept.slice(from, from + MAX_TOLD) };
  }
}
