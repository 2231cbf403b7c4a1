/**
 * Readiness of a node (/readyz), free disk space, and failed writes that are retried.
 */
import { statfs } from "node:fs/promises";
import type { Metrics } from "./metrics.ts";

/** Returns null if the check passes, otherwise the reason for the failure. */
export type ReadinessCheck = () => string | null;

/** Reasons, keyed by the affected part. */
type Reasons = Readonly<Record<string, string>>;

/** The parts of a node that affect its readiness. */
export interface HealthParts {
  readonly sequencer: {
    /** False from a failed commit until a commit succeeds. */
    readonly canAppend: boolean;
    /** Why a cluster node currently accepts no commands, by kind of reason. */
    readonly heldBy?: ReadonlyMap<string, string>;
    /** Above this history lag, the node accepts no new orders. */
    readonly maxHistoryLagEntries: number;
  };
  /** The last applied entry. */
  readonly engine: { readonly seq: number };
  /** The last entry that history includes. */
  readonly projector: { readonly seq: number };
  /** Errors of networks. They are shown, but do not affect readiness. */
  readonly wallet: { troubles(): Reasons };
  /** Failed writes that are being retried, by part of the data folder. */
  readonly troubles: { readonly all: Reasons };
  /** A warning about the wall clock; `fault` is set, too, if the error lasts. */
  readonly clock: { readonly warning: string | null; readonly fault: string | null };
  readonly certificates?: { warnings(): Reasons };
  /** Warnings about symbols. */
  readonly listing?: { warnings(): Reasons };
  /** Warnings about accounts. */
  readonly accounts?: { warnings(): Reasons };
  /** Absent on a single node. */
  readonly cluster?: ClusterHealth | undefined;
}

export interface ClusterHealth {
  /** Failing checks because of which the node must not serve, by subject. */
  faults(): Reasons;
  /** Warnings that do not affect readiness. */
  warnings(): Reasons;
  /** The owner of each task. */
  holders(): Reasons;
}

export class Health {
  /** Whether the node accepts clients. */
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

  /** Errors by network. */
  networks(): Reasons {
    return this.#parts.wallet.troubles();
  }

  /** Warnings by part. They do not affect readiness. */
  warnings(): Reasons {
    const { troubles, clock, certificates, listing, accounts, cluster } = this.#parts;
    const { warning } = clock;
    const ofClock = warning !== null && { clock: warning };
    const venue = { ...listing?.warnings(), ...accounts?.warnings() };
    const own = { ...troubles.all, ...ofClock, ...certificates?.warnings(), ...venue };
    return cluster === undefined ? own : { ...own, ...cluster.warnings() };
  }

  /** The node that owns each of the cluster's tasks. */
  roles(): Reasons {
    return this.#parts.cluster?.holders() ?? {};
  }

  /** Failing checks by part; empty if the node is ready. */
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
  /** The disk space available to this process. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export class DiskSpace {
  readonly #folder: string;
  #isLooking = false;
  #last: DiskState | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The last result. Null if there is none yet, or if the system does not report it. */
  get last(): DiskState | null {
    return this.#last;
  }

  /** Requests a new result, unless a request is already running. */
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

/** A part has failed, or has recovered (null). */
export interface PartTrouble {
  readonly part: Part;
  readonly message: string | null;
}

export class Troubles {
  readonly #current = new Map<Part, string>();
  readonly #failures = new Map<Part, number>();
  readonly #onChange: (trouble: PartTrouble) => void;

  /** `onChange` is called once per new message, not at each failure. */
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

  /** Returns the function that records errors of one part. Call it with null when the part has recovered. */
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

  /** The number of failures since the start. */
  failures(part: Part): number {
    return this.#failures.get(part) ?? 0;
  }

  /** The current messages by part. */
  get all(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#current);
  }
}
