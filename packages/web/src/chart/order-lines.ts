/** The account's open orders as lines on the chart: one line for each price or stop price. */
import type { OrderRow } from "../account/port.ts";
import { cutTo, decimal, formatDecimal, formatShort, isZero, parseDecimal, subtract } from "../exact/decimal.ts";
import type { Market } from "../market/port.ts";
import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  ISeriesPrimitiveAxisView,
  SeriesAttachedParameter,
  Time,
} from "lightweight-charts";

export interface OrderLine {
  /** The key of the line. It stays the same while the order is open. */
  readonly key: string;
  readonly order: OrderRow;
  /** Whether the line shows the order's price or its stop price. */
  readonly part: "price" | "stopPrice";
  /** The price as a decimal string with the market's price digits. */
  readonly price: string;
  /** The unfilled quantity. */
  readonly quantity: string;
  /** Whether the line can be moved and canceled: the node has accepted the order, and no request is pending. */
  readonly isSettled: boolean;
}

/**
 * Statuses of open orders. The list also has orders that have just closed, and rejected ones until the user dismisses
 * them.
 */
const OPEN = new Set(["NEW", "PARTIALLY_FILLED"]);

/** Formats a price. Returns null for zero, which the interface sends if an order does not have the price. */
function priceOf(text: string, digits: number): string | null {
  const value = parseDecimal(text);
  return value === null || isZero(value) ? null : formatDecimal(cutTo(value, digits), digits);
}

/** The lines of a market's orders that are open or being sent, highest price first. */
export function orderLines(
  orders: readonly OrderRow[],
  { symbol, priceDigits }: Pick<Market, "symbol" | "priceDigits">,
): readonly OrderLine[] {
  const lines: OrderLine[] = [];
  for (const order of orders) {
    if (order.symbol !== symbol || order.state === "failed") continue;
    const isSettled = order.state === "known";
    if (isSettled && !OPEN.has(order.status)) continue;
    const quantity = formatShort(subtract(decimal(order.origQty), decimal(order.executedQty)));
    for (const part of ["price", "stopPrice"] as const) {
      // After the order was triggered, its stop price has no effect anymore.
      const price = part === "stopPrice" && order.isWorking ? null : priceOf(order[part], priceDigits);
      if (price === null) continue;
      const key = `${order.orderId === 0 ? order.clientOrderId : order.orderId} ${part}`;
      lines.push({ key, order, part, price, quantity, isSettled });
    }
  }
  return lines.sort((one, other) => Number(other.price) - Number(one.price) || one.key.localeCompare(other.key));
}

/** A line and its vertical position, in pixels from the top of the pane; null if the line is not in view. */
export interface PlacedLine {
  readonly key: string;
  readonly y: number | null;
}

/** The key of the line nearest to the pointer; null if none is within reach. */
export function lineAt(lines: readonly PlacedLine[], y: number, reachPx: number): string | null {
  let nearest: string | null = null;
  let nearestPx = reachPx;
  for (const line of lines) {
    if (line.y === null) continue;
    const awayPx = Math.abs(line.y - y);
    if (awayPx > nearestPx) continue;
    nearest = line.key;
    nearestPx = awayPx;
  }
  return nearest;
}

export interface PlacedLabel {
  readonly key: string;
  /** The vertical position of the label's center. */
  readonly y: number;
  /** The edge at which the label is shown because the price is out of view; null if it is in view. */
  readonly outside: "above" | "below" | null;
}

/** The space for labels: their height, and the parts of the pane above and below that stay free. */
export interface LabelSpace {
  readonly heightPx: number;
  readonly topPx: number;
  readonly bottomPx: number;
  readonly paneHeightPx: number;
}

/**
 * Places labels beside their lines and moves them apart if lines are close together. If there is not enough space,
 * labels overlap evenly.
 */
export function spreadLabels(
  lines: readonly PlacedLine[],
  { heightPx, topPx, bottomPx, paneHeightPx }: LabelSpace,
): readonly PlacedLabel[] {
  const low = topPx + heightPx / 2;
  const high = Math.max(low, paneHeightPx - bottomPx - heightPx / 2);
  const placed = lines
    .flatMap(({ key, y }) => (y === null ? [] : [{ key, lineY: y, y: Math.min(Math.max(y, low), high) }]))
    .sort((one, other) => one.lineY - other.lineY);
  const stepPx = Math.min(heightPx, placed.length > 1 ? (high - low) / (placed.length - 1) : heightPx);
  let least = low;
  for (const label of placed) {
    label.y = Math.max(label.y, least);
    least = label.y + stepPx;
  }
  let most = high;
  for (const label of placed.toReversed()) {
    label.y = Math.min(label.y, most);
    most = label.y - stepPx;
  }
  return placed.map(({ key, lineY, y }) => ({
    key,
    y,
    outside: lineY < 0 ? "above" : lineY > paneHeightPx ? "below" : null,
  }));
}

