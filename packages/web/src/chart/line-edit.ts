/** Moves and cancels orders on the chart, one at a time: the current edit, the allowed prices, and dragging. */
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Account } from "../account/account.ts";
import { type DrawnLine, lineAt, type OrderLine, REACH_PX } from "./order-lines.ts";
import { decimal, formatUnits, isZero, toUnits } from "../exact/decimal.ts";
import type { Market } from "../market/port.ts";
import { rulesOf } from "../rules/market-filters.ts";
import { grouped } from "../exact/shown.ts";
import type { LineWords } from "../words/words.ts";
import type { Look } from "./look.ts";
import type { ChartView } from "./chart-view.ts";

/** `moving`: the line is being dragged. `ask`: the user is asked to confirm. `sending`: the request was sent. */
export interface LineEdit {
  readonly line: OrderLine;
  readonly action: "move" | "cancel";
  /** The new price; when canceling, the current price. */
  readonly to: string;
  readonly step: "moving" | "ask" | "sending";
}

type OrderActions = Pick<Account, "move" | "cancel" | "cancelList">;

export class LineEditor {
  readonly #actions: OrderActions;
  readonly #confirms: ReadonlySignal<boolean>;
  readonly #edit = signal<LineEdit | null>(null);
  readonly edit: ReadonlySignal<LineEdit | null> = this.#edit;
  readonly #stop: () => void;

  /** `lines` are the current order lines. The edit ends if its order is filled or canceled in the meantime. */
  constructor(actions: OrderActions, confirms: ReadonlySignal<boolean>, lines: ReadonlySignal<readonly OrderLine[]>) {
    this.#actions = actions;
    this.#confirms = confirms;
    this.#stop = effect(() => {
      const edit = this.#edit.peek();
      const now = lines.value;
      if (edit === null || edit.step === "sending") return;
      const same = now.find(({ key }) => key === edit.line.key);
      if (same === undefined || !same.isSettled || same.price !== edit.line.price) this.#edit.value = null;
      else if (same !== edit.line) this.#edit.value = { ...edit, line: same };
    });
  }

  close(): void {
    this.#stop();
    this.#edit.value = null;
  }

  /** Moves the dragged line to a price. Returns whether the line may be moved. */
  moveTo(line: OrderLine, to: string): boolean {
    const edit = this.#edit.peek();
    if (!line.isSettled || edit?.step === "sending") return false;
    this.#edit.value = { line, action: "move", to, step: "moving" };
    return true;
  }

  /** Reverts the edit. A request that was already sent is not affected. */
  abort(): void {
    if (this.#edit.peek()?.step !== "sending") this.#edit.value = null;
  }

  /** Ends the drag and asks for confirmation or sends the request. Has no effect if the price is unchanged. */
  async apply(): Promise<void> {
    const edit = this.#edit.peek();
    if (edit === null || edit.action !== "move" || edit.step !== "moving") return;
    if (edit.to === edit.line.price) this.abort();
    else await this.#askOrSend(edit);
  }

  async cancel(line: OrderLine): Promise<void> {
    if (!line.isSettled || this.#edit.peek()?.step === "sending") return;
    await this.#askOrSend({ line, action: "cancel", to: line.price, step: "moving" });
  }

  /** Sends the edit that the user has confirmed. */
  async confirm(): Promise<void> {
    const edit = this.#edit.peek();
    if (edit?.step === "ask") await this.#send(edit);
  }

  async #askOrSend(edit: LineEdit): Promise<void> {
    if (this.#confirms.peek()) this.#edit.value = { ...edit, step: "ask" };
    else await this.#send(edit);
  }

  async #send(edit: LineEdit): Promise<void> {
    const sending: LineEdit = { ...edit, step: "sending" };
    this.#edit.value = sending;
    const { order, part } = edit.line;
    // These promises never reject: the outcome is shown in a notice.
    if (edit.action === "move") await this.#actions.move(order, { [part]: edit.to });
    else if (order.orderListId === -1) await this.#actions.cancel(order);
    else await this.#actions.cancelList(order.symbol, order.orderListId);
    if (this.#edit.peek() === sending) this.#edit.value = null;
  }
}

// Valid order prices: the nearest to the pointer, or a number of ticks away. Computed exactly, in units of the last
// digit.

/** Valid prices are `fromUnits` plus a whole number of ticks, up to `maxUnits` (Interface 2.8, PRICE_FILTER). */
export interface TickRule {
  readonly digits: number;
  readonly tickUnits: number;
  readonly fromUnits: number;
  readonly maxUnits: number;
}

/** The rule of the market's PRICE_FILTER. If the filter has no step, every unit is allowed. */
export function tickRule(market: Market): TickRule {
  const filter = rulesOf(market).filters.priceFilter;
  return {
    digits: market.priceDigits,
    tickUnits: filter?.step || 1,
    fromUnits: filter?.min ?? 0,
    maxUnits: filter?.max || Number.MAX_SAFE_INTEGER,
  };
}

/** The price `ticks` above the minimum, limited to the allowed range. Returns the lowest price for NaN. */
function priceAt(ticks: number, { digits, tickUnits, fromUnits, maxUnits }: TickRule): string {
  const least = fromUnits === 0 ? 1 : 0;
  const most = Math.floor((maxUnits - fromUnits) / tickUnits);
  const inside = Number.isNaN(ticks) ? least : Math.max(least, Math.min(ticks, most));
  return formatUnits(fromUnits + inside * tickUnits, digits);
}

/** The allowed price nearest to a price on the chart. */
export function nearestTick(price: number, rule: TickRule): string {
  return priceAt(Math.round((price * 10 ** rule.digits - rule.fromUnits) / rule.tickUnits), rule);
}

/**
 * The price `ticks` higher, or lower if negative. A price between two ticks moves to the next tick with the first step.
 */
export function steppedPrice(price: string, ticks: number, rule: TickRule): string {
  const at = (toUnits(price, rule.digits) - rule.fromUnits) / rule.tickUnits;
  return priceAt((ticks > 0 ? Math.floor(at) : Math.ceil(at)) + ticks, rule);
}

// Order lines as drawn while one of them is being moved.

/** A line that is being moved is drawn twice: at its current and at its new price. */
export function drawnLines(lines: readonly OrderLine[], edit: LineEdit | null, look: Look): readonly DrawnLine[] {
  return lines.flatMap((line): DrawnLine[] => {
    const colour = line.order.side === "BUY" ? look.up : look.down;
    const drawn = {
      key: line.key,
      price: Number(line.price),
      text: grouped(line.price),
      colour,
      textColour: look.panel,
    };
    const form = line.isSettled ? "plain" : "waiting";
    if (edit === null || edit.line.key !== line.key || edit.action !== "move") return [{ ...drawn, form }];
    return [
      { ...drawn, form: "leaving" },
      { ...drawn, price: Number(edit.to), text: grouped(edit.to), form: edit.step === "sending" ? "waiting" : "ghost" },
    ];
  });
}

export function lineWords({ order, quantity, price, part }: OrderLine): LineWords {
  return {
    side: order.side,
    type: order.type,
    quantity,
    price,
    part,
    isList: order.orderListId !== -1,
    hasOtherPrice: !order.isWorking && !isZero(decimal(order.price)) && !isZero(decimal(order.stopPrice)),
  };
}

// Drags an order line by pointer or touch, on its label or anywhere on the line.

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
    if (event.button !== 0 || !line.isSettled || this.#hold !== null) return;
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
    const key = lineAt(lines, y, event.pointerType === "touch" ? TOUCH_REACH_PX : REACH_PX);
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
