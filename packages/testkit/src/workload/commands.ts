/** Random plausible commands: prices near the market, existing ids, and sometimes invalid values. */
import {
  CANCEL_REPLACE_MODES,
  type CancelOrder,
  type Command,
  FIRST_EDITION,
  INTERFACES,
  type ListLeg,
  NEWEST_EDITION,
  OFF_SCALE,
  type OrderType,
  type PlaceOco,
  type PlaceOrder,
  type PlaceOto,
  SELF_TRADE_PREVENTION_MODES,
} from "@pricetime/engine";
import { scaled } from "../models/money.ts";
import type { ModelExchange } from "../models/exchange.ts";
import { type ModelMarket, standsAbove } from "../models/market.ts";
import { triggerOf } from "../models/matching.ts";
import type { Dice } from "../dice.ts";
import { ACCESS_MAKERS } from "./access-commands.ts";
import { OPERATOR_MAKERS } from "./operator-commands.ts";
import { VENUE_MAKERS, venueRelief } from "./venue-commands.ts";
import { WALLET_MAKERS, walletRelief } from "./wallet-commands.ts";
import { BY, type Habit, type World } from "./world.ts";

type Maker = (dice: Dice, world: World, model: ModelExchange) => Command;

export function randomCommand(dice: Dice, world: World, model: ModelExchange): Command {
  const closed = model.markets.find((market) => market.status !== "TRADING" && (!market.isDelisted || dice.oneIn(20)));
  if (closed !== undefined && dice.oneIn(12)) {
    return { type: "setSymbolStatus", by: BY, symbol: closed.spec.symbol, status: "TRADING" };
  }
  if (closed !== undefined && closed.orders.length > 0 && dice.oneIn(20)) {
    return { type: "endSymbolOrders", by: BY, symbol: closed.spec.symbol, why: "it does not trade" };
  }
  const barred = [...model.accounts.values()].find((account) => !account.canTrade);
  if (barred !== undefined && dice.oneIn(12)) {
    return { type: "changeAccount", by: BY, accountId: barred.accountId, canTrade: true };
  }
  return walletRelief(dice, model) ?? venueRelief(dice, model) ?? dice.weighted(MAKERS)(dice, world, model);
}

const TIMES = [
  [10, "GTC"],
  [1, "IOC"],
  [1, "FOK"],
] as const;

const placeOrder: Maker = (dice, world, model) => {
  const symbolId = dice.oneIn(400) ? 77 : dice.below(world.symbols.length);
  const accountId = dice.oneIn(400) ? 9_999 : dice.pick(world.accountIds);
  return randomOrder(dice, world, model, accountId, symbolId);
};

const STOP_TYPES = [
  [7, "STOP_LOSS"],
  [6, "STOP_LOSS_LIMIT"],
  [5, "TAKE_PROFIT"],
  [5, "TAKE_PROFIT_LIMIT"],
] as const;
const ALL_TYPES = [[48, "LIMIT"], [20, "MARKET"], [10, "LIMIT_MAKER"], ...STOP_TYPES] as const;

