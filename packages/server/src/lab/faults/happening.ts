/** Events that arm a fault: an order, a fill, a price, a deposit, or the strike of another fault. */
import { type EngineView, type Event, parseDecimal, WIRE_PLACES } from "@pricetime/engine";
import { AdminRefusal } from "../../people/admin/answer.ts";
import { priceText } from "../../history/shapes/amounts.ts";
import type { After } from "./fault.ts";
import { accountNamed, checkCoin, marketNamed } from "./names.ts";

/** Whether the event is the one. */
export type IsIt = (event: Event) => boolean;

const WAYS = ["order", "fill", "price", "deposit", "fault"] as const;

/** Throws `AdminRefusal` for what can never happen. `isFault` knows the faults in the list. */
export function whatArms(after: After, view: EngineView, isFault: (id: number) => boolean): IsIt {
  const named = WAYS.filter((way) => after[way] !== undefined);
  if (named.length !== 1) throw bad(`after: one of ${WAYS.join(", ")}`);
  if (after.fault !== undefined) {
    if (!isFault(after.fault)) throw bad(`after.fault: there is no fault ${after.fault}`);
    return () => false;
  }
  if (after.price !== undefined) return priceReached(after.price, view);
  if (after.deposit !== undefined) return depositCredited(after.deposit, view);
  const { account, symbol } = after.fill ?? after.order ?? {};
  const accountId = account === undefined ? undefined : accountNamed(view, account).accountId;
  const symbolId = symbol === undefined ? undefined : marketNamed(view, symbol).symbolId;
  const isHis = (owner: number): boolean => accountId === undefined || owner === accountId;
  const isThere = (market: number): boolean => symbolId === undefined || market === symbolId;
  if (after.order !== undefined) {
    return (event) => event.type === "orderOpened" && isHis(event.order.accountId) && isThere(event.order.symbolId);
  }
  return (event) =>
    event.type === "trade" &&
    isThere(event.symbolId) &&
    [event.taker, event.maker].some(({ order }) => isHis(order.accountId));
}

function priceReached({ symbol, atLeast, atMost }: NonNullable<After["price"]>, view: EngineView): IsIt {
  if ((atLeast === undefined) === (atMost === undefined)) throw bad("after.price: one of atLeast, atMost");
  const market = marketNamed(view, symbol);
  const bound = units(atLeast ?? atMost ?? "");
  return (event) => {
    if (event.type !== "trade" || event.symbolId !== market.symbolId) return false;
    const price = units(priceText(market, event.priceTicks));
    return atLeast === undefined ? price <= bound : price >= bound;
  };
}

function depositCredited({ account, coin }: NonNullable<After["deposit"]>, view: EngineView): IsIt {
  checkCoin(view, coin, undefined);
  const accountId = account === undefined ? undefined : accountNamed(view, account).accountId;
  return (event) =>
    event.type === "depositChanged" &&
    // A coin that is deep enough when it is first seen goes without being "credited" in between.
    event.moved > 0n &&
    (accountId === undefined || event.deposit.accountId === accountId) &&
    (coin === undefined || view.asset(event.deposit.assetId).spec.asset === coin);
}

function units(price: string): bigint {
  const found = parseDecimal(price, WIRE_PLACES);
  if (found === null) throw bad(`after.price: at most ${WIRE_PLACES} decimals`);
  return found;
}

function bad(why: string): AdminRefusal {
  return new AdminRefusal(400, "BAD_REQUEST", why);
}
