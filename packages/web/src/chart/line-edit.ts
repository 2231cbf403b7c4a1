/** Moves and cancels orders on the chart, one at a time: the current edit, the allowed prices, and what a move changes. */
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Account } from "../account/account.ts";
import type { DrawnLine, OrderLine } from "./order-lines.ts";
import { ordersOf, restartsTrailing, sellsBought } from "../account/order-lists.ts";
import { isPending } from "../account/own-orders.ts";
import type { OrderRow } from "../account/port.ts";
import { describe } from "../account/trading-parts.ts";
import { decimal, formatDecimal, formatUnits, isZero, multiply, toUnits } from "../exact/decimal.ts";
import type { Market } from "../market/port.ts";
import { rulesOf } from "../rules/market-filters.ts";
import { grouped, showDecimal, signed } from "../exact/shown.ts";
import { ACCOUNT, LINES, type LineWords } from "../words/words.ts";
import type { Preferences } from "../preferences.ts";
import type { Look } from "./look.ts";

/** `moving`: the line is being dragged. `ask`: the user is asked to confirm. `sending`: the request was sent. */
export interface LineEdit {
  readonly line: OrderLine;
  readonly action: "move" | "cancel";
  /** The new price; when canceling, the current price. */
  readonly to: string;
  readonly step: "moving" | "ask" | "sending";
}

/** Why the order cannot be moved to a price; null if it can. */
export type MoveFault = (order: OrderRow, part: OrderLine["part"], to: string) => string | null;

interface Parts {
  readonly account: Pick<Account, "move" | "cancel" | "cancelList" | "notify">;
  readonly preferences: Pick<Preferences, "confirms">;
  readonly moveFault: MoveFault;
}

export class LineEditor {
  readonly #parts: Parts;
  readonly #edit = signal<LineEdit | null>(null);
  readonly edit: ReadonlySignal<LineEdit | null> = this.#edit;
  readonly #stop: () => void;

