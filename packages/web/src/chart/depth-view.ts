/** What the depth chart draws of a book: how much waits up to each price. In units of the book's integers. */
import type { Book, Level } from "../market/port.ts";

export interface DepthPoint {
  readonly price: number;
  /** What waits at this level and all better ones. */
  readonly total: number;
}

export interface DepthView {
  readonly bids: readonly DepthPoint[];
  readonly asks: readonly DepthPoint[];
  readonly mid: number;
  /** Prices at the edges: equally far from the middle. */
  readonly lowPrice: number;
  readonly highPrice: number;
  /** The greater of both sides' totals within the edges. */
  readonly maxTotal: number;
}

function sums(levels: readonly Level[], isInside: (price: number) => boolean): readonly DepthPoint[] {
  const points: DepthPoint[] = [];
  let total = 0;
  for (const { price, quantity } of levels) {
    if (!isInside(price)) break;
    total += quantity;
    points.push({ price, total });
  }
  return points;
}

/** At zoom 1 the view shows this part of the middle's price on each side: what a trade may meet, not the far ends. */
const REACH = 0.02;

/**
 * The book around its middle, twice as far to each side with half the `zoom`, at most as far as the side that reaches
 * less far. Null: a side is empty, and there is no middle.
 */
export function depthView(book: Pick<Book, "bids" | "asks">, zoom: number): DepthView | null {
  const bestBid = book.bids[0];
  const bestAsk = book.asks[0];
  const lastBid = book.bids.at(-1);
  const lastAsk = book.asks.at(-1);
  if (bestBid === undefined || bestAsk === undefined || lastBid === undefined || lastAsk === undefined) return null;
  const mid = (bestBid.price + bestAsk.price) / 2;
  const reach = Math.min(mid - lastBid.price, lastAsk.price - mid, (mid * REACH) / zoom);
  // The best levels are always seen.
  const half = Math.max(reach, (bestAsk.price - bestBid.price) * 0.75, 1);
  const bids = sums(book.bids, (price) => price >= mid - half);
  const asks = sums(book.asks, (price) => price <= mid + half);
  const maxTotal = Math.max(bids.at(-1)?.total ?? 0, asks.at(-1)?.total ?? 0);
  return { bids, asks, mid, lowPrice: mid - half, highPrice: mid + half, maxTotal };
}

/** The depth between the middle and a price, as the point of the last level passed. Null: there is none. */
export function depthAt(view: DepthView, price: number): (DepthPoint & { readonly side: "bid" | "ask" }) | null {
  const side = price <= view.mid ? "bid" : "ask";
  const points = side === "bid" ? view.bids : view.asks;
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = (points[middle] as DepthPoint).price;
    if (side === "bid" ? at >= price : at <= price) low = middle + 1;
    else high = middle;
  }
  const point = points[low - 1];
  return point === undefined ? null : { ...point, side };
}
