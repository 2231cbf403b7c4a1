/**
 * The account's fills on the chart: triangles at their candle and price, pointing up for purchases and down for sales.
 */
import type { Fill } from "../account/port.ts";
import { type Candle, countBefore } from "../market/port.ts";
import { candleIndexAt } from "./candles.ts";
import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  Logical,
  SeriesAttachedParameter,
  Time,
} from "lightweight-charts";
import type { Look } from "./look.ts";

// Computes the markers. Only fills in view are read.

/** A marker, shared by all fills with the same candle, side and price. */
interface FillMark {
  readonly candleIndex: number;
  readonly side: "BUY" | "SELL";
  /** The price as a floating-point number, for drawing only. */
  readonly price: number;
  readonly fills: readonly Fill[];
}

/** The fills of one market, oldest first. Called when fills arrive, not each time the chart is drawn. */
export function fillsOf(fills: readonly Fill[], symbol: string): readonly Fill[] {
  return fills
    .filter((fill) => fill.symbol === symbol)
    .sort((one, other) => one.timeMs - other.timeMs || one.tradeId - other.tradeId);
}

/** The markers for a range of candle indexes, inclusive. `fills` must be as returned by `fillsOf`. */
export function fillMarks(
  fills: readonly Fill[],
  candles: readonly Candle[],
  fromIndex: number,
  toIndex: number,
): readonly FillMark[] {
  const from = Math.max(0, fromIndex);
  const to = Math.min(candles.length - 1, toIndex);
  const first = candles[from];
  if (first === undefined || to < from) return [];
  const endMs = candles[to + 1]?.openTimeMs ?? Infinity;
  const marks = new Map<string, { candleIndex: number; side: "BUY" | "SELL"; price: number; fills: Fill[] }>();
  for (let at = countBefore(fills, ({ timeMs }) => timeMs < first.openTimeMs); at < fills.length; at++) {
    const fill = fills[at] as Fill;
    if (fill.timeMs >= endMs) break;
    const candleIndex = candleIndexAt(candles, fill.timeMs);
    const key = `${candleIndex} ${fill.side} ${fill.price}`;
    const mark = marks.get(key);
    if (mark === undefined) {
      marks.set(key, { candleIndex, side: fill.side, price: Number(fill.price), fills: [fill] });
    } else mark.fills.push(fill);
  }
  return [...marks.values()];
}

// Draws the markers.

type Target = Parameters<IPrimitivePaneRenderer["draw"]>[0];

const SIZE_PX = 5;

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly side: FillMark["side"];
}

function drawMarks(target: Target, marks: readonly Placed[], look: Look): void {
  target.useMediaCoordinateSpace(({ context }) => {
    context.save();
    context.lineWidth = 1;
    context.strokeStyle = look.panel;
    for (const { x, y, side } of marks) {
      const base = side === "BUY" ? y + SIZE_PX * 1.7 : y - SIZE_PX * 1.7;
      context.fillStyle = side === "BUY" ? look.up : look.down;
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x - SIZE_PX, base);
      context.lineTo(x + SIZE_PX, base);
      context.closePath();
      context.fill();
      context.stroke();
    }
    context.restore();
  });
}

export class FillsPrimitive implements ISeriesPrimitive<Time> {
  readonly #candles: () => readonly Candle[];
  #look: Look;
  #attached: SeriesAttachedParameter<Time> | null = null;
  #fills: readonly Fill[] = [];
  #placed: readonly Placed[] = [];
  readonly #views: readonly IPrimitivePaneView[] = [
    { zOrder: () => "top", renderer: () => ({ draw: (target) => drawMarks(target, this.#placed, this.#look) }) },
  ];

  constructor(candles: () => readonly Candle[], look: Look) {
    this.#candles = candles;
    this.#look = look;
  }

  attached(parameter: SeriesAttachedParameter<Time>): void {
    this.#attached = parameter;
  }

  detached(): void {
    this.#attached = null;
  }

  /** Sets the fills, as returned by `fillsOf`. */
  setFills(fills: readonly Fill[]): void {
    this.#fills = fills;
    this.#attached?.requestUpdate();
  }

  setLook(look: Look): void {
    this.#look = look;
    this.#attached?.requestUpdate();
  }

  updateAllViews(): void {
    const range = this.#attached?.chart.timeScale().getVisibleLogicalRange() ?? null;
    if (this.#attached === null || range === null || this.#fills.length === 0) {
      this.#placed = [];
      return;
    }
    const { chart, series } = this.#attached;
    const marks = fillMarks(this.#fills, this.#candles(), Math.floor(range.from), Math.ceil(range.to));
    const placed = new Map<string, Placed>();
    for (const { candleIndex, price, side } of marks) {
      const x = chart.timeScale().logicalToCoordinate(candleIndex as Logical);
      const y = series.priceToCoordinate(price);
      // Markers at the same pixel are drawn once.
      if (x !== null && y !== null) placed.set(`${Math.round(x)} ${Math.round(y)} ${side}`, { x, y, side });
    }
    this.#placed = [...placed.values()];
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views;
  }
}
