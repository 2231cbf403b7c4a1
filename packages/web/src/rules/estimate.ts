/** Estimates the execution of an order against the current book, and converts shares of a balance to quantities. */
import { roundDownToStep } from "@pricetime/engine/numbers";
import {
  add,
  compare,
  cutTo,
  type Decimal,
  divideDown,
  formatUnits,
  fromUnits,
  isZero,
  multiply,
  NONE,
  raiseTo,
  stepDown,
  subtract,
} from "../exact/decimal.ts";
import type { OrderDraft } from "../account/port.ts";
import type { Book, Level, Market } from "../market/port.ts";
import { waits } from "./draft.ts";
import { rulesOf } from "./market-filters.ts";

export interface Estimate {
  readonly quantity: Decimal;
  /** Price × quantity. */
  readonly notional: Decimal;
  readonly average: Decimal;
  readonly worst: Decimal;
  /** How much worse the average price is than the best price, as a fraction of the best price; never negative. */
  readonly slippage: Decimal;
  /** Whether the known levels of the book are sufficient for the whole order. */
  readonly isWhole: boolean;
}

/** The wanted amount, in the base asset or in the quote asset. */
export type Wanted = { readonly quantity: Decimal } | { readonly quoteQuantity: Decimal };

const FRACTION_DIGITS = 8;

/** The levels that an order can execute against, best first. */
export const levelsFor = (side: "BUY" | "SELL", book: Book): readonly Level[] =>
  side === "BUY" ? book.asks : book.bids;

/**
 * Estimates what an order executes immediately, with a limit price only up to that price. Returns null if that is
 * nothing: no level of the book is in the limit, or the amount is smaller than the price of the smallest quantity.
 */
export function estimateTaking(
  book: Book,
  market: Market,
  side: "BUY" | "SELL",
  wanted: Wanted,
  limit?: Decimal,
): Estimate | null {
  const levels = limit === undefined ? levelsFor(side, book) : levelsWithin(side, limit, market, book);
  const [best] = levels;
  if (best === undefined) return null;
  const { quantity, notional, worst, isWhole } =
    "quantity" in wanted
      ? takeQuantity(levels, market, wanted.quantity)
      : takeQuote(levels, market, wanted.quoteQuantity);
  if (isZero(quantity)) return null;
  const average = divideDown(notional, quantity, market.priceDigits + 2);
  const bestPrice = fromUnits(best.price, market.priceDigits);
  const away =
    side === "BUY"
      ? subtract(notional, multiply(bestPrice, quantity))
      : subtract(multiply(bestPrice, quantity), notional);
  const slippage = divideDown(away, multiply(bestPrice, quantity), FRACTION_DIGITS);
  return { quantity, notional, average, worst: fromUnits(worst, market.priceDigits), slippage, isWhole };
}

/** The levels that an order with a limit price can execute against. */
function levelsWithin(side: "BUY" | "SELL", limit: Decimal, { priceDigits }: Market, book: Book): readonly Level[] {
  const isWithin = ({ price }: Level): boolean =>
    compare(fromUnits(price, priceDigits), limit) !== (side === "BUY" ? 1 : -1);
  return levelsFor(side, book).filter(isWithin);
}

/** The best price of the opposite side if an order at `price` would execute immediately; otherwise null. */
export function takenPrice(side: "BUY" | "SELL", price: Decimal, { priceDigits }: Market, book: Book): Decimal | null {
  const [best] = levelsFor(side, book);
  if (best === undefined) return null;
  const there = fromUnits(best.price, priceDigits);
  const turn = compare(price, there);
  return (side === "BUY" ? turn < 0 : turn > 0) ? null : there;
}

interface Taken {
  readonly quantity: Decimal;
  readonly notional: Decimal;
  readonly worst: number;
  readonly isWhole: boolean;
}

function takeQuantity(levels: readonly Level[], { priceDigits, quantityDigits }: Market, wanted: Decimal): Taken {
  let left = cutTo(wanted, quantityDigits).units;
  let [lots, product, worst] = [0n, 0n, 0];
  for (const { price, quantity } of levels) {
    if (left === 0n) break;
    const taken = left < BigInt(quantity) ? left : BigInt(quantity);
    left -= taken;
    lots += taken;
    product += taken * BigInt(price);
    worst = price;
  }
  return {
    ...{ quantity: { units: lots, digits: quantityDigits }, worst, isWhole: left === 0n },
    notional: { units: product, digits: priceDigits + quantityDigits },
  };
}

/**
 * Spends a quote amount. At each price, the quantity is rounded down to the step of LOT_SIZE, as in the engine
 * (Interface 3.2).
 */
