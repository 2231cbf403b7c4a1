/** Does a thing at once when it has not been done for a while, else when that while is over: never more often. */
import type { World } from "./world.ts";

export class Throttle {
  readonly #world: World;
  readonly #leastMs: number;
  readonly #run: () => void;
  #lastMs = -Infinity;
  #cancel: (() => void) | null = null;

  constructor(world: World, leastMs: number, run: () => void) {
    this.#world = world;
    this.#leastMs = leastMs;
    this.#run = run;
  }

  ask(): void {
    if (this.#cancel !== null) return;
    const waitMs = this.#lastMs + this.#leastMs - this.#world.elapsedMs();
    if (waitMs <= 0) this.now();
    else this.#cancel = this.#world.after(waitMs, () => this.now());
  }

  now(): void {
    this.stop();
    this.#lastMs = this.#world.elapsedMs();
    this.#run();
  }

  /** Drops what was asked for and is not done yet. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
