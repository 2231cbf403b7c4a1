/**
 * Decides who buys and who sells: large intentions are cut into many orders of one side, a few at a time, so that buys
 * follow buys for a long time.
 */
import { z } from "zod";
import type { Keeping, KeptValue } from "../../../platform/world/kept.ts";
import { keptPart, readKept } from "../../../platform/world/read-kept.ts";
import { type Side, SIDES } from "./orders.ts";
import { Random } from "./random.ts";

/** How often each of the active intentions is the one that acts. */
const SHARES = [0.84, 0.12, 0.04];
/** The tail exponent of the number of orders in one intention. */
const TAIL = 1.4;
const MOST_ORDERS = 1000;

interface Intention {
  side: Side;
  /** The orders still to come. */
  left: number;
}

const keptShape = z.strictObject({
  random: keptPart,
  underWay: z.array(z.strictObject({ side: z.enum(SIDES), left: z.number() })).length(SHARES.length),
});

export class Intentions implements Keeping {
  readonly #random: Random;
  readonly #underWay: Intention[];

  constructor(seed: number, name: string, kept?: KeptValue) {
    const state = kept === undefined ? undefined : readKept(name, keptShape, kept);
    this.#random = new Random(seed, name, state?.random);
    this.#underWay = state?.underWay ?? SHARES.map(() => this.#conceive());
  }

  kept(): KeptValue {
    return { random: this.#random.kept(), underWay: this.#underWay.map((intention) => ({ ...intention })) };
  }

  /** Returns the side of the next order. */
  next(): Side {
    let draw = this.#random.next();
    const index = Math.max(
      0,
      SHARES.findIndex((share) => (draw -= share) < 0),
    );
    const intention = this.#underWay[index] ?? this.#conceive();
    intention.left--;
    if (intention.left <= 0) this.#underWay[index] = this.#conceive();
    return intention.side;
  }

  #conceive(): Intention {
    const left = Math.min(MOST_ORDERS, Math.round(this.#random.pareto(TAIL)));
    return { side: this.#random.chance(0.5) ? "BUY" : "SELL", left };
  }
}
