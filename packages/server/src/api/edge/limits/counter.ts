/** Counts in a fixed calendar window: it starts again at 0 when the wall clock enters the next one. */
import { z } from "zod";

/** A counter as kept: the window's number since 1970, -1 before the first, and what it has counted. */
export const KEPT_COUNTER: z.ZodType<KeptCounter> = z.tuple([z.int().min(-1), z.number()]);
type KeptCounter = readonly [window: number, used: number];

export class WindowCounter {
  readonly #windowMs: number;
  #window: number;
  #used: number;

  constructor(windowMs: number, [window, used]: KeptCounter = [-1, 0]) {
    this.#windowMs = windowMs;
    this.#window = window;
    this.#used = used;
  }

  kept(): KeptCounter {
    return [this.#window, this.#used];
  }

  /** Used so far in the window that holds `nowMs`. */
  used(nowMs: number): number {
    return Math.floor(nowMs / this.#windowMs) === this.#window ? this.#used : 0;
  }

  /** Adds and returns the new count. */
  add(amount: number, nowMs: number): number {
    const window = Math.floor(nowMs / this.#windowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#used = 0;
    }
    this.#used += amount;
    return this.#used;
  }

  /** Takes back an amount added at `addedMs`, unless its window is over. */
  takeBack(amount: number, addedMs: number): void {
    if (Math.floor(addedMs / this.#windowMs) === this.#window) this.#used -= amount;
  }
}
