/** Whether a node is fit to serve: what /readyz answers. */

/** Null: in order; else why not, in a few words. */
export type ReadinessCheck = () => string | null;

/** History may lag by this much before the node calls itself not ready. */
export const MAX_HISTORY_LAG_COMMANDS = 100_000;

export interface HealthParts {
  /** Open for clients, not stopping. */
  readonly isServing: () => boolean;
  /** False from a failed commit until the journal has been read again. */
  readonly canWriteJournal: () => boolean;
  readonly journalSeq: () => number;
  readonly historySeq: () => number;
  /** What is wrong outside, by network: the node trades on, so it is told and is no fault. */
  readonly troubles?: () => Record<string, string>;
}

export class Health {
  readonly #troubles: () => Record<string, string>;
  readonly #checks: readonly (readonly [name: string, check: ReadinessCheck])[];

  constructor(parts: HealthParts) {
    this.#troubles = parts.troubles ?? (() => ({}));
    this.#checks = [
      ["serving", () => (parts.isServing() ? null : "not open for clients")],
      ["journal", () => (parts.canWriteJournal() ? null : "cannot be written")],
      ["history", () => historyLag(parts.journalSeq() - parts.historySeq())],
    ];
  }

  /** What an operator should look at though the node is fit to serve; empty when there is nothing. */
  warnings(): Record<string, string> {
    return this.#troubles();
  }

  /** What is not in order, by the name of the part; empty when the node is ready. */
  faults(): Record<string, string> {
    const faults: Record<string, string> = {};
    for (const [name, check] of this.#checks) {
      const fault = check();
      if (fault !== null) faults[name] = fault;
    }
    return faults;
  }
}

function historyLag(lag: number): string | null {
  return lag <= MAX_HISTORY_LAG_COMMANDS ? null : `${lag} commands behind`;
}