  /** `lines` are the current order lines. The edit ends if its order is filled or canceled in the meantime. */
  constructor(parts: Parts, lines: ReadonlySignal<readonly OrderLine[]>) {
    this.#parts = parts;
    this.#stop = effect(() => {
      const edit = this.#edit.peek();
      const now = lines.value;
      if (edit === null || edit.step === "sending") return;
      const same = now.find(({ key }) => key === edit.line.key);
      if (same === undefined || !same.isMovable || same.price !== edit.line.price) this.#edit.value = null;
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
    if (!line.isMovable || edit?.step === "sending") return false;
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
    else if (this.#isAllowed(edit)) await this.#askOrSend(edit);
  }

  async cancel(line: OrderLine): Promise<void> {
    if (!line.isSettled || this.#edit.peek()?.step === "sending") return;
    await this.#askOrSend({ line, action: "cancel", to: line.price, step: "moving" });
  }

  /** Sends the edit that the user has confirmed. */
  async confirm(): Promise<void> {
    const edit = this.#edit.peek();
    if (edit?.step === "ask" && this.#isAllowed(edit)) await this.#send(edit);
  }

  /** Whether the order can be placed again at the new price. Otherwise reverts the edit, and a notice says why. */
  #isAllowed({ line: { order, part }, action, to }: LineEdit): boolean {
    const fault = action === "move" ? this.#parts.moveFault(order, part, to) : null;
    if (fault === null) return true;
    this.abort();
    this.#parts.account.notify("bad", ACCOUNT.notMoved(describe(order), fault));
    return false;
  }

  async #askOrSend(edit: LineEdit): Promise<void> {
    const restarts = edit.action === "move" && restartsTrailing(edit.line.list, edit.line.order);
    if (restarts || this.#parts.preferences.confirms.peek()) this.#edit.value = { ...edit, step: "ask" };
    else await this.#send(edit);
  }

  async #send(edit: LineEdit): Promise<void> {
    const sending: LineEdit = { ...edit, step: "sending" };
    this.#edit.value = sending;
    const { order, part } = edit.line;
    // These promises never reject: the outcome is shown in a notice.
    if (edit.action === "move") await this.#parts.account.move(order, { [part]: edit.to });
    else if (edit.line.list === null) await this.#parts.account.cancel(order);
    else await this.#parts.account.cancelList(order.symbol, order.orderListId);
    if (this.#edit.peek() === sending) this.#edit.value = null;
  }
}

// Valid order prices: the nearest to the pointer, or a number of ticks away. Computed exactly, in units of the last
// digit.

/** Valid prices are `originUnits` plus a whole number of ticks, within the bounds (Interface 2.8, PRICE_FILTER). */
export interface TickRule {
  readonly digits: number;
  readonly tickUnits: number;
  readonly originUnits: number;
  readonly minUnits: number;
  readonly maxUnits: number;
}

/** The rule of the market's PRICE_FILTER. If the filter has no step, every unit is allowed. */
export function tickRule(market: Market): TickRule {
  const filter = rulesOf(market).filters.priceFilter;
  return {
    ...{ digits: market.priceDigits, tickUnits: filter?.step || 1, originUnits: filter?.origin ?? 0 },
    ...{ minUnits: Math.max(1, filter?.min ?? 0), maxUnits: filter?.max || Number.MAX_SAFE_INTEGER },
  };
}

/** The price `ticks` above the origin, limited to the allowed range. Returns the lowest price for NaN. */
function priceAt(ticks: number, { digits, tickUnits, originUnits, minUnits, maxUnits }: TickRule): string {
  const least = Math.ceil((minUnits - originUnits) / tickUnits);
  const most = Math.floor((maxUnits - originUnits) / tickUnits);
  const inside = Number.isNaN(ticks) ? least : Math.max(least, Math.min(ticks, most));
  return formatUnits(originUnits + inside * tickUnits, digits);
}

/** The allowed price nearest to a price on the chart. */
export function nearestTick(price: number, rule: TickRule): string {
  return priceAt(Math.round((price * 10 ** rule.digits - rule.originUnits) / rule.tickUnits), rule);
}

/**
 * The price `ticks` higher, or lower if negative. A price between two ticks moves to the next tick with the first step.
 */
export function steppedPrice(price: string, ticks: number, rule: TickRule): string {
  const at = (toUnits(price, rule.digits) - rule.originUnits) / rule.tickUnits;
  return priceAt((ticks > 0 ? Math.floor(at) : Math.ceil(at)) + ticks, rule);
}

// Order lines as drawn while one of them is being moved.

/** A line that is being moved is drawn twice: at its current and at its new price. */
export function drawnLines(lines: readonly OrderLine[], edit: LineEdit | null, look: Look): readonly DrawnLine[] {
  return lines.flatMap((line): DrawnLine[] => {
    const colour = line.order.side === "BUY" ? look.up : look.down;
    const { key, price } = line;
    const drawn = { key, price: Number(price), text: grouped(price), colour, textColour: look.panel };
    const form = !line.isMovable ? "waiting" : isPending(line.order) ? "pending" : "plain";
    if (edit === null || edit.line.key !== line.key || edit.action !== "move") return [{ ...drawn, form }];
    return [
      { ...drawn, form: "leaving" },
      { ...drawn, price: Number(edit.to), text: grouped(edit.to), form: edit.step === "sending" ? "waiting" : "ghost" },
    ];
  });
}

export function lineWords({ order, quantity, price, part, list }: OrderLine): LineWords {
  return {
    ...{ side: order.side, type: order.type, quantity: sellsBought(order) ? "" : quantity },
    ...{ price, part, list: list?.kind ?? null },
    pending: list === null ? 0 : ordersOf(list).filter(isPending).length,
    restartsTrailing: restartsTrailing(list, order),
    isPegged: order.pegPriceType !== undefined,
    hasOtherPrice: !order.isWorking && !isZero(decimal(order.price)) && !isZero(decimal(order.stopPrice)),
  };
}

// The consequences of a move, which are shown while a line is moved and in the confirmation.

/** Texts; null if a part is unknown. */
export interface Consequences {
  /** The distance of the new price from the market's last price, as a signed percentage. */
  readonly distance: string | null;
  /** The remaining quantity at the new price, in the quote asset. */
  readonly total: string | null;
}

export function consequencesOf(
  { order, part, quantity }: OrderLine,
  to: string,
  { quoteAsset, quoteDigits }: Pick<Market, "quoteAsset" | "quoteDigits">,
  lastPrice: number | null,
): Consequences {
  const away = lastPrice === null || lastPrice === 0 ? null : (Number(to) / lastPrice - 1) * 100;
  // The trigger price of an order that has a price as well does not change its total.
  const isTotalKnown = !sellsBought(order) && (part === "price" || isZero(decimal(order.price)));
  const total = multiply(decimal(to), decimal(quantity));
  return {
    distance: away === null ? null : LINES.distance(signed(away, 2)),
    total: isTotalKnown ? LINES.total(showDecimal(formatDecimal(total), Math.min(quoteDigits, 2)), quoteAsset) : null,
  };
}
