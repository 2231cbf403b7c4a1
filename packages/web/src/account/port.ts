/** The state and actions of one account, as panels use them. */
import type { ReadonlySignal } from "@preact/signals";
import type { Freshness } from "../market/port.ts";

/** The node's error, or no response: then the outcome of the request is unknown. */
export interface Refusal {
  /**
   * An error code of Interface 7; null if there was no response, or one without an outcome (a 5XX, a lost connection).
   */
  readonly code: number | null;
  readonly message: string;
  readonly isUnknown: boolean;
}

/** Keys are stored until the tab is closed, unless signing in fails. */
export interface Session {
  /** The name of a demo account, or the beginning of the API key. */
  readonly label: string;
  readonly isDemo: boolean;
}

/** Amounts are decimal strings, as sent by the node. */
export interface Balance {
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

/**
 * `sending`: the request was sent; `unknown`: the response was lost, and the order is being queried by client order ID;
 * `failed`: the node rejected the order, and `refusal` has the reason. The other states are those of Interface 3.1.
 */
export interface OrderRow {
  /** 0 until it is known. */
  readonly orderId: number;
  readonly clientOrderId: string;
  /** -1 if the order is in no list. */
  readonly orderListId: number;
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly type: string;
  readonly timeInForce: string;
  readonly price: string;
  readonly stopPrice: string;
  readonly icebergQty: string;
  readonly origQty: string;
  readonly executedQty: string;
  readonly cummulativeQuoteQty: string;
  readonly status: string;
  /** False while the order waits for its stop price. */
  readonly isWorking: boolean;
  readonly timeMs: number;
  readonly updateTimeMs: number;
  readonly state: "sending" | "known" | "unknown" | "failed";
  readonly refusal: Refusal | null;
}

export interface Fill {
  readonly symbol: string;
  readonly tradeId: number;
  readonly orderId: number;
  readonly side: "BUY" | "SELL";
  readonly price: string;
  readonly quantity: string;
  readonly quoteQuantity: string;
  readonly commission: string;
  readonly commissionAsset: string;
  readonly isMaker: boolean;
  readonly timeMs: number;
}

/** The parameters of `POST /api/v3/order` that the form fills in (Interface 4.2.2). Decimals are strings. */
export interface OrderDraft {
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly type: string;
  readonly timeInForce?: string;
  readonly quantity?: string;
  readonly quoteOrderQty?: string;
  readonly price?: string;
  readonly stopPrice?: string;
  readonly icebergQty?: string;
}

/**
 * Two orders, one of which cancels the other (Interface 4.3). Fields that begin with `limit`, and `price`, are the
 * limit leg's.
 */
export interface OcoDraft {
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly quantity: string;
  /** LIMIT_MAKER, TAKE_PROFIT or TAKE_PROFIT_LIMIT. */
  readonly limitType: string;
  /** Absent for a TAKE_PROFIT. */
  readonly price?: string;
  /** The trigger price of a take-profit limit leg. */
  readonly limitStopPrice?: string;
  readonly limitTimeInForce?: string;
  readonly stopPrice: string;
  readonly stopLimitPrice?: string;
  readonly stopLimitTimeInForce?: string;
  readonly limitIcebergQty?: string;
  readonly stopIcebergQty?: string;
}

/** A page of history, newest row first. `more` fetches older rows. An error is never shown as an empty page. */
export interface Pages<Row> {
  readonly rows: ReadonlySignal<readonly Row[]>;
  readonly state: ReadonlySignal<"idle" | "loading" | "done" | Refusal>;
  more(): Promise<void>;
}

/** One line of the notices: an action and its outcome. */
export interface Notice {
  readonly id: number;
  readonly tone: "good" | "bad" | "plain";
  readonly text: string;
  readonly timeMs: number;
}

export interface DemoAccount {
  readonly name: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

export interface Account {
  readonly session: ReadonlySignal<Session | null>;
  readonly freshness: ReadonlySignal<Freshness>;
  /** Empty unless the node is a demo on a loopback address. */
  readonly demoAccounts: ReadonlySignal<readonly DemoAccount[]>;
  readonly balances: ReadonlySignal<ReadonlyMap<string, Balance>>;
  /** Maker and taker rates as fractions of 1, from `GET /api/v3/account`; null until they are known. */
  readonly commission: ReadonlySignal<{ readonly maker: string; readonly taker: string } | null>;
  /**
   * Orders of all markets: open orders, orders being sent, and rejected or unknown orders until the user dismisses
   * them.
   */
  readonly orders: ReadonlySignal<readonly OrderRow[]>;
  /** The newest fills from the stream and the market's latest, newest first, at most 1,000. */
  readonly fills: ReadonlySignal<readonly Fill[]>;
  readonly notices: ReadonlySignal<readonly Notice[]>;
  /** Adds a notice. */
  say(tone: Notice["tone"], text: string): void;
  /** Rejects with a `Refusal` if the node rejects the key. */
  signIn(apiKey: string, secretKey: string, label?: string): Promise<void>;
  signOut(): void;
  /** These actions never reject: `orders` and `notices` show the outcome. True if the node accepted the request. */
  place(draft: OrderDraft): Promise<boolean>;
  placeOco(draft: OcoDraft): Promise<boolean>;
  cancel(order: OrderRow): Promise<boolean>;
  cancelList(symbol: string, orderListId: number): Promise<boolean>;
  /** Null cancels the orders of all markets. */
  cancelAll(symbol: string | null): Promise<boolean>;
  /**
   * Cancels the order (of an OCO the whole list) and places it again at the new price. If placing fails, a notice
   * states that the order is canceled and why. With `stopPrice`, the stop price moves.
   */
  move(order: OrderRow, to: { readonly price?: string; readonly stopPrice?: string }): Promise<boolean>;
  dismiss(order: OrderRow): void;
  orderHistory(symbol: string): Pages<OrderRow>;
  tradeHistory(symbol: string): Pages<Fill>;
}
