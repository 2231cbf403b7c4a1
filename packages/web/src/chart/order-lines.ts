/** The account's open orders as lines on the chart: one line for each price or stop price. */
import type { OrderRow } from "../account/port.ts";
import { cutTo, formatDecimal, formatShort, isZero, parseDecimal } from "../exact/decimal.ts";
import { isMovable as mayMove, listOf, type OpenList } from "../account/order-lists.ts";
import { remainingOf, trailingState } from "../account/own-orders.ts";
import type { Market } from "../market/port.ts";
import { apart, lineAt, type PlacedLine } from "./label-layout.ts";
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
  /** Whether the order can be canceled: the node has accepted the order, and no request is pending. */
  readonly isSettled: boolean;
  /** Whether the line can be moved: see `isMovable` of order lists. */
  readonly isMovable: boolean;
  /** The open list of the order; null if the order does not depend on another one. */
  readonly list: OpenList | null;
}

/**
 * Statuses of open orders. The list also has orders that have just closed, and rejected ones until the user dismisses
 * them.
 */
const OPEN = new Set(["NEW", "PARTIALLY_FILLED", "PENDING_NEW"]);

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
    if (order.symbol !== symbol) continue;
    const isSettled = order.state === "known";
    if (isSettled && !OPEN.has(order.status)) continue;
    const quantity = formatShort(remainingOf(order));
    const isFollowing = trailingState(order) === "following";
    const list = listOf(order, orders);
    const isMovable = isSettled && mayMove(list, order);
    for (const part of ["price", "stopPrice"] as const) {
      // After the order was triggered or follows the price, its stop price has no effect anymore.
      const price = part === "stopPrice" && (order.isWorking || isFollowing) ? null : priceOf(order[part], priceDigits);
      if (price === null) continue;
      const key = `${order.orderId === 0 ? order.clientOrderId : order.orderId} ${part}`;
      lines.push({ key, order, part, price, quantity, isSettled, isMovable, list });
    }
  }
  return lines.sort((one, other) => Number(other.price) - Number(one.price) || one.key.localeCompare(other.key));
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
  /** `pending`: the line of an order that is not placed yet, which can be moved. */
  readonly form: "plain" | "waiting" | "pending" | "ghost" | "leaving" | "alert";
}

type Target = Parameters<IPrimitivePaneRenderer["draw"]>[0];

/** The distance from a line within which a press grabs it. */
export const REACH_PX = 6;
/** The height of a price on the axis, in which no other price is shown. */
const AXIS_PRICE_PX = 18;
const DASHES: Readonly<Record<DrawnLine["form"], readonly number[]>> = {
  plain: [1, 3],
  waiting: [6, 6],
  pending: [2, 10],
  ghost: [],
  leaving: [2, 6],
  alert: [4, 4],
};
/** Lines are faint, so that candles stay readable behind many of them. A line that is being moved is not. */
const ALPHAS: Readonly<Record<DrawnLine["form"], number>> = {
  plain: 0.75,
  waiting: 0.6,
  pending: 0.5,
  ghost: 1,
  leaving: 0.5,
  alert: 1,
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
      context.globalAlpha = ALPHAS[form];
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
  readonly #lastPrice: () => number | null;
  #attached: SeriesAttachedParameter<Time> | null = null;
  #lines: readonly DrawnLine[] = [];
  #placed: readonly Placed[] = [];
  /** The vertical position of the crosshair; null if it is not shown. */
  #pointerY: number | null = null;
  #shownPrices: ReadonlySet<string> = new Set();
  readonly #views: readonly IPrimitivePaneView[] = [
    this.#viewOf("bottom", ({ form }) => form !== "ghost"),
    this.#viewOf("top", ({ form }) => form === "ghost"),
  ];
  #axisViews: readonly ISeriesPrimitiveAxisView[] = [];

  /**
   * `onPlaced` is called with the positions of the lines after each layout of the chart. `lastPrice` is the price that
   * the axis always shows; null if there is none.
   */
  constructor(onPlaced: (lines: readonly PlacedLine[]) => void, lastPrice: () => number | null) {
    this.#onPlaced = onPlaced;
    this.#lastPrice = lastPrice;
  }

  #viewOf(zOrder: "bottom" | "top", isOwn: (line: DrawnLine) => boolean): IPrimitivePaneView {
    return {
      zOrder: () => zOrder,
      renderer: () => ({ draw: (target) => drawLines(target, this.#placed.filter(isOwn)) }),
    };
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

  /** Keeps the axis free around the crosshair's price. Redraws only if another price appears or disappears. */
  setPointer(y: number | null): void {
    if (this.#lines.length === 0 && y === null) return;
    this.#pointerY = y;
    const before = this.#shownPrices;
    this.#choosePrices();
    const isSame = before.size === this.#shownPrices.size && [...before].every((key) => this.#shownPrices.has(key));
    if (!isSame) this.#attached?.requestUpdate();
  }

  updateAllViews(): void {
    const attached = this.#attached;
    if (attached === null) return;
    const { series } = attached;
    const places = this.#lines.map((line) => ({ line, y: series.priceToCoordinate(line.price) as number | null }));
    this.#placed = places.flatMap(({ line, y }) => (y === null ? [] : [{ ...line, y }]));
    this.#choosePrices();
    this.#axisViews = this.#placed.map((line) => ({
      coordinate: () => line.y,
      text: () => line.text,
      textColor: () => line.textColour,
      backColor: () => line.colour,
      visible: () => line.form !== "leaving" && this.#shownPrices.has(line.key),
      tickVisible: () => true,
    }));
    this.#onPlaced(places.flatMap(({ line, y }) => (line.form === "leaving" ? [] : [{ key: line.key, y }])));
  }

  #choosePrices(): void {
    const lastPrice = this.#lastPrice();
    const lastY = lastPrice === null ? null : (this.#attached?.series.priceToCoordinate(lastPrice) ?? null);
    const moving = this.#placed.filter(({ form }) => form === "ghost");
    const resting = this.#placed.filter(({ form }) => form !== "ghost" && form !== "leaving");
    const taken = [lastY, this.#pointerY, ...moving.map(({ y }) => y)].filter((y) => y !== null);
    this.#shownPrices = new Set([...moving, ...apart(resting, taken, AXIS_PRICE_PX)].map(({ key }) => key));
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views;
  }

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.#axisViews;
  }

  hitTest(_x: number, y: number): { externalId: string; zOrder: "top"; cursorStyle: string } | null {
    const takable = this.#placed.filter(({ form }) => form === "plain" || form === "pending" || form === "ghost");
    const key = lineAt(takable, y, REACH_PX);
    return key === null ? null : { externalId: key, zOrder: "top", cursorStyle: "ns-resize" };
  }
}
