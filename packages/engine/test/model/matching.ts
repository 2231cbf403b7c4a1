/** Matching and money of the model: one maker after the other, best price first, oldest first. */
import { OFF_SCALE, type OrderStatus, type PlaceOrder, type Side } from "@pricetime/engine";
import { amount, type Amount, basisPoints, ONE, productCeil, productFloor, scaled } from "./amount.ts";
import type { ModelExchange } from "./exchange.ts";
import type { Happening, Opened, Traded, TradeSide } from "./happening.ts";
import { levels, lots, type ModelMarket, type ModelOrder, opposite, price, remaining } from "./market.ts";

/** What an order that rests (or may come to rest) keeps locked. */
export function amountToLock(market: ModelMarket, side: Side, limit: Amount, quantity: Amount): Amount {
  return side === "SELL" ? quantity : productCeil(limit, quantity, market.quotePlaces);
}

/** What buying `quantity` at market costs, as far as the book has it: the sum over the fills, each rounded down. */
export function marketCost(market: ModelMarket, quantity: Amount): Amount {
  let cost = 0n;
  for (const step of fillsOf(market, "BUY", 0n, quantity)) {
    cost += productFloor(step.maker.price, step.quantity, market.quotePlaces);
  }
  return cost;
}

/** How much a MARKET order by quoteOrderQty comes to: level by level what the rest of the quote pays, then whole steps. */
export function quantityForQuote(market: ModelMarket, command: PlaceOrder): Amount {
  const lot = 10n ** BigInt(8 - market.quantityDecimals);
  let rest = scaled(command.quoteOrderQty, market.quotePlaces);
  let total = 0n;
  for (const level of levels(market, command.side, 0n)) {
    const payable = ((rest * ONE) / (level.price * lot)) * lot;
    const taken = payable < level.quantity ? payable : level.quantity;
    total += taken;
    rest -= productFloor(level.price, taken, market.quotePlaces);
    if (taken < level.quantity) break;
  }
  const filter = market.filters.lotSize;
  if (filter === undefined) return total;
  const [min, step] = [amount(filter.minQty), amount(filter.stepSize)];
  if (step === 0n) return total;
  return total < min ? 0n : total - ((total - min) % step);
}

interface Step {
  readonly maker: ModelOrder;
  readonly quantity: Amount;
}

/** Who would trade what, changing nothing: icebergs show slice after slice, each at the back of the queue. */
function fillsOf(market: ModelMarket, side: Side, limit: Amount, quantity: Amount): Step[] {
  const steps: Step[] = [];
  const queue = opposite(market, side, limit).map((maker) => ({
    maker,
    visible: maker.visible,
    left: remaining(maker),
  }));
  let wanted = quantity;
  while (wanted > 0n && queue.length > 0) {
    const front = queue.shift()!;
    const taken = wanted < front.visible ? wanted : front.visible;
    steps.push({ maker: front.maker, quantity: taken });
    wanted -= taken;
    const left = front.left - taken;
    if (taken < front.visible || left === 0n) continue;
    const next = { maker: front.maker, visible: left < front.maker.icebergQty ? left : front.maker.icebergQty, left };
    const behind = queue.findIndex(({ maker }) => maker.price !== front.maker.price);
    queue.splice(behind === -1 ? queue.length : behind, 0, next);
  }
  return steps;
}

export function execute(exchange: ModelExchange, market: ModelMarket, command: PlaceOrder): Happening[] {
  const taker = newOrder(exchange, market, command);
  const happenings: Happening[] = [openedOf(market, taker)];
  const { money } = exchange;
  if (taker.type !== "MARKET") {
    taker.locked = amountToLock(market, taker.side, taker.price, taker.quantity);
    money.lock(taker.accountId, paidAsset(market, taker.side), taker.locked);
  }
  const steps = fillsOf(market, taker.side, taker.price, taker.quantity);
  const fillable = steps.reduce((sum, step) => sum + step.quantity, 0n);
  if (taker.timeInForce !== "FOK" || fillable === taker.quantity) {
    let lastPrice = 0n;
    for (const step of steps) {
      if (step.maker.price !== lastPrice) market.aggregates++;
      lastPrice = step.maker.price;
      happenings.push(trade(exchange, market, taker, step));
    }
  }
  if (remaining(taker) === 0n && taker.quantity > 0n) return happenings;
  if (taker.type !== "MARKET" && taker.timeInForce === "GTC") {
    taker.visible = taker.icebergQty > 0n && taker.icebergQty < remaining(taker) ? taker.icebergQty : remaining(taker);
    market.orders.push(taker);
    return happenings;
  }
  release(exchange, market, taker);
  const { orderId, clientOrderId, executed, executedQuote } = taker;
  happenings.push({
    kind: "ended",
    status: "EXPIRED",
    orderId,
    clientOrderId,
    executed,
    executedQuote,
    cancelClientOrderId: "",
  });
  return happenings;
}