function randomOrder(
  dice: Dice,
  world: World,
  model: ModelExchange,
  accountId: number,
  symbolId: number,
  types: readonly (readonly [number, OrderType])[] = ALL_TYPES,
): PlaceOrder {
  const habit = world.habits[symbolId] ?? world.habits[0]!;
  const orderType = dice.weighted<OrderType>(types);
  const side = dice.pick(["BUY", "SELL"] as const);
  const isPriced = !["MARKET", "STOP_LOSS", "TAKE_PROFIT"].includes(orderType);
  const isAlgo = !["LIMIT", "MARKET", "LIMIT_MAKER"].includes(orderType);
  const stopTicks = isAlgo
    ? randomStop(dice, habit, model, symbolId, orderType.startsWith("STOP") === (side === "BUY"))
    : 0;
  const order: PlaceOrder = {
    type: "placeOrder",
    accountId,
    symbolId,
    side,
    orderType,
    timeInForce: isPriced && orderType !== "LIMIT_MAKER" ? dice.weighted(TIMES) : "GTC",
    priceTicks: isPriced ? randomPrice(dice, habit, side === "BUY" ? -3 : 3, stopTicks) : 0,
    quantityLots: randomLots(dice, habit),
    stopTicks,
    icebergLots: 0,
    quoteOrderQty: 0n,
    clientOrderId: `c${dice.oneIn(8) ? dice.below(6) : dice.below(1_000_000)}`,
    ...randomMode(dice),
    ...(dice.oneIn(10) ? { strategyId: dice.below(9), strategyType: 1_000_000 + dice.below(9) } : {}),
  };
  if (dice.oneIn(150)) return misshapen(dice, habit, order);
  const isTrailing = isAlgo && dice.oneIn(4);
  const sound = isTrailing ? trailing(dice, order, lastTicks(habit, model, symbolId)) : order;
  if (dice.oneIn(isPriced ? (isAlgo ? 4 : 10) : 60) && mayPeg(dice, model)) return pegged(dice, sound);
  if (isTrailing) return sound;
  if (orderType === "MARKET") return market(dice, habit, order);
  return isPriced && order.timeInForce === "GTC" && dice.oneIn(5)
    ? { ...order, icebergLots: randomIceberg(dice, habit, order) }
    : order;
}

/** Older rules do not have pegged orders. */
function mayPeg(dice: Dice, { edition }: ModelExchange): boolean {
  return edition >= 5 || dice.oneIn(20);
}

/** Takes the price of an order from the book, mostly in a way that its type allows, and often without its own price. */
function pegged<T extends Pick<PlaceOrder, "orderType" | "timeInForce" | "priceTicks">>(dice: Dice, order: T): T {
  const { orderType, timeInForce } = order;
  const isToOwnSide =
    orderType === "LIMIT_MAKER" || (dice.oneIn(2) && (orderType !== "LIMIT" || timeInForce === "GTC"));
  const level = dice.oneIn(30)
    ? dice.pick([8, 100, 101])
    : dice.weighted([
        [6, 0],
        [3, 1],
        [2, 2],
        [1, 4],
      ] as const);
  const to = isToOwnSide !== dice.oneIn(40) ? "PRIMARY_PEG" : "MARKET_PEG";
  return { ...order, peg: { to, level }, priceTicks: dice.oneIn(3) ? order.priceTicks : 0 };
}

/** Half of the orders name no mode of self-trade prevention. */
function randomMode(dice: Dice): Pick<PlaceOrder, "selfTradePrevention"> {
  return dice.oneIn(2)
    ? {}
    : { selfTradePrevention: dice.pick(["TRANSFER", "TRANSFER", ...SELF_TRADE_PREVENTION_MODES]) };
}

/**
 * Makes a stop order follow the price, mostly without a stop price: from its placement on, and often at the distance
 * of its stop price.
 */
function trailing<T extends Pick<PlaceOrder, "stopTicks">>(
  dice: Dice,
  order: T,
  last: number,
): T & { trailingDelta: number } {
  const { stopTicks } = order;
  const delta = dice.oneIn(2) ? dice.pick([100, 250]) : dice.between(5, 400);
  const ofStop = last === 0 ? 0 : Math.floor((Math.abs(stopTicks - last) * 10_000) / last);
  const usual = ofStop > 0 && dice.oneIn(2) ? ofStop : delta;
  const trailingDelta = dice.oneIn(40) ? dice.pick([1, 9_999, 10_000]) : usual;
  return { ...order, stopTicks: dice.oneIn(3) ? stopTicks : 0, trailingDelta };
}

/** 0 before the first trade. */
function lastTicks({ priceDecimals }: Habit, { markets }: ModelExchange, symbolId: number): number {
  return Number((markets[symbolId]?.trades.at(-1)?.price ?? 0n) / 10n ** BigInt(8 - priceDecimals));
}

