/** Random commands of traders, of every kind, near one price, so that they match and trigger each other. */
import type { Command, ListLeg, OrderType, PlaceOrder, Side } from "@pricetime/engine";
import { placeOrder } from "../commands/index.ts";
import type { Dice } from "../dice.ts";

export const ACCOUNT_IDS: readonly number[] = [100, 101, 102];

/** Prices near `midTicks`; amounts of `WIDE` are beyond 64 bits. */
const SYMBOLS = [
  { symbolId: 0, symbol: "BTCUSDT", midTicks: 4_000_000, lots: 100_000 },
  { symbolId: 1, symbol: "WIDEUSDT", midTicks: 9_000_000_000_000, lots: 40_000_000_000_000 },
] as const;

/** The actor of a command, and what it acts on. */
interface Actor {
  readonly dice: Dice;
  /** The number of the command, from which new ids are made. */
  readonly n: number;
  readonly accountId: number;
  readonly symbolId: number;
  readonly midTicks: number;
  readonly lots: number;
  readonly side: Side;
}

export function randomCommand(dice: Dice, n: number): Command {
  const accountId = dice.pick(ACCOUNT_IDS);
  const { symbolId, midTicks, lots } = dice.pick(SYMBOLS);
  const kind = dice.next();
  const side = dice.next() < 0.5 ? "BUY" : "SELL";
  const actor: Actor = { dice, n, accountId, symbolId, midTicks, lots, side };
  if (kind < 0.12) return cancel(actor);
  if (kind < 0.14) return { type: "cancelOpenOrders", accountId, symbolId, newClientOrderId: `all${n}` };
  if (kind < 0.16) return { type: "tick" };
  if (kind < 0.28) return placeOco(actor);
  if (kind < 0.32) return cancelOrderList(actor);
  if (kind < 0.38) return { type: "cancelReplace", mode: modeOf(dice), cancel: cancel(actor), place: order(actor) };
  return order(actor);
}

const modeOf = (dice: Dice) => (dice.next() < 0.5 ? "STOP_ON_FAILURE" : "ALLOW_FAILURE");

function cancel({ dice, n, accountId, symbolId }: Actor): Extract<Command, { type: "cancelOrder" }> {
  const orderId = 1 + Math.floor(dice.next() * n * 1.2);
  return { type: "cancelOrder", accountId, symbolId, orderId, origClientOrderId: "", newClientOrderId: `x${n}` };
}

/** Returns a price near the middle, or farther away for orders that must not trade at once. */
function priceNear({ dice, midTicks }: Actor, side: Side, away: number): number {
  return midTicks + Math.floor((dice.next() - 0.5) * 8) - (side === "BUY" ? away : -away);
}

function order(actor: Actor): PlaceOrder {
  const { dice, n, accountId, symbolId, lots, side } = actor;
  const kind = dice.next();
  const quantityLots = 1 + Math.floor(dice.next() * lots);
  const plain: PlaceOrder = placeOrder({
    accountId,
    symbolId,
    side,
    timeInForce: kind < 0.15 ? "IOC" : kind < 0.2 ? "FOK" : "GTC",
    priceTicks: priceNear(actor, side, 1),
    quantityLots,
    clientOrderId: `c${n % 40 === 0 ? 0 : n}`,
  });
  if (kind < 0.5) return plain;
  if (kind < 0.58) return { ...plain, icebergLots: Math.ceil(quantityLots / 5) };
  if (kind < 0.66) return { ...plain, orderType: "LIMIT_MAKER", priceTicks: priceNear(actor, side, 3) };
  if (kind < 0.88) return waiting(actor, plain);
  const market = { ...plain, orderType: "MARKET", priceTicks: 0 } as const;
  return kind < 0.95 ? market : { ...market, quantityLots: 0, quoteOrderQty: 5_000_000_000n };
}

const STOP_TYPES: readonly OrderType[] = ["STOP_LOSS", "STOP_LOSS_LIMIT", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"];

function waiting(actor: Actor, plain: PlaceOrder): PlaceOrder {
  const orderType = actor.dice.pick(STOP_TYPES);
  const stopTicks = priceNear(actor, actor.side, 0);
  const isLimit = orderType === "STOP_LOSS_LIMIT" || orderType === "TAKE_PROFIT_LIMIT";
  if (!isLimit) return { ...plain, orderType, stopTicks, priceTicks: 0 };
  const timeInForce = actor.dice.pick(["GTC", "GTC", "IOC", "FOK"] as const);
  const icebergLots = timeInForce === "GTC" && actor.dice.next() < 0.3 ? Math.ceil(plain.quantityLots / 4) : 0;
  return { ...plain, orderType, stopTicks, timeInForce, icebergLots };
}

/** Makes an OCO, mostly with the prices in the right order. */
function placeOco(actor: Actor): Command {
  const { dice, n, accountId, symbolId, midTicks, lots, side } = actor;
  const [up, down] = [midTicks + Math.floor(dice.next() * 5), midTicks - Math.floor(dice.next() * 5)];
  const [limitTicks, stopTicks] = side === "SELL" ? [up, down] : [down, up];
  const leg: ListLeg = {
    orderType: "STOP_LOSS",
    timeInForce: "GTC",
    priceTicks: 0,
    stopTicks,
    icebergLots: 0,
    clientOrderId: `s${n}`,
  };
  const stopLeg = dice.next() < 0.5 ? leg : ({ ...leg, orderType: "STOP_LOSS_LIMIT", priceTicks: stopTicks } as const);
  const profit = { ...leg, orderType: "TAKE_PROFIT", stopTicks: limitTicks, clientOrderId: `l${n}` } as const;
  const maker = { ...profit, orderType: "LIMIT_MAKER", priceTicks: limitTicks, stopTicks: 0 } as const;
  return {
    type: "placeOco",
    accountId,
    symbolId,
    side,
    quantityLots: 1 + Math.floor(dice.next() * lots),
    stopLeg,
    limitLeg: dice.next() < 0.8 ? maker : profit,
    listClientOrderId: `list${n % 30}`,
  };
}

function cancelOrderList({ dice, n, accountId, symbolId }: Actor): Command {
  const byId = dice.next() < 0.6;
  return {
    type: "cancelOrderList",
    accountId,
    symbolId,
    orderListId: byId ? 1 + Math.floor(dice.next() * n * 0.1) : -1,
    listClientOrderId: byId ? "" : `list${Math.floor(dice.next() * 30)}`,
    newClientOrderId: `xl${n}`,
  };
}
