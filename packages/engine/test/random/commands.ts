/** Random commands that mean something: prices near the market, ids that exist, and now and then nonsense. */
import { type Command, OFF_SCALE, type PlaceOrder, SYMBOL_STATUSES } from "@pricetime/engine";
import { scaled, show } from "../model/amount.ts";
import type { ModelExchange } from "../model/exchange.ts";
import type { Dice } from "./dice.ts";
import { BY, type Habit, makeExchangeFilters, makeFilters, type World } from "./world.ts";

type Maker = (dice: Dice, world: World, model: ModelExchange) => Command;

export function randomCommand(dice: Dice, world: World, model: ModelExchange): Command {
  const closed = model.markets.find((market) => market.status !== "TRADING");
  if (closed !== undefined && dice.oneIn(12)) {
    return { type: "setSymbolStatus", by: BY, symbol: closed.spec.symbol, status: "TRADING" };
  }
  const barred = [...model.accounts.values()].find((account) => !account.canTrade);
  if (barred !== undefined && dice.oneIn(12)) {
    return { type: "changeAccount", by: BY, accountId: barred.accountId, canTrade: true };
  }
  return dice.weighted(MAKERS)(dice, world, model);
}

const TIMES = [
  [10, "GTC"],
  [1, "IOC"],
  [1, "FOK"],
] as const;

const placeOrder: Maker = (dice, world) => {
  const symbolId = dice.oneIn(400) ? 77 : dice.below(world.symbols.length);
  const habit = world.habits[symbolId] ?? world.habits[0]!;
  const orderType = dice.weighted([
    [60, "LIMIT"],
    [22, "MARKET"],
    [15, "LIMIT_MAKER"],
    [1, "STOP_LOSS_LIMIT"],
  ] as const);
  const side = dice.pick(["BUY", "SELL"] as const);
  const common: PlaceOrder = {
    type: "placeOrder",
    accountId: dice.oneIn(400) ? 9_999 : dice.pick(world.accountIds),
    symbolId,
    side,
    orderType,
    timeInForce: orderType === "LIMIT" ? dice.weighted(TIMES) : "GTC",
    priceTicks: randomPrice(dice, habit, side === "BUY" ? -3 : 3),
    quantityLots: randomLots(dice, habit),
    stopTicks: orderType === "STOP_LOSS_LIMIT" ? habit.midTicks : 0,
    icebergLots: 0,
    quoteOrderQty: 0n,
    clientOrderId: `c${dice.oneIn(8) ? dice.below(6) : dice.below(1_000_000)}`,
  };
  if (dice.oneIn(300)) return { ...common, timeInForce: dice.pick(["IOC", "FOK"]) };
  if (orderType === "MARKET" && !dice.oneIn(300)) return market(dice, habit, common);
  return dice.oneIn(40) ? { ...common, icebergLots: randomIceberg(dice, habit, common) } : common;
};

function market(dice: Dice, habit: Habit, common: PlaceOrder): PlaceOrder {
  if (!dice.oneIn(3)) return { ...common, priceTicks: 0 };
  const price = scaled(habit.midTicks, habit.priceDecimals);
  const quantity = scaled(Math.max(common.quantityLots, 1), habit.quantityDecimals);
  const unit = 10n ** BigInt(8 - habit.quotePlaces);
  const quoteOrderQty = (price * quantity) / 10n ** 8n / unit + BigInt(dice.between(1, 50));
  return { ...common, priceTicks: 0, quantityLots: 0, quoteOrderQty };
}

function randomIceberg(dice: Dice, habit: Habit, { quantityLots }: PlaceOrder): number {
  if (dice.oneIn(30)) return OFF_SCALE;
  const parts = dice.pick([1, 2, 3, 4, 8]);
  return Math.max(habit.minLots, Math.floor(quantityLots / parts / habit.stepLots) * habit.stepLots);
}

