/** Drags an order line on the chart by pointer or touch, on its label or anywhere on the line. */
import type { ReadonlySignal } from "@preact/signals";
import type { ChartView } from "./chart-view.ts";
import { lineAt } from "./label-layout.ts";
import { type LineEditor, nearestTick, type TickRule } from "./line-edit.ts";
import { type OrderLine, REACH_PX } from "./order-lines.ts";

/** The reach for touch, which is less exact than a mouse. */
const TOUCH_REACH_PX = 14;
/** A press that moves less than this is not a drag and only focuses the label. */
const STILL_PX = 3;

interface Hold {
  readonly pointerId: number;
  readonly line: OrderLine;
  readonly startY: number;
  /** The vertical distance from the pointer to the line, kept while dragging so that the line does not jump. */
  readonly offsetPx: number;
  isMoving: boolean;
}

export class LineDrag {
  readonly #stage: HTMLElement;
  readonly #view: ChartView;
  readonly #editor: LineEditor;
  readonly #lines: ReadonlySignal<readonly OrderLine[]>;
  readonly #rule: TickRule;
  readonly #abort = new AbortController();
  #hold: Hold | null = null;

  /** `stage` is the element that contains the chart and the labels. */
  constructor(
    stage: HTMLElement,
    view: ChartView,
    editor: LineEditor,
    lines: ReadonlySignal<readonly OrderLine[]>,
    rule: TickRule,
  ) {
    this.#stage = stage;
    this.#view = view;
    this.#editor = editor;
    this.#lines = lines;
    this.#rule = rule;
    const { signal } = this.#abort;
    stage.addEventListener("pointerdown", this.#onPress, { capture: true, signal });
    stage.addEventListener("pointermove", this.#onMove, { signal });
    stage.addEventListener("pointerup", this.#onRelease, { signal });
    stage.addEventListener("pointercancel", this.#onLoss, { signal });
    document.addEventListener("keydown", this.#onKey, { capture: true, signal });
    // Prevents the chart from scrolling while the line is dragged.
    for (const name of ["mousedown", "touchstart"] as const) {
      stage.addEventListener(name, this.#keepFromChart, { capture: true, passive: false, signal });
    }
  }

  get isHeld(): boolean {
    return this.#hold !== null;
  }

  close(): void {
    this.#abort.abort();
    this.#hold = null;
  }

  /** Starts a drag after a press on the line or its label. */
  take(event: PointerEvent, line: OrderLine): void {
    if (event.button !== 0 || !line.isMovable || this.#hold !== null) return;
    const y = this.#yOf(event);
    const lineY = this.#view.layout.peek().lines.find(({ key }) => key === line.key)?.y ?? y;
    this.#stage.setPointerCapture(event.pointerId);
    this.#hold = { pointerId: event.pointerId, line, startY: y, offsetPx: lineY - y, isMoving: false };
  }

  #yOf(event: PointerEvent): number {
    return event.clientY - this.#stage.getBoundingClientRect().top;
  }

  /** Handles presses on the price pane's canvas. Labels call `take` themselves. */
  readonly #onPress = (event: PointerEvent): void => {
    if (!(event.target instanceof HTMLCanvasElement)) return;
    const { lines, paneHeightPx, axisWidthPx } = this.#view.layout.peek();
    const box = this.#stage.getBoundingClientRect();
    const y = event.clientY - box.top;
    if (y > paneHeightPx || event.clientX > box.right - axisWidthPx) return;
    const ofOrders = lines.filter(({ key }) => this.#lines.peek().some((line) => line.key === key));
    const key = lineAt(ofOrders, y, event.pointerType === "touch" ? TOUCH_REACH_PX : REACH_PX);
    const line = this.#lines.peek().find((one) => one.key === key);
    if (line !== undefined) this.take(event, line);
  };

  readonly #onMove = (event: PointerEvent): void => {
    const hold = this.#hold;
    if (hold === null || event.pointerId !== hold.pointerId) return;
    const y = this.#yOf(event);
    if (!hold.isMoving && Math.abs(y - hold.startY) < STILL_PX) return;
    hold.isMoving = true;
    const price = this.#view.priceAt(Math.max(0, y + hold.offsetPx));
    if (price === null) return;
    if (!this.#editor.moveTo(hold.line, nearestTick(price, this.#rule))) this.#hold = null;
  };

  readonly #onRelease = (event: PointerEvent): void => {
    const hold = this.#hold;
    if (hold === null || event.pointerId !== hold.pointerId) return;
    this.#hold = null;
    // The promise never rejects: the outcome is shown in a notice.
    if (hold.isMoving) void this.#editor.apply();
  };

  readonly #onLoss = (event: PointerEvent): void => {
    if (this.#hold === null || event.pointerId !== this.#hold.pointerId) return;
    this.#hold = null;
    this.#editor.abort();
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (this.#hold === null || event.key !== "Escape") return;
    event.stopPropagation();
    this.#hold = null;
    this.#editor.abort();
  };

  readonly #keepFromChart = (event: Event): void => {
    if (this.#hold === null || !(event.target instanceof HTMLCanvasElement)) return;
    event.stopPropagation();
    event.preventDefault();
  };
}