/** Adds a field that the order's type must not have, or removes one that it requires. */
function misshapen(dice: Dice, habit: Habit, order: PlaceOrder): PlaceOrder {
  return dice.pick<PlaceOrder>([
    { ...order, timeInForce: dice.pick(["IOC", "FOK"]) },
    { ...order, priceTicks: habit.midTicks, stopTicks: habit.midTicks },
    { ...order, priceTicks: 0 },
    { ...order, stopTicks: 0 },
    { ...order, trailingDelta: 100 },
    { ...order, peg: { to: "MARKET_PEG", level: 0 } },
    { ...order, timeInForce: "IOC", icebergLots: randomIceberg(dice, habit, order) },
    { ...order, icebergLots: order.quantityLots },
    { ...order, quoteOrderQty: 100_000n },
  ]);
}

/**
 * Returns a stop price, usually one that the last price has not reached, or one around the mid price if there was no
 * trade.
 */
function randomStop(dice: Dice, habit: Habit, model: ModelExchange, symbolId: number, isAbove: boolean): number {
  if (dice.oneIn(200)) return OFF_SCALE;
  const shared = dice.oneIn(2) ? sharedStop(dice, habit, model.markets[symbolId], isAbove) : undefined;
  if (shared !== undefined) return shared;
  const { midTicks, minTicks, stepTicks } = habit;
  const from = lastTicks(habit, model, symbolId) || midTicks;
  const ahead = dice.oneIn(12) ? dice.between(-3, 0) : dice.between(1, 5);
  const away = (isAbove ? ahead : -ahead) * stepTicks;
  const aligned = minTicks + Math.round((from + away - minTicks) / stepTicks) * stepTicks;
  return Math.max(1, aligned + (dice.oneIn(60) ? 1 : 0));
}

/**
 * Returns the price at which another order is triggered that waits for the same movement, or will when its list
 * releases it; undefined if none does.
 */
function sharedStop(dice: Dice, { priceDecimals }: Habit, market: ModelMarket | undefined, isAbove: boolean) {
  const waiting = market?.orders.filter(
    ({ place, type, side }) => (place === "waiting" || place === "pending") && standsAbove(type, side) === isAbove,
  );
  if (market === undefined || waiting === undefined || waiting.length === 0) return undefined;
  const trigger = triggerOf(market, dice.pick(waiting));
  return trigger === null || trigger === 0n ? undefined : Number(trigger / 10n ** BigInt(8 - priceDecimals));
}

const placeOco: Maker = (dice, world, model) => {
  const symbolId = dice.oneIn(200) ? 77 : dice.below(world.symbols.length);
  const habit = world.habits[symbolId] ?? world.habits[0]!;
  const side = dice.pick(["BUY", "SELL"] as const);
  const stopType = dice.weighted<OrderType>([
    [10, "STOP_LOSS"],
    [10, "STOP_LOSS_LIMIT"],
    [1, "TAKE_PROFIT"],
  ]);
  const limitType = dice.weighted<OrderType>([
    [12, "LIMIT_MAKER"],
    [4, "TAKE_PROFIT"],
    [4, "TAKE_PROFIT_LIMIT"],
    [1, "LIMIT"],
  ]);
  const quantityLots = randomLots(dice, habit);
  const mode = randomMode(dice);
  const leg = (orderType: OrderType, isAbove: boolean): ListLeg => {
    const isPriced = orderType.includes("LIMIT");
    const mayChoose = isPriced && orderType !== "LIMIT_MAKER";
    const ticks = randomStop(dice, habit, model, symbolId, isAbove);
    const isAlgo = orderType.includes("_LOSS") || orderType.includes("_PROFIT");
    const limitTicks = isAlgo ? randomPrice(dice, habit, side === "BUY" ? -3 : 3, ticks) : ticks;
    const timeInForce = mayChoose ? dice.weighted(TIMES) : "GTC";
    const isIceberg = isPriced && timeInForce === "GTC" && dice.oneIn(5);
    const made: ListLeg = {
      orderType,
      timeInForce,
      priceTicks: isPriced ? limitTicks : 0,
      stopTicks: isAlgo ? ticks : 0,
      icebergLots: isIceberg ? randomIceberg(dice, habit, { quantityLots }) : 0,
      clientOrderId: `c${dice.oneIn(20) ? dice.below(6) : dice.below(1_000_000)}`,
      ...mode,
    };
    const sound = isAlgo && dice.oneIn(5) ? trailing(dice, made, lastTicks(habit, model, symbolId)) : made;
    return isPriced && dice.oneIn(8) && mayPeg(dice, model) ? pegged(dice, sound) : sound;
  };
  return {
    type: "placeOco",
    accountId: dice.oneIn(200) ? 9_999 : dice.pick(world.accountIds),
    symbolId,
    side,
    quantityLots,
    stopLeg: leg(stopType, side === "BUY"),
    limitLeg: leg(limitType, side === "SELL"),
    listClientOrderId: `l${dice.oneIn(20) ? dice.below(3) : dice.below(1_000_000)}`,
  };
};

