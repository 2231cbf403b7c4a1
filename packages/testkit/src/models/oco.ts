/** Places an order list in the model. Interface 4.3, 3.5. */
import type { ListLeg, PlaceOco, PlaceOrder, RejectReason } from "@pricetime/engine";
import type { Amount } from "./amount.ts";
import { duplicate, forbidden, needOf, unaffordable, wanted, wouldTake } from "./checks.ts";
import { failingCount, failingFilter } from "./filters.ts";
import type { Happening } from "./happening.ts";
import { listedOf } from "./list.ts";
import { isAlgo, lastPrice, type ModelList, type ModelMarket, paidAsset, price } from "./market.ts";
import { newOrder, openedOf, rest } from "./matching.ts";
import type { ModelState } from "./state.ts";

/** Returns a leg as a single order. */
function alone(command: PlaceOco, leg: ListLeg): PlaceOrder {
  const { accountId, symbolId, side, quantityLots } = command;
  return { ...leg, type: "placeOrder", accountId, symbolId, side, quantityLots, quoteOrderQty: 0n };
}

export function placeOco(exchange: ModelState, command: PlaceOco): Happening[] | RejectReason {
  if (exchange.wallet.isInMaintenance) return "MAINTENANCE";
  const market = exchange.markets[command.symbolId];
  if (market === undefined) return "UNKNOWN_SYMBOL";
  if (!exchange.accounts.has(command.accountId)) return "UNKNOWN_ACCOUNT";
  const legs = [alone(command, command.stopLeg), alone(command, command.limitLeg)] as const;
  const reason = refusalOfList(exchange, market, command, legs);
  if (reason !== null) return reason;
  const [a, b] = [needOf(market, legs[0]), needOf(market, legs[1])];
  const need = a > b ? a : b;
  return unaffordable(exchange, market, command, need) ?? open(exchange, market, command, legs, need);
}

type Legs = readonly [stop: PlaceOrder, limit: PlaceOrder];

function refusalOfList(exchange: ModelState, market: ModelMarket, command: PlaceOco, legs: Legs): RejectReason | null {
  const [stop, limit] = legs;
  // both stay open, whatever they are: a list counts as two
  const orders = legs.map((leg) => ({ ...wanted(market, leg), mayRest: true }));
  const open = exchange.openOrders(command.accountId);
  return (
    failingFilter(market, orders[0]!, exchange.nowMs) ??
    failingFilter(market, orders[1]!, exchange.nowMs) ??
    failingCount(market, exchange.exchangeFilters, open, orders) ??
    forbidden(exchange, market, stop) ??
    forbidden(exchange, market, limit) ??
    (market.spec.ocoAllowed ? null : "OCO_NOT_SUPPORTED") ??
    (isPair(stop, limit) ? null : "UNSUPPORTED_COMBINATION") ??
    (isOrdered(market, stop, limit) ? null : "OCO_BAD_PRICES") ??
    takenIds(exchange, market, command, legs) ??
    (limit.orderType === "LIMIT_MAKER" ? wouldTake(market, limit) : null)
  );
}

function isPair(stop: PlaceOrder, limit: PlaceOrder): boolean {
  return (
    ["STOP_LOSS", "STOP_LOSS_LIMIT"].includes(stop.orderType) &&
    ["LIMIT_MAKER", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"].includes(limit.orderType)
  );
}

/** SELL: limit > last > stop. BUY: limit < last < stop. Without a last price: limit and stop. All are strict. */
function isOrdered(market: ModelMarket, stop: PlaceOrder, limit: PlaceOrder): boolean {
  const gain = price(market, isAlgo(limit.orderType) ? limit.stopTicks : limit.priceTicks);
  const loss = price(market, stop.stopTicks);
  const last = lastPrice(market);
  const [low, high] = stop.side === "SELL" ? [loss, gain] : [gain, loss];
  return last === null ? low < high : low < last && last < high;
}

function takenIds(exchange: ModelState, market: ModelMarket, command: PlaceOco, legs: Legs): RejectReason | null {
  const isSame = (list: ModelList) =>
    list.accountId === command.accountId && list.listClientOrderId === command.listClientOrderId;
  if (legs[0].clientOrderId === legs[1].clientOrderId || exchange.lists.some(isSame)) return "DUPLICATE_ORDER";
  return duplicate(market, legs[0]) ?? duplicate(market, legs[1]);
}

function open(exchange: ModelState, market: ModelMarket, command: PlaceOco, legs: Legs, locked: Amount) {
  const orderListId = ++exchange.lastOrderListId;
  const stopLeg = newOrder(exchange, market, legs[0], orderListId);
  const limitLeg = newOrder(exchange, market, legs[1], orderListId);
  const { listClientOrderId, accountId, symbolId } = command;
  const timeMs = exchange.nowMs;
  const list: ModelList = { orderListId, listClientOrderId, accountId, symbolId, timeMs, stopLeg, limitLeg, locked };
  exchange.money.lock(accountId, paidAsset(market, command.side), locked);
  for (const leg of [stopLeg, limitLeg]) {
    if (isAlgo(leg.type)) market.orders.push(leg);
    else rest(exchange, market, leg);
  }
  exchange.lists.push(list);
  return [
    openedOf(market, stopLeg),
    openedOf(market, limitLeg),
    listedOf(market, list, "EXECUTING"),
  ] satisfies Happening[];
}
