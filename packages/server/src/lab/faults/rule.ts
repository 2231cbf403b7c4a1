/** One injected fault: which of its matches it affects, how often it has applied, and its state in a checkpoint. */
import type { Dice } from "../../platform/world/port.ts";
import { type Fault, faultSchema, MAX_FAULTS, MAX_STRUCK_TOLD, MAX_STUCK_DEPOSITS } from "./fault.ts";
import { drawn } from "./delays.ts";
import { z } from "zod";

/** What a fault has struck, as plain JSON. */
export interface Struck {
  readonly atMs: number;
  readonly [name: string]: string | number;
}

/** A fault as it is listed. */
export interface ListedFault {
  readonly id: number;
  /** As it was asked for, with defaults. */
  readonly fault: Fault;
  /** Whether its `after` has happened, where it has one. */
  readonly armed: boolean;
  /** The number that came by in its time of what it is meant for, until its count was full. */
  readonly met: number;
  readonly struck: number;
  /** The first and the latest, the oldest first. */
  readonly strikes: readonly Struck[];
}

/** What a rule goes by besides the kind of its fault. */
interface Choice {
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly count?: number;
  readonly skip?: number;
  readonly every?: number;
  readonly probability?: number;
}

export class Rule<F extends Fault = Fault> {
  readonly id: number;
  readonly fault: F;
  #armed: boolean;
  #met: number;
  #struck: number;
  readonly #told: Struck[];

  constructor({ id, fault, armed, met, struck, strikes }: ListedFault & { readonly fault: F }) {
    this.id = id;
    this.fault = fault;
    this.#armed = armed;
    this.#met = met;
    this.#struck = struck;
    this.#told = [...strikes];
  }

  get isArmed(): boolean {
    return this.#armed;
  }

  get struck(): number {
    return this.#struck;
  }

  arm(): void {
    this.#armed = true;
  }

  /** Something it is meant for has come by: whether it strikes. The dice are thrown only where chance decides. */
  strikes(nowMs: number, dice: Dice): boolean {
    const { fromMs = 0, toMs = Number.POSITIVE_INFINITY, count, skip = 0, every = 1, probability }: Choice = this.fault;
    if (!this.#armed || nowMs < fromMs || nowMs >= toMs) return false;
    if (count !== undefined && this.#struck >= count) return false;
    const number = ++this.#met - skip;
    if (number <= 0 || number % every !== 0) return false;
    return probability === undefined || drawn(dice) < probability;
  }

  /** Notes what it strikes. */
  note(struck: Struck): void {
    this.#struck++;
    this.#told.push(struck);
    // The first says where the consequences begin: it stays.
    if (this.#told.length > MAX_STRUCK_TOLD) this.#told.splice(1, 1);
  }

  listed(): ListedFault {
    const { id, fault } = this;
    return { id, fault, armed: this.#armed, met: this.#met, struck: this.#struck, strikes: [...this.#told] };
  }
}

// The faults of a lab in a checkpoint.

const count = z.int().min(0);
export const SAVED_FAULTS: z.ZodType<FaultsState> = z.strictObject({
  nextId: z.int().min(1),
  faults: z
    .array(
      z.strictObject({
        id: z.int().min(1),
        fault: faultSchema,
        armed: z.boolean(),
        met: count,
        struck: count,
        strikes: z
          .array(z.object({ atMs: z.number() }).catchall(z.union([z.string(), z.number()])))
          .max(MAX_STRUCK_TOLD),
        stuck: z
          .record(z.string(), z.number().nullable())
          .refine((stuck) => Object.keys(stuck).length <= MAX_STUCK_DEPOSITS),
      }),
    )
    .max(MAX_FAULTS),
});

export interface FaultState extends ListedFault {
  /** Deposits that it keeps back, by name, and until when; null: as long as the fault is in the list. */
  readonly stuck: Readonly<Record<string, number | null>>;
}

export interface FaultsState {
  readonly nextId: number;
  readonly faults: readonly FaultState[];
}
