/**
 * Tracks whether any work is pending: requests and timers, payments on networks, and messages on connections.
 */
import type { Timers } from "../../platform/world/port.ts";
import type { EngineView } from "@pricetime/engine";

export class UnderWay {
  readonly #nextTurn: Timers["soon"];
  #count = 0;

  constructor({ soon }: Pick<Timers, "soon">) {
    this.#nextTurn = soon;
  }

  /** Implements `Timers.soon`. The task counts as pending until it has run. */
  readonly soon = (task: () => void): void => {
    this.#count++;
    this.#nextTurn(() => {
      this.#count--;
      task();
    });
  };

  /** Counts the work as pending until it finishes. It may wait for something outside this thread, such as a file. */
  readonly during = async <T>(work: Promise<T>): Promise<T> => {
    this.#count++;
    try {
      return await work;
    } finally {
      this.#count--;
    }
  };

  /** Whether no work is pending, and no task of a later turn. Promises are not tracked. */
  get isQuiet(): boolean {
    return this.#count === 0;
  }

  /** Resolves when no work is pending. */
  async settled(): Promise<void> {
    // All microtasks run before the next turn.
    do await new Promise<void>((resolve) => this.#nextTurn(resolve));
    while (this.#count > 0);
  }
}

// Whether payments are in progress that only need time to complete. Payments that wait for a person (an email link, an
// approval) do not count.

export function arePaymentsUnderWay(view: Pick<EngineView, "assets" | "funds">): boolean {
  if (view.funds.openWithdrawals().some(({ status }) => status === "processing")) return true;
  const networks = new Set(view.assets().flatMap(({ spec }) => spec.networks.map(({ network }) => network)));
  return [...networks].some((network) => view.funds.openDeposits(network).length > 0);
}

/** The number of checks within the required silence. */
const LOOKS = 4;
/** The maximum silence that a client may request. */
export const MAX_QUIET_MS = 60_000;

export interface QuietOptions {
  readonly machine: Pick<Timers, "after">;
  /**
   * Returns a number that increases with each message and answer that is sent, and with each WebSocket that a client
   * opens.
   */
  readonly carried: () => number;
}

export class Quiet {
  readonly #options: QuietOptions;

  constructor(options: QuietOptions) {
    this.#options = options;
  }

  /**
   * Resolves when `carried` differs from `before` and has not changed for `quietMs` of machine time since, or when
   * `isOver` returns true. The silence is measured by the machine's clock, so it differs between runs.
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
