/** One fault in the list: which of what it is meant for it strikes, and what it has struck. */
import type { Dice } from "../../platform/world/port.ts";
import type { Fault } from "./fault.ts";
import { MAX_STRUCK_TOLD } from "./limits.ts";
import { drawn } from "./log-normal.ts";

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