// Draws the lines across the chart, and their prices on its axis.

/**
 * A drawn line. While an order is moved, `ghost` is the line at the new price and `leaving` the line at the current
 * one.
 */
export interface DrawnLine {
  readonly key: string;
  readonly price: number;
  readonly text: string;
  readonly colour: string;
  readonly textColour: string;
  readonly form: "plain" | "waiting" | "ghost" | "leaving";
}

type Target = Parameters<IPrimitivePaneRenderer["draw"]>[0];

/** The distance from a line within which a press grabs it. */
export const REACH_PX = 6;
const DASHES: Readonly<Record<DrawnLine["form"], readonly number[]>> = {
  plain: [1, 3],
  waiting: [6, 6],
  ghost: [],
  leaving: [2, 6],
};

interface Placed extends DrawnLine {
  readonly y: number;
}

function drawLines(target: Target, lines: readonly Placed[]): void {
  target.useBitmapCoordinateSpace(({ context, bitmapSize, horizontalPixelRatio, verticalPixelRatio }) => {
    context.save();
    for (const { y, colour, form } of lines) {
      const width = Math.max(1, Math.floor(verticalPixelRatio * (form === "ghost" ? 2 : 1)));
      const at = Math.round(y * verticalPixelRatio) + (width % 2) / 2;
      context.strokeStyle = colour;
      context.globalAlpha = form === "leaving" ? 0.6 : 1;
      context.lineWidth = width;
      context.setLineDash(DASHES[form].map((dash) => dash * horizontalPixelRatio));
      context.beginPath();
      context.moveTo(0, at);
      context.lineTo(bitmapSize.width, at);
      context.stroke();
    }
    context.restore();
  });
}

export class OrderLinesPrimitive implements ISeriesPrimitive<Time> {
  readonly #onPlaced: (lines: readonly PlacedLine[]) => void;
  #attached: SeriesAttachedParameter<Time> | null = null;
  #lines: readonly DrawnLine[] = [];
  #placed: readonly Placed[] = [];
  readonly #views: readonly IPrimitivePaneView[] = [
    { zOrder: () => "top", renderer: () => ({ draw: (target) => drawLines(target, this.#placed) }) },
  ];
  #axisViews: readonly ISeriesPrimitiveAxisView[] = [];

  /** `onPlaced` is called with the positions of the lines after each layout of the chart. */
  constructor(onPlaced: (lines: readonly PlacedLine[]) => void) {
    this.#onPlaced = onPlaced;
  }

  attached(parameter: SeriesAttachedParameter<Time>): void {
    this.#attached = parameter;
  }

  detached(): void {
    this.#attached = null;
  }

  setLines(lines: readonly DrawnLine[]): void {
    this.#lines = lines;
    this.#attached?.requestUpdate();
    this.updateAllViews();
  }

  updateAllViews(): void {
    const attached = this.#attached;
    if (attached === null) return;
    const { series } = attached;
    const places = this.#lines.map((line) => ({ line, y: series.priceToCoordinate(line.price) as number | null }));
    this.#placed = places.flatMap(({ line, y }) => (y === null ? [] : [{ ...line, y }]));
    this.#axisViews = this.#placed.map((line) => ({
      coordinate: () => line.y,
      text: () => line.text,
      textColor: () => line.textColour,
      backColor: () => line.colour,
      visible: () => line.form !== "leaving",
      tickVisible: () => true,
    }));
    this.#onPlaced(places.flatMap(({ line, y }) => (line.form === "leaving" ? [] : [{ key: line.key, y }])));
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views;
  }

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.#axisViews;
  }

  hitTest(_x: number, y: number): { externalId: string; zOrder: "top"; cursorStyle: string } | null {
    const takable = this.#placed.filter(({ form }) => form === "plain" || form === "ghost");
    const key = lineAt(takable, y, REACH_PX);
    return key === null ? null : { externalId: key, zOrder: "top", cursorStyle: "ns-resize" };
  }
}
