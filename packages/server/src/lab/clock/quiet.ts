/**
 * Whether all is quiet on the connections of clients: what a client that says nothing can be judged by. By the machine's
 * clock, so nothing of it is the same each time.
 */
import type { Timers } from "../../world/port.ts";

/** How often it is looked in the time for which it must have been quiet. */
const LOOKS = 4;
/** A longer silence is none that one waits for. */
export const MAX_QUIET_MS = 60_000;

export interface QuietOptions {
  readonly machine: Pick<Timers, "after">;
  /** Grows with what clients outside are sent, and with WebSockets that they open. */
  readonly carried: () => number;
}

export class Quiet {
  readonly #options: QuietOptions;

  constructor(options: QuietOptions) {
    this.#options = options;
  }

  /**
   * Resolves when `carried` is another than `before`, and has not changed for `quietMs` of the machine, from now on; or
   * when `isOver` says that nobody waits any more.
   */
  async after(before: number, quietMs: number, isOver: () => boolean): Promise<void> {
    const { machine, carried } = this.#options;
    const lookMs = Math.max(1, Math.ceil(quietMs / LOOKS));
    let seen = carried();
    for (let silentMs = 0; silentMs < quietMs && !isOver(); ) {
      await new Promise<void>((resolve) => void machine.after(lookMs, resolve));
      const now = carried();
      silentMs = now === seen && now !== before ? silentMs + lookMs : 0;
      seen = now;
    }
  }
}
