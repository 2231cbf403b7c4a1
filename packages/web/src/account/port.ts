/** Types of an account's data, for panels. */
import type { ReadonlySignal } from "@preact/signals";
import type { OrderRecord, OtoKind, PegOffsetType, PegPriceType, SelfTradePreventionMode } from "@pricetime/protocol";

/** The error of a request. If the node did not respond, the outcome of the request is unknown. */
export interface Refusal {
  /** The error code (Interface 7); null if the node did not respond, or responded without an outcome (5XX). */
  readonly code: number | null;
  readonly message: string;
  readonly isUnknown: boolean;
}

/** The signed-in account. */
export interface Session {
  /** The name of the account, or the first characters of the API key. */
  readonly label: string;
  /** Whether an API key is used, which only this tab has, and not the session of the account pages. */
  readonly isByKey: boolean;
}

export type { Balance } from "@pricetime/protocol";

/**
 * An order. `sending`: the request was sent; `unknown`: the response was lost, and the order is being queried by client
 * order ID; `known`: `status` is as in Interface 3.1.
 */
export interface OrderRow {
  /** The order ID; 0 until it is known. */
  readonly orderId: number;
  readonly clientOrderId: string;
  /** The ID of the order list; -1 if the order is not part of a list. */
  readonly orderListId: number;
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly type: string;
  readonly timeInForce: string;
  readonly price: string;
  readonly stopPrice: string;
  readonly icebergQty: string;
  /** The distance of a trailing stop, in basis points; absent for other orders. */
  readonly trailingDelta?: number | undefined;
  /** When a trailing stop began to follow the price; -1 before its stop price is reached. */
  readonly trailingTime?: number | undefined;
  /** The price of the book that a pegged order takes; absent for other orders. `price` is the price in effect. */
  readonly pegPriceType?: PegPriceType | undefined;
  /** How many levels behind the best price; absent if it is the best one. */
  readonly pegOffsetValue?: number | undefined;
  readonly origQty: string;
  readonly executedQty: string;
  readonly selfTradePreventionMode?: SelfTradePreventionMode | undefined;
  /** What self-trade prevention took from the order; absent if nothing. */
  readonly preventedQuantity?: string | undefined;
  /** As the client sent it, like `strategyType`. */
  readonly strategyId?: number | undefined;
  readonly strategyType?: number | undefined;
  readonly cummulativeQuoteQty: string;
  readonly status: string;
  /** Why the order expired; absent for other orders, and for those that expired under older rules. */
  readonly expiryReason?: string | undefined;
  /** Whether the order is in the book; false while it waits for its stop price or its working order. */
  readonly isWorking: boolean;
  readonly timeMs: number;
  readonly updateTimeMs: number;
  readonly state: "sending" | "known" | "unknown";
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

/**
 * The parameters of `POST /api/v3/order` that the form sets, and those that a moved order keeps (Interface 4.2.2).
 * Decimals are strings.
 */
export interface OrderDraft
  extends Partial<Pick<OrderRecord, "selfTradePreventionMode" | "strategyId" | "strategyType">> {
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly type: string;
  readonly timeInForce?: string;
  readonly quantity?: string;
  readonly quoteOrderQty?: string;
  readonly price?: string;
  readonly stopPrice?: string;
  readonly icebergQty?: string;
  /** In basis points. */
  readonly trailingDelta?: string;
  readonly pegPriceType?: PegPriceType;
  readonly pegOffsetType?: PegOffsetType;
  readonly pegOffsetValue?: string;
}

/**
 * An OCO: two orders, one of which cancels the other (Interface 4.3). `price` and the fields that begin with `limit`
 * belong to the limit leg.
 */
export interface OcoDraft extends Pick<OrderDraft, "selfTradePreventionMode"> {
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly quantity: string;
  /** The type of the limit leg: LIMIT_MAKER, TAKE_PROFIT or TAKE_PROFIT_LIMIT. */
  readonly limitType: string;
  /** The price of the limit leg; absent for TAKE_PROFIT. */
  readonly price?: string;
  /** The trigger price of a limit leg that is a take-profit order. */
  readonly limitStopPrice?: string;
  readonly limitTimeInForce?: string;
  readonly stopPrice?: string;
  /** In place of a stop price: the distance at which the stop leg follows the price, in basis points. */
  readonly trailingDelta?: string;
  readonly stopLimitPrice?: string;
  readonly stopLimitTimeInForce?: string;
  readonly limitIcebergQty?: string;
  readonly stopIcebergQty?: string;
}

/** A working order, and the pending orders that are placed when it is filled (decision 101). */
export interface OtoDraft {
  readonly kind: OtoKind;
  readonly working: OrderDraft;
  /** One order, or the legs of an OCO, the stop leg first. Those that sell what the working order buys have no quantity. */
  readonly pending: readonly OrderDraft[];
}

/**
 * The loaded pages of a history, newest row first. `more` fetches older rows. Errors are never shown as empty pages.
 */
export interface Pages<Row> {
  readonly rows: ReadonlySignal<readonly Row[]>;
  readonly state: ReadonlySignal<"idle" | "loading" | "done" | Refusal>;
  more(): Promise<void>;
}

/** A notice: an action and its outcome. */
export interface Notice {
  readonly id: number;
  readonly tone: "good" | "bad" | "plain";
  readonly text: string;
  /** What the notice is about, such as an order; "" if no other notice replaces it. */
  readonly key: string;
  readonly timeMs: number;
}

export interface DemoAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

/** Maker and taker commission rates as fractions of 1; null until they are known. */
export type Commission = {
  readonly maker: string;
  readonly taker: string;
  /** The discount that the account has switched on; null if it does not apply to the market shown. */
  readonly discount?: FeeDiscount | null;
} | null;
/** A discount for paying the fee in another asset. `remains` is the part of the fee that is paid, as a fraction of 1. */
export interface FeeDiscount {
  readonly asset: string;
  readonly remains: string;
}
