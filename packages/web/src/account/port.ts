/** The data of one account, as panels use it. */
import type { ReadonlySignal } from "@preact/signals";

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

export type { Balance } from "@pricetime/protocol";

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

/** Maker and taker rates as fractions of 1; null until they are known. */
export type Commission = { readonly maker: string; readonly taker: string } | null;
