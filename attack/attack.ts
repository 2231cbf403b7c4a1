/** What an attack is, and what is said of it afterwards. */
import type { Scope } from "./scope.ts";
import type { Venue } from "./venue.ts";

/** A line of the table. */
export interface Row {
  readonly attack: string;
  /** What the attacker does, with its numbers. */
  readonly does: string;
  /** What others may see of it. */
  readonly bound: string;
  readonly saw: string;
  /** Promises that did not hold, each in a few words; none: the exchange held. */
  readonly broken: readonly string[];
}

export interface Campaign {
  /** The bounded part for CI: fewer variants, a smaller book. */
  readonly isShort: boolean;
  /** How long others are watched, at least, while one attack lasts. */
  readonly seconds: number;
  /** Ends what the attack has started, whatever becomes of it. */
  readonly scope: Scope;
  say(line: string): void;
  /** The prepared exchange; made when it is first asked for. */
  venue(): Promise<Venue>;
}

export interface Attack {
  readonly name: string;
  run(campaign: Campaign): Promise<Row[]>;
}
