/** The orders that a taker reaches in the model, and the quantity that a quoteOrderQty buys or sells of them. */
import type { PlaceOrder } from "@pricetime/engine";
import { levelsOf, type ModelMarket, type ModelOrder, opposite, stepOrigin } from "./market.ts";
import { amount, type Amount, ONE, productFloor, scaled } from "./money.ts";
import { isOwn, type Taker, takerOf } from "./prevention.ts";
import { isInRange, type ModelRange, rangeOf } from "./price-range.ts";
import type { ModelState } from "./state.ts";

/** Returns the orders from which the quantity for a quoteOrderQty is computed. */
export function sizedBy(
  exchange: ModelState,
  market: ModelMarket,
  taker: Taker,
  range = rangeOf(market, taker.side, exchange.nowMs),
): ModelOrder[] {
  const all = reachable(market, taker, 0n, range);
  return taker.prevention === "EXPIRE_MAKER" ? all.filter((maker) => !isOwn(exchange, taker, maker)) : all;
}

/** Returns the orders that a taker meets before the first price outside its range. */
export function reachable(market: ModelMarket, taker: Taker, limit: Amount, range: ModelRange | null): ModelOrder[] {
  const all = opposite(market, taker.side, limit);
  const end = all.findIndex((maker) => !isInRange(range, maker));
  return end === -1 ? all : all.slice(0, end);
}

/**
 * Returns the quantity for a quoteOrderQty: at each level as much as the remaining quote amount pays for; the total is
 * rounded down to whole steps.
 */
export function quantityForQuote(exchange: ModelState, market: ModelMarket, command: PlaceOrder): Amount {
  const lot = 10n ** BigInt(8 - market.quantityDecimals);
  let rest = scaled(command.quoteOrderQty, market.quotePlaces);
  let total = 0n;
  for (const level of levelsOf(sizedBy(exchange, market, takerOf(exchange, market, command)))) {
    const payable = ((rest * ONE) / (level.price * lot)) * lot;
    const taken = payable < level.quantity ? payable : level.quantity;
    total += taken;
    rest -= productFloor(level.price, taken, market.quotePlaces);
    if (taken < level.quantity) break;
  }
  return allowedQuantity(market, total);
}

/** Returns the largest quantity on the step of LOT_SIZE, or zero below its minimum. */
function allowedQuantity(market: ModelMarket, quantity: Amount): Amount {
  const filter = market.filters.lotSize;
  if (filter === undefined) return quantity;
  const [min, step] = [amount(filter.minQty), amount(filter.stepSize)];
  if (step === 0n) return quantity;
  const allowed = quantity < min ? 0n : quantity - ((quantity - stepOrigin(market, min)) % step);
  return allowed < min ? 0n : allowed;
}
