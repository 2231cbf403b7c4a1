/** An order as its parameters say it. */
import type { ApiError } from "./errors.ts";
import type { OrderType, ResponseType, Side, TimeInForce } from "./shapes/enums.ts";

/** Amounts are the decimal strings that were sent, "" where there is none. */
export interface OrderRequest {
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  /** GTC where the type has none. */
  readonly timeInForce: TimeInForce;
  readonly quantity: string;
  /** Of MARKET orders only, and then `quantity` is "". */
  readonly quoteOrderQty: string;
  readonly price: string;
  readonly stopPrice: string;
  /** "" too when zero was sent: no iceberg. */
  readonly icebergQty: string;
  /** "" when the gateway has to make one. */
  readonly newClientOrderId: string;
  readonly newOrderRespType: ResponseType;
}

export function orderRequest(
  _values: ReadonlyMap<string, string>,
  _baseDecimals: number,
  _quoteDecimals: number,
): OrderRequest | ApiError {
  throw new Error("not yet");
}
