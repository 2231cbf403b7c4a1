/** A fault: something breaks, stays broken for a while, and is mended. */
import type { Dice } from "@pricetime/testkit/dice";
import type { Arena } from "../cluster/arena.ts";

export interface Fault {
  readonly name: string;
  /** Undefined: it can be had. Else why not, on this machine. */
  readonly without?: (arena: Arena) => string | undefined;
  /** Breaks and mends; resolves when everything runs again. It says what it does to whom. */
  readonly run: (arena: Arena, dice: Dice, say: (what: string) => void) => Promise<void>;
}
