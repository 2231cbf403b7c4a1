/**
 * Whether all is quiet on the connections of clients, which is all that can be known of a client that says nothing. It
 * goes by the machine's clock, so it is not the same each time.
 */
import type { Timers } from "../../platform/world/port.ts";

/** So many times it looks during the span for which all must have been quiet. */
const LOOKS = 4;
/** The longest silence that may be asked for. */
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