/** A working order near the market, and one order or a pair that the opposite side of it would take. */
const placeOto: Maker = (dice, world, model) => {
  const oco = placeOco(dice, world, model) as PlaceOco;
  // Older rules do not have such lists.
  if (model.edition < 5 && !dice.oneIn(20)) return oco;
  const { accountId, symbolId } = oco;
  const first = { ...randomOrder(dice, world, model, accountId, symbolId), icebergLots: 0 };
  const isSound = !dice.oneIn(12);
  const orderType = isSound && first.orderType !== "LIMIT_MAKER" ? "LIMIT" : first.orderType;
  const habit = world.habits[symbolId] ?? world.habits[0]!;
  // Mostly at a price and of a size that are soon filled.
  const across = dice.pick([1, 6, 12]);
  const priceTicks = randomPrice(dice, habit, first.side === "BUY" ? across : -across, 0);
  const quantityLots = habit.minLots + dice.below(6) * habit.stepLots;
  const sound = { orderType, priceTicks, quantityLots, stopTicks: 0, quoteOrderQty: 0n };
  const working: PlaceOrder = isSound ? { ...first, ...sound } : first;
  const kind = dice.weighted<PlaceOto["kind"]>([
    [30, "OTO"],
    [30, "OTOCO"],
    [20, "OPO"],
    [20, "OPOCO"],
    [1, "OCO"],
  ]);
  const isOfReceived = kind.startsWith("OPO") && !dice.oneIn(15);
  const takesPair = kind.endsWith("CO") !== dice.oneIn(40);
  const types = dice.oneIn(2) ? STOP_TYPES : ALL_TYPES;
  const single = randomOrder(dice, world, model, accountId, symbolId, types);
  const side = isOfReceived ? "BUY" : working.side;
  const pendingSide = isOfReceived || dice.oneIn(3) ? "SELL" : dice.pick(["BUY", "SELL"] as const);
  // A request has one mode for all orders of a list.
  const mode = dice.oneIn(8) ? undefined : randomMode(dice);
  const ofList = (leg: ListLeg): ListLeg => {
    if (mode === undefined) return leg;
    const { selfTradePrevention: _own, ...others } = leg;
    return { ...others, ...mode };
  };
  return {
    type: "placeOto",
    accountId,
    symbolId,
    kind,
    working: { side, quantityLots: working.quantityLots, leg: ofList(legOf(working)) },
    pendingSide: takesPair && !dice.oneIn(10) ? (isOfReceived ? "SELL" : oco.side) : pendingSide,
    pendingLots: isOfReceived ? 0 : oco.quantityLots,
    pending: ofList(takesPair ? oco.stopLeg : legOf(single)),
    pendingLimit: takesPair ? ofList(oco.limitLeg) : null,
    listClientOrderId: oco.listClientOrderId,
  };
};

