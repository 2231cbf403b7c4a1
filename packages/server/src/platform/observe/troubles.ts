/** Failing writes that are retried, for the log, /readyz and /metrics. */
import type { Metrics } from "./metrics.ts";

const TROUBLED_PARTS = ["journal", "history", "snapshots", "sandbox", "email"] as const;
type Part = (typeof TROUBLED_PARTS)[number];

/** A part failed, or (null) works again. */
export interface PartTrouble {
  readonly part: Part;
  readonly message: string | null;
}

export class Troubles {
  readonly #current = new Map<Part, string>();
  readonly #failures = new Map<Part, number>();
  readonly #onChange: (trouble: PartTrouble) => void;

  /** `onChange` is called for the log, once for each new trouble, not once per try. */
  constructor(onChange: (trouble: PartTrouble) => void) {
    this.#onChange = onChange;
  }

  note(trouble: PartTrouble): void {
    const { part, message } = trouble;
    if (message !== null) this.#failures.set(part, this.failures(part) + 1);
    if (this.#current.get(part) === (message ?? undefined)) return;
    if (message === null) this.#current.delete(part);
    else this.#current.set(part, message);
    this.#onChange(trouble);
  }

  /** Returns the function that notes the errors of one part; null means that it works again. */
  noteOf(part: Part): (error: Error | null) => void {
    return (error) => this.note({ part, message: error?.message ?? null });
  }

  /** Adds the metrics of failed writes. */
  watch(metrics: Pick<Metrics, "counter">): void {
    for (const part of TROUBLED_PARTS) {
      const help = `Failed writes of the ${part}`;
      metrics.counter(`pricetime_${part}_failures_total`, help, () => this.failures(part));
    }
  }

  /** Failed tries since the start. */
  failures(part: Part): number {
    return this.#failures.get(part) ?? 0;
  }

  /** The reasons by part; empty when all is well. */
  get all(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#current);
  }
}
