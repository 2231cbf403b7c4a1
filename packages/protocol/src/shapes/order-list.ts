/** Order lists, and the answers to acts on two orders at once. Interface 2.9, 3.5. */
import type { ListOrderStatus, ListStatusType } from "./enums.ts";
import type { CancelResponse, PlaceResponse } from "./order.ts";

interface ListedOrder {
  readonly symbol: string;
  readonly orderId: number;
  readonly clientOrderId: string;
}

/** Lookup, open and all order lists. The stop leg stands first, here and in reports. */
export interface OrderListRecord {
  readonly orderListId: number;
  readonly contingencyType: "OCO";
  readonly listStatusType: ListStatusType;
  readonly listOrderStatus: ListOrderStatus;
  readonly listClientOrderId: string;
  /** Time of placement; in the answer to a cancel, time of the cancel. */
  readonly transactionTime: number;
  readonly symbol: string;
  readonly orders: readonly ListedOrder[];
}

export interface OcoResponse extends OrderListRecord {
  readonly orderReports: readonly PlaceResponse[];
}

/** Also the answer when one of the two orders is cancelled. */
export interface OcoCancelResponse extends OrderListRecord {
  readonly orderReports: readonly CancelResponse[];
}

export type PartResult = "SUCCESS" | "FAILURE" | "NOT_ATTEMPTED";

interface Refusal {
  readonly code: number;
  readonly msg: string;
}

/** The answer of a cancelReplace; also `data` of its errors when one half failed. */
export interface CancelReplaceResponse {
  readonly cancelResult: PartResult;
  readonly newOrderResult: PartResult;
  readonly cancelResponse: CancelResponse | OcoCancelResponse | Refusal;
  /** Null: not attempted. */
  readonly newOrderResponse: PlaceResponse | Refusal | null;
}