function legOf(order: PlaceOrder): ListLeg {
  const { orderType, timeInForce, priceTicks, stopTicks, icebergLots, clientOrderId } = order;
  const { selfTradePrevention, trailingDelta, peg } = order;
  return {
    ...{ orderType, timeInForce, priceTicks, stopTicks, icebergLots, clientOrderId },
    ...(selfTradePrevention === undefined ? {} : { selfTradePrevention }),
    ...(trailingDelta === undefined ? {} : { trailingDelta }),
    ...(peg === undefined ? {} : { peg }),
  };
}

const cancelOrderList: Maker = (dice, world, model) => {
  const lists = [...model.lists, ...model.otos];
  const list = lists.length === 0 ? undefined : dice.pick(lists);
  const orderListId = dice.oneIn(20) ? dice.between(1, model.lastOrderListId + 2) : (list?.orderListId ?? 1);
  const clientId = dice.oneIn(20) ? "nobody's" : (list?.listClientOrderId ?? "l1");
  const by = dice.pick(["list", "client", "both"]);
  return {
    type: "cancelOrderList",
    accountId: list === undefined || dice.oneIn(20) ? dice.pick(world.accountIds) : list.accountId,
    symbolId: list === undefined || dice.oneIn(20) ? dice.pick([0, 1, 55]) : list.symbolId,
    orderListId: by === "client" ? -1 : orderListId,
    listClientOrderId: by === "list" ? "" : clientId,
    newClientOrderId: `x${dice.below(1000)}`,
  };
};

const cancelReplace: Maker = (dice, world, model) => {
  const cancel = cancelOrder(dice, world, model) as CancelOrder;
  const place = randomOrder(dice, world, model, cancel.accountId, cancel.symbolId);
  const mode = dice.pick(CANCEL_REPLACE_MODES);
  // Often the order has the client id that the cancel releases.
  const clientOrderId =
    dice.oneIn(3) && cancel.origClientOrderId !== "" ? cancel.origClientOrderId : place.clientOrderId;
  return { type: "cancelReplace", mode, cancel, place: { ...place, clientOrderId } };
};

function market(dice: Dice, habit: Habit, common: PlaceOrder): PlaceOrder {
  if (!dice.oneIn(3)) return { ...common, priceTicks: 0 };
  const price = scaled(habit.midTicks, habit.priceDecimals);
  const quantity = scaled(Math.max(common.quantityLots, 1), habit.quantityDecimals);
  const unit = 10n ** BigInt(8 - habit.quotePlaces);
  const quoteOrderQty = (price * quantity) / 10n ** 8n / unit + BigInt(dice.between(1, 50));
  return { ...common, priceTicks: 0, quantityLots: 0, quoteOrderQty };
}

function randomIceberg(dice: Dice, habit: Habit, { quantityLots }: Pick<PlaceOrder, "quantityLots">): number {
  if (dice.oneIn(60)) return OFF_SCALE;
  const parts = dice.pick([1, 2, 2, 3, 3, 4, 8]);
  return Math.max(habit.minLots, Math.floor(quantityLots / parts / habit.stepLots) * habit.stepLots);
}

/**
 * Returns a price around the mid price, biased towards prices at which an order of this side rests. With a stop price,
 * it is around that price, biased towards prices at which the order trades when it is triggered.
 */
function randomPrice(dice: Dice, habit: Habit, priceImpact: number, stopTicks: number): number {
  if (dice.oneIn(200)) return OFF_SCALE;
  const { midTicks, minTicks, stepTicks } = habit;
  if (stopTicks > 0 && !dice.oneIn(4))
    return Math.max(1, stopTicks + (dice.between(-2, 4) * stepTicks * -priceImpact) / 3);
  const away = dice.oneIn(25) ? dice.between(-40, 40) : dice.between(-6, 6) + priceImpact;
  const aligned = minTicks + Math.round((midTicks - minTicks) / stepTicks + away) * stepTicks;
  const ticks = aligned + (dice.oneIn(40) ? 1 : 0);
  return dice.oneIn(400) ? dice.pick([1, 2, 10 ** 12]) : Math.max(1, ticks);
}

