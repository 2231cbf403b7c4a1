/**
 * Events of accounts and markets as the watch of a lab reports them, and the state of a scenario. Amounts are decimal
 * texts.
 */

export interface Watched {
  /** Names or addresses. */
  readonly accounts?: readonly string[];
  readonly symbols?: readonly string[];
}

interface OfAccount {
  /** Its mail address: `exchange.account("alice").email`. */
  readonly account: string;
}

interface OfOrder extends OfAccount {
  readonly symbol: string;
  readonly orderId: number;
  readonly side: "BUY" | "SELL";
}

/** An order as it is after it was taken, has executed, or has ended. */
export interface OrderSeen extends OfOrder {
  readonly kind: "order";
  readonly clientOrderId: string;
  readonly type:
    | "LIMIT"
    | "LIMIT_MAKER"
    | "MARKET"
    | "STOP_LOSS"
    | "STOP_LOSS_LIMIT"
    | "TAKE_PROFIT"
    | "TAKE_PROFIT_LIMIT";
  readonly price: string;
  readonly quantity: string;
  readonly executed: string;
  readonly status: "NEW" | "PARTIALLY_FILLED" | "FILLED" | "CANCELED" | "EXPIRED" | "REJECTED";
}

export interface FillSeen extends OfOrder {
  readonly kind: "fill";
  readonly tradeId: number;
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

/** An answer that was no success. `account` null: no known key was sent; `code` null: the answer has none. */
export interface RefusalSeen {
  readonly kind: "refused";
  readonly account: string | null;
  readonly over: "rest" | "websocket";
  readonly method: string;
  readonly endpoint: string;
  readonly status: number;
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
  readonly side: "BUY" | "SELL";
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

/** One thing that happened. `number`: from 1, without gaps. `seq`: of the journal's entry. */
export type WatchRecord = { readonly number: number; readonly atMs: number; readonly seq: number } & Seen;

export interface Told {
  readonly records: readonly WatchRecord[];
  /** The number of the newest: what to say at the next look. */
  readonly last: number;
  /** How many are not kept any more: 0 unless very much has happened since the last look. */
  readonly lost: number;
}

/** A lab has one watch; a restore or a reset ends it. */
export interface Watch {
  /**
   * Watches these from now on, in place of those before. The first records say what each account has and where each
   * symbol stands; what happens comes after `last`.
   */
  begin(watched: Watched): Promise<Pick<Told, "last">>;
  /** All that has happened after the record of this number: from the first by default. */
  look(after?: number): Promise<Told>;
  /** Stops watching. */
  end(): Promise<void>;
}

// A scenario, as its player reports it to the lab for those who watch.

export interface ToldScenario {
  readonly name: string;
  /** SHA-256 of its file, in hex, or the first eight digits of it at least. */
  readonly hash: string;
  readonly startMs: number;
  readonly endMs: number;
  /** What happens when. */
  readonly timeline: readonly {
    readonly atMs: number;
    readonly kind: string;
    readonly text: string;
    readonly isDone: boolean;
  }[];
  /** What must hold. */
  readonly asserts: readonly {
    readonly name: string;
    readonly kind: "always" | "never" | "sometimes" | "finally";
    readonly state: "holds" | "waiting" | "failed";
    readonly text: string;
  }[];
}

/** What the terminal and `pricetime lab scenario` show. `pricetime lab run-scenario` tells it; so may a player of your own. */
export interface ToldScenarios {
  /** Null where none is played. */
  state(): Promise<ToldScenario | null>;
  tell(told: ToldScenario): Promise<ToldScenario>;
  /** It is over. */
  end(): Promise<void>;
}
