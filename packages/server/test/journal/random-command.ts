/** Random commands of traders, of every kind, near one price, so that they meet and set each other off. */
import type { Command, ListLeg, OrderType, PlaceOrder, Side } from "@pricetime/engine";

export const ACCOUNT_IDS: readonly number[] = [100, 101, 102];

/** Prices near `midTicks`; amounts of `WIDE` are beyond 64 bits. */
const SYMBOLS = [
  { symbolId: 0, symbol: "BTCUSDT", midTicks: 4_000_000, lots: 100_000 },
  { symbolId: 1, symbol: "WIDEUSDT", midTicks: 9_000_000_000_000, lots: 40_000_000_000_000 },
] as const;

/** Uniform in [0, 1), from a seed. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

type Next = () => number;

/** Who acts on what. */
interface Actor {
  readonly next: Next;
  /** The number of the command, for ids that are new. */
  readonly n: number;
  readonly accountId: number;
  readonly symbolId: number;
  readonly midTicks: number;
  readonly lots: number;
  readonly side: Side;
}

const pick = <T>(next: Next, list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;

export function randomCommand(next: Next, n: number): Command {
  const accountId = pick(next, ACCOUNT_IDS);
  const { symbolId, midTicks, lots } = pick(next, SYMBOLS);
  const kind = next();
  const side = next() < 0.5 ? "BUY" : "SELL";
  const actor: Actor = { next, n, accountId, symbolId, midTicks, lots, side };
  if (kind < 0.12) return cancel(actor);
  if (kind < 0.14) return { type: "cancelOpenOrders", accountId, symbolId, newClientOrderId: `all${n}` };
  if (kind < 0.16) return { type: "tick" };
  if (kind < 0.28) return placeOco(actor);
  if (kind < 0.32) return cancelOrderList(actor);
  if (kind < 0.38) return { type: "cancelReplace", mode: modeOf(next), cancel: cancel(actor), place: order(actor) };
  return order(actor);
}

const modeOf = (next: Next) => (next() < 0.5 ? "STOP_ON_FAILURE" : "ALLOW_FAILURE");

function cancel({ next, n, accountId, symbolId }: Actor): Extract<Command, { type: "cancelOrder" }> {
  const orderId = 1 + Math.floor(next() * n * 1.2);
  return { type: "cancelOrder", accountId, symbolId, orderId, origClientOrderId: "", newClientOrderId: `x${n}` };
}

/** Near the middle, further for what must not trade at once. */
function priceNear({ next, midTicks }: Actor, side: Side, away: number): number {
  return midTicks + Math.floor((next() - 0.5) * 8) - (side === "BUY" ? away : -away);
}

function order(actor: Actor): PlaceOrder {
  const { next, n, accountId, symbolId, lots, side } = actor;
  const kind = next();
  const quantityLots = 1 + Math.floor(next() * lots);
  const plain: PlaceOrder = {
    type: "placeOrder",
    accountId,
    symbolId,
    side,
    orderType: "LIMIT",
    timeInForce: kind < 0.15 ? "IOC" : kind < 0.2 ? "FOK" : "GTC",
    priceTicks: priceNear(actor, side, 1),
    quantityLots,
    stopTicks: 0,
    icebergLots: 0,
    quoteOrderQty: 0n,
    clientOrderId: `c${n % 40 === 0 ? 0 : n}`,
  };
  if (kind < 0.5) return plain;
  if (kind < 0.58) return { ...plain, icebergLots: Math.ceil(quantityLots / 5) };
  if (kind < 0.66) return { ...plain, orderType: "LIMIT_MAKER", priceTicks: priceNear(actor, side, 3) };
  if (kind < 0.88) return waiting(actor, plain);
  const market = { ...plain, orderType: "MARKET", priceTicks: 0 } as const;
  return kind < 0.95 ? market : { ...market, quantityLots: 0, quoteOrderQty: 5_000_000_000n };
}

const STOP_TYPES: readonly OrderType[] = ["STOP_LOSS", "STOP_LOSS_LIMIT", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"];

function waiting(actor: Actor, plain: PlaceOrder): PlaceOrder {
  const orderType = pick(actor.next, STOP_TYPES);
  const stopTicks = priceNear(actor, actor.side, 0);
  const isLimit = orderType === "STOP_LOSS_LIMIT" || orderType === "TAKE_PROFIT_LIMIT";
  if (!isLimit) return { ...plain, orderType, stopTicks, priceTicks: 0 };
  const timeInForce = pick(actor.next, ["GTC", "GTC", "IOC", "FOK"] as const);
  const icebergLots = timeInForce === "GTC" && actor.next() < 0.3 ? Math.ceil(plain.quantityLots / 4) : 0;
  return { ...plain, orderType, stopTicks, timeInForce, icebergLots };
}

/** Mostly with the prices in the right order, not always. */
function placeOco(actor: Actor): Command {
  const { next, n, accountId, symbolId, midTicks, lots, side } = actor;
  const [up, down] = [midTicks + Math.floor(next() * 5), midTicks - Math.floor(next() * 5)];
  const [limitTicks, stopTicks] = side === "SELL" ? [up, down] : [down, up];
  const leg: ListLeg = {
    orderType: "STOP_LOSS",
    timeInForce: "GTC",
    priceTicks: 0,
    stopTicks,
    icebergLots: 0,
    clientOrderId: `s${n}`,
  };
  const stopLeg = next() < 0.5 ? leg : ({ ...leg, orderType: "STOP_LOSS_LIMIT", priceTicks: stopTicks } as const);
  const profit = { ...leg, orderType: "TAKE_PROFIT", stopTicks: limitTicks, clientOrderId: `l${n}` } as const;
  const maker = { ...profit, orderType: "LIMIT_MAKER", priceTicks: limitTicks, stopTicks: 0 } as const;
  return {
    type: "placeOco",
    accountId,
    symbolId,
    side,
    quantityLots: 1 + Math.floor(next() * lots),
    stopLeg,
    limitLeg: next() < 0.8 ? maker : profit,
    listClientOrderId: `list${n % 30}`,
  };
}

function cancelOrderList({ next, n, accountId, symbolId }: Actor): Command {
  const byId = next() < 0.6;
  return {
    type: "cancelOrderList",
    accountId,
    symbolId,
    orderListId: byId ? 1 + Math.floor(next() * n * 0.1) : -1,
    listClientOrderId: byId ? "" : `list${Math.floor(next() * 30)}`,
    newClientOrderId: `xl${n}`,
  };
}
