/**
 * Whether a node is ready, for /readyz; how much room its disk has; and failing writes that are retried, for the log,
 * /readyz and /metrics.
 */
import { statfs } from "node:fs/promises";
import type { Metrics } from "./metrics.ts";

/** Returns null when in order; else why not, in a few words. */
export type ReadinessCheck = () => string | null;

/** Reasons by the name of the degraded part. */
type Reasons = Readonly<Record<string, string>>;

/** The parts of a node that may keep it from serving, as health sees them. */
export interface HealthParts {
  readonly sequencer: {
    /** False from a failed commit until one succeeds. */
    readonly canAppend: boolean;
    /** Why no commands are taken for now, by reason: what does not hold for a node that is alone. */
    readonly heldBy?: ReadonlyMap<string, string>;
    /** Further behind, history keeps the node from taking new orders. */
    readonly maxHistoryLagEntries: number;
  };
  /** The last entry that is applied. */
  readonly engine: { readonly seq: number };
  /** The last entry that history holds. */
  readonly projector: { readonly seq: number };
  /** Troubles outside, by network. The node goes on trading, so they are reported but are no fault. */
  readonly wallet: { troubles(): Reasons };
  /** Parts of the data folder that cannot be written and are tried again, and why. */
  readonly troubles: { readonly all: Reasons };
  /** What is wrong with the wall clock; `fault` when it has been for long. */
  readonly clock: { readonly warning: string | null; readonly fault: string | null };
  /** The certificates of the node's own ports; absent: it has none. */
  readonly certificates?: { warnings(): Reasons };
  /** Symbols that an operator should look at; absent: none is listed. */
  readonly listing?: { warnings(): Reasons };
  /** Accounts that an operator must decide about; absent where nobody looks. */
  readonly accounts?: { warnings(): Reasons };
  /** What several nodes have beside; absent where the node is alone. */
  readonly cluster?: ClusterHealth | undefined;
}

/** A node among others. */
export interface ClusterHealth {
  /** Why it must not serve, by subject. */
  faults(): Reasons;
  /** What an operator should see to although it serves. */
  warnings(): Reasons;
  /** The node that holds a role, by role. */
  holders(): Reasons;
}

export class Health {
  /** Open for clients, not stopping. */
  isServing = false;
  readonly #parts: HealthParts;
  readonly #checks: readonly (readonly [name: string, check: ReadinessCheck])[];

  constructor(parts: HealthParts) {
    const { sequencer, engine, projector, clock } = parts;
    this.#parts = parts;
    const isHeld = (): boolean => (sequencer.heldBy?.size ?? 0) > 0;
    this.#checks = [
      ["serving", () => (this.isServing ? null : "not accepting clients")],
      ["journal", () => (sequencer.canAppend || isHeld() ? null : "cannot write the journal")],
      ["history", () => historyLag(engine.seq - projector.seq, sequencer.maxHistoryLagEntries)],
      ["clock", () => clock.fault],
    ];
  }

  /** Networks that an operator should look at. */
  networks(): Reasons {
    return this.#parts.wallet.troubles();
  }

  /** What an operator should see to although the node serves, by the name of the part. */
  warnings(): Reasons {
    const { troubles, clock, certificates, listing, accounts, cluster } = this.#parts;
    const { warning } = clock;
    const ofClock = warning !== null && { clock: warning };
    const venue = { ...listing?.warnings(), ...accounts?.warnings() };
    const own = { ...troubles.all, ...ofClock, ...certificates?.warnings(), ...venue };
    return cluster === undefined ? own : { ...own, ...cluster.warnings() };
  }

  /** Which node does what only one of several does. */
  roles(): Reasons {
    return this.#parts.cluster?.holders() ?? {};
  }

  /** Returns the faults by the name of the part; empty when the node is ready. */
  faults(): Record<string, string> {
    const { sequencer, cluster } = this.#parts;
    const faults: Record<string, string> = { ...Object.fromEntries(sequencer.heldBy ?? []), ...cluster?.faults() };
    for (const [name, check] of this.#checks) {
      const fault = check();
      if (fault !== null) faults[name] = fault;
    }
    return faults;
  }
}

function historyLag(lag: number, most: number): string | null {
  return lag <= most ? null : `${lag} commands behind`;
}

export interface DiskState {
  /** What this process may still write. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export class DiskRoom {
  readonly #folder: string;
  #isLooking = false;
  #last: DiskState | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** As it was when somebody last looked; null: nobody has, or the system does not tell. */
  get last(): DiskState | null {
    return this.#last;
  }

  /** Asks the system, which may take its time: another look begins once the last one is over. */
  look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const told = (state: DiskState | null): void => {
      this.#isLooking = false;
      this.#last = state;
    };
    statfs(this.#folder).then(
      ({ bavail, blocks, bsize }) => told({ freeBytes: bavail * bsize, totalBytes: blocks * bsize }),
      () => told(null),
    );
  }
}

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
