/** Counts in a fixed calendar window: it starts again at 0 when the wall clock enters the next one. */
export class WindowCounter {
  readonly #windowMs: number;
  #window = -1;
  #used = 0;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
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
