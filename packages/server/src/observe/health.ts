/** Decides whether a node is fit to serve, for /readyz. */

/** Returns null when in order; else why not, in a few words. */
export type ReadinessCheck = () => string | null;

/** The lag of the history at which the node reports that it is not ready. */
export const MAX_HISTORY_LAG_COMMANDS = 100_000;

export interface HealthParts {
  /** Whether the node is open for clients and not stopping. */
  readonly isServing: () => boolean;
  /** False from a failed commit until one succeeds. */
  readonly canWriteJournal: () => boolean;
  readonly journalSeq: () => number;
  readonly historySeq: () => number;
  /** What is wrong outside, by network. The node trades on, so this is a warning and not a fault. */
  readonly networks?: () => Readonly<Record<string, string>>;
  /** Parts of the data folder that cannot be written and are tried again, with the reasons. */
  readonly troubles?: () => Readonly<Record<string, string>>;
  /** What is wrong with the wall clock; `fault` when it has been wrong for long. */
  readonly clock?: { readonly warning: string | null; readonly fault: string | null };
}

export class Health {
  readonly #networks: () => Readonly<Record<string, string>>;
  readonly #checks: readonly (readonly [name: string, check: ReadinessCheck])[];

  readonly #troubles: () => Readonly<Record<string, string>>;
  readonly #clock: NonNullable<HealthParts["clock"]>;

  constructor(parts: HealthParts) {
    this.#networks = parts.networks ?? (() => ({}));
    this.#troubles = parts.troubles ?? (() => ({}));
    this.#clock = parts.clock ?? { warning: null, fault: null };
    this.#checks = [
      ["serving", () => (parts.isServing() ? null : "not open for clients")],
      ["journal", () => (parts.canWriteJournal() ? null : "cannot be written")],
      ["history", () => historyLag(parts.journalSeq() - parts.historySeq())],
      ["clock", () => this.#clock.fault],
    ];
  }

  /** Returns the networks that an operator should look at. */
  networks(): Readonly<Record<string, string>> {
    return this.#networks();
  }

  /** Returns what an operator should look after although the node serves, by the name of the part. */
  warnings(): Readonly<Record<string, string>> {
    const { warning } = this.#clock;
    return warning === null ? this.#troubles() : { ...this.#troubles(), clock: warning };
  }

  /** Returns what is not in order, by the name of the part; empty when the node is ready. */
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
