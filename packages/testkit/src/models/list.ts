/** The model's order lists: two orders, one lock; the first to move ends the other. Interface 3.5. */
import { ended } from "./ending.ts";
import type { Happening, Listed } from "./happening.ts";
import { type ModelList, type ModelMarket, type ModelOrder, paidAsset } from "./market.ts";
import type { ModelState } from "./state.ts";

export function listedOf(market: ModelMarket, list: ModelList, status: Listed["status"]): Listed {
  const { orderListId, listClientOrderId, accountId, stopLeg, limitLeg } = list;
  return {
    kind: "listed",
    status,
    orderListId,
    listClientOrderId,
    accountId,
    symbol: market.spec.symbol,
    stopId: stopLeg.clientOrderId,
    limitId: limitLeg.clientOrderId,
  };
}

/** Cancels both orders for the owner, the stop leg first. */
export function cancelList(
  exchange: ModelState,
  market: ModelMarket,
  list: ModelList,
  cancelClientOrderId: string,
): Happening[] {
  closeList(exchange, market, list);
  const over = (order: ModelOrder) => ended(exchange, market, order, "CANCELED", cancelClientOrderId);
  return [over(list.stopLeg), over(list.limitLeg), listedOf(market, list, "ALL_DONE")];
}

/** Removes the list and frees what it had locked. */
export function closeList(exchange: ModelState, market: ModelMarket, list: ModelList): void {
  exchange.lists = exchange.lists.filter((other) => other !== list);
  exchange.money.lock(list.accountId, paidAsset(market, list.stopLeg.side), -list.locked);
}

export function liveList(exchange: ModelState, order: ModelOrder): ModelList | undefined {
  return exchange.lists.find(({ stopLeg, limitLeg }) => order === stopLeg || order === limitLeg);
}
