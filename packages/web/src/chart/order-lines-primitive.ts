/** Draws own orders across the chart, and their prices on its axis. */
import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  ISeriesPrimitiveAxisView,
  SeriesAttachedParameter,
  Time,
} from "lightweight-charts";
import { lineAt, type PlacedLine } from "./order-lines.ts";

/** One line as it is drawn now. `ghost`: where it would go; `leaving`: where it still is. */
export interface DrawnLine {
  readonly key: string;
  readonly price: number;
  readonly text: string;
  readonly colour: string;
  readonly textColour: string;
  readonly form: "plain" | "waiting" | "ghost" | "leaving";
}

type Target = Parameters<IPrimitivePaneRenderer["draw"]>[0];

/** Within what distance the pointer takes hold of a line. */
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

  /** `onPlaced` is told where the lines stand whenever the chart lays itself out. */
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
