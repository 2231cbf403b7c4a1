/** Draws the depth of a book: the cumulative quantity up to each price, with bids on the left and asks on the right. */
import { type Book, countBefore, type Level } from "../market/port.ts";
import type { Look } from "./look.ts";

// The depth to draw: the cumulative quantity up to each price, in the book's integer units.

export interface DepthPoint {
  readonly price: number;
  /** The total quantity at this level and all better levels. */
  readonly total: number;
}

export interface DepthView {
  readonly bids: readonly DepthPoint[];
  readonly asks: readonly DepthPoint[];
  readonly mid: number;
  /** The prices at the left and right edges, equally far from the mid price. */
  readonly lowPrice: number;
  readonly highPrice: number;
  /** The total at the top of the drawing. Curves that rise further, far from the mid price, leave it at the top. */
  readonly topTotal: number;
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

/**
 * At zoom 1, the view extends by this fraction of the mid price on each side: the range that trades can reach, without
 * distant levels.
 */
const REACH = 0.02;

/**
 * The book around the mid price. Half the `zoom` shows twice the range, limited by the side that extends less far.
 * Returns null if a side is empty, because there is no mid price.
 */
export function depthView(book: Pick<Book, "bids" | "asks">, zoom: number): DepthView | null {
  const bestBid = book.bids[0];
  const bestAsk = book.asks[0];
  const lastBid = book.bids.at(-1);
  const lastAsk = book.asks.at(-1);
  if (bestBid === undefined || bestAsk === undefined || lastBid === undefined || lastAsk === undefined) return null;
  const mid = (bestBid.price + bestAsk.price) / 2;
  const reach = Math.min(mid - lastBid.price, lastAsk.price - mid, (mid * REACH) / zoom);
  // The best levels are always in view.
  const half = Math.max(reach, (bestAsk.price - bestBid.price) * 0.75, 1);
  const bids = sums(book.bids, (price) => price >= mid - half);
  const asks = sums(book.asks, (price) => price <= mid + half);
  return { bids, asks, mid, lowPrice: mid - half, highPrice: mid + half, topTotal: topTotalOf(bids, asks, mid, half) };
}

/** The inner part of the view, whose totals are readable whatever rests farther away. */
const NEAR = 0.5;
/** The height that the totals of the inner part have at least, as a fraction of the drawing. */
const NEAR_HEIGHT = 0.4;

/** The scale of totals: that of the whole view, unless distant orders would flatten the levels near the mid price. */
function topTotalOf(bids: readonly DepthPoint[], asks: readonly DepthPoint[], mid: number, half: number): number {
  const greatest = (points: readonly DepthPoint[]): number => points.at(-1)?.total ?? 0;
  const near = (points: readonly DepthPoint[]): number =>
    greatest(points.filter(({ price }) => Math.abs(price - mid) <= half * NEAR));
  const all = Math.max(greatest(bids), greatest(asks));
  const inner = Math.max(near(bids), near(asks));
  return inner === 0 ? all : Math.min(all, inner / NEAR_HEIGHT);
}

/** The depth between the mid price and a price: the last level on the way; null if there is none. */
export function depthAt(view: DepthView, price: number): (DepthPoint & { readonly side: "bid" | "ask" }) | null {
  const side = price <= view.mid ? "bid" : "ask";
  const points = side === "bid" ? view.bids : view.asks;
  const point = points[countBefore(points, (one) => (side === "bid" ? one.price >= price : one.price <= price)) - 1];
  return point === undefined ? null : { ...point, side };
}

// Drawing of the depth chart.

export interface DepthCanvas {
  readonly context: CanvasRenderingContext2D;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The height of the price labels below the drawing. */
const AXIS_PX = 20;
/** The free height above the drawing, so that the highest step is visible. */
const TOP_PX = 14;
const MARK_PX = 3;

/** The width of a price label, from which the number of labels is computed. */
const PRICE_MARK_PX = 110;
const TOTAL_MARK_PX = 56;

function xOfPrice(view: DepthView, price: number, widthPx: number): number {
  return ((price - view.lowPrice) / (view.highPrice - view.lowPrice)) * widthPx;
}

export function priceOfX(view: DepthView, x: number, widthPx: number): number {
  return view.lowPrice + (x / widthPx) * (view.highPrice - view.lowPrice);
}

function yOfTotal(view: DepthView, total: number, heightPx: number): number {
  const room = heightPx - AXIS_PX - TOP_PX;
  // A curve beyond the scale runs along the top, above the highest total on it.
  const part = view.topTotal === 0 ? 0 : total / view.topTotal;
  return heightPx - AXIS_PX - (part > 1 ? room + TOP_PX / 2 : part * room);
}

/** Draws one side as steps from the best level outwards. Each price adds its quantity to the height. */
function paintSide(
  canvas: DepthCanvas,
  view: DepthView,
  points: readonly DepthPoint[],
  edge: number,
  line: string,
  soft: string,
): void {
  const { context, widthPx, heightPx } = canvas;
  const best = points[0];
  if (best === undefined) return;
  const base = heightPx - AXIS_PX;
  context.beginPath();
  context.moveTo(xOfPrice(view, best.price, widthPx), base);
  let y = base;
  for (const { price, total } of points) {
    const x = xOfPrice(view, price, widthPx);
    context.lineTo(x, y);
    y = yOfTotal(view, total, heightPx);
    context.lineTo(x, y);
  }
  context.lineTo(xOfPrice(view, edge, widthPx), y);
  context.strokeStyle = line;
  context.lineWidth = 1.5;
  context.stroke();
  context.lineTo(xOfPrice(view, edge, widthPx), base);
  context.closePath();
  context.fillStyle = soft;
  context.fill();
}

/** The smallest step of 1, 2 or 5 times a power of ten that results in at most `marks` labels. */
export function roundStep(span: number, marks: number): number {
  const rough = span / Math.max(1, marks);
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / power;
  return (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
}

interface Words {
  price(units: number): string;
  total(units: number): string;
}

/** The totals at which grid lines are drawn, and their vertical positions. */
function totalMarks(
  { heightPx }: DepthCanvas,
  view: DepthView,
): readonly { readonly total: number; readonly y: number }[] {
  const step = Math.max(1, roundStep(view.topTotal, (heightPx - AXIS_PX - TOP_PX) / TOTAL_MARK_PX));
  const marks = [];
  for (let total = step; total <= view.topTotal; total += step) {
    marks.push({ total, y: Math.round(yOfTotal(view, total, heightPx)) + 0.5 });
  }
  return marks;
}

function paintLine({ context, widthPx }: DepthCanvas, y: number): void {
  context.beginPath();
  context.moveTo(0, y);
  context.lineTo(widthPx, y);
  context.stroke();
}

/** Draws the grid lines, before the sides are drawn over them. */
function paintGrid(canvas: DepthCanvas, view: DepthView, look: Look): void {
  canvas.context.lineWidth = 1;
  canvas.context.strokeStyle = look.line;
  for (const { y } of totalMarks(canvas, view)) paintLine(canvas, y);
  paintLine(canvas, canvas.heightPx - AXIS_PX + 0.5);
}

function paintWords(canvas: DepthCanvas, view: DepthView, look: Look, words: Words): void {
  const { context, widthPx, heightPx } = canvas;
  context.font = `11px ${look.fontFamily}`;
  context.textBaseline = "middle";
  context.fillStyle = look.muted;
  context.textAlign = "center";
  const priceStep = Math.max(1, roundStep(view.highPrice - view.lowPrice, widthPx / PRICE_MARK_PX));
  for (let price = Math.ceil(view.lowPrice / priceStep) * priceStep; price <= view.highPrice; price += priceStep) {
    const x = xOfPrice(view, price, widthPx);
    const text = words.price(price);
    const half = context.measureText(text).width / 2;
    if (x - half > 0 && x + half < widthPx) context.fillText(text, x, heightPx - AXIS_PX / 2 + 1);
  }
  context.fillStyle = look.text;
  context.textAlign = "right";
  for (const { total, y } of totalMarks(canvas, view)) context.fillText(words.total(total), widthPx - 6, y - 7);
}

function paintPointed({ context, widthPx, heightPx }: DepthCanvas, view: DepthView, look: Look, price: number): void {
  const point = depthAt(view, price);
  const x = xOfPrice(view, price, widthPx);
  context.strokeStyle = look.muted;
  context.setLineDash([3, 3]);
  context.beginPath();
  context.moveTo(x, TOP_PX);
  context.lineTo(x, heightPx - AXIS_PX);
  context.stroke();
  context.setLineDash([]);
  if (point === null) return;
  context.fillStyle = point.side === "bid" ? look.up : look.down;
  context.beginPath();
  context.arc(x, yOfTotal(view, point.total, heightPx), MARK_PX, 0, Math.PI * 2);
  context.fill();
}

/** Draws the depth chart. `pointed` is the price under the pointer; null if there is none. */
export function paintDepth(
  canvas: DepthCanvas,
  view: DepthView,
  look: Look,
  pointed: number | null,
  words: Words,
): void {
  const { context, widthPx, heightPx } = canvas;
  context.clearRect(0, 0, widthPx, heightPx);
  paintGrid(canvas, view, look);
  paintSide(canvas, view, view.bids, view.lowPrice, look.up, look.upArea);
  paintSide(canvas, view, view.asks, view.highPrice, look.down, look.downArea);
  paintWords(canvas, view, look, words);
  const middle = Math.round(xOfPrice(view, view.mid, widthPx)) + 0.5;
  context.strokeStyle = look.strongLine;
  context.beginPath();
  context.moveTo(middle, TOP_PX);
  context.lineTo(middle, heightPx - AXIS_PX);
  context.stroke();
  if (pointed !== null) paintPointed(canvas, view, look, pointed);
}
