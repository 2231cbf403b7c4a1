/**
 * Matching in the model: orders match one maker after another, best price first, oldest first.
 */
import type { Happening, Opened } from "./happening.ts";
import {
  isAlgo,
  isPriced,
  isReached,
  lastPrice,
  lots,
  type ModelMarket,
  type ModelOrder,
  opposite,
  paidAsset,
  price,
  remaining,
  standsAbove,
  stepOrigin,
} from "./market.ts";
import { enter, failingPrices, pegOf } from "./peg.ts";
import { afterExpiry, amountToLock, closeList, ended, listedOf, liveList, otoOf } from "./order-ends.ts";
import { isOwn, prevent, type Step, type Taker, takerOf } from "./prevention.ts";
import { isInRange, rangeOf } from "./price-range.ts";
import { quantityForQuote, reachable } from "./reachable.ts";
import { isShort, lockOwn, trade } from "./settling.ts";
import type { ModelState } from "./state.ts";
import { follow, hasTurned, isFollowing, triggerPrice } from "./trailing.ts";
import type { ExpiryReason, PlaceOrder } from "@pricetime/engine";
import { amount, type Amount, ONE, productFloor, scaled } from "./money.ts";

/**
 * Returns the cost of buying `quantity` at market price, as far as the book has depth: the sum of fills, each rounded
 * down.
 */
function marketCost(exchange: ModelState, market: ModelMarket, taker: Taker, quantity: Amount): Amount {
  let cost = 0n;
  for (const step of stepsOf(exchange, market, taker, 0n, quantity)) {
    if (step.isPaid) cost += productFloor(step.maker.price, step.quantity, market.quotePlaces);
  }
  return cost;
}

/** Returns what a MARKET order of `quantity` spends at the moment: its cost, or how much of it can be sold. */
export function marketNeed(exchange: ModelState, market: ModelMarket, taker: Taker, quantity: Amount): Amount {
  if (taker.side === "BUY") return marketCost(exchange, market, taker, quantity);
  return stepsOf(exchange, market, taker, 0n, quantity).reduce(
    (sum, step) => sum + (step.isPaid ? step.quantity : 0n),
    0n,
  );
}

/**
 * Lists what would happen without changing anything. Icebergs show one slice after another, each at the end of the
 * queue.
 */
function stepsOf(
  exchange: ModelState,
  market: ModelMarket,
  taker: Taker,
  limit: Amount,
  quantity: Amount,
  range = rangeOf(market, taker.side, exchange.nowMs),
): Step[] {
  const steps: Step[] = [];
  const queue = reachable(market, taker, limit, range).map((maker) => ({
    maker,
    visible: maker.visible,
    left: remaining(maker),
  }));
  let wanted = quantity;
  while (wanted > 0n && queue.length > 0) {
    const front = queue.shift()!;
    const taken = wanted < front.visible ? wanted : front.visible;
    const own = taker.prevention !== "NONE" && isOwn(exchange, taker, front.maker);
    const isHalf = taker.prevention === "TRANSFER" && front.maker.prevention !== "TRANSFER";
    const mode = !own ? "NONE" : isHalf ? "DECREMENT" : taker.prevention;
    const isTransfer = mode === "TRANSFER" && taker.accountId !== front.maker.accountId;
    steps.push({ maker: front.maker, quantity: taken, mode, isPaid: mode === "NONE" || isTransfer });
    if (mode === "EXPIRE_TAKER" || mode === "EXPIRE_BOTH") break;
    if (mode === "EXPIRE_MAKER") continue;
    wanted -= taken;
    const left = front.left - taken;
    if (taken < front.visible || left === 0n) continue;
    const next = { maker: front.maker, visible: left < front.maker.icebergQty ? left : front.maker.icebergQty, left };
    const behind = queue.findIndex(({ maker }) => maker.price !== front.maker.price);
    queue.splice(behind === -1 ? queue.length : behind, 0, next);
  }
  return steps;
}

/** Executes a new order: locks the required amount, then waits for the stop price or matches at once. */
export function execute(exchange: ModelState, market: ModelMarket, command: PlaceOrder): Happening[] {
  return begin(exchange, market, newOrder(exchange, market, command, -1));
}

/** Starts an order that is accepted. `listed` are the happenings right after it has met the book. */
export function begin(
  exchange: ModelState,
  market: ModelMarket,
  order: ModelOrder,
  listed: () => Happening[] = () => [],
): Happening[] {
  const isMarket = order.type === "MARKET";
  lockOwn(exchange, market, order, isMarket ? marketNeed(exchange, market, order, remaining(order)) : undefined);
  if (isAlgo(order.type)) {
    order.place = "waiting";
    if (!market.orders.includes(order)) market.orders.push(order);
    return [openedOf(market, order), ...listed()];
  }
  order.place = "running";
  return [openedOf(market, order), ...run(exchange, market, order, listed)];
}

