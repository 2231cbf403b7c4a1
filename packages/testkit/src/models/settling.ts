/** Settlement in the model: a fill moves money between two accounts, and each side pays commission. */
import type { OrderStatus } from "@pricetime/engine";
import type { Happening, Traded, TradeSide } from "./happening.ts";
import {
  dayPrices,
  isPriced,
  lastPrice,
  lots,
  type ModelMarket,
  type ModelOrder,
  paidAsset,
  remaining,
} from "./market.ts";
import { amountToLock, closeList, dearest, ended, listedOf, liveList, queueAgain, statusOf } from "./order-ends.ts";
import { amount, type Amount, basisPoints, type ModelAccount, ONE, productFloor } from "./money.ts";
import { sizedBy } from "./reachable.ts";
import type { ModelState } from "./state.ts";

export function trade(
  exchange: ModelState,
  market: ModelMarket,
  taker: ModelOrder,
  maker: ModelOrder,
  quantity: Amount,
): Happening[] {
  const list = liveList(exchange, maker);
  if (list !== undefined) {
    closeList(exchange, market, list);
    lockOwn(exchange, market, maker);
  }
  const quote = productFloor(maker.price, quantity, market.quotePlaces);
  const [buyer, seller] = taker.side === "BUY" ? [taker, maker] : [maker, taker];
  for (const order of [taker, maker]) {
    if (order.executed === 0n) {
      exchange.orderLimits.fill(order.accountId, order === taker ? "taker" : "maker", exchange.nowMs);
    }
    order.executed += quantity;
    order.executedQuote += quote;
    order.updateTimeMs = exchange.nowMs;
  }
  payFrom(exchange, market, buyer, seller.accountId, quote);
  payFrom(exchange, market, seller, buyer.accountId, quantity);
  const tradeId = market.trades.length + 1;
  market.trades.push({ timeMs: exchange.nowMs, price: maker.price, quantity, quote, tradeId });
  market.touched = true;
  const received = (order: ModelOrder) => (order === buyer ? quantity : quote);
  const takerSide = settle(exchange, market, taker, received(taker), "takerBps");
  const makerSide = settle(exchange, market, maker, received(maker), "makerBps");
  keepReceived(exchange, market, buyer, quantity, buyer === taker ? takerSide : makerSide);
  queueAgain(exchange, market, maker, quantity);
  const traded: Traded = {
    kind: "traded",
    symbol: market.spec.symbol,
    tradeId,
    aggTradeId: market.aggregates,
    price: maker.price,
    quantity,
    quote,
    takerSide: taker.side,
    taker: takerSide,
    maker: makerSide,
  };
  if (list === undefined) return [traded];
  const sibling = ended(exchange, market, list.stopLeg, "EXPIRED", "", "OCO_TRIGGER");
  return [traded, sibling, listedOf(market, list, "ALL_DONE")];
}

/**
 * Locks what the working order of an OPO bought. The commission comes from what was free before, if that was enough, and
 * otherwise from what was bought.
 */
function keepReceived(
  exchange: ModelState,
  market: ModelMarket,
  buyer: ModelOrder,
  quantity: Amount,
  { commission, commissionAsset }: TradeSide,
): void {
  const oto = exchange.otos.find(({ working, kind }) => working === buyer && (kind === "OPO" || kind === "OPOCO"));
  if (oto === undefined) return;
  const paid = commissionAsset === market.base ? commission : 0n;
  const { free } = exchange.money.of(buyer.accountId, market.base);
  const rest = quantity - paid;
  // An account that trades with itself may have paid as the seller, too.
  const kept = free >= quantity ? quantity : free < rest ? free : rest;
  exchange.money.lock(buyer.accountId, market.base, kept);
  oto.held += kept;
}

/**
 * Pays from the locked amount of an order, keeps locked what its remaining quantity needs, and releases the surplus.
 */
function payFrom(exchange: ModelState, market: ModelMarket, order: ModelOrder, to: number, value: Amount): void {
  const asset = paidAsset(market, order.side);
  const { money } = exchange;
  money.pay(order.accountId, "locked", to, asset, value);
  // A MARKET order, and a stop order that buys at market price, has its whole amount locked until it ends.
  const keepsAll = order.type === "MARKET" || (order.side === "BUY" && !isPriced(order.type));
  const spendsAll = keepsAll && remaining(order) > 0n;
  const left = order.locked - value;
  const keep = spendsAll ? left : amountToLock(market, order.side, order.price, remaining(order));
  money.lock(order.accountId, asset, -(order.locked - value - keep));
  order.locked = keep;
}

