/** The definition of an attack, its checks, and its result. */
import type { Scope } from "./scope.ts";
import type { Venue } from "./venue.ts";

/** A row of the table. */
export interface Row {
  readonly attack: string;
  /** What the attacker does, with numbers. */
  readonly does: string;
  /** The accepted effect on other clients. */
  readonly bound: string;
  readonly saw: string;
  /** The promises that did not hold, each in a few words; empty if the exchange withstood the attack. */
  readonly broken: readonly string[];
}

export interface Campaign {
  /** The short version for CI: fewer variants, a smaller book. */
  readonly isShort: boolean;
  /** The minimum time for which other clients are observed during one attack. */
  readonly seconds: number;
  /** Ends everything that the attack has started, whatever its outcome. */
  readonly scope: Scope;
  say(line: string): void;
  /** The prepared exchange, which is created on first use. */
  venue(): Promise<Venue>;
}

export interface Attack {
  readonly name: string;
  run(campaign: Campaign): Promise<Row[]>;
}

/** The expectations that an attack checks, and its observations. */
export class Checks {
  readonly #broken: string[] = [];
  readonly #observed: string[] = [];

  /** Records whether the expectation `what` holds. */
  expect(what: string, holds: boolean): void {
    if (!holds) this.#broken.push(`failed: ${what}`);
  }

  /** Adds an observation to the table. */
  observe(what: string): void {
    this.#observed.push(what);
  }

  get failed(): number {
    return this.#broken.length;
  }

  row(attack: string, does: string, bound: string): Row {
    return { attack, does, bound, saw: this.#observed.join("; "), broken: this.#broken };
  }
}