/**
 * Runs an order to its end, then the orders that its trades have triggered. Each of them runs with the orders that it
 * triggers itself before the next one starts.
 */
export function run(
  exchange: ModelState,
  market: ModelMarket,
  taker: ModelOrder,
  listed: () => Happening[] = () => [],
): Happening[] {
  const called: ModelOrder[] = [];
  const happenings = meetBook(exchange, market, taker, called);
  happenings.push(...listed());
  for (const order of called) {
    if (order.place === "pending") happenings.push(...exchange.release(market, otoOf(exchange, order)!));
    // An order that has ended together with its list in the meantime is no longer triggered.
    if (order.place === "called") happenings.push(...start(exchange, market, order));
  }
  return happenings;
}

/** Starts a triggered order. The other leg of its list ends first. */
function start(exchange: ModelState, market: ModelMarket, order: ModelOrder): Happening[] {
  const list = liveList(exchange, order);
  const happenings: Happening[] = [];
  if (list !== undefined) {
    closeList(exchange, market, list);
    const other = order === list.stopLeg ? list.limitLeg : list.stopLeg;
    happenings.push(ended(exchange, market, other, "EXPIRED", "", "OCO_TRIGGER"));
    lockOwn(exchange, market, order);
  }
  if (order.peg !== null && !takePrice(exchange, market, order)) {
    happenings.push(ended(exchange, market, order, "EXPIRED", "", "REJECTED"));
    if (list !== undefined) happenings.push(listedOf(market, list, "ALL_DONE"));
    return happenings;
  }
  if (exchange.edition >= 2) takeFree(exchange, market, order);
  order.place = "running";
  order.updateTimeMs = exchange.nowMs;
  happenings.push(openedOf(market, order));
  if (list !== undefined) happenings.push(listedOf(market, list, "ALL_DONE"));
  return [...happenings, ...run(exchange, market, order)];
}

/** A pegged stop order takes its price, and locks exactly what it needs at this price. False if it cannot. */
function takePrice(exchange: ModelState, market: ModelMarket, order: ModelOrder): boolean {
  if (!enter(market, order) || failingPrices(market, order, exchange.nowMs) !== null) return false;
  const asset = paidAsset(market, order.side);
  const missing = amountToLock(market, order.side, order.price, remaining(order)) - order.locked;
  const { canTrade, isEnabled } = exchange.accounts.get(order.accountId)!;
  if (missing > 0n && (!canTrade || !isEnabled || exchange.money.of(order.accountId, asset).free < missing))
    return false;
  exchange.money.lock(order.accountId, asset, missing);
  order.locked += missing;
  return true;
}

/**
 * Locks more of the account's free balance for a stop order that buys at market price, if the book's prices are above
 * its stop price.
 */
function takeFree(exchange: ModelState, market: ModelMarket, order: ModelOrder): void {
  if (order.side === "SELL" || isPriced(order.type)) return;
  const { canTrade, isEnabled } = exchange.accounts.get(order.accountId)!;
  if (!canTrade || !isEnabled) return;
  const asset = paidAsset(market, order.side);
  const { free } = exchange.money.of(order.accountId, asset);
  const short = marketCost(exchange, market, order, remaining(order)) - order.locked;
  const taken = short > free ? free : short;
  if (taken <= 0n) return;
  exchange.money.lock(order.accountId, asset, taken);
  order.locked += taken;
}

/** Trades while there are matching orders, then rests or ends. Adds the orders that it triggers to `called`. */
function meetBook(exchange: ModelState, market: ModelMarket, taker: ModelOrder, called: ModelOrder[]): Happening[] {
  taker.range = rangeOf(market, taker.side, exchange.nowMs);
  const steps = stepsOf(exchange, market, taker, taker.price, remaining(taker), taker.range);
  const wanted = remaining(taker);
  const fills = (found: readonly Step[]): boolean =>
    found.reduce((sum, step) => sum + (step.mode === "NONE" ? step.quantity : 0n), 0n) === wanted;
  const isFok = taker.timeInForce === "FOK";
  const mayTrade = !isFok || fills(steps);
  const happenings = mayTrade ? takeSteps(exchange, market, taker, steps, called) : [];
  if (taker.place === "over") return happenings;
  if (remaining(taker) === 0n && taker.quantity > 0n && !isShort(exchange, market, taker)) {
    taker.place = "over";
    market.orders = market.orders.filter((order) => order !== taker);
    return happenings;
  }
  const [next] = opposite(market, taker.side, taker.price);
  const isStopped = isFok
    ? fills(stepsOf(exchange, market, taker, taker.price, wanted, null))
    : next !== undefined && !isInRange(taker.range, next);
  if (!isStopped && isPriced(taker.type) && taker.timeInForce === "GTC") {
    rest(exchange, market, taker);
    return happenings;
  }
  const why = isStopped ? "EXECUTION_RULE_PRICE_RANGE_EXCEEDED" : whyUnfilled(market, taker);
  happenings.push(ended(exchange, market, taker, "EXPIRED", "", why));
  happenings.push(...afterExpiry(exchange, market, taker));
  return happenings;
}