function randomLots(dice: Dice, habit: Habit): number {
  if (dice.oneIn(200)) return OFF_SCALE;
  const steps = dice.oneIn(20) ? dice.between(40, 90) : dice.between(0, 20);
  const lots = habit.minLots + steps * habit.stepLots + (dice.oneIn(40) ? 1 : 0);
  return dice.oneIn(60) ? dice.pick([0, 1, habit.stepLots, 10 ** 9]) : lots;
}

const cancelOrder: Maker = (dice, world, model) => {
  const open = model.markets.flatMap((market) => market.orders);
  const target = open.length === 0 ? undefined : dice.pick(open);
  const orderId = dice.oneIn(25) ? dice.between(1, model.lastOrderId + 3) : (target?.orderId ?? 7);
  const clientId = dice.oneIn(25) ? "nobody's" : (target?.clientOrderId ?? "c1");
  const by = dice.pick(["order", "client", "both"]);
  return {
    type: "cancelOrder",
    accountId: target === undefined || dice.oneIn(30) ? dice.pick(world.accountIds) : target.accountId,
    symbolId: target === undefined || dice.oneIn(30) ? dice.pick([0, 1, 55]) : target.symbolId,
    orderId: by === "client" ? 0 : orderId,
    origClientOrderId: by === "order" ? "" : clientId,
    newClientOrderId: `x${dice.below(1000)}`,
    ...(dice.oneIn(6) ? { onlyIn: dice.pick(["NEW", "PARTIALLY_FILLED"]) } : {}),
  };
};

/** Usually less than the quantity of an open order: also less than was executed, or than the visible slice. */
const amendOrder: Maker = (dice, world, model) => {
  const cancel = cancelOrder(dice, world, model) as CancelOrder;
  const { accountId, symbolId, orderId, origClientOrderId } = cancel;
  const target = model.markets[symbolId]?.orders.find(
    (order) => order.orderId === orderId || (orderId === 0 && order.clientOrderId === origClientOrderId),
  );
  const habit = world.habits[symbolId] ?? world.habits[0]!;
  const present = target === undefined ? 9 : Number(target.quantity / 10n ** BigInt(8 - habit.quantityDecimals));
  const steps = Math.max(1, Math.floor((present - habit.minLots) / habit.stepLots));
  const reduced = habit.minLots + dice.below(steps) * habit.stepLots;
  const quantityLots = dice.oneIn(12)
    ? dice.pick([OFF_SCALE, 0, 1, present, present + habit.stepLots, reduced + 1])
    : reduced;
  const newClientOrderId =
    target !== undefined && dice.oneIn(3)
      ? target.clientOrderId
      : `c${dice.oneIn(8) ? dice.below(6) : dice.below(1_000_000)}`;
  return { type: "amendOrder", accountId, symbolId, orderId, origClientOrderId, newClientOrderId, quantityLots };
};

const cancelOpenOrders: Maker = (dice, world) => ({
  type: "cancelOpenOrders",
  accountId: dice.pick(world.accountIds),
  symbolId: dice.oneIn(50) ? 55 : dice.below(world.symbols.length),
  newClientOrderId: `x${dice.below(1000)}`,
});

const MAKERS: readonly (readonly [number, Maker])[] = [
  [700, placeOrder],
  [60, placeOco],
  [130, placeOto],
  [110, cancelOrder],
  [60, amendOrder],
  [10, cancelOrderList],
  [30, cancelReplace],
  [20, cancelOpenOrders],
  ...OPERATOR_MAKERS,
  [10, () => ({ type: "tick" })],
  [2, (dice) => ({ type: "setInterface", by: BY, interface: dice.pick(INTERFACES) })],
  [2, (dice) => ({ type: "adoptRules", edition: dice.between(FIRST_EDITION, NEWEST_EDITION) })],
  ...WALLET_MAKERS,
  ...VENUE_MAKERS,
  ...ACCESS_MAKERS,
];
