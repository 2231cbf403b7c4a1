/** Orders and order lists, and the answers to placing and cancelling them. Interface 2.2, 2.3, 2.9, 3.5. */
import type {
  ListOrderStatus,
  ListStatusType,
  OrderStatus,
  OrderType,
  PegOffsetType,
  PegPriceType,
  SelfTradePreventionMode,
  Side,
  TimeInForce,
} from "./enums.ts";

/** The `orderListId` of an order outside any list. */
export const NO_ORDER_LIST = -1;

/** Fields of later versions of the original interface. */
interface LaterState {
  readonly selfTradePreventionMode: SelfTradePreventionMode;
  /** As the client sent it, like `strategyType`. */
  readonly strategyId?: number;
  readonly strategyType?: number;
  /** The distance of a trailing stop, in basis points. */
  readonly trailingDelta?: number;
  /** When a trailing stop began to follow the price; -1 while it waits for its stop price. */
  readonly trailingTime?: number;
  /** The price of the book that a pegged order takes. */
  readonly pegPriceType?: PegPriceType;
  /** With its value, if the client sent an offset. */
  readonly pegOffsetType?: PegOffsetType;
  readonly pegOffsetValue?: number;
  /** The price that a pegged order has taken; absent while it waits. */
  readonly peggedPrice?: string;
  /** Only of an order that expired after rules version 5 was adopted. */
  readonly expiryReason?: string;
}

/** The state of an order, which every answer except ACK includes. */
interface OrderState extends LaterState {
  readonly price: string;
  readonly origQty: string;
  readonly executedQty: string;
  /** The interface misspells this name. */
  readonly cummulativeQuoteQty: string;
  readonly status: OrderStatus;
  readonly timeInForce: TimeInForce;
  readonly type: OrderType;
  readonly side: Side;
}

/** Present if self-trade prevention took quantity from the order: its last match, and everything that it took. */
interface PreventedState {
  readonly preventedMatchId?: number;
  readonly preventedQuantity?: string;
}

/** An order in the answers of order lookup, open orders and all orders. */
export interface OrderRecord extends OrderState, PreventedState {
  readonly symbol: string;
  readonly orderId: number;
  readonly orderListId: number;
  readonly clientOrderId: string;
  readonly stopPrice: string;
  readonly icebergQty: string;
  readonly time: number;
  readonly updateTime: number;
  readonly isWorking: boolean;
  /** When the order began to work on the book; -1 while it waits. */
  readonly workingTime: number;
  readonly origQuoteOrderQty: string;
  readonly commission: string;
  readonly commissionAsset: string;
}

export interface AckResponse {
  readonly symbol: string;
  readonly orderId: number;
  readonly orderListId: number;
  readonly clientOrderId: string;
  readonly transactTime: number;
}

/**
 * The presence of `origQuoteOrderQty`, `stopPrice` and `icebergQty` depends on the order, that of the commission on
 * whether it traded: Interface 2.3.
 */
export interface ResultResponse extends AckResponse, OrderState, PreventedState {
  readonly workingTime: number;
  readonly origQuoteOrderQty?: string;
  readonly commission?: string;
  readonly commissionAsset?: string;
  readonly stopPrice?: string;
  readonly icebergQty?: string;
  /** Present if matches were prevented and the account is part of a trade group. */
  readonly tradeGroupId?: number;
}

/** `tradeId` is an extra field (Interface S.19). */
export interface FillRecord {
  readonly price: string;
  readonly qty: string;
  readonly commission: string;
  readonly commissionAsset: string;
  readonly tradeId: number;
}

export interface FullResponse extends ResultResponse {
  readonly fills: readonly FillRecord[];
  /** Present if there are any. */
  readonly preventedMatches?: readonly PreventedMatch[];
}

/** What the order lost instead of trading with another order of its account. */
interface PreventedMatch {
  readonly preventedMatchId: number;
  readonly makerSymbol: string;
  readonly makerOrderId: number;
  readonly price: string;
  /** Absent if the mode never takes quantity from this order. */
  readonly takerPreventedQuantity?: string;
  readonly makerPreventedQuantity?: string;
}