function settle(
  exchange: ModelState,
  market: ModelMarket,
  order: ModelOrder,
  received: Amount,
  rate: "makerBps" | "takerBps",
): TradeSide {
  const account = exchange.accounts.get(order.accountId)!;
  const bps = (account.overrides.get(market.spec.symbol) ?? account)[rate];
  const isBuy = order.side === "BUY";
  const full = basisPoints(received, bps, isBuy ? market.basePlaces : market.quotePlaces);
  const receivedAsset = isBuy ? market.base : market.quote;
  const discounted = full === 0n ? null : discountedCommission(exchange, market, account, receivedAsset, full);
  const commission = discounted ?? full;
  const commissionAsset = discounted === null ? receivedAsset : exchange.discount!.asset;
  exchange.money.charge(order.accountId, commissionAsset, commission);
  const isFilled = remaining(order) === 0n && !isShort(exchange, market, order);
  const status: OrderStatus = isFilled ? "FILLED" : "PARTIALLY_FILLED";
  const { orderId, clientOrderId, executed, executedQuote } = order;
  return { orderId, clientOrderId, status, executed, executedQuote, commission, commissionAsset };
}

/**
 * The commission in the discount asset, if the account pays with it: the part of `full` that remains, at the lowest
 * price of a day before this command, rounded up. Null if the commission is paid in the asset received.
 */
function discountedCommission(
  exchange: ModelState,
  market: ModelMarket,
  account: ModelAccount,
  receivedAsset: string,
  full: Amount,
): Amount | null {
  const { discount, assets, money } = exchange;
  if (discount === null || !account.paysInDiscountAsset) return null;
  if (discount.excludedSymbols.includes(market.spec.symbol)) return null;
  const rates = discountRates(exchange, discount.asset, receivedAsset);
  if (rates.length === 0) return null;
  const { precision } = assets.find(({ asset }) => asset === discount.asset)!;
  const unit = 10n ** BigInt(8 - precision);
  // The largest amount that any price of the day leads to, which must not be worth more than `full` at any of them.
  const amounts = rates.map(([over, under]) => {
    const parts = full * BigInt(discount.factorBps) * over;
    const whole = 10_000n * under * unit;
    return (parts / whole + (parts % whole === 0n ? 0n : 1n)) * unit;
  });
  const paid = amounts.reduce((most, each) => (each > most ? each : most));
  const isDearer = rates.some(([over, under]) => paid * under > full * over);
  return isDearer || money.of(account.accountId, discount.asset).free < paid ? null : paid;
}

type Rate = readonly [over: Amount, under: Amount];

/** All prices of one unit of `asset` in the discount asset on its market in a day before this command, as fractions. */
function discountRates(exchange: ModelState, discountAsset: string, asset: string): readonly Rate[] {
  if (asset === discountAsset) return [[1n, 1n]];
  const open = exchange.markets.filter((market) => statusOf(market, exchange.nowMs) === "TRADING");
  const prices = (base: string, quote: string): readonly Amount[] =>
    open
      .filter((market) => market.base === base && market.quote === quote)
      .map((market) => dayPrices({ ...market, trades: market.trades.slice(0, market.tradesBefore) }, exchange.nowMs))
      .find((found) => found.length > 0) ?? [];
  const direct = prices(discountAsset, asset);
  if (direct.length > 0) return direct.map((price) => [ONE, price]);
  return prices(asset, discountAsset).map((price) => [price, ONE]);
}

/**
 * Whether a MARKET order by quote executed against the whole book although its remaining quote amount would pay for
 * another step at the last price. Such an order expires since rules version 4; before, it was filled.
 */
export function isShort(exchange: ModelState, market: ModelMarket, order: ModelOrder): boolean {
  if (exchange.edition < 4 || order.quoteOrderQty === 0n || remaining(order) > 0n) return false;
  if (order.prevented > 0n) return false;
  const filterStep = amount(market.filters.lotSize?.stepSize ?? "0");
  const step = filterStep > 0n ? filterStep : lots(market, 1);
  const left = sizedBy(exchange, market, order, order.range).reduce((sum, maker) => sum + remaining(maker), 0n);
  const unspent = order.quoteOrderQty - order.executedQuote;
  return left < step && unspent * ONE >= lastPrice(market)! * step;
}

/** Locks the amount that an order outside a list needs: what it can spend at most, unless `needed` says less. */
export function lockOwn(
  exchange: ModelState,
  market: ModelMarket,
  order: ModelOrder,
  needed = amountToLock(market, order.side, dearest(market, order), remaining(order)),
): void {
  order.locked = needed;
  exchange.money.lock(order.accountId, paidAsset(market, order.side), order.locked);
}
