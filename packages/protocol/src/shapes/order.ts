/** Orders and the answers to placing and cancelling them. Interface 2.2, 2.3. */
import type { OrderStatus, OrderType, Side, TimeInForce } from "./enums.ts";

/** The `orderListId` of an order outside any list. */
export const NO_ORDER_LIST = -1;

/** The state of an order, in every answer but ACK. */
interface OrderState {
  readonly price: string;
  readonly origQty: string;
  readonly executedQty: string;
  /** Misspelled by the interface. */
  readonly cummulativeQuoteQty: string;
  readonly status: OrderStatus;
  readonly timeInForce: TimeInForce;
  readonly type: OrderType;
  readonly side: Side;
}

/** Lookup, open orders, all orders. */
export interface OrderRecord extends OrderState {
  readonly symbol: string;
  readonly orderId: number;
  readonly orderListId: number;
  readonly clientOrderId: string;
  readonly stopPrice: string;
  readonly icebergQty: string;
  readonly time: number;
  readonly updateTime: number;
  readonly isWorking: boolean;
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

/** The last three are present when the order has them, commissions when it traded: Interface 2.3. */
export interface ResultResponse extends AckResponse, OrderState {
  readonly origQuoteOrderQty?: string;
  readonly commission?: string;
  readonly commissionAsset?: string;
  readonly stopPrice?: string;
  readonly icebergQty?: string;
}

/** `tradeId` is an extra (Interface S.19). */
export interface FillRecord {
  readonly price: string;
  readonly qty: string;
  readonly commission: string;
  readonly commissionAsset: string;
  readonly tradeId: number;
}

export interface FullResponse extends ResultResponse {
  readonly fills: readonly FillRecord[];
}

export type PlaceResponse = AckResponse | ResultResponse | FullResponse;

/** The final state of the order; `clientOrderId` is the id of the cancel. */
export interface CancelResponse extends OrderState {
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