function whyUnfilled(market: ModelMarket, { type, side, timeInForce }: ModelOrder): ExpiryReason {
  if (timeInForce === "FOK") return "UNFILLED_FOK_ORDER_EXPIRED";
  if (timeInForce === "IOC") return "UNFILLED_IOC_QUANTITY_EXPIRED";
  // Only an order that buys at market price after it was triggered may find offers that it cannot pay for.
  return side === "BUY" && isAlgo(type) && opposite(market, side, 0n).length > 0
    ? "REJECTED"
    : "INSUFFICIENT_LIQUIDITY";
}

function takeSteps(
  exchange: ModelState,
  market: ModelMarket,
  taker: ModelOrder,
  steps: readonly Step[],
  called: ModelOrder[],
): Happening[] {
  const happenings: Happening[] = [];
  let lastTaken = 0n;
  for (const step of steps) {
    const { maker, quantity } = step;
    const part = step.isPaid ? payable(exchange, market, taker, maker.price, quantity) : quantity;
    if (part === 0n) break;
    if (step.mode !== "NONE") {
      happenings.push(...prevent(exchange, market, taker, { ...step, quantity: part }));
      if (part < quantity) break;
      continue;
    }
    if (maker.price !== lastTaken) market.aggregates++;
    lastTaken = maker.price;
    const before = lastPrice(market);
    happenings.push(...trade(exchange, market, taker, maker, part));
    for (const oto of [taker, maker].flatMap((order) => exchange.otos.filter(({ working }) => working === order))) {
      if (remaining(oto.working) === 0n) called.push(oto.pending[0]!);
    }
    called.push(...calledBy(exchange, market, before, maker.price));
    // The taker cannot pay for the whole fill, so its money is used up.
    if (part < quantity) break;
  }
  return happenings;
}

/**
 * Returns how much of `quantity` the taker can pay for. Only a stop order that buys at market price can lack funds,
 * because it has locked its stop price times its quantity. The total that it executes is then rounded down to the step
 * of LOT_SIZE.
 */
function payable(exchange: ModelState, market: ModelMarket, taker: ModelOrder, at: Amount, quantity: Amount): Amount {
  if (taker.side === "SELL" || !isAlgo(taker.type) || isPriced(taker.type)) return quantity;
  const price = productFloor(at, quantity, market.quotePlaces);
  if (exchange.edition >= 2 && price <= taker.locked) return quantity;
  const lot = lots(market, 1);
  const affordable = ((taker.locked * ONE) / (at * lot)) * lot;
  if (affordable >= quantity) return quantity;
  // Starts from a quantity that is too large and reduces it until it is on the step.
  const filter = market.filters.lotSize;
  const [min, step] = [amount(filter?.minQty ?? "0"), amount(filter?.stepSize ?? "0")];
  let executed = taker.executed + affordable;
  if (step !== 0n) while ((executed - stepOrigin(market, min)) % step !== 0n) executed -= lot;
  return executed > taker.executed ? executed - taker.executed : 0n;
}

/** The first price that triggers an order; null if it follows a price that is not known yet. */
export function triggerOf(market: ModelMarket, order: ModelOrder): Amount | null {
  if (!isFollowing(order)) return order.stopPrice;
  return order.trailing!.extreme === null ? null : triggerPrice(price(market, 1), order);
}

/**
 * Returns the orders that a trade has triggered, in the order in which the price passed their trigger prices since the
 * previous trade; at the same price, those that were placed or released first. Before the first trade there is no previous price: stop prices
 * above come first, from the lowest up, then those below, from the highest down. Trailing stops whose stop price is
 * reached follow the price from now on.
 */