/** A prevented match in the answer of myPreventedMatches. `tradeGroupId` is -1 if the accounts are in no group. */
export interface PreventedMatchRecord extends PreventedMatch {
  readonly symbol: string;
  readonly takerOrderId: number;
  readonly tradeGroupId: number;
  readonly selfTradePreventionMode: SelfTradePreventionMode;
  readonly transactTime: number;
}

export type PlaceResponse = AckResponse | ResultResponse | FullResponse;

/** The final state of the order; `clientOrderId` is the id of the cancel. */
export interface CancelResponse extends OrderState, PreventedState {
  readonly symbol: string;
  readonly origClientOrderId: string;
  readonly orderId: number;
  readonly orderListId: number;
  readonly clientOrderId: string;
  readonly transactTime?: number;
  readonly origQuoteOrderQty?: string;
  readonly stopPrice?: string;
  readonly icebergQty?: string;
  readonly commission?: string;
  readonly commissionAsset?: string;
}

interface ListedOrder {
  readonly symbol: string;
  readonly orderId: number;
  readonly clientOrderId: string;
}

/** An order list in the answers of lookup, open and all order lists. The stop leg is first, here and in reports. */
export interface OrderListRecord {
  readonly orderListId: number;
  readonly contingencyType: "OCO" | "OTO";
  readonly listStatusType: ListStatusType;
  readonly listOrderStatus: ListOrderStatus;
  readonly listClientOrderId: string;
  /** The time of placement; in the answer to a cancel, the time of the cancel. */
  readonly transactionTime: number;
  readonly symbol: string;
  readonly orders: readonly ListedOrder[];
}

export interface OcoResponse extends OrderListRecord {
  readonly orderReports: readonly PlaceResponse[];
}

/** `origQty` is absent for pending orders of OPO and OPOCO, whose quantity is what the working order buys. */
export interface OtoResponse extends OrderListRecord {
  readonly orderReports: readonly (PlaceResponse | Omit<ResultResponse, "origQty"> | Omit<FullResponse, "origQty">)[];
}

/** The answer to cancelling an order list, or one of its orders. */
export interface OcoCancelResponse extends OrderListRecord {
  readonly orderReports: readonly CancelResponse[];
}

/** An order after an amendment. Unlike in other answers, `cumulativeQuoteQty` is spelled correctly. */
interface AmendedOrder extends Omit<LaterState, "expiryReason"> {
  readonly symbol: string;
  readonly orderId: number;
  readonly orderListId: number;
  readonly origClientOrderId: string;
  readonly clientOrderId: string;
  readonly price: string;
  readonly qty: string;
  readonly executedQty: string;
  readonly preventedQty: string;
  readonly quoteOrderQty: string;
  readonly cumulativeQuoteQty: string;
  readonly status: OrderStatus;
  readonly timeInForce: TimeInForce;
  readonly type: OrderType;
  readonly side: Side;
  readonly workingTime: number;
  readonly stopPrice?: string;
  readonly icebergQty?: string;
}

/** `listStatus` is present if the order was in an executing list. */
export interface AmendResponse {
  readonly transactTime: number;
  readonly executionId: number;
  readonly amendedOrder: AmendedOrder;
  readonly listStatus?: Omit<OrderListRecord, "listStatusType" | "transactionTime">;
}

export interface Amendment {
  readonly symbol: string;
  readonly orderId: number;
  /** Field `I` of the report of the amendment. */
  readonly executionId: number;
  readonly origClientOrderId: string;
  readonly newClientOrderId: string;
  /** The quantity before this amendment. */
  readonly origQty: string;
  readonly newQty: string;
  readonly time: number;
}

export type PartResult = "SUCCESS" | "FAILURE" | "NOT_ATTEMPTED";

interface Refusal {
  readonly code: number;
  readonly msg: string;
}

/** The answer to a cancelReplace; also `data` in its error if one half failed. */
export interface CancelReplaceResponse {
  readonly cancelResult: PartResult;
  readonly newOrderResult: PartResult;
  readonly cancelResponse: CancelResponse | OcoCancelResponse | Refusal;
  /** Null if the new order was not attempted. */
  readonly newOrderResponse: PlaceResponse | Refusal | null;
}
