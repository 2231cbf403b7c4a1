/**
 * Events of accounts and markets as the watch of a lab reports them, and the status of a scenario. Amounts are decimal
 * strings.
 */

export interface Watched {
  /** Names or email addresses. */
  readonly accounts?: readonly string[];
  readonly symbols?: readonly string[];
}

interface OfAccount {
  /** The email address of the account: `exchange.account("alice").email`. */
  readonly account: string;
}

interface OfOrder extends OfAccount {
  readonly symbol: string;
  readonly orderId: number;
  readonly side: "BUY" | "SELL";
}

/** The state of an order after it was accepted, executed or ended. */
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
  /** The amount paid or received in the quote asset. */
  readonly quote: string;
  readonly quoteAsset: string;
  readonly commission: string;
  readonly commissionAsset: string;
}

/** The new balance of an account. */
export interface BalanceSeen extends OfAccount {
  readonly kind: "balance";
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

/** A deposit, or a withdrawal if negative: any change of a balance except by trading. */
export interface MoneySeen extends OfAccount {
  readonly kind: "moved";
  readonly asset: string;
  readonly amount: string;
}

/** The new number of an account's open orders, by symbol. Symbols without open orders are absent. */
export interface OpenOrdersSeen extends OfAccount {
  readonly kind: "openOrders";
  readonly count: Readonly<Record<string, number>>;
}

/** A rejected request. `account` is null if no known key was sent; `code` is null if the answer has none. */
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

/** The new last price of a symbol. */
export interface PriceSeen {
  readonly kind: "price";
  readonly symbol: string;
  readonly price: string;
}

/** The new status of a symbol. */
export interface StatusSeen {
  readonly kind: "status";
  readonly symbol: string;
  readonly status: string;
}

/** Whether one side of a symbol's book is now empty. */
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

/** One event. `number` counts from 1 without gaps, `seq` is the number of the journal entry. */
export type WatchRecord = { readonly number: number; readonly atMs: number; readonly seq: number } & Seen;

export interface WatchPage {
  readonly records: readonly WatchRecord[];
  /** The number of the newest record, to be passed to the next `look`. */
  readonly last: number;
  /**
   * How many records were discarded before they were read. Not 0 only if very many events occurred since the last call.
   */
  readonly lost: number;
}

/** A lab has one watch. A restore or a reset ends it. */
export interface Watch {
  /**
   * Watches these accounts and symbols, instead of those of an earlier call. The first records are the current state of
   * each account and symbol; the records of later events have numbers above `last`.
   */
  begin(watched: Watched): Promise<Pick<WatchPage, "last">>;
  /** All records after this number. Default: from the first record on. */
  look(after?: number): Promise<WatchPage>;
  /** Stops watching. */
  end(): Promise<void>;
}

// The status of a scenario, as its runner reports it to the lab.

export interface ScenarioStatus {
  readonly name: string;
  /** SHA-256 of the scenario's file in hex, at least its first eight digits. */
  readonly hash: string;
  readonly startMs: number;
  readonly endMs: number;
  /** The actions of the scenario. */
  readonly timeline: readonly {
    readonly atMs: number;
    readonly kind: string;
    readonly text: string;
    readonly isDone: boolean;
  }[];
  /** The assertions of the scenario. */
  readonly asserts: readonly {
    readonly name: string;
    readonly kind: "always" | "never" | "sometimes" | "finally";
    readonly state: "holds" | "waiting" | "failed";
    readonly text: string;
  }[];
}

/**
 * The status that the terminal and `pricetime lab scenario` show. `pricetime lab run-scenario` reports it; your own
 * runner can as well.
 */
export interface ScenarioReporting {
  /** Null if no scenario is running. */
  state(): Promise<ScenarioStatus | null>;
  tell(status: ScenarioStatus): Promise<ScenarioStatus>;
  /** Reports that the scenario is over. */
  end(): Promise<void>;
}