function calledBy(exchange: ModelState, market: ModelMarket, before: Amount | null, now: Amount): ModelOrder[] {
  const waiting = market.orders.filter(({ place }) => place === "waiting");
  const [following, others] = [waiting.filter(isFollowing), waiting.filter((order) => !isFollowing(order))];
  const distance = (order: ModelOrder): Amount => {
    const at = triggerOf(market, order)!;
    if (before !== null) return at > before ? at - before : before - at;
    return standsAbove(order.type, order.side) ? at : 10n ** 40n - at;
  };
  const inTurn = (orders: ModelOrder[]): ModelOrder[] =>
    orders.sort((a, b) => Number(distance(a) - distance(b)) || a.waitingSince - b.waitingSince);
  const reached = inTurn(others.filter((order) => isReached(order, now)));
  const called = inTurn([
    ...reached.filter(({ trailing }) => trailing === null),
    ...following.filter((order) => hasTurned(order, now)),
  ]);
  for (const order of following) follow(order, now);
  for (const order of reached.filter(({ trailing }) => trailing !== null)) {
    order.trailing!.sinceMs = exchange.nowMs;
    order.trailing!.extreme = now;
    order.arrival = ++exchange.lastArrival;
  }
  for (const order of called) order.place = "called";
  return called;
}

/** Adds an order to the book, behind the others at its price. */
export function rest(exchange: ModelState, market: ModelMarket, order: ModelOrder): void {
  const left = remaining(order);
  order.visible = order.icebergQty > 0n && order.icebergQty < left ? order.icebergQty : left;
  order.arrival = ++exchange.lastArrival;
  order.place = "book";
  if (!market.orders.includes(order)) market.orders.push(order);
  market.touched = true;
}

function nextOrderId(exchange: ModelState, { symbolId }: ModelMarket): number {
  if (!exchange.hasOrderIdsBySymbol) return ++exchange.lastOrderId;
  const count = (exchange.orderCounts.get(symbolId) ?? 0) + 1;
  exchange.orderCounts.set(symbolId, count);
  return 274_877_906_944 * (symbolId + 1) + count;
}

/** `orderId` is the next one, unless the order is only looked at. */
export function newOrder(
  exchange: ModelState,
  market: ModelMarket,
  command: PlaceOrder,
  orderListId: number,
  orderId = nextOrderId(exchange, market),
  isPending = false,
): ModelOrder {
  const byQuote = command.quoteOrderQty !== 0n;
  const { trailingDelta = 0, stopTicks } = command;
  const last = stopTicks === 0 ? lastPrice(market) : null;
  const sinceMs = stopTicks === 0 ? exchange.nowMs : -1;
  const order: ModelOrder = {
    orderId,
    accountId: command.accountId,
    symbolId: command.symbolId,
    clientOrderId: command.clientOrderId,
    side: command.side,
    type: command.orderType,
    timeInForce: command.timeInForce,
    price: price(market, command.priceTicks),
    quantity: byQuote ? quantityForQuote(exchange, market, command) : lots(market, command.quantityLots),
    quoteOrderQty: scaled(command.quoteOrderQty, market.quotePlaces),
    stopPrice: price(market, command.stopTicks),
    icebergQty: lots(market, command.icebergLots),
    orderListId,
    place: "waiting",
    timeMs: exchange.nowMs,
    updateTimeMs: exchange.nowMs,
    executed: 0n,
    executedQuote: 0n,
    range: null,
    prevention: takerOf(exchange, market, command).prevention,
    prevented: 0n,
    visible: 0n,
    // A trailing stop without a stop price follows from here on.
    arrival: trailingDelta !== 0 && orderId !== 0 ? ++exchange.lastArrival : 0,
    waitingSince: ++exchange.lastArrival,
    locked: 0n,
    amendments: 0,
    trailing: trailingDelta === 0 ? null : { delta: BigInt(trailingDelta), start: last ?? 0n, sinceMs, extreme: last },
    peg: pegOf(market, command),
  };
  if (!isPending && !isAlgo(order.type)) enter(market, order);
  return order;
}

export function openedOf(market: ModelMarket, order: ModelOrder): Opened {
  return {
    kind: "opened",
    orderId: order.orderId,
    accountId: order.accountId,
    clientOrderId: order.clientOrderId,
    symbol: market.spec.symbol,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    price: order.peg?.sent ?? order.price,
    quantity: order.quantity,
    stopPrice: order.stopPrice,
    icebergQty: order.icebergQty,
    trailingDelta: Number(order.trailing?.delta ?? 0n),
    follows: (order.trailing?.sinceMs ?? -1) !== -1,
    peg: order.peg === null ? "" : `${order.peg.to} ${order.peg.level}`,
    peggedPrice: order.peg?.pegged ?? 0n,
    isWorking: order.place !== "waiting" && order.place !== "pending",
    isPending: order.place === "pending",
    orderListId: order.orderListId,
  };
}
