/**
 * Prices of a book that are next to each other, and what they add up to: kept until one of them changes, so that a walk
 * over a long book looks at a stretch at a time.
 */
import { type QuoteScale, quoteOf } from "../../number/quote-scale.ts";
import type { Order } from "../order/order.ts";

/** What rests at one price. */
export interface LevelLots {
  readonly priceTicks: number;
  readonly visibleLots: number;
  readonly hiddenLots: number;
}

/** What it comes to to take all there is. */
export interface Totals {
  readonly lots: number;
  /** Units of quote, rounded down at each price. */
  readonly quoteByPrice: bigint;
  /** Units of quote, rounded down at each fill, as they would be. */
  readonly quoteByFill: bigint;
}

export interface Stretch {
  /** The price that is met last. */
  readonly worstTicks: number;
  /** Always asked with the scale of the book's symbol. */
  totals(scale: QuoteScale): Totals;
  /** Best price first. */
  levels(): Iterable<LevelLots>;
  /** Best price first, oldest first. */
  orders(): Iterable<Order>;
}

export function totalsOf(stretch: Pick<Stretch, "levels" | "orders">, scale: QuoteScale): Totals {
  let lots = 0;
  let quoteByPrice = 0n;
  for (const { priceTicks, visibleLots, hiddenLots } of stretch.levels()) {
    lots += visibleLots + hiddenLots;
    quoteByPrice += quoteOf(scale, priceTicks, visibleLots + hiddenLots);
  }
  // Where nothing is rounded both are the same.
  if (scale.divisor === 1n) return { lots, quoteByPrice, quoteByFill: quoteByPrice };
  let quoteByFill = 0n;
  for (const order of stretch.orders()) quoteByFill += quoteOfAll(order, scale);
  return { lots, quoteByPrice, quoteByFill };
}

/** What the order shows is one fill, and so is each slice that it still hides. */
function quoteOfAll({ priceTicks, visibleLots, hiddenLots, icebergLots }: Order, scale: QuoteScale): bigint {
  const quote = quoteOf(scale, priceTicks, visibleLots);
  if (hiddenLots === 0) return quote;
  const last = hiddenLots % icebergLots;
  const slices = BigInt((hiddenLots - last) / icebergLots);
  return quote + slices * quoteOf(scale, priceTicks, icebergLots) + quoteOf(scale, priceTicks, last);
}