/** Around the middle, leaning to where an order of this side rests. */
function randomPrice(dice: Dice, habit: Habit, lean: number): number {
  if (dice.oneIn(200)) return OFF_SCALE;
  const { midTicks, minTicks, stepTicks } = habit;
  const away = dice.oneIn(25) ? dice.between(-40, 40) : dice.between(-6, 6) + lean;
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
  };
};

const cancelOpenOrders: Maker = (dice, world) => ({
  type: "cancelOpenOrders",
  accountId: dice.pick(world.accountIds),
  symbolId: dice.oneIn(50) ? 55 : dice.below(world.symbols.length),
  newClientOrderId: `x${dice.below(1000)}`,
});

const move: Maker = (dice, world) => {
  const { asset, precision } = dice.pick(world.assets);
  const units = dice.pick([1, 999, 5_000, 100_000]);
  return {
    type: dice.oneIn(4) ? "debit" : "deposit",
    by: BY,
    accountId: dice.oneIn(40) ? 9_999 : dice.pick(world.accountIds),
    asset: dice.oneIn(40) ? "ZZZ" : asset,
    amount: dice.oneIn(40) ? dice.pick(["0", "0.000000001"]) : show(scaled(units, Math.min(precision, 3))),
    reference: `r${dice.below(100_000)}`,
  };
};

const changeAccount: Maker = (dice, world) => {
  const accountId = dice.oneIn(30) ? 9_999 : dice.pick(world.accountIds);
  const bps = () => (dice.oneIn(10) ? dice.pick([9_999, 10_000]) : dice.pick([0, 1, 10, 100]));
  if (dice.oneIn(4)) return { type: "changeAccount", by: BY, accountId, canTrade: false };
  if (dice.oneIn(2)) {
    return { type: "changeAccount", by: BY, accountId, makerBps: bps(), takerBps: dice.oneIn(20) ? 10_001 : bps() };
  }
  const { symbol } = dice.pick(world.symbols);
  const [makerBps, takerBps] = dice.oneIn(3) ? [null, null] : [bps(), dice.oneIn(20) ? null : bps()];
  return { type: "setSymbolFee", by: BY, accountId, symbol, makerBps, takerBps };
};

const changeSymbol: Maker = (dice, world) => {
  const at = dice.below(world.symbols.length);
  const { symbol } = world.symbols[at]!;
  const named = dice.oneIn(40) ? "NOSUCH" : symbol;
  const filters = makeFilters(dice, world.habits[at]!);
  return dice.weighted<Command>([
    [3, { type: "setSymbolStatus", by: BY, symbol: named, status: dice.pick(SYMBOL_STATUSES) }],
    [2, { type: "setSymbolFilters", by: BY, symbol: named, filters }],
    [1, { type: "setExchangeFilters", by: BY, filters: makeExchangeFilters(dice) }],
    [1, world.opening[dice.below(world.opening.length)]!],
  ]);
};

const keys: Maker = (dice, world) => {
  const accountId = dice.pick(world.accountIds);
  const listenKey = `l${dice.below(8)}`;
  const apiKey = `k${dice.below(8)}`;
  const permissions = ["TRADE", "USER_DATA"] as const;
  return dice.pick<Command>([
    { type: "openListenKey", accountId, listenKey },
    { type: "keepListenKey", accountId, listenKey },
    { type: "closeListenKey", accountId, listenKey },
    { type: "createApiKey", by: BY, accountId, apiKey, sealedSecret: "s", permissions, ipAllowList: [], label: "" },
    { type: "deleteApiKey", by: BY, apiKey },
  ]);
};

const MAKERS: readonly (readonly [number, Maker])[] = [
  [760, placeOrder],
  [140, cancelOrder],
  [15, cancelOpenOrders],
  [40, move],
  [15, changeAccount],
  [12, changeSymbol],
  [20, keys],
  [10, () => ({ type: "tick" })],
];
