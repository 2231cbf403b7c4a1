/** Compares the responses of a node with the model. */
import { amount } from "@pricetime/testkit/models";
import type { ToldBalance, ToldOrder } from "../clients/operation.ts";
import type { Held, OrderMoment } from "./course.ts";

export function tellsOrder(told: ToldOrder, moment: OrderMoment | undefined): boolean {
  return (
    moment !== undefined &&
    told.orderId === moment.orderId &&
    told.status === moment.status &&
    amount(told.executedQty) === moment.executed &&
    amount(told.cummulativeQuoteQty) === moment.quote
  );
}

export function tellsBalances(told: readonly ToldBalance[], held: ReadonlyMap<string, Held>): boolean {
  const said = new Map(told.map((balance) => [balance.asset, balance]));
  return [...held].every(([asset, { free, locked }]) => {
    const balance = said.get(asset);
    return amount(balance?.free ?? "0") === free && amount(balance?.locked ?? "0") === locked;
  });
}
