/** The events that a watch records of accounts and markets. Amounts are decimal texts. */
import type { OrderStatus, OrderType, Side } from "@pricetime/engine";

/** Records that are kept for whoever asks for them later; the oldest are dropped. */
export const MAX_RECORDS = 200_000;
/** Records in one answer. */
export const MAX_TOLD = 10_000;
export const MAX_WATCHED = 100;
/** Characters of a refusal's text that are told. */
export const MAX_WHY_CHARS = 300;

interface OfAccount {
  /** Its mail address. */
  readonly account: string;
}

/** An order as it is after it was taken, has executed, or has ended. */
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
  /** What was paid or received for it. */
  readonly quote: string;
  readonly quoteAsset: string;
  readonly commission: string;
  readonly commissionAsset: string;
}

/** What it has of an asset from now on. */
export interface BalanceSeen extends OfAccount {
  readonly kind: "balance";
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

/** What came in (or, with a minus, went out) other than by trading. */
export interface MoneySeen extends OfAccount {
  readonly kind: "moved";
  readonly asset: string;
  readonly amount: string;
}

/** How many orders of it are open from now on, by symbol; a symbol without any is absent. */
export interface OpenOrdersSeen extends OfAccount {
  readonly kind: "openOrders";
  readonly count: Readonly<Record<string, number>>;
}

/** An answer that was no success. */
export interface RefusalSeen {
  readonly kind: "refused";
  /** The owner of the key that was sent; null: no known key was. */
  readonly account: string | null;
  readonly over: "rest" | "websocket";
  readonly method: string;
  readonly endpoint: string;
  readonly status: number;
  /** The interface's, as -1003; null in an answer that has none. */
  readonly code: number | null;
  readonly msg: string;
}

/** A symbol's last price from now on. */
export interface PriceSeen {
  readonly kind: "price";
  readonly symbol: string;
  readonly price: string;
}

/** A symbol's status from now on. */
export interface StatusSeen {
  readonly kind: "status";
  readonly symbol: string;
  readonly status: string;
}

/** Whether anybody's order rests on a side of a symbol's book from now on. */
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

/** `number`: from 1, without gaps. `seq`: of the journal's entry. */
export type WatchRecord = { readonly number: number; readonly atMs: number; readonly seq: number } & Seen;

// The latest records, by their numbers.

export class Records {
  #kept: WatchRecord[] = [];
  #last = 0;

  add(atMs: number, seq: number, seen: Seen): void {
    this.#last += 1;
    this.#kept.push({ number: this.#last, atMs, seq, ...seen });
    // In bulk: to drop one at a time would move all others each time.
    if (this.#kept.length >= 2 * MAX_RECORDS) this.#kept = this.#kept.slice(-MAX_RECORDS);
  }

  /** `lost`: how many that came after `after` are not kept any more. */
  after(after: number): { readonly lost: number; readonly last: number; readonly records: readonly WatchRecord[] } {
    const first = this.#last - this.#kept.length + 1;
    const from = Math.max(0, after + 1 - first);
    return { lost: Math.max(0, first - after - 1), last: this.#last, records: this.#kept.slice(from, from + MAX_TOLD) };
  }
}
