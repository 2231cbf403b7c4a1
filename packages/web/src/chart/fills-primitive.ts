/** Draws own fills at their candles and prices: a triangle from below bought there, one from above sold there. */
import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  Logical,
  SeriesAttachedParameter,
  Time,
} from "lightweight-charts";
import type { Fill } from "../account/port.ts";
import type { Candle } from "../market/port.ts";
import { type FillMark, fillMarks } from "./fill-marks.ts";
import type { Look } from "./look.ts";

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

  /** Takes fills as `fillsOf` gives them. */
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
      // Marks on the same pixel are one.
      if (x !== null && y !== null) placed.set(`${Math.round(x)} ${Math.round(y)} ${side}`, { x, y, side });
    }
    this.#placed = [...placed.values()];
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views;
  }
}
