/** What a part of a balance buys or sells, and back: for sliders. On the market's steps, never more than there is. */
import { add, compare, cutTo, type Decimal, divideDown, isZero, multiply, NONE } from "../exact/decimal.ts";
import { stepDown } from "../exact/step.ts";
import type { Market } from "../market/port.ts";
import { rulesOf } from "./market-rules.ts";

export interface Balances {
  readonly base: Decimal;
  readonly quote: Decimal;
}

/** The quantity that `percent` of what is free pays for at a price (BUY), or is (SELL). Zero: it is less than the least. */
export function portionOf(
  market: Market,
  side: "BUY" | "SELL",
  percent: number,
  free: Balances,
  price: Decimal,
): Decimal {
  const part = (value: Decimal): Decimal => multiply(value, { units: BigInt(Math.round(percent)), digits: 2 });
  if (side === "SELL") return onLot(market, part(free.base));
  return isZero(price) ? NONE : onLot(market, divideDown(part(free.quote), price, market.quantityDigits));
}

/** The amount of the quote asset that `percent` of what is free is: for a MARKET order by `quoteOrderQty`. */
export function quotePortionOf(market: Market, percent: number, free: Balances): Decimal {
  return cutTo(multiply(free.quote, { units: BigInt(Math.round(percent)), digits: 2 }), market.quoteDigits);
}

/** How much of what is free an order takes, in whole percent: the nearest, 100 at most. Zero: nothing is free. */
export function percentOf(taken: Decimal, free: Decimal): number {
  if (taken.units <= 0n || free.units <= 0n) return 0;
  // Halves go up: (100 taken + free / 2) / free, times two above and below.
  const twice = add(multiply(taken, { units: 200n, digits: 0 }), free);
  const { units } = divideDown(twice, multiply(free, { units: 2n, digits: 0 }), 0);
  return units > 100n ? 100 : Number(units);
}

function onLot(market: Market, value: Decimal): Decimal {
  const cut = cutTo(value, market.quantityDigits);
  const { lot } = rulesOf(market);
  if (lot === null) return cut;
  if (lot.max !== null && compare(cut, lot.max) > 0) return lot.max;
  const down = stepDown(cut, lot.step, lot.min);
  return compare(down, lot.min) < 0 ? NONE : down;
}
