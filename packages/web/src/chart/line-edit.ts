/**
 * Moves and cancels own orders on the chart, one at a time: the edit that waits for confirmation, the prices that are
 * allowed, and dragging.
 */
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Account } from "../account/port.ts";
import type { OrderLine } from "./order-lines.ts";

/** `moving`: the line follows a hand. `ask`: the person is asked once more. `sending`: on its way. */
export interface LineEdit {
  readonly line: OrderLine;
  readonly act: "move" | "cancel";
  /** The price that it would have; its own where it is cancelled. */
  readonly to: string;
  readonly step: "moving" | "ask" | "sending";
}

type Deeds = Pick<Account, "move" | "cancel" | "cancelList">;

export class LineEditor {
  readonly #deeds: Deeds;
  readonly #confirms: ReadonlySignal<boolean>;
  readonly #edit = signal<LineEdit | null>(null);
  readonly #stop: () => void;

  /** `lines` as they are now: one that is filled or cancelled meanwhile is let go. */
  constructor(deeds: Deeds, confirms: ReadonlySignal<boolean>, lines: ReadonlySignal<readonly OrderLine[]>) {
    this.#deeds = deeds;
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

  get edit(): ReadonlySignal<LineEdit | null> {
    return this.#edit;
  }

  close(): void {
    this.#stop();
    this.#edit.value = null;
  }

  /** The price as a hand has it. Says whether the line may be moved. */
  moveTo(line: OrderLine, to: string): boolean {
    const edit = this.#edit.peek();
    if (!line.isSettled || edit?.step === "sending") return false;
    this.#edit.value = { line, act: "move", to, step: "moving" };
    return true;
  }

  /** Puts everything back; what is on its way already stays so. */
  abort(): void {
    if (this.#edit.peek()?.step !== "sending") this.#edit.value = null;
  }

  /** The hand has let go: asks, or sends. A price that did not change is none of both. */
  async apply(): Promise<void> {
    const edit = this.#edit.peek();
    if (edit === null || edit.act !== "move" || edit.step !== "moving") return;
    if (edit.to === edit.line.price) this.abort();
    else await this.#askOrSend(edit);
  }

  async cancel(line: OrderLine): Promise<void> {
    if (!line.isSettled || this.#edit.peek()?.step === "sending") return;
    await this.#askOrSend({ line, act: "cancel", to: line.price, step: "moving" });
  }

  /** The person said yes. */
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
    // None of them rejects: what came of it stands in the notices.
    if (edit.act === "move") await this.#deeds.move(order, { [part]: edit.to });
    else if (order.orderListId === -1) await this.#deeds.cancel(order);
    else await this.#deeds.cancelList(order.symbol, order.orderListId);
    if (this.#edit.peek() === sending) this.#edit.value = null;
  }
}