function takeQuote(levels: readonly Level[], market: Market, wanted: Decimal): Taken {
  const { priceDigits, quantityDigits } = market;
  const step = fromUnits(rulesOf(market).filters.lotSize?.step ?? 0, quantityDigits);
  let left = wanted;
  let [lots, product, worst] = [0n, 0n, 0];
  let isWhole = false;
  for (const { price, quantity } of levels) {
    const there = fromUnits(quantity, quantityDigits);
    const payable = stepDown(divideDown(left, fromUnits(price, priceDigits), quantityDigits), step);
    isWhole = compare(payable, there) <= 0;
    const taken = cutTo(isWhole ? payable : there, quantityDigits).units;
    if (taken > 0n) worst = price;
    lots += taken;
    product += taken * BigInt(price);
    left = subtract(left, { units: taken * BigInt(price), digits: priceDigits + quantityDigits });
    if (isWhole) break;
  }
  return {
    ...{ quantity: { units: lots, digits: quantityDigits }, worst, isWhole },
    notional: { units: product, digits: priceDigits + quantityDigits },
  };
}

const FEE_DIGITS = 8;

/** The fee, which is deducted from the received amount and rounded down (Interface 2.4). `rate` is a fraction. */
export function feeOf(
  { quantity, notional }: Pick<Estimate, "quantity" | "notional">,
  market: Market,
  side: "BUY" | "SELL",
  rate: Decimal,
): { readonly amount: Decimal; readonly asset: string } {
  const [received, asset] = side === "BUY" ? [quantity, market.baseAsset] : [notional, market.quoteAsset];
  return { amount: cutTo(multiply(received, rate), FEE_DIGITS), asset };
}

/** The draft of a pegged order with the price that it would take now. Others, and those that wait, are returned as they are. */
export function withPeggedPrice(draft: OrderDraft, market: Market, book: Book | null): OrderDraft {
  const { side, type, pegPriceType, pegOffsetValue = "0" } = draft;
  if (pegPriceType === undefined || waits(type) || book === null) return draft;
  const levels = (pegPriceType === "PRIMARY_PEG") === (side === "BUY") ? book.bids : book.asks;
  const level = /^[0-9]+$/.test(pegOffsetValue) ? levels[Number(pegOffsetValue)] : undefined;
  return level === undefined ? draft : { ...draft, price: formatUnits(level.price, market.priceDigits) };
}

/**
 * The price that would trigger a trailing stop if the market turned at `from`, with the market's digits (decision 98).
 * `delta` is in basis points.
 */
export function trailingTrigger(side: "BUY" | "SELL", delta: Decimal, from: Decimal, { priceDigits }: Market): Decimal {
  const whole: Decimal = { units: 10_000n, digits: 0 };
  const part = side === "BUY" ? add(whole, delta) : subtract(whole, delta);
  const price = multiply(from, { units: part.units, digits: part.digits + 4 });
  return side === "BUY" ? raiseTo(price, priceDigits) : cutTo(price, priceDigits);
}

// Converts shares of a balance to quantities and back, for the slider. Quantities are multiples of the market's step
// and never exceed the balance.

export interface Balances {
  readonly base: Decimal;
  readonly quote: Decimal;
}

/**
 * For a BUY, the quantity that `percent` of the free quote balance buys at `price`; for a SELL, `percent` of the free
 * base balance. Zero if it is below the minimum quantity.
 */
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

/** `percent` of the free quote balance, for a MARKET order with `quoteOrderQty`. */
export function quotePortionOf(market: Market, percent: number, free: Balances): Decimal {
  return cutTo(multiply(free.quote, { units: BigInt(Math.round(percent)), digits: 2 }), market.quoteDigits);
}

/**
 * The percentage of the free balance that an order uses, rounded to a whole number, at most 100; zero if the free
 * balance is zero.
 */
export function percentOf(taken: Decimal, free: Decimal): number {
  if (taken.units <= 0n || free.units <= 0n) return 0;
  // Rounds half up: (100 taken + free / 2) / free, with numerator and denominator doubled.
  const twice = add(multiply(taken, { units: 200n, digits: 0 }), free);
  const { units } = divideDown(twice, multiply(free, { units: 2n, digits: 0 }), 0);
  return units > 100n ? 100 : Number(units);
}

function onLot(market: Market, value: Decimal): Decimal {
  const { quantityDigits } = market;
  const { lotSize } = rulesOf(market).filters;
  const lots = Number(cutTo(value, quantityDigits).units);
  if (lotSize === null) return fromUnits(lots, quantityDigits);
  const most = lotSize.max === 0 ? lots : Math.min(lots, lotSize.max);
  return fromUnits(most < lotSize.min ? 0 : roundDownToStep(lotSize, most), quantityDigits);
}
