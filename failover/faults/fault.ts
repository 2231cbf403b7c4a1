/** A fault: something breaks, stays broken for a while, and is mended. */
import type { Dice } from "@pricetime/testkit/dice";
import type { Arena } from "../cluster/arena.ts";

/** What a fault tells, and what it may ask of those who use the cluster meanwhile. */
export interface Witness {
  /** Says what is done to whom. */
  say(what: string): void;
  /** Fails the campaign unless each node acknowledges a change that was asked for from now on. */
  mustServe(withinMs: number): Promise<void>;
  /** What the fault is there for did not come: nothing is wrong with the program, and nothing was shown of it. */
  fellShort(what: string): void;
}

export interface Fault {
  readonly name: string;
  /** Undefined: it can be had. Else why not, on this machine. */
  readonly without?: (arena: Arena) => string | undefined;
  /** Breaks and mends; resolves when everything runs again. */
  readonly run: (arena: Arena, dice: Dice, witness: Witness) => Promise<void>;
}
