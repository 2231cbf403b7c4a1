/** Spaces out expensive acts: the more often one was done within a minute, the longer it waits. */
import type { World } from "./world.ts";

const REMEMBERED_MS = 60_000;
const FIRST_GAP_MS = 500;

export class Spacing {
  readonly #world: World;
  #doneMs: number[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  done(): void {
    this.#doneMs.push(this.#world.elapsedMs());
  }

  /** Gaps of 1, 2, 4, 8, 16 and 32 s: at most six or seven times a minute. */
  waitMs(): number {
    const nowMs = this.#world.elapsedMs();
    this.#doneMs = this.#doneMs.filter((atMs) => nowMs - atMs < REMEMBERED_MS);
    const lastMs = this.#doneMs.at(-1);
    return lastMs === undefined ? 0 : Math.max(0, lastMs + FIRST_GAP_MS * 2 ** this.#doneMs.length - nowMs);
  }
}
