/**
 * Adjacent prices of a book and their totals, kept until one of the prices changes, so that a walk over a long book
 * looks at one stretch at a time.
 */
import { type QuoteScale, quoteOf } from "../../number/quote-scale.ts";
import type { Order } from "../order/order.ts";

/** The lots resting at one price. */
export interface LevelLots {
  readonly priceTicks: number;
  readonly visibleLots: number;
  readonly hiddenLots: number;
}

/** The cost of taking everything. */
export interface Totals {
  readonly lots: number;
  /** Units of quote, rounded down at each price. */
  readonly quoteByPrice: bigint;
  /** Units of quote, rounded down at each fill, as trades would round them. */
  readonly quoteByFill: bigint;
}

export interface Stretch {
  /** The last price in walking order. */
  readonly worstTicks: number;
  /** Always called with the scale of the book's symbol. */
  totals(scale: QuoteScale): Totals;
  /** The levels, best price first. */
  levels(): Iterable<LevelLots>;
  /** The orders, best price first, oldest first. */
  orders(): Iterable<Order>;
}

export function totalsOf(stretch: Pick<Stretch, "levels" | "orders">, scale: QuoteScale): Totals {
  let lots = 0;
  let quoteByPrice = 0n;
  for (const { priceTicks, visibleLots, hiddenLots } of stretch.levels()) {
    lots += visibleLots + hiddenLots;
    quoteByPrice += quoteOf(scale, priceTicks, visibleLots + hiddenLots);
  }
  // When nothing is rounded, the two are equal.
  if (scale.divisor === 1n) return { lots, quoteByPrice, quoteByFill: quoteByPrice };
  let quoteByFill = 0n;
  for (const order of stretch.orders()) quoteByFill += quoteOfAll(order, scale);
  return { lots, quoteByPrice, quoteByFill };
}

/** The visible part of the order is one fill, and so is each slice that it still hides. */
function quoteOfAll({ priceTicks, visibleLots, hiddenLots, icebergLots }: Order, scale: QuoteScale): bigint {
  const quote = quoteOf(scale, priceTicks, visibleLots);
  if (hiddenLots === 0) return quote;
  const last = hiddenLots % icebergLots;
  const slices = BigInt((hiddenLots - last) / icebergLots);
  return quote + slices * quoteOf(scale, priceTicks, icebergLots) + quoteOf(scale, priceTicks, last);
}
