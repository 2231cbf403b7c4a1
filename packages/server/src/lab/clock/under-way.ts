/**
 * Finds out when nothing is under way any more: requests and timers, payments on networks, and messages on
 * connections.
 */
import type { Timers } from "../../platform/world/port.ts";
import type { EngineView } from "@pricetime/engine";

export class UnderWay {
  readonly #nextTurn: Timers["soon"];
  #count = 0;

  constructor({ soon }: Pick<Timers, "soon">) {
    this.#nextTurn = soon;
  }

  /** Does what `Timers.soon` promises; the task is under way until it has run. */
  readonly soon = (task: () => void): void => {
    this.#count++;
    this.#nextTurn(() => {
      this.#count--;
      task();
    });
  };

  /** The work is under way until it is over: it may wait for what is no task of this thread, such as a file. */
  readonly during = async <T>(work: Promise<T>): Promise<T> => {
    this.#count++;
    try {
      return await work;
    } finally {
      this.#count--;
    }
  };

  /** Whether no work and no task of a later turn is known to be under way. Promises are not known. */
  get isQuiet(): boolean {
    return this.#count === 0;
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    // A turn runs all microtasks, too.
    do await new Promise<void>((resolve) => this.#nextTurn(resolve));
    while (this.#count > 0);
  }
}

// Payments that only need time to complete. What waits for a person does not count: a link in an email, an
// approval.

export function arePaymentsUnderWay(view: Pick<EngineView, "assets" | "funds">): boolean {
  if (view.funds.openWithdrawals().some(({ status }) => status === "processing")) return true;
  const networks = new Set(view.assets().flatMap(({ spec }) => spec.networks.map(({ network }) => network)));
  return [...networks].some((network) => view.funds.openDeposits(network).length > 0);
}

// Connections of clients that do not report progress count as idle after a time without messages. It is measured by
// the machine's clock, so it is not the same in each run.

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
