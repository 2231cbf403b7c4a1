/** Commands of a customer, with what is usual filled in. */
import type { PlaceOrder, RequestWithdrawal } from "@pricetime/engine";

type Given<Fields, Needed extends keyof Fields> = Pick<Fields, Needed> & Partial<Omit<Fields, "type">>;

/** On the first symbol, LIMIT and GTC, with nothing hidden; at no price, for no quantity. */
export function placeOrder(order: Given<PlaceOrder, "accountId" | "side">): PlaceOrder {
  // Each field in its place: all have one shape, whoever made them.
  return {
    type: "placeOrder",
    accountId: order.accountId,
    symbolId: order.symbolId ?? 0,
    side: order.side,
    orderType: order.orderType ?? "LIMIT",
    timeInForce: order.timeInForce ?? "GTC",
    priceTicks: order.priceTicks ?? 0,
    quantityLots: order.quantityLots ?? 0,
    stopTicks: order.stopTicks ?? 0,
    icebergLots: order.icebergLots ?? 0,
    quoteOrderQty: order.quoteOrderQty ?? 0n,
    clientOrderId: order.clientOrderId ?? "",
  };
}

type Withdrawal = Given<RequestWithdrawal, "withdrawalId" | "accountId" | "asset" | "address" | "amount">;

/** On the asset's default network, without tag, code or mail. */
export function requestWithdrawal(withdrawal: Withdrawal): RequestWithdrawal {
  return {
    type: "requestWithdrawal",
    ...{ network: "", tag: "", name: "", withdrawOrderId: "", totpStep: null, confirmationHash: "" },
    ...withdrawal,
  };
}
