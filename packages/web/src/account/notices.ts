/** What was done and what came of it, line by line. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { World } from "../wire/world.ts";
import type { Notice } from "./port.ts";

const MOST_NOTICES = 50;

export class Notices {
  readonly #world: World;
  readonly #lines = signal<readonly Notice[]>([]);
  #lastId = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Newest first. */
  get lines(): ReadonlySignal<readonly Notice[]> {
    return this.#lines;
  }

  say(tone: Notice["tone"], text: string): void {
    const line = { id: ++this.#lastId, tone, text, timeMs: this.#world.nowMs() };
    this.#lines.value = [line, ...this.#lines.value].slice(0, MOST_NOTICES);
  }
}
