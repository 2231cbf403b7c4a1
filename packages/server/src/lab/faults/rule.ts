/** An injected fault: which of its matches it affects, how often it has struck, and its state in a checkpoint. */
import type { Dice } from "../../platform/world/port.ts";
import { type Fault, faultSchema, MAX_FAULTS, MAX_STRUCK_TOLD, MAX_STUCK_DEPOSITS } from "./fault.ts";
import { drawn } from "./delays.ts";
import { z } from "zod";

/** An object that a fault has affected, as plain JSON. */
export interface Struck {
  readonly atMs: number;
  readonly [name: string]: string | number;
}

/** A fault as the API lists it. */
export interface ListedFault {
  readonly id: number;
  /** The fault as requested, with defaults. */
  readonly fault: Fault;
  /** Whether the `after` condition has occurred; true if there is none. */
  readonly armed: boolean;
  /** The number of objects that matched while the fault was active, until `count` was reached. */
  readonly met: number;
  readonly struck: number;
  /** The first and the latest affected objects, oldest first. */
  readonly strikes: readonly Struck[];
}

/** The selection fields that all kinds of faults share. */
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

  /**
   * Whether the fault affects a matching object. Called once for each matching object. Draws a random number only if
   * the fault has a probability.
   */
  strikes(nowMs: number, dice: Dice): boolean {
    const { fromMs = 0, toMs = Number.POSITIVE_INFINITY, count, skip = 0, every = 1, probability }: Choice = this.fault;
    if (!this.#armed || nowMs < fromMs || nowMs >= toMs) return false;
    if (count !== undefined && this.#struck >= count) return false;
    const number = ++this.#met - skip;
    if (number <= 0 || number % every !== 0) return false;
    return probability === undefined || drawn(dice) < probability;
  }

  /** Records an object that the fault has affected. */
  note(struck: Struck): void {
    this.#struck++;
    this.#told.push(struck);
    // The first entry is not dropped, because it shows where the consequences begin.
    if (this.#told.length > MAX_STRUCK_TOLD) this.#told.splice(1, 1);
  }

  listed(): ListedFault {
    const { id, fault } = this;
    return { id, fault, armed: this.#armed, met: this.#met, struck: this.#struck, strikes: [...this.#told] };
  }
}

// The state of a lab's faults in a checkpoint.

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
  /** The deposits that the fault delays, by name, and the end of each delay; null while the fault exists. */
  readonly stuck: Readonly<Record<string, number | null>>;
}

export interface FaultsState {
  readonly nextId: number;
  readonly faults: readonly FaultState[];
}
