/**
 * Takes the oldest candles from the chart when too many are held. The library draws a whole series anew for it, so each
 * has a task of its own; the candles themselves go with the last, and places in both are the same all the while.
 */
import type { Time } from "lightweight-charts";
import { chartTime } from "./zoned-time-scale.ts";

interface Held {
  readonly isOver: boolean;
  /** The opening time of the first candle that stays. */
  readonly keptFromMs: number;
  dropOldest(): void;
}

/** A series of the chart, whose points can be set anew. */
export interface Cuttable {
  data(): readonly { readonly time: Time }[];
  setData(data: { readonly time: Time }[]): void;
}

/** A frame can be drawn between two tasks. */
export const BETWEEN_CUTS_MS = 30;

export class OldestDrop {
  readonly #held: Held;
  readonly #series: () => readonly Cuttable[];
  readonly #dropped: () => void;
  readonly #cut = new Set<Cuttable>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** `series` are those that the chart has at the moment; `dropped` is told when each candle has another place. */
  constructor(held: Held, series: () => readonly Cuttable[], dropped: () => void) {
    this.#held = held;
    this.#series = series;
    this.#dropped = dropped;
  }

  /** Begins where there are too many; calls while it goes on change nothing. */
  begin(): void {
    if (this.#timer === null && this.#held.isOver) this.#later();
  }

  /** Series were given all candles again: what was cut of them is back. */
  again(): void {
    this.close();
    this.begin();
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#cut.clear();
  }

  #later(): void {
    this.#timer = setTimeout(() => this.#next(), BETWEEN_CUTS_MS);
  }

  #next(): void {
    const from = Number(chartTime(this.#held.keptFromMs));
    const left = this.#series().filter((series) => !this.#cut.has(series));
    const [series] = left;
    if (series !== undefined) {
      series.setData(series.data().filter(({ time }) => Number(time) >= from));
      this.#cut.add(series);
    }
    if (left.length > 1) return this.#later();
    this.close();
    this.#held.dropOldest();
    this.#dropped();
  }
}