function newOrder(exchange: ModelExchange, market: ModelMarket, command: PlaceOrder): ModelOrder {
  const byQuote = command.quoteOrderQty !== 0n;
  return {
    orderId: ++exchange.lastOrderId,
    accountId: command.accountId,
    symbolId: command.symbolId,
    clientOrderId: command.clientOrderId,
    side: command.side,
    type: command.orderType,
    timeInForce: command.timeInForce,
    price: command.priceTicks === OFF_SCALE ? 0n : price(market, command.priceTicks),
    quantity: byQuote ? quantityForQuote(market, command) : lots(market, command.quantityLots),
    icebergQty: lots(market, command.icebergLots),
    executed: 0n,
    executedQuote: 0n,
    visible: 0n,
    arrival: ++exchange.lastArrival,
    locked: 0n,
  };
}

function openedOf(market: ModelMarket, order: ModelOrder): Opened {
  return {
    kind: "opened",
    orderId: order.orderId,
    accountId: order.accountId,
    clientOrderId: order.clientOrderId,
    symbol: market.spec.symbol,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    price: order.price,
    quantity: order.quantity,
    stopPrice: 0n,
    icebergQty: order.icebergQty,
    isWorking: true,
  };
}

function trade(exchange: ModelExchange, market: ModelMarket, taker: ModelOrder, step: Step): Traded {
  const { maker, quantity } = step;
  const quote = productFloor(maker.price, quantity, market.quotePlaces);
  const [buyer, seller] = taker.side === "BUY" ? [taker, maker] : [maker, taker];
  for (const order of [taker, maker]) {
    order.executed += quantity;
    order.executedQuote += quote;
  }
  payFrom(exchange, market, buyer, seller.accountId, quote);
  payFrom(exchange, market, seller, buyer.accountId, quantity);
  const trades = { timeMs: exchange.nowMs, price: maker.price, quantity, quote, tradeId: market.trades.length + 1 };
  market.trades.push(trades);
  const received = (order: ModelOrder) => (order === buyer ? quantity : quote);
  const takerSide = settle(exchange, market, taker, received(taker), "takerBps");
  const makerSide = settle(exchange, market, maker, received(maker), "makerBps");
  queueAgain(exchange, market, maker, quantity);
  return {
    kind: "traded",
    symbol: market.spec.symbol,
    tradeId: trades.tradeId,
    aggTradeId: market.aggregates,
    price: maker.price,
    quantity,
    quote,
    takerSide: taker.side,
    taker: takerSide,
    maker: makerSide,
  };
}

/** An order pays: from what it has locked, keeping what the rest of it needs and giving back the surplus. */
function payFrom(exchange: ModelExchange, market: ModelMarket, order: ModelOrder, to: number, value: Amount): void {
  const asset = paidAsset(market, order.side);
  const { money } = exchange;
  if (order.type === "MARKET") {
    money.pay(order.accountId, "free", to, asset, value);
    return;
  }
  money.pay(order.accountId, "locked", to, asset, value);
  const keep = amountToLock(market, order.side, order.price, remaining(order));
  money.lock(order.accountId, asset, -(order.locked - value - keep));
  order.locked = keep;
}

function settle(
  exchange: ModelExchange,
  market: ModelMarket,
  order: ModelOrder,
  received: Amount,
  rate: "makerBps" | "takerBps",
): TradeSide {
  const account = exchange.accounts.get(order.accountId)!;
  const bps = (account.overrides.get(market.spec.symbol) ?? account)[rate];
  const isBuy = order.side === "BUY";
  const commission = basisPoints(received, bps, isBuy ? market.basePlaces : market.quotePlaces);
  const commissionAsset = isBuy ? market.base : market.quote;
  exchange.money.charge(order.accountId, commissionAsset, commission);
  const status: OrderStatus = remaining(order) === 0n ? "FILLED" : "PARTIALLY_FILLED";
  const { orderId, clientOrderId, executed, executedQuote } = order;
  return { orderId, clientOrderId, status, executed, executedQuote, commission, commissionAsset };
}

function queueAgain(exchange: ModelExchange, market: ModelMarket, maker: ModelOrder, traded: Amount): void {
  maker.visible -= traded;
  const left = remaining(maker);
  if (left === 0n) market.orders = market.orders.filter((order) => order !== maker);
  if (maker.visible > 0n || left === 0n) return;
  maker.visible = left < maker.icebergQty ? left : maker.icebergQty;
  maker.arrival = ++exchange.lastArrival;
}

/** The order is over: off the book, what it had locked is free. */
export function release(exchange: ModelExchange, market: ModelMarket, order: ModelOrder): void {
  exchange.money.lock(order.accountId, paidAsset(market, order.side), -order.locked);
  order.locked = 0n;
  market.orders = market.orders.filter((other) => other !== order);
}

function paidAsset(market: ModelMarket, side: Side): string {
  return side === "BUY" ? market.quote : market.base;
}
